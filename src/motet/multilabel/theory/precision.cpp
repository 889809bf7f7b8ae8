#include "motet/multilabel/theory/precision.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/multilabel/theory/precision_parts.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

// A probability of 0 or 1 has no information matrix: it is taken half an item away.
double inside(double probability, double items) {
  const double least = 0.5 / (items + 1.0);
  return std::clamp(probability, least, 1.0 - least);
}

void set_bernoulli(Responses& r, const Sources& sources, const SetRows& rows, std::span<const double> count,
                   std::size_t d) {
  const std::size_t K = rows.sources;
  std::vector<double>& b = r.value;
  for (std::size_t k = 0; k < K; ++k) {
    double items = 0.0;
    for (std::size_t j = 0; j < rows.sets; ++j) items += count[j] * rows.member[j * K + k];
    b[k] = inside(sources.location[k * sources.dimensions + d], items);
  }
  const bool is_or = sources.combination == Combination::logical_or;
  const bool noisy = !sources.noise.empty();
  const double flip = noisy ? sources.noise[d] : 0.0;
  for (std::size_t j = 0; j < rows.sets; ++j) {
    double product = 1.0;  // of 1 - b (or), of b (and)
    for (std::size_t k = 0; k < K; ++k) {
      if (rows.member[j * K + k] > 0.0) product *= is_or ? 1.0 - b[k] : b[k];
    }
    const double one = is_or ? 1.0 - product : product;
    const double q = flip + (1.0 - 2.0 * flip) * one;
    r.mean[j] = q;
    r.variance[j] = q * (1.0 - q);
    r.kurtosis[j] = (1.0 - 6.0 * r.variance[j]) / r.variance[j];
    for (std::size_t k = 0; k < K; ++k) {
      if (rows.member[j * K + k] > 0.0) {
        r.gradient[j * r.unknowns + k] = (1.0 - 2.0 * flip) * product / (is_or ? 1.0 - b[k] : b[k]);
      }
    }
    if (noisy) r.gradient[j * r.unknowns + K] = 1.0 - 2.0 * one;
  }
}

// Families whose locations add.
void set_added(Responses& r, const Sources& sources, const SetRows& rows, std::size_t d) {
  const std::size_t K = rows.sources;
  const SourceFamily& family = family_of(sources.family);
  const double shared = family.has_shared() ? sources.spread[d] : 0.0;
  for (std::size_t k = 0; k < K; ++k) r.value[k] = sources.location[k * sources.dimensions + d];
  for (std::size_t j = 0; j < rows.sets; ++j) {
    double sum = 0.0;
    for (std::size_t k = 0; k < K; ++k) sum += rows.member[j * K + k] * r.value[k];
    const SetResponse response = family.theory.response(sum, shared);
    r.mean[j] = response.mean;
    r.variance[j] = response.variance;
    r.kurtosis[j] = response.kurtosis;
    for (std::size_t k = 0; k < K; ++k) r.gradient[j * r.unknowns + k] = response.slope * rows.member[j * K + k];
    if (family.has_shared()) r.gradient[j * r.unknowns + K] = response.shared_slope;
  }
}

void add_shared_information(Responses& r, const Sources& sources, const SetRows& rows, std::span<const double> count,
                            std::size_t d) {
  const std::size_t K = rows.sources;
  const FamilyTheory& theory = family_of(sources.family).theory;
  for (std::size_t j = 0; j < rows.sets; ++j) {
    if (!(count[j] > 0.0)) continue;
    const SharedInformation found = theory.information(count[j], r.mean[j], sources.spread[d]);
    for (std::size_t k = 0; k < K; ++k) {
      if (rows.member[j * K + k] == 0.0) continue;
      for (std::size_t l = 0; l < K; ++l) r.information[k * r.unknowns + l] += found.total * rows.member[j * K + l];
      r.information[k * r.unknowns + K] += found.cross;
      r.information[K * r.unknowns + k] += found.cross;
    }
    r.information[K * r.unknowns + K] += found.shared;
  }
}

// Locations of families whose dimensions are independent and in which x is sufficient.
Precision plain_location_precision(const Sources& sources, const BitMatrix& sets, std::span<const double> count,
                                   Threads threads) {
  const std::size_t K = sources.count;
  const std::size_t D = sources.dimensions;
  const SetRows rows = set_rows(sources, sets);
  Precision result(K, D);
  const FamilyTheory& theory = family_of(sources.family).theory;
  for_each_task(D, threads, [&](std::size_t d) {
    const Responses all = responses(sources, sets, count, d);
    const Inverse whole = inverse_information(all.information, all.unknowns);
    for (std::size_t k = 0; k < K; ++k) {
      result.error[result.place(Training::deconvolution, k, d)] = std::sqrt(whole.variance(k));
      if (theory.information != nullptr) continue;  // the others are taught more than the mean
      for (const Training method : simple_trainings) {
        SharedMean mean = shared_mean(lessons(rows, k, method, sources.background), count, all.mean, all.variance);
        if (theory.is_inverse_mean) {
          mean.limit = 1.0 / mean.limit;
          mean.variance *= std::pow(mean.limit, 4);
        }
        const std::size_t place = result.place(method, k, d);
        result.error[place] = std::sqrt(mean.variance);
        result.bias[place] = mean.limit - all.value[k];
      }
    }
  });
  return result;
}

