#include "motet/multilabel/theory/precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/multilabel/theory/precision_gamma.h"
#include "motet/multilabel/theory/precision_gaussian.h"
#include "motet/multilabel/theory/precision_parts.h"
#include "motet/multilabel/theory/responses.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

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

}  // namespace motet::multilabel
