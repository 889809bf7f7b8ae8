// The E- and M-steps of judges whose errors may go together (log-linear, tied over
// classes), for the engine. See error_blocks.h for the law of a block.
//
//   E: q_iy ~ p_y prod_B p_B(votes of block B on item i | y)
//   M: every block from the expected numbers of its cells; p_y ~ sum_i q_iy + pseudo
//
// A block's part of a row is one entry: for every class y the number of the cell that
// the votes are if y is true. Entries are made once per layout, so a step is additions.
//
// Parameters: p (K), then for each block its theta and, when wrong labels matter, rho.
// Statistics: objective, class mass (K), then expected numbers of cells, block by block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/engine/em.h"
#include "motet/judges/tied/error_blocks.h"
#include "motet/judges/vote_table.h"

namespace motet::judges {

// The same numbers by judge and pair, whatever the blocks.
struct TiedParameters {
  std::vector<double> prior;
  std::vector<double> beta;   // by judge
  std::vector<double> gamma;  // by pair
  std::vector<double> rho;    // by judge: that of its block; 0 for a judge alone
};

// Blocks with the places of their parameters and cells.
struct TiedLayout {
  TiedLayout(std::size_t judges, std::size_t classes, std::span<const ErrorPair> pairs);

  std::size_t judge_count;
  std::size_t class_count;
  std::vector<ErrorBlock> blocks;
  std::vector<std::size_t> block_of;  // by judge
  std::vector<std::uint32_t> digit;   // by judge: 3^t, t its place in the block
  std::vector<std::size_t> theta_at;  // by block, in the parameters
  std::vector<std::size_t> cells_at;  // by block, counted behind the K numbers of the classes
  std::size_t parameter_count = 0;
  std::size_t table_size = 0;  // K + cells of all blocks

  std::span<const double> theta_of(std::size_t block, std::span<const double> parameters) const {
    return parameters.subspan(theta_at[block], blocks[block].feature_count());
  }
  bool has_rho(std::size_t block) const { return layer_count(blocks[block], class_count) == 2; }
  double rho_of(std::size_t block, std::span<const double> parameters) const {
    return has_rho(block) ? parameters[theta_at[block] + blocks[block].feature_count()] : 0.0;
  }

  std::vector<double> pack(const TiedParameters& parameters) const;
  TiedParameters unpack(std::span<const double> parameters, std::size_t pair_count) const;

  // log p_y, then the log probabilities of all cells: what a place is a place in.
  std::vector<double> log_table(std::span<const double> parameters) const;

  std::vector<double> accuracies(std::span<const double> parameters) const;  // by judge

  // Appends the entries of a row of votes: blocks touched, and K places in the table each.
  void add_entries(std::span<const std::uint32_t> codes, std::vector<std::uint32_t>& touched,
                   std::vector<std::uint32_t>& places) const;

 private:
  void add_entry(std::size_t block, std::span<const std::uint32_t> votes, std::vector<std::uint32_t>& places) const;
};

// p(class | places) by log p_y and the table; returns 1/b log sum_y p(y, votes)^b, b the
// inverse temperature.
double infer_entries(std::span<const double> log_prior, std::span<const double> log_table,
                     std::span<const std::uint32_t> places, std::int32_t known, double inverse_temperature,
                     std::span<double> posterior);

class TiedErrors {
 public:
  // `table` must outlive it. An empty known prior is estimated.
  TiedErrors(const VoteTable& table, std::span<const double> known_prior, std::span<const ErrorPair> pairs,
             const ErrorPenalty& penalty);

  const VoteTable& table() const { return table_; }
  const TiedLayout& layout() const { return layout_; }
  const ErrorPenalty& penalty() const { return penalty_; }
  bool prior_is_known() const { return !known_prior_.empty(); }
  std::size_t pair_count() const { return pair_count_; }
  std::span<const std::uint32_t> blocks_of_row(std::size_t row) const {
    return std::span(touched_).subspan(entry_starts_[row], entry_starts_[row + 1] - entry_starts_[row]);
  }
  std::span<const std::uint32_t> places_of_row(std::size_t row) const {
    const std::size_t k = layout_.class_count;
    return std::span(places_).subspan(entry_starts_[row] * k, (entry_starts_[row + 1] - entry_starts_[row]) * k);
  }

  EmProblem problem() const;  // refers to this object

  // All judges right with this probability, class prior from the shares of votes.
  TiedParameters equal_start(double accuracy) const;

  // One M-step from classes guessed by skills (agreement.h); a block's votes on an item
  // together count as one, so that a copied vote does not decide.
  std::vector<double> neutral_start(std::span<const double> skill, const RunContext& run) const;

 private:
  void accumulate(std::span<const double> log_table, std::size_t leaf, double inverse_temperature,
                  std::span<double> statistics) const;
  void add_row(std::size_t row, std::span<const double> posterior, std::span<double> statistics) const;
  std::vector<double> maximise(std::span<const double> statistics, std::span<const double> old) const;
  double log_prior(std::span<const double> parameters) const;
  void project(std::span<const double> em_point, std::span<double> candidate) const;
  void guess_classes(std::size_t row, std::span<const double> log_odds, std::span<double> posterior) const;

  const VoteTable& table_;
  std::vector<double> known_prior_;
  TiedLayout layout_;
  ErrorPenalty penalty_;
  std::size_t pair_count_;
  std::vector<std::size_t> entry_starts_;  // by row
  std::vector<std::uint32_t> touched_;     // block, by entry
  std::vector<std::uint32_t> places_;      // [entry * K + y]
};

}  // namespace motet::judges
