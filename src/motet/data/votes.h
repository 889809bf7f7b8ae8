// Votes of several judges on the class of several items, and what is known of
// the truth: the evidence of the judges task.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motet/data/names.h"

namespace motet {

struct Vote {
  std::uint32_t item = 0;
  std::uint32_t judge = 0;
  std::uint32_t label = 0;
};

// Grouped by item. A vote is one number, judge * class_count + label, so that it
// addresses its row in a table of confusion probabilities directly.
struct Votes {
  static constexpr std::int32_t unknown = -1;

  NameList items;
  NameList judges;
  NameList classes;                   // in natural order: numbers by value, else by bytes
  std::vector<std::uint32_t> starts;  // votes of item i: codes[starts[i]] up to codes[starts[i + 1]]
  std::vector<std::uint32_t> codes;   // ascending within an item
  std::vector<std::int32_t> known;    // by item: true class or `unknown`; empty when nothing is known

  std::size_t item_count() const { return items.size(); }
  std::size_t judge_count() const { return judges.size(); }
  std::size_t class_count() const { return classes.size(); }
  std::size_t vote_count() const { return codes.size(); }
  std::span<const std::uint32_t> of_item(std::size_t item) const {
    return {codes.data() + starts[item], codes.data() + starts[item + 1]};
  }
  std::int32_t known_class(std::size_t item) const { return known.empty() ? unknown : known[item]; }
};

// A judge that voted twice on one item: positions in the list of votes.
struct DuplicateVote {
  std::size_t first = 0;
  std::size_t second = 0;
};

// Fills starts and codes of `votes` (names are there already) from a plain list.
// Returns the duplicate of the lowest item, if any; the result is then unusable.
std::optional<DuplicateVote> group_by_item(std::span<const Vote> list, Votes& votes);

// Builds Votes from names and votes; throws Error{bad_data} on a duplicate vote.
// For simulators and tests; files are read by io/.
Votes make_votes(NameList items, NameList judges, NameList classes, std::span<const Vote> votes);

// The natural order of class names: permutation such that order[new] = old.
std::vector<std::uint32_t> natural_order(const NameList& names);

}  // namespace motet
