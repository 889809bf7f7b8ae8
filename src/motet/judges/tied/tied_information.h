// How sure the estimates of tied_em.h are, and which further pair would help most.
//
// Row scores v_i, the gradient of log p(row i) in beta, gamma and the log odds of the
// class prior, give the information G = sum_i v_i v_i' + that of the penalties. With
// D = d accuracy / d theta = Cov_q(s, F) / 2 the accuracies have covariance D G^-1 D'.
// rho is taken as known.
//
// A pair (i, j) outside the model has the score
//   u = sum_y q_y (s_i - m_i)(s_j - m_j) - C_ij   on items both voted on,
// cleared of what the other parameters explain (X = sum v u):
//   U = sum u - X' G^-1 sum v,   V = sum u^2 - X' G^-1 X,   statistic U^2 / V.
// About chi-squared with one degree of freedom when the pair is not needed; it ranks
// candidates, a fit decides.
#pragma once

#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/judges/tied/tied_em.h"

namespace motet::judges {

struct TiedUncertainty {
  std::vector<double> accuracy_variance;  // by judge
  std::vector<double> prior_variance;     // by class; 0 when the prior is known
};

// Above `limit` coordinates every block is taken for itself, the others as known.
constexpr std::size_t tied_dense_limit = 1600;
TiedUncertainty tied_uncertainty(const TiedErrors& model, std::span<const double> parameters, const RunContext& run,
                                 std::size_t limit = tied_dense_limit);

// One statistic per pair; all 0 above the limit.
std::vector<double> score_tests(const TiedErrors& model, std::span<const double> parameters,
                                std::span<const ErrorPair> pairs, const RunContext& run,
                                std::size_t limit = tied_dense_limit);

// Gradient of log p(row), for tests: thetas block by block, then log odds of all classes
// but the last when the prior is estimated.
std::vector<double> row_score(const TiedErrors& model, std::span<const double> parameters, std::size_t row);

}  // namespace motet::judges
