// How sure the estimates are: information, covariances, intervals.
//
// Free parameters are logits: for every true class y and judge j those of pi_j(c|y)
// against pi_j(y|y) (confusion), or of theta_j (symmetric); those of p_y against
// the first class when p is estimated. With s_iy the score of item i were its class
// y, the observed information of the marginal likelihood is
//   J = sum_i sum_y q_iy D_iy - (sum_y q_iy s_iy s_iy' - g_i g_i'),  g_i = sum_y q_iy s_iy
// (complete minus missing information, Louis 1982), plus the curvature of the log
// prior. The outer-product form is sum_i g_i g_i'. Standard errors of accuracies
// follow by the delta method with J^-1 (erratum E5).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motet/base/interval.h"
#include "motet/base/run.h"
#include "motet/judges/confusion/confusion_em.h"

namespace motet::judges {

enum class InformationKind { observed, outer_product };

struct Uncertainty {
  // Each as a number of votes: the variance is that of a share seen in so many
  // independent yes/no answers, estimate (1 - estimate) / votes. 0: the data do not
  // tell; infinity: known.
  std::vector<double> accuracy_votes;     // by judge
  std::vector<double> confusion_votes;    // laid out as the table of parameters
  std::vector<double> prior_votes;        // by class
  std::vector<std::size_t> undetermined;  // judges that lie in a direction without information
  std::size_t free_parameters = 0;
  std::size_t rank = 0;
  bool judges_apart = false;  // too many parameters for the whole matrix: blocks of one judge each
};

// The whole matrix is used up to `dense_limit` free parameters; beyond, one block per judge
// up to `block_limit`; beyond that (more than 16 classes) only counts: a row is taken as
// known as well as from its expected votes, less what doubt about the items takes away.
constexpr std::size_t dense_limit = 1600;
constexpr std::size_t block_limit = 240;
Uncertainty uncertainty(const VoteTable& table, const ConfusionSpec& spec, std::span<const double> parameters,
                        InformationKind kind, const RunContext& run, std::size_t limit = dense_limit);

// Interval of a probability known as well as from so many votes: quantiles of
// Beta(estimate votes + 1/2, (1 - estimate) votes + 1/2), as Jeffreys' interval. It
// stays in [0, 1] and does not shrink to a point at the border.
Interval probability_interval(double estimate, double votes, double confidence);
double standard_error(double estimate, double votes);  // infinite without votes

// accuracy_j = sum_y p_y pi_j(y|y), 1 - risk of equation (7).
double accuracy_of(std::span<const double> parameters, std::size_t class_count, std::size_t judge);

}  // namespace motet::judges
