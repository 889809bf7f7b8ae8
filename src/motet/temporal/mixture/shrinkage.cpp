#include "motet/temporal/mixture/shrinkage.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"

namespace motet::temporal {
namespace {

constexpr double least_variance = 1e-302;  // below it squares of differences lose digits
constexpr double least_weight = 1e-9;      // of a component, in rows
constexpr double least_pivot = 1e-14;      // of a correlation matrix: above the rounding of its factorisation
constexpr double seed_scale = 0.25;        // sigma of (6.4)

std::size_t lower(std::size_t i, std::size_t j) { return i * (i + 1) / 2 + j; }

void require_sizes(const Features& features) {
  const auto at = std::find_if(features.values.begin(), features.values.end(),
                               [](double x) { return !(std::abs(x) <= largest_value); });
  if (at == features.values.end()) return;
  const auto place = static_cast<std::size_t>(at - features.values.begin());
  const std::size_t n = place / features.dimensions();
  fail(ErrorKind::bad_data, "item '" + item_name(features, n) +
                                "': " + features.columns[place % features.dimensions()] + " = " + to_text(*at) +
                                " is too large; sizes up to 1e150 are allowed");
}

// Means about the first row, so that a constant column has exactly its value.
std::vector<double> column_means(const Features& features, Threads threads) {
  const std::size_t dimensions = features.dimensions();
  const RowTasks tasks(features.rows());
  const std::span<const double> first = features.row(0);
  std::vector<double> mean =
      sum_over_tasks(tasks.count, dimensions, threads_for(threads, static_cast<double>(features.values.size())),
                     [&](std::size_t task, std::span<double> sums) {
                       for (std::size_t n = tasks.begin(task); n < tasks.end(task); ++n) {
                         const std::span<const double> row = features.row(n);
                         for (std::size_t d = 0; d < dimensions; ++d) sums[d] += row[d] - first[d];
                       }
                     });
  for (std::size_t d = 0; d < dimensions; ++d) mean[d] = first[d] + mean[d] / static_cast<double>(features.rows());
  return mean;
}

// 1 on the diagonal, 0 elsewhere: for moments about a mean.
Component unit_component(std::vector<double> mean) {
  const std::size_t dimensions = mean.size();
  Component component{std::move(mean), std::vector<double>(dimensions * dimensions, 0.0), 1.0, -1};
  for (std::size_t d = 0; d < dimensions; ++d) component.covariance[d * dimensions + d] = 1.0;
  return component;
}

// sum w d d^T - W delta delta^T with delta = first / W, added to `scatter`, a full matrix.
void add_scatter(const Moments& moments, std::vector<double>& scatter) {
  const std::size_t dimensions = moments.first.size();
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double s = moments.second[lower(i, j)] - moments.first[i] * (moments.first[j] / moments.weight);
      if (i == j) s = std::max(s, 0.0);
      scatter[i * dimensions + j] += s;
      if (i != j) scatter[j * dimensions + i] += s;
    }
  }
}

void finish_covariance(const GlobalShape& global, MixtureCovariance kind, double weight, std::vector<double>& scatter) {
  const std::size_t dimensions = global.floor.size();
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j < dimensions; ++j) {
      double& s = scatter[i * dimensions + j];
      if (i == j) s += global.floor[i];
      s = i != j && kind == MixtureCovariance::diagonal ? 0.0 : s / weight;
    }
  }
  make_positive_definite(global.floor, scatter);
}

void move_mean(const Moments& moments, Component& component) {
  for (std::size_t d = 0; d < component.mean.size(); ++d) component.mean[d] += moments.first[d] / moments.weight;
}

}  // namespace

void make_positive_definite(std::span<const double> least, std::vector<double>& covariance) {
  const std::size_t dimensions = least.size();
  std::vector<double> sd(dimensions);
  bool is_diagonal = true;
  for (std::size_t i = 0; i < dimensions; ++i) {
    double& variance = covariance[i * dimensions + i];
    if (!(variance > 0.0)) variance = least[i] > 0.0 ? least[i] : 1.0;
    sd[i] = std::sqrt(variance);
    for (std::size_t j = 0; j < i; ++j) is_diagonal = is_diagonal && covariance[i * dimensions + j] == 0.0;
  }
  if (is_diagonal) return;
  std::vector<double> factor(dimensions * (dimensions + 1) / 2);
  const auto holds = [&](double shrunk) {
    for (std::size_t i = 0; i < dimensions; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = i == j ? 1.0 : shrunk * (covariance[i * dimensions + j] / sd[i] / sd[j]);
        for (std::size_t l = 0; l < j; ++l) sum -= factor[lower(i, l)] * factor[lower(j, l)];
        if (i == j && !(sum > least_pivot)) return false;
        factor[lower(i, j)] = i == j ? std::sqrt(sum) : sum / factor[lower(j, j)];
      }
    }
    return true;
  };
  if (holds(1.0)) return;
  double less = 1e-13;
  while (less < 1.0 && !holds(1.0 - less)) less *= 10.0;
  const double shrunk = less < 1.0 ? 1.0 - less : 0.0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j < dimensions; ++j) {
      if (i != j) covariance[i * dimensions + j] = shrunk == 0.0 ? 0.0 : covariance[i * dimensions + j] * shrunk;
    }
  }
}

