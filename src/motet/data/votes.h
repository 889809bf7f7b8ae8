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
  std::size_t repeats_left_out = 0;   // votes that were dropped because the judge voted twice on the item

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

// Votes in the order they came, in blocks that never move: ten million take 80 MB
// and no more while the list grows.
class VoteList {
 public:
  struct Packed {
    std::uint32_t item = 0;
    std::uint32_t judge_and_label = 0;
  };

  std::size_t size() const { return size_; }
  Vote operator[](std::size_t i) const { return unpacked(blocks_[i / block_size][i % block_size]); }
  void append(std::span<const Vote> votes);

  std::span<const std::vector<Packed>> blocks() const { return blocks_; }
  Vote unpacked(Packed vote) const {
    return {vote.item, vote.judge_and_label >> label_bits_, vote.judge_and_label & ((1U << label_bits_) - 1)};
  }

 private:
  static constexpr std::size_t block_size = std::size_t{1} << 20;
  void make_room_for(const Vote& vote);

  std::vector<std::vector<Packed>> blocks_;
  std::size_t size_ = 0;
  unsigned label_bits_ = 4;  // the lowest bits of judge_and_label; more when a label needs more
};

// Fills starts and codes of `votes` (names are there already) from a plain list.
// Returns the duplicate of the lowest item, if any; the result is then unusable.
// Label l of the list is class class_of[l], or class l when class_of is empty.
std::optional<DuplicateVote> group_by_item(std::span<const Vote> list, Votes& votes);
std::optional<DuplicateVote> group_by_item(const VoteList& list, std::span<const std::uint32_t> class_of, Votes& votes);

// Builds Votes from names and votes; throws Error{bad_data} on a duplicate vote.
// For simulators and tests; files are read by io/.
Votes make_votes(NameList items, NameList judges, NameList classes, std::span<const Vote> votes);

// The natural order of class names: permutation such that order[new] = old.
std::vector<std::uint32_t> natural_order(const NameList& names);

}  // namespace motet
