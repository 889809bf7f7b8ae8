#include "motet/sources/density_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/data/eigen.h"
#include "motet/sources/density_block.h"

namespace motet {
namespace {

struct Factor {
  RowMatrix inverse;  // T = L^-1 of S = L L'
  double log_determinant = 0.0;
};

[[noreturn]] void fail_singular() {
  fail(ErrorKind::unanswerable,
       "the covariance of a label set is not positive definite; a larger shrinkage or noise makes it so");
}

Factor factor_of(std::span<const double> covariance, std::size_t dimensions) {
  const auto size = static_cast<Eigen::Index>(dimensions);
  const Eigen::LLT<RowMatrix> cholesky(RowMatrixView(covariance.data(), size, size));
  if (cholesky.info() != Eigen::Success) fail_singular();
  Factor factor;
  factor.inverse = RowMatrix::Identity(size, size);
  cholesky.matrixL().solveInPlace(factor.inverse);
  for (Eigen::Index i = 0; i < size; ++i) factor.log_determinant -= 2.0 * std::log(factor.inverse(i, i));
  if (!std::isfinite(factor.log_determinant)) fail_singular();
  return factor;
}

void store_triangle(const RowMatrix& lower, double* tiles) {
  const auto size = static_cast<std::size_t>(lower.rows());
  for (std::size_t first = 0; first < size; first += density_tile) {
    for (std::size_t j = 0; j < std::min(first + density_tile, size); ++j) {
      for (std::size_t i = first; i < first + density_tile; ++i, ++tiles) {
        *tiles = i < size && j <= i ? lower(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) : 0.0;
      }
    }
  }
}

double gaussian_norm(std::size_t dimensions, double log_determinant) {
  return -0.5 * (static_cast<double>(dimensions) * std::log(2.0 * std::numbers::pi) + log_determinant);
}

bool is_diagonal(std::span<const double> matrix, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      if (i != j && matrix[i * size + j] != 0.0) return false;
    }
  }
  return true;
}

DensityForm form_of(const Sources& sources) {
  if (!is_gaussian(sources.family)) return DensityForm::linear;
  if (sources.covariance == Covariance::shared || sources.covariance == Covariance::point) return DensityForm::whitened;
  const bool is_matrix = sources.covariance == Covariance::full ||
                         (!sources.noise.empty() && !is_diagonal(sources.noise, sources.dimensions));
  return is_matrix ? DensityForm::full : DensityForm::diagonal;
}

// One set, written into the plan at its place.
using SetJob = void (*)(const Sources&, const std::vector<std::size_t>&, std::size_t, DensityPlan&);

void plan_diagonal(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan) {
  const std::size_t dimensions = sources.dimensions;
  const double m = static_cast<double>(all.size());
  const double share = sources.combination == Combination::mean ? 1.0 / m : 1.0;
  double* const mean = plan.weights.data() + at * plan.weights_a_set;
  double log_determinant = 0.0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    double variance = 0.0;
    for (const std::size_t k : all) {
      mean[d] += sources.location_of(k)[d] * share;
      const std::size_t place = sources.covariance == Covariance::spherical ? k : k * dimensions + d;
      variance += sources.spread[place] * share * share;
    }
    if (!sources.noise.empty()) variance += sources.noise[d * dimensions + d];
    if (!(variance > 0.0) || !std::isfinite(1.0 / variance)) fail_singular();
    mean[dimensions + d] = 1.0 / variance;
    log_determinant += std::log(variance);
  }
  plan.constant[at] = gaussian_norm(dimensions, log_determinant);
}

void plan_full(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan) {
  const std::size_t dimensions = sources.dimensions;
  BitMatrix set(1, std::max<std::size_t>(sources.label_count(), 1));
  for (const std::size_t k : all) {
    if (k < sources.label_count()) set.set(0, k);
  }
  const SetMoments moments = set_moments(sources, set.row(0));
  const Factor factor = factor_of(moments.covariance, dimensions);
  std::copy(moments.mean.begin(), moments.mean.end(),
            plan.weights.begin() + static_cast<std::ptrdiff_t>(at * plan.weights_a_set));
  store_triangle(factor.inverse, plan.triangles.data() + at * triangle_size(dimensions));
  plan.triangle_of[at] = static_cast<std::uint32_t>(at);
  plan.constant[at] = gaussian_norm(dimensions, factor.log_determinant);
}

// One covariance for all sets without noise, up to a factor; with noise one for every degree.
class WhitenedClasses {
 public:
  WhitenedClasses(const Sources& sources, DensityPlan& plan) : sources_(sources), plan_(plan) {}