std::vector<SetFit> plain_set_fits(const Sources& sources, const SetStatistics& statistics, Threads threads) {
  const std::size_t J = statistics.size();
  const std::size_t D = sources.dimensions;
  constexpr double least_share = 1e-6;  // of its own variance that a residual must keep to be tested
  struct Part {
    double statistic = 0.0, tested = 0.0, excess = 0.0, shift = 0.0;
  };
  std::vector<Part> parts(J * D);
  for_each_task(D, threads, [&](std::size_t d) {
    const Responses r = responses(sources, statistics.sets, statistics.count, d);
    const Inverse inverse = inverse_information(r.information, r.unknowns);
    for (std::size_t j = 0; j < J; ++j) {
      const double n = statistics.count[j];
      const double own = r.variance[j] / n;
      if (!(own > 0.0)) continue;
      double taken = 0.0;
      for (std::size_t u = 0; u < r.unknowns; ++u) {
        for (std::size_t v = 0; v < r.unknowns; ++v) {
          const double product = r.gradient[j * r.unknowns + u] * r.gradient[j * r.unknowns + v];
          if (product != 0.0) taken += product * inverse.matrix[u * r.unknowns + v];
        }
      }
      const double kept = 1.0 - taken / own;
      if (!(kept > least_share)) continue;
      const double residual = statistics.mean[j * D + d] - r.mean[j];
      Part& part = parts[j * D + d];
      part.statistic = residual * residual / (own * kept);
      part.tested = 1.0;
      part.excess = r.kurtosis[j] / n * kept * kept;
      part.shift = residual * residual / (kept * kept * r.variance[j]);
    }
  });
  std::vector<SetFit> fits(J);
  for (std::size_t j = 0; j < J; ++j) {
    Part sum;
    for (std::size_t d = 0; d < D; ++d) {
      const Part& part = parts[j * D + d];
      sum = {sum.statistic + part.statistic, sum.tested + part.tested, sum.excess + part.excess,
             sum.shift + part.shift};
    }
    fits[j] = {sum.statistic, sum.tested, 1.0, std::sqrt(sum.shift)};
    if (sum.tested > 0.0) {
      fits[j].p_value = scaled_chi_squared_p(sum.statistic, sum.tested, std::max(2.0 * sum.tested + sum.excess, 0.1));
    }
  }
  return fits;
}

}  // namespace

Precision::Precision(std::size_t row_count, std::size_t column_count)
    : rows(row_count),
      columns(column_count),
      error(training_count * row_count * column_count, no_number),
      bias(error.size(), 0.0),
      degrees(row_count * column_count, std::numeric_limits<double>::infinity()) {}

Inverse inverse_information(std::span<const double> information, std::size_t size) {
  const RowMatrixView given(information.data(), at(size), at(size));
  // In units in which every diagonal entry is 1, a small eigenvalue means a direction without information.
  Eigen::VectorXd scale(at(size));
  for (Eigen::Index i = 0; i < scale.size(); ++i) scale(i) = given(i, i) > 0.0 ? 1.0 / std::sqrt(given(i, i)) : 1.0;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      Eigen::MatrixXd(scale.asDiagonal() * given * scale.asDiagonal()));
  constexpr double least = 1e-11;
  constexpr double touched = 1e-8;  // squared share of a parameter in directions without information
  const Eigen::VectorXd& values = solver.eigenvalues();
  Eigen::VectorXd open = Eigen::VectorXd::Zero(at(size));
  Eigen::VectorXd inverted = Eigen::VectorXd::Zero(at(size));
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (values(i) > least * static_cast<double>(size)) {
      inverted(i) = 1.0 / values(i);
    } else {
      open += solver.eigenvectors().col(i).cwiseAbs2();
    }
  }
  const RowMatrix inverse = scale.asDiagonal() * solver.eigenvectors() * inverted.asDiagonal() *
                            solver.eigenvectors().transpose() * scale.asDiagonal();
  Inverse result;
  result.size = size;
  for (std::size_t i = 0; i < size; ++i) result.determined.push_back(open(at(i)) <= touched ? 1 : 0);
  result.matrix.assign(inverse.data(), inverse.data() + inverse.size());
  return result;
}

double Inverse::variance(std::size_t i) const { return determined[i] != 0 ? matrix[i * size + i] : no_number; }

