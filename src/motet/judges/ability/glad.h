// GLAD (Whitehill et al. 2009): judges differ in ability, items in how easy they are.
//
// Judge j is right on item i with probability s(x_ij), x_ij = a_j exp(b_i), s(x) = 1 / (1 +
// exp(-x)); a wrong vote is any of the other K - 1 classes alike. a_j is the ability (below
// 0: more often wrong than right), b_i the log easiness, exp(-b_i) the difficulty. Priors:
// a_j ~ N(1, 1), b_i ~ N(0, 1). With A_y the abilities of those who said y, n_y their
// number and n all votes on the item, up to a constant of the votes
//   F_i(b) = log sum_y p_y (K-1)^n_y exp(A_y e^b) - sum_j log(1 + exp(a_j e^b)) - b^2 / 2
// and the objective is sum_i max_b F_i(b) + log prior(a). Items with equal votes have equal
// easiness, so rows stay merged. One step, which cannot lower the objective:
//   E: b_i = argmax F_i, q_iy ~ p_y (K-1)^n_y exp(A_y e^b_i), w(x) = tanh(x/2) / (2x)
//   M: a_j = (1 + sum_i e^b_i (q_i,vote - 1/2)) / (1 + sum_i e^2b_i w(x_ij)),  p_y ~ sum_i q_iy
// w is the curvature of the quadratic that touches -log(1 + e^x) from below (Jaakkola and
// Jordan 2000), so the M-step needs no search.
//
// Parameters: p (K), then a (J). Statistics: objective, class mass (K), the two sums of the
// M-step (J each), sum of b^2 / 2.
#pragma once

#include <span>
#include <vector>

#include "motet/engine/em.h"
#include "motet/judges/model_kinds.h"

namespace motet::judges {

// The parameters, then log(1 + exp(a_j e^b)) by judge on a grid of b, which all rows share.
std::vector<double> glad_prepare(std::span<const double> parameters, std::size_t class_count);

// F_i, for one row of votes. Scratch is kept from row to row.
class GladRow {
 public:
  // `prepared` must outlive it.
  GladRow(std::span<const double> prepared, std::size_t class_count);

  struct Point {
    double value;  // F(b)
    double slope;
    double curvature;
  };
  struct Best {
    double log_easiness = 0.0;
    double curvature = 0.0;  // of F there
    double value = 0.0;
    double log_likelihood = 0.0;  // of the votes there
  };

  void look_at(std::span<const std::uint32_t> codes, std::int32_t known);
  Point at(double log_easiness);
  Best best();  // the highest of all maxima
  void posterior(double log_easiness, std::span<double> q);
  double ability(std::uint32_t code) const { return prepared_[class_count_ + code / class_count_]; }

 private:
  double value_at_grid(std::size_t node);
  double log_sum(double easiness);  // log sum_y p_y (K-1)^n_y exp(A_y e^b), and the terms in score_
  double polish(std::size_t node);

  std::span<const double> prepared_;
  std::size_t class_count_;
  double log_others_;  // log(K - 1)
  std::vector<double> log_prior_;
  std::span<const double> softplus_;  // by judge and node of the grid
  std::vector<double> support_;       // A_y
  std::vector<double> offset_;        // log p_y + n_y log(K - 1)
  std::vector<double> score_;
  std::span<const std::uint32_t> codes_;
};

// `table` must outlive it. An empty known prior is estimated.
EmProblem glad_problem(const VoteTable& table, std::span<const double> known_prior);
std::vector<double> glad_start(const VoteTable& table, std::span<const double> known_prior);

ModelAnswer fit_glad(const ModelQuestion& question);

JudgeModelKind glad_kind();

}  // namespace motet::judges