GlobalShape global_shape(const Features& features, double share, Threads threads) {
  const std::size_t dimensions = features.dimensions();
  if (features.rows() == 0) fail(ErrorKind::unanswerable, "there are no rows");
  require_sizes(features);
  GlobalShape global;
  global.mean = column_means(features, threads);
  const Component unit = unit_component(global.mean);
  const double count = static_cast<double>(features.rows());
  const std::vector<double> weights(features.rows(), 1.0 / count);  // not 1: the sum stays a number whatever the size
  const Moments moments = weighted_moments(DensityFactors({&unit, 1}, dimensions), features, weights, threads).front();
  global.covariance.assign(dimensions * dimensions, 0.0);
  add_scatter(moments, global.covariance);
  global.floor.assign(dimensions, 0.0);
  double sum = 0.0;
  double varying = 0.0;
  const auto variance = [&](std::size_t d) { return global.covariance[d * dimensions + d]; };
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (variance(d) < least_variance) continue;
    global.floor[d] = share * variance(d);
    sum += global.floor[d];
    varying += 1.0;
  }
  const double otherwise = sum > 0.0 ? sum / varying : 1.0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (variance(d) >= least_variance) continue;
    global.floor[d] = otherwise;
    for (std::size_t i = 0; i < dimensions; ++i) {
      global.covariance[d * dimensions + i] = 0.0;
      global.covariance[i * dimensions + d] = 0.0;
    }
  }
  for (std::size_t d = 0; d < dimensions; ++d) global.covariance[d * dimensions + d] += global.floor[d];
  make_positive_definite(global.floor, global.covariance);
  return global;
}

void maximise_component(const Moments& moments, const GlobalShape& global, MixtureCovariance kind,
                        Component& component) {
  if (!(moments.weight > least_weight)) return;
  component.covariance.assign(component.covariance.size(), 0.0);
  add_scatter(moments, component.covariance);
  finish_covariance(global, kind, moments.mass(), component.covariance);
  move_mean(moments, component);
}

void maximise_components(std::span<const Moments> moments, const GlobalShape& global, MixtureCovariance kind,
                         std::span<Component> components) {
  if (kind != MixtureCovariance::tied) {
    for (std::size_t k = 0; k < components.size(); ++k) {
      maximise_component(moments[k], global, kind, components[k]);
    }
    return;
  }
  const std::size_t dimensions = global.floor.size();
  std::vector<double> scatter(dimensions * dimensions, 0.0);
  double weight = 0.0;
  for (std::size_t k = 0; k < components.size(); ++k) {
    if (!(moments[k].weight > least_weight)) continue;
    add_scatter(moments[k], scatter);
    move_mean(moments[k], components[k]);
    weight += moments[k].mass();
  }
  if (!(weight > least_weight)) return;
  finish_covariance(global, kind, weight, scatter);
  for (Component& component : components) component.covariance = scatter;
}

double log_floor_prior(const DensityFactors& factors, const GlobalShape& global, MixtureCovariance kind) {
  // tr(F L^-T L^-1) = sum_ij F_jj (L^-1)_ij^2.
  const std::size_t count =
      kind == MixtureCovariance::tied ? std::min<std::size_t>(1, factors.components()) : factors.components();
  double trace = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::span<const double> inverse = factors.inverse_factor(k);
    for (std::size_t i = 0; i < factors.dimensions(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double root = std::sqrt(global.floor[j]) * inverse[lower(i, j)];
        trace += root * root;
      }
    }
  }
  return -0.5 * trace;
}

Component seeded_component(const Features& features, std::span<const std::size_t> rows, const GlobalShape& global,
                           MixtureCovariance kind) {
  const std::size_t dimensions = features.dimensions();
  if (rows.empty()) fail(ErrorKind::internal, "a component needs a row to start from");
  const double count = static_cast<double>(rows.size());
  Component component;
  const std::span<const double> first = features.row(rows.front());
  component.mean.assign(first.begin(), first.end());
  for (const std::size_t n : rows) {
    for (std::size_t d = 0; d < dimensions; ++d) component.mean[d] += (features.row(n)[d] - first[d]) / count;
  }
  const double d_over = static_cast<double>(dimensions);
  const double rho = d_over / (d_over + count);
  component.covariance = global.covariance;
  for (double& c : component.covariance) c *= rho * seed_scale * seed_scale;
  for (const std::size_t n : rows) {
    const std::span<const double> row = features.row(n);
    for (std::size_t i = 0; i < dimensions; ++i) {
      const double d_i = (row[i] - component.mean[i]) * ((1.0 - rho) / count);
      for (std::size_t j = 0; j < dimensions; ++j) {
        component.covariance[i * dimensions + j] += d_i * (row[j] - component.mean[j]);
      }
    }
  }
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double& below = component.covariance[i * dimensions + j];
      if (kind == MixtureCovariance::diagonal) below = 0.0;
      component.covariance[j * dimensions + i] = below;
    }
  }
  make_positive_definite(global.floor, component.covariance);
  return component;
}

}  // namespace motet::temporal
