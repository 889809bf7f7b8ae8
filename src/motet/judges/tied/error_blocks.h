// Errors of a few judges together: the log-linear law of a block and its M-step.
//
// A pattern s says who of the block's b judges is right (+1) or wrong (-1):
//   q(s) = exp(theta . F(s) - log Z),  F(s) = (s_j for every judge; s_i s_j for every pair)
// theta holds the betas, then the gammas. What is seen of an item is a cell: every judge
// wrong, right or missing, digits 0, 1, 2 of a number to base 3; its probability is the
// sum of q over the patterns it allows. Labels enter by who erred alike: W >= 2 wrong
// votes fall on one label together with probability rho, else on any of the K - 1 each
// for itself, so copied mistakes are told from separate ones:
//   p(labels | cell) = rho [all equal] / (K - 1) + (1 - rho) (K - 1)^-W     (W >= 2)
//
// M-step: from the expected numbers w(s) of items with pattern s, N in all, theta maximises
//   m . theta - (N + c) log Z - sum gamma^2 / (2 tau^2),   m = sum_s w(s) F(s),
// concave, by Newton steps that are halved until they do not lower it. c spreads pseudo
// items over all patterns, tau is the scale on which gammas are held near 0.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motet::judges {

struct ErrorPair {
  std::size_t first = 0;  // judges, first < second
  std::size_t second = 0;
  auto operator<=>(const ErrorPair&) const = default;  // NOLINT(modernize-use-nullptr): compares with 0, no pointer
};

struct ErrorPenalty {
  double pseudo_items = 0.5;    // c, over the patterns of each block
  double gamma_scale = 1.0;     // tau; infinite: gammas are free
  double pseudo_classes = 1.0;  // pseudo items per class when the class prior is estimated
};

constexpr std::size_t most_in_block = 10;  // 3^10 cells are still quick to go through

struct ErrorBlock {
  std::vector<std::size_t> judges;  // ascending; judge t is bit t of a pattern, digit t of a cell
  std::vector<std::size_t> pairs;   // numbers of its pairs in the list of all
  std::vector<double> features;     // F, [pattern * feature_count() + feature]
  std::size_t cell_count = 3;       // 3^b

  std::size_t size() const { return judges.size(); }
  std::size_t pattern_count() const { return std::size_t{1} << judges.size(); }
  std::size_t feature_count() const { return judges.size() + pairs.size(); }
};

// Judges linked by pairs, in the order of their lowest judges; single judges too.
std::vector<ErrorBlock> make_blocks(std::size_t judge_count, std::span<const ErrorPair> pairs);

// Size of the largest block that these pairs would make.
std::size_t largest_block(std::size_t judge_count, std::span<const ErrorPair> pairs);

struct PatternLaw {
  std::vector<double> probability;  // q, by pattern
  double log_normaliser = 0.0;      // log Z
};
PatternLaw pattern_law(const ErrorBlock& block, std::span<const double> theta);

// Mean and covariance (b x b) of s.
struct ErrorMoments {
  std::vector<double> mean;
  std::vector<double> covariance;
};
ErrorMoments error_moments(const ErrorBlock& block, const PatternLaw& law);

// By cell: the sum over the patterns it allows.
std::vector<double> sum_out_missing(std::size_t judges, std::span<const double> by_pattern);
// By pattern: the sum over the cells that allow it.
std::vector<double> sum_over_cells(std::size_t judges, std::vector<double> by_cell);

// Cells come once, or twice when the wrong labels matter (K > 2, b > 1): first for
// fewer than two wrong votes or unequal ones, then for two or more on one label.
std::size_t layer_count(const ErrorBlock& block, std::size_t class_count);
std::vector<double> log_cells(const ErrorBlock& block, const PatternLaw& law, double rho, std::size_t class_count);

// Expected numbers of items by cell (both layers) to those by pattern, and their sum.
struct PatternCounts {
  std::vector<double> count;  // w
  double total = 0.0;         // N
};
PatternCounts pattern_counts(const ErrorBlock& block, const PatternLaw& law, std::span<const double> cell_counts);

struct BlockObjective {
  double value = 0.0;
  std::vector<double> gradient;
  std::vector<double> curvature;  // minus the second derivatives
};
BlockObjective block_objective(const ErrorBlock& block, std::span<const double> theta, const PatternCounts& counts,
                               const ErrorPenalty& penalty);

// A theta whose objective is not below that of the one given.
std::vector<double> maximise_block(const ErrorBlock& block, std::span<const double> theta, const PatternCounts& counts,
                                   const ErrorPenalty& penalty);

// rho with log(1 - rho) added to the objective: one pseudo item of separate mistakes.
double maximise_shared_errors(const ErrorBlock& block, double rho, std::span<const double> cell_counts,
                              std::size_t class_count);

double block_log_prior(const ErrorBlock& block, std::span<const double> theta, double log_normaliser,
                       const ErrorPenalty& penalty);

}  // namespace motet::judges