Responses responses(const Sources& sources, const BitMatrix& sets, std::span<const double> count,
                    std::size_t dimension) {
  const SetRows rows = set_rows(sources, sets);
  const SourceFamily& family = family_of(sources.family);
  const bool has_shared = family.has_shared();
  const bool has_flip = family.has_flips && !sources.noise.empty();
  Responses r;
  r.unknowns = rows.sources + (has_shared || has_flip ? 1 : 0);
  r.value.assign(rows.sources, 0.0);
  r.mean.assign(rows.sets, 0.0);
  r.variance.assign(rows.sets, 0.0);
  r.kurtosis.assign(rows.sets, 0.0);
  r.gradient.assign(rows.sets * r.unknowns, 0.0);
  r.information.assign(r.unknowns * r.unknowns, 0.0);
  if (family.has_flips) {
    set_bernoulli(r, sources, rows, count, dimension);
  } else {
    set_added(r, sources, rows, dimension);
  }
  if (has_shared) {
    add_shared_information(r, sources, rows, count, dimension);
    return r;
  }
  for (std::size_t j = 0; j < rows.sets; ++j) {
    if (!(count[j] > 0.0 && r.variance[j] > 0.0)) continue;
    for (std::size_t u = 0; u < r.unknowns; ++u) {
      const double step = count[j] / r.variance[j] * r.gradient[j * r.unknowns + u];
      if (step == 0.0) continue;
      for (std::size_t v = 0; v < r.unknowns; ++v) {
        r.information[u * r.unknowns + v] += step * r.gradient[j * r.unknowns + v];
      }
    }
  }
  return r;
}

SetRows set_rows(const Sources& sources, const BitMatrix& sets) {
  SetRows rows;
  rows.sets = sets.rows();
  rows.sources = sources.count;
  rows.mean = sources.combination == Combination::mean;
  rows.member.assign(rows.sets * rows.sources, 0.0);
  for (std::size_t j = 0; j < rows.sets; ++j) {
    for_each_bit(sets.row(j), [&](std::size_t k) { rows.member[j * rows.sources + k] = 1.0; });
    rows.labels.push_back(static_cast<double>(sets.count(j)));
    if (sources.background) rows.member[(j + 1) * rows.sources - 1] = 1.0;
    rows.degree.push_back(rows.labels[j] + (sources.background ? 1.0 : 0.0));
  }
  return rows;
}

double lesson(const SetRows& rows, std::size_t set, std::size_t source, Training method, bool background) {
  const double member = rows.member[set * rows.sources + source];
  if (method == Training::cross) return member;
  if (method == Training::probabilistic) return member / std::max(rows.degree[set], 1.0);
  const bool is_background = background && source + 1 == rows.sources;
  return rows.labels[set] == (is_background ? 0.0 : 1.0) ? member : 0.0;
}

std::vector<double> lessons(const SetRows& rows, std::size_t source, Training method, bool background) {
  std::vector<double> weight(rows.sets);
  for (std::size_t j = 0; j < rows.sets; ++j) weight[j] = lesson(rows, j, source, method, background);
  return weight;
}

SharedMean shared_mean(std::span<const double> weight, std::span<const double> count, std::span<const double> mean,
                       std::span<const double> variance) {
  double total = 0.0;
  double sum = 0.0;
  for (std::size_t j = 0; j < weight.size(); ++j) {
    total += count[j] * weight[j];
    if (weight[j] > 0.0) sum += count[j] * weight[j] * mean[j];
  }
  if (!(total > 0.0)) return {no_number, no_number};
  SharedMean result{sum / total, 0.0};
  for (std::size_t j = 0; j < weight.size(); ++j) {
    if (weight[j] == 0.0) continue;
    const double away = mean[j] - result.limit;
    result.variance += count[j] * weight[j] * weight[j] * (variance[j] + away * away) / (total * total);
  }
  return result;
}

Precision location_precision(const Sources& sources, const BitMatrix& sets, std::span<const double> count,
                             Threads threads) {
  if (is_gaussian(sources.family)) return gaussian_location_precision(sources, sets, count, threads);
  if (family_of(sources.family).needs_log) return gamma_location_precision(sources, sets, count);
  return plain_location_precision(sources, sets, count, threads);
}

std::vector<SetFit> set_fits(const Sources& sources, const SetStatistics& statistics, Threads threads) {
  return is_gaussian(sources.family) ? gaussian_set_fits(sources, statistics, threads)
                                     : plain_set_fits(sources, statistics, threads);
}

double scaled_chi_squared_p(double statistic, double mean, double variance) {
  if (!(statistic > 0.0)) return 1.0;
  const double scale = 0.5 * variance / mean;
  return boost::math::gamma_q(mean / scale * 0.5, statistic / scale * 0.5);
}

double fisher_p(double statistic, double numerator, double denominator) {
  if (!(statistic > 0.0)) return 1.0;
  const double product = numerator * statistic;
  return boost::math::ibeta(0.5 * denominator, 0.5 * numerator, denominator / (denominator + product));
}

}  // namespace motet::multilabel
