// Judges whose errors depend on the item, in one likelihood.
//
// Item i has a hidden state z, which belongs to one class y(z) (with M states per class these are subtypes), and
// a hidden level h: how much of the votes on it is not about the item. Judge j says c with probability
//   R_jh(c|z) = (1 - l_h) pi_j(c|z) + l_h g(c)
// where l_0 = 0, l_h are fixed shares, and g is how often c is said at all: what a judge says who does not know.
// All judges meet the same level, so errors on a hard item come together, and such an item says less of its class.
//   E: q_i(z,h) ~ p_z r_h prod_{(j,c) in S_i} R_jh(c|z)
//   M: n_jzc = sum_i sum_h q_i(z,h) (1 - l_h) pi_j(c|z) / R_jh(c|z) over its votes for c,
//      pi_j(y|z) = (n_jzy + s m_zy) / (n_jz + s) for the class y of z, and for the others, with w = n_jz - n_jzy,
//      pi_j(c|z) = (1 - pi_j(y|z)) (n_jzc + t m_zc / (1 - m_zy)) / (w + t),
//      p_z ~ sum_i q_i(z) + a,  r_h ~ sum_i q_i(h) + b
// The rows m_z that judges have in common, and how strongly a judge is held to them in how often it is right (s) and
// in what it says when it is wrong (t), are learnt before (state_fit.h): judges who differ much in the one may be all
// alike in the other.
//
// Parameters: p (Z), r (H), then table[(j K + c) Z + z] = pi_j(c|z).
// Statistics: objective, mass of states (Z) and of levels (H), then expected counts laid out as the table.
#pragma once

#include <span>
#include <vector>

#include "motet/engine/em.h"
#include "motet/judges/vote_table.h"

namespace motet::judges {

struct StateShape {
  std::size_t class_count = 2;
  std::size_t per_class = 1;           // M; state z belongs to class z / M
  std::vector<double> levels = {0.0};  // l_h, from 0 up
  std::vector<double> background;      // g, by class said

  std::size_t state_count() const { return class_count * per_class; }
  std::size_t level_count() const { return levels.size(); }
  std::size_t class_of(std::size_t state) const { return state / per_class; }
  std::size_t table_begin() const { return state_count() + level_count(); }
  std::size_t cell(std::size_t code, std::size_t state) const {  // place in the parameters
    return table_begin() + code * state_count() + state;
  }
  bool operator==(const StateShape&) const = default;
};

struct StateSpec {
  StateShape shape;
  std::vector<double> known_prior;  // by class; empty: estimated
  std::vector<double> rows;         // m_zc at [z * K + c], inside (0, 1)
  double right_strength = 2.0;      // s
  double wrong_strength = 2.0;      // t

  // What is said instead of the class of z, as shares.
  double wrong_share(std::size_t state, std::size_t said) const {
    const std::size_t k = shape.class_count;
    return rows[state * k + said] / (1.0 - rows[state * k + shape.class_of(state)]);
  }
};

// Pseudo items: one per class, spread over its states, and one per level.
constexpr double pseudo_items_a_class = 1.0;
constexpr double pseudo_items_a_level = 1.0;

// p_z r_h, then R for every code, by state and level (level runs fastest).
std::vector<double> state_numbers(const StateShape& shape, std::span<const double> parameters);

// A view of such numbers and their shape, which must outlive it.
class StateTables {
 public:
  StateTables(const StateShape& shape, std::span<const double> numbers)
      : shape_(shape), width_(shape.state_count() * shape.level_count()), numbers_(numbers) {}

  const StateShape& shape() const { return shape_; }
  std::size_t width() const { return width_; }  // states times levels
  // p(z, h | votes) at [z * levels + h]; returns the log-likelihood.
  double infer(std::span<const std::uint32_t> codes, std::int32_t known, std::span<double> weights) const;
  std::span<const double> said(std::uint32_t code) const {  // R
    return numbers_.subspan(width_ * (1 + static_cast<std::size_t>(code)), width_);
  }
  // The share of a vote that is about the item, (1 - l_h) pi / R.
  double about_item(std::uint32_t code, std::size_t at) const {
    const double guess = shape_.levels[at % shape_.level_count()] * shape_.background[code % shape_.class_count];
    return 1.0 - guess / said(code)[at];
  }

 private:
  const StateShape& shape_;
  std::size_t width_;
  std::span<const double> numbers_;
};

// `table` must outlive it.
EmProblem state_problem(const VoteTable& table, const StateSpec& spec);

// How often each class is said, with one vote more for each.
std::vector<double> said_shares(const VoteTable& table);

}  // namespace motet::judges