  void place(const std::vector<std::size_t>& all, std::size_t at) {
    const std::size_t dimensions = sources_.dimensions;
    const bool is_point = sources_.covariance == Covariance::point;
    const double m = static_cast<double>(all.size());
    const bool is_mean = sources_.combination == Combination::mean;
    const double scale = is_point ? 1.0 : is_mean ? 1.0 / m : m;
    const bool by_degree = !is_point && !sources_.noise.empty();
    const auto [found, is_new] = classes_.try_emplace(by_degree ? all.size() : 0, factors_.size());
    if (is_new) add_class(by_degree ? scale : 1.0);
    const RowMatrix& means = means_[found->second];
    double* const whitened = plan_.weights.data() + at * plan_.weights_a_set;
    for (const std::size_t k : all) {
      const double* const mean = means.data() + k * plan_.weights_a_set;
      for (std::size_t i = 0; i < plan_.weights_a_set; ++i) whitened[i] += mean[i] * (is_mean ? 1.0 / m : 1.0);
    }
    const double rest = by_degree ? 1.0 : scale;
    plan_.inverse_scale[at] = 1.0 / rest;
    plan_.triangle_of[at] = static_cast<std::uint32_t>(found->second);
    plan_.constant[at] = gaussian_norm(
        dimensions, factors_[found->second].log_determinant + static_cast<double>(dimensions) * std::log(rest));
  }

 private:
  void add_class(double scale) {
    std::vector<double> covariance(sources_.dimensions * sources_.dimensions, 0.0);
    for (std::size_t i = 0; i < covariance.size(); ++i) {
      if (sources_.covariance == Covariance::shared) covariance[i] += scale * sources_.spread[i];
      if (!sources_.noise.empty()) covariance[i] += sources_.noise[i];
    }
    factors_.push_back(factor_of(covariance, sources_.dimensions));
    const RowMatrix& inverse = factors_.back().inverse;
    plan_.triangles.resize(factors_.size() * triangle_size(sources_.dimensions));
    store_triangle(inverse, plan_.triangles.data() + (factors_.size() - 1) * triangle_size(sources_.dimensions));
    const auto count = static_cast<Eigen::Index>(sources_.count);
    const auto dimensions = static_cast<Eigen::Index>(sources_.dimensions);
    RowMatrix means = RowMatrixView(sources_.location.data(), count, dimensions) * inverse.transpose();
    if (plan_.weights_a_set < sources_.dimensions) {
      const RowMatrix basis =
          (Eigen::HouseholderQR<RowMatrix>(means.transpose()).householderQ() * RowMatrix::Identity(dimensions, count))
              .transpose();
      plan_.bases.insert(plan_.bases.end(), basis.data(), basis.data() + basis.size());
      means = (means * basis.transpose()).eval();
    }
    means_.push_back(std::move(means));
  }

  const Sources& sources_;
  DensityPlan& plan_;
  std::map<std::size_t, std::size_t> classes_;  // degree to number
  std::vector<Factor> factors_;
  std::vector<RowMatrix> means_;  // of a class: whitened means of the sources, in its basis where there is one
};

double log_or_nothing(double value) { return value > 0.0 ? std::log(value) : log_of_nothing; }

// log p and log (1 - p) of a one, after the flips; line d of the features is x_d, line D + d is 1 - x_d.
void plan_bernoulli(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan) {
  const std::size_t dimensions = sources.dimensions;
  const bool is_or = sources.combination == Combination::logical_or;
  double* const weights = plan.weights.data() + at * plan.weights_a_set;
  for (std::size_t d = 0; d < dimensions; ++d) {
    double log_all = 0.0;  // that every source says 0 (or), or 1 (and)
    for (const std::size_t k : all) {
      const double b = sources.location_of(k)[d];
      log_all += is_or ? std::log1p(-b) : std::log(b);
    }
    const double agreed = std::exp(log_all);
    const double other = -std::expm1(log_all);
    double log_agreed = std::max(log_all, log_of_nothing);
    double log_other = log_or_nothing(other);
    if (!sources.noise.empty()) {
      const double flip = sources.noise[d];
      log_agreed = log_or_nothing(agreed * (1.0 - flip) + other * flip);
      log_other = log_or_nothing(other * (1.0 - flip) + agreed * flip);
    }
    weights[d] = is_or ? log_other : log_agreed;
    weights[dimensions + d] = is_or ? log_agreed : log_other;
  }
  plan.constant[at] = 0.0;
}

// exponential: sum log r - r x; poisson: x log r - r; gamma: p log x, + p log b - log Gamma(p).
void plan_rates(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan) {
  double* const weights = plan.weights.data() + at * plan.weights_a_set;
  double constant = 0.0;
  for (std::size_t d = 0; d < sources.dimensions; ++d) {
    double total = 0.0;
    for (const std::size_t k : all) total += sources.location_of(k)[d];
    if (sources.family == Family::exponential) {
      weights[d] = -total;
      constant += std::log(total);
    } else if (sources.family == Family::poisson) {
      weights[d] = log_or_nothing(total);
      constant -= total;
    } else {
      int sign = 0;
      weights[d] = total;
      constant += total * std::log(sources.spread[d]) - ::lgamma_r(total, &sign);
    }
  }
  plan.constant[at] = constant;
}

