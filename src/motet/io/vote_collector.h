// Gathers votes as a file is read, and turns them into Votes at the end.
//
// The part of reading votes that knows nothing of layouts: ids for names, the
// line of every vote for messages, and the rules for a whole file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/names.h"
#include "motet/data/votes.h"
#include "motet/io/line_map.h"

namespace motet {

enum class RepeatedVotes { refuse, first, last };  // when a judge votes twice on an item: an error, or which one counts

class VoteCollector {
 public:
  // `source` names the file in messages. With `classes`, other labels are errors.
  VoteCollector(std::string source, std::span<const std::string> classes);

  NameTable items;
  NameTable judges;
  NameTable labels;  // with fixed classes, an id beyond them is an error

  void add(std::span<const Vote> votes, std::span<const std::size_t> lines);  // a line for each vote
  Votes finish(RepeatedVotes repeated = RepeatedVotes::refuse);               // the collector is empty afterwards

 private:
  void check_labels(std::span<const Vote> votes, std::span<const std::size_t> lines) const;
  std::vector<std::uint32_t> order_classes(Votes& votes);
  VoteList without_repeats(RepeatedVotes repeated) const;

  std::string source_;
  std::size_t fixed_classes_;  // how many; 0 when the labels decide
  VoteList list_;
  LineMap lines_;
};

// "label 'cat' is not one of {yes, no}"
std::string unknown_label_text(std::string_view label, const NameList& classes);

}  // namespace motet
