// The E- and M-steps of independent judges with confusion tables, equations (3),
// (6), (8) and (12) of the document, for the engine.
//
// Item i has class y with probability p_y; judge j then says c with probability
// pi_j(c|y). With S_i the votes on item i (a missing vote drops out, erratum E15):
//   E: q_iy ~ p_y prod_{(j,c) in S_i} pi_j(c|y)^w
//   M: pi_j(c|y) ~ w sum_{i: j said c} q_iy + a_yc,   p_y ~ sum_i q_iy + a_0y
// with w = 1 but for the default's discount (vote_weight). In the symmetric model one accuracy theta_j rules: pi_j(y|y)
// = theta_j, and the other classes share 1 - theta_j alike.
//
// Parameters: p (K numbers), then table[(j K + c) K + y] = pi_j(c|y): the row of a
// vote's code holds what it says about each true class.
// Statistics: objective, class mass (K), then expected counts laid out as the table.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/engine/em.h"
#include "motet/judges/vote_table.h"

namespace motet::judges {

// A place in judge_model_kinds(): the tables below, GLAD, the tables of states/item_states.h; and after them what no
// model is, but an option may ask for.
enum class JudgeNoise { symmetric, confusion, glad, shared, subtypes, automatic };

struct ConfusionPrior {
  // Pseudo votes a_yc at [y * K + c], the same for every judge; all zero is plain
  // maximum likelihood. The symmetric model takes [0] as pseudo votes, right and wrong.
  std::vector<double> cells;
  std::vector<double> class_mass;  // a_0, pseudo items by class; empty: none
};

struct ConfusionSpec {
  JudgeNoise noise = JudgeNoise::confusion;
  std::vector<double> known_prior;  // p; empty: estimated
  ConfusionPrior prior;
  // Votes that echo each other say less than as many independent ones: each counts
  // as this part of a vote (a power of the likelihood). See hierarchy.h.
  double vote_weight = 1.0;
};

// `table` must outlive the problem.
EmProblem confusion_problem(const VoteTable& table, const ConfusionSpec& spec);

// Parameters made by one M-step from the shares of votes on each item: the usual
// first guess. Half a pseudo vote per cell keeps it away from the boundary.
std::vector<double> vote_share_start(const VoteTable& table, const ConfusionSpec& spec);

// Every judge right with the given probability, errors spread alike.
std::vector<double> equal_accuracy_start(const VoteTable& table, const ConfusionSpec& spec, double accuracy);

// The parameters as the E-step multiplies them: tables to the power of the weight.
std::vector<double> weighted_tables(std::span<const double> parameters, std::size_t class_count, double vote_weight);

// p(class | votes) for many rows under the same parameters: logarithms are taken once.
class RowInference {
 public:
  RowInference(std::span<const double> parameters, std::size_t class_count);

  // Fills `posterior`; returns the log-likelihood of the row.
  double infer(std::span<const std::uint32_t> codes, std::int32_t known, std::span<double> posterior) const;

 private:
  std::size_t class_count_;
  std::vector<double> prior_;
  std::vector<double> logs_;  // of the parameters
};

// The same for one row.
double infer_row(std::span<const double> parameters, std::size_t class_count, std::span<const std::uint32_t> codes,
                 std::int32_t known, std::span<double> posterior);

}  // namespace motet::judges
