// What is known of each item's label: the label or set itself, candidates with weights, what votes make of each label,
// or nothing.
//
// Where one label is right, what is known of it is a row of non-negative numbers M_nl, how likely this
// evidence were if the label were l: 1 for a candidate and 0 for the others in the plain
// case, all 1 for an item nobody labelled, weights where candidates are not equally likely,
// a small number instead of 0 where the set may miss the truth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace motet {

// Labels listed item by item, with weights.
struct Candidates {
  std::vector<std::size_t> starts{0};  // of each item's candidates, and their number at the end
  std::vector<std::uint32_t> label;    // candidates, rising within an item
  std::vector<double> weight;          // > 0, one per candidate; empty: all 1
  double outside = 0.0;                // weight of labels that are no candidates

  std::size_t rows() const { return starts.size() - 1; }
  std::span<const std::uint32_t> candidates(std::size_t n) const {
    return {label.data() + starts[n], starts[n + 1] - starts[n]};
  }
  double weight_at(std::size_t place) const { return weight.empty() ? 1.0 : weight[place]; }
  bool weighs_alike(std::size_t n) const;  // whether all candidates of an item have the same weight
};

Candidates rows_of(const Candidates& candidates, std::span<const std::uint32_t> rows);

enum class EvidenceKind : std::uint8_t {
  nothing,     // any label; no labels are listed
  known,       // the labels listed are all that the item has
  candidates,  // one of the labels listed is right
  votes,       // the same, and weights are p(votes | label) up to a factor
};

struct Evidence : Candidates {
  std::vector<std::string> classes;  // names
  std::vector<EvidenceKind> kinds;   // one per item
  std::vector<std::int32_t> truth;   // to measure by, never to learn from; -1 where unknown; empty: never known
};

Evidence rows_of(const Evidence& evidence, std::span<const std::uint32_t> rows);

// Each adds an item. Labels rise; `weights` has one for each, or is empty: all are 1. The likelihoods of votes are one
// for each class, and a class that they rule out (0) is not listed.
void add_nothing(Evidence& evidence);
void add_known(Evidence& evidence, std::span<const std::uint32_t> labels);
void add_candidates(Evidence& evidence, std::span<const std::uint32_t> labels, std::span<const double> weights);
void add_votes(Evidence& evidence, std::span<const double> likelihoods);

}  // namespace motet