// Rows to lines, four rows at a time; places past the last row repeat it.
void copy_rows(std::span<const double* const> rows, std::size_t dimensions, double* lines) {
  for (std::size_t n = 0; n < density_rows; n += density_tile) {
    const double* from[density_tile];
    for (std::size_t i = 0; i < density_tile; ++i) from[i] = rows[std::min(n + i, rows.size() - 1)];
    for (std::size_t d = 0; d < dimensions; ++d) {
      double* const to = lines + d * density_rows + n;
      for (std::size_t i = 0; i < density_tile; ++i) to[i] = from[i][d];
    }
  }
}

}  // namespace

std::size_t sets_a_plan(const Sources& sources) {
  constexpr std::size_t numbers = 1'000'000;  // 8 MB of matrices
  if (form_of(sources) != DensityForm::full) return std::numeric_limits<std::size_t>::max();
  return std::max<std::size_t>(16, numbers / triangle_size(sources.dimensions));
}

DensityPlan plan_densities(const Sources& sources, const BitMatrix& sets, std::size_t begin, std::size_t end,
                           Threads threads) {
  const std::size_t dimensions = sources.dimensions;
  const std::size_t count = end - begin;
  DensityPlan plan;
  plan.form = form_of(sources);
  plan.family = sources.family;
  plan.dimensions = dimensions;
  plan.lines = sources.family == Family::bernoulli ? 2 * dimensions : dimensions;
  plan.weights_a_set = plan.form == DensityForm::diagonal ? 2 * dimensions : plan.lines;
  if (plan.form == DensityForm::whitened && sources.count * 3 <= dimensions) plan.weights_a_set = sources.count;
  if (sources.family == Family::gamma) plan.rates = sources.spread;
  plan.weights.assign(count * plan.weights_a_set, 0.0);
  plan.constant.assign(count, -infinity);
  if (plan.form == DensityForm::whitened) {
    plan.inverse_scale.assign(count, 1.0);
    plan.triangle_of.assign(count, 0);
    WhitenedClasses classes(sources, plan);
    for (std::size_t j = 0; j < count; ++j) {
      const std::vector<std::size_t> all = members(sources, sets.row(begin + j));
      if (!all.empty()) classes.place(all, j);
    }
    return plan;
  }
  if (plan.form == DensityForm::full) {
    plan.triangles.assign(count * triangle_size(dimensions), 0.0);
    plan.triangle_of.assign(count, 0);
  }
  const SetJob job = plan.form == DensityForm::diagonal    ? plan_diagonal
                     : plan.form == DensityForm::full      ? plan_full
                     : sources.family == Family::bernoulli ? plan_bernoulli
                                                           : plan_rates;
  const double d = static_cast<double>(dimensions);
  const double work = static_cast<double>(count) * (plan.form == DensityForm::full ? d * d * d : 50.0 * d);
  constexpr std::size_t sets_a_task = 16;
  for_each_task((count + sets_a_task - 1) / sets_a_task, threads_for(threads, work), [&](std::size_t task) {
    for (std::size_t j = task * sets_a_task; j < std::min(count, (task + 1) * sets_a_task); ++j) {
      const std::vector<std::size_t> all = members(sources, sets.row(begin + j));
      if (!all.empty()) job(sources, all, j, plan);
    }
  });
  return plan;
}

void make_features(const DensityPlan& plan, std::span<const double* const> rows, double* features, double* row_terms) {
  const std::size_t dimensions = plan.dimensions;
  if (plan.family == Family::gaussian) {
    copy_rows(rows, dimensions, features);
    std::fill_n(row_terms, density_rows, 0.0);
    return;
  }
  const auto line = [&](std::size_t f) { return features + f * density_rows; };
  for (std::size_t n = 0; n < density_rows; ++n) {
    const double* const row = rows[std::min(n, rows.size() - 1)];
    double term = 0.0;
    bool is_possible = true;
    int sign = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const double x = row[d];
      double& feature = line(d)[n];
      feature = x;
      switch (plan.family) {
        case Family::gaussian: break;
        case Family::bernoulli:
          is_possible = is_possible && (x == 0.0 || x == 1.0);
          line(dimensions + d)[n] = 1.0 - x;
          break;
        case Family::exponential: is_possible = is_possible && x >= 0.0; break;
        case Family::poisson:
          is_possible = is_possible && x >= 0.0 && x == std::floor(x);
          term -= x > 1.0 ? ::lgamma_r(x + 1.0, &sign) : 0.0;
          break;
        case Family::gamma:
          is_possible = is_possible && x > 0.0;
          feature = is_possible ? std::log(x) : 0.0;
          term -= feature + plan.rates[d] * x;
          break;
        case Family::lognormal:
          is_possible = is_possible && x > 0.0;
          feature = is_possible ? std::log(x) : 0.0;
          term -= feature;
          break;
      }
    }
    row_terms[n] = is_possible ? term : -infinity;
  }
}

}  // namespace motet
