// How precisely each training would know the sources, were these sources the true ones.
//
// Deconvolution is maximum likelihood: the covariance of all source parameters is the inverse of
// the Fisher information that the items of every label set add (chapter 6; signs of 6.11 and 6.31,
// and 6.35, corrected). With E_j, V_j the mean and variance of an item of set j and g_j the
// derivative of E_j by the parameters, one dimension of a family in which x is sufficient has
//   I = sum_j n_j g_j g_j' / V_j,
//   gaussian, lognormal  E = a_j' mu, a_j = z_j (sum) or z_j / m_j (mean); several dimensions: n_j a_j a_j' (x) S_j^-1;
//                        variances have sum_j n_j b_j b_j' / (2 S_j^2), b_j = z_j or z_j / m_j^2
//   bernoulli            dE/db_k = (1 - 2 f) (1 - b_L) / (1 - b_k) (or), (1 - 2 f) b_L / b_k (and); the
//                        probability f of a flip is one unknown more
//   exponential, poisson E = 1 / sum r_k, sum l_k
//   gamma                in (shape, rate): [psi'(p_L), -1/r; -1/r, p_L / r^2] an item
// The other trainings solve sum_n w_n (T(x_n) - E T) = 0 over the items that teach a source, w = 1 (ignore and
// new: items with that label alone; cross: all that have it) or 1 / m (probabilistic): the limit is the
// weighted mean over sets, and the variance the sandwich
//   sum_j n_j w_j^2 (V_j + (E_j - limit)^2) / (sum_j n_j w_j)^2.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/multilabel/options.h"
#include "motet/sources/sources.h"
#include "motet/sources/statistics/set_statistics.h"

namespace motet::multilabel {

constexpr std::size_t training_count = 5;  // deconvolution, ignore, new, cross, probabilistic

// Of parameters laid out as rows x columns, under each training.
struct Precision {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> error;    // trainings x rows x columns: standard errors; NaN: cannot be estimated
  std::vector<double> bias;     // the same shape
  std::vector<double> degrees;  // rows x columns: items that the estimate of the error is worth; inf: many

  Precision() = default;
  Precision(std::size_t row_count, std::size_t column_count);
  std::size_t place(Training method, std::size_t row, std::size_t column) const {
    return (static_cast<std::size_t>(method) * rows + row) * columns + column;
  }
};

// Of locations: sources x D; that of variances is in precision_spread.h. `count`: items of each set. Needs a closed
// form. When own full covariances give more than `dense_limit` unknowns, nothing is told of deconvolution (NaN).
constexpr std::size_t dense_limit = 3000;
Precision location_precision(const Sources& sources, const BitMatrix& sets, std::span<const double> count,
                             Threads threads);

// Whether the mean of the items of a set is what its sources say. The residual mean_j - E_j(estimate) of
// a maximum likelihood fit has the covariance V_j / n_j - g_j' I^-1 g_j; its Wald statistic equals
// that of mean_j against sources fitted without the set.
struct SetFit {
  double statistic = 0.0;
  double degrees = 0.0;  // 0: the set alone determines its sources, so nothing can be tested
  double p_value = 1.0;
  double shift = 0.0;  // mean_j minus what the other sets say, in standard deviations of an item of the set
};
// `sources` are those that deconvolution finds in these statistics; Gaussian means are solved for anew.
std::vector<SetFit> set_fits(const Sources& sources, const SetStatistics& statistics, Threads threads);

}  // namespace motet::multilabel
