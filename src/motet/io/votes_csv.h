// Votes of judges from CSV tables.
//
// Long: one vote per line, columns item, judge, label (or task, worker, label) in
// any order; others are ignored. Wide: the first column is the item, every other
// column per judge, an empty field no vote.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "motet/base/run.h"
#include "motet/data/votes.h"

namespace motet {

enum class VotesLayout { automatic, long_rows, wide };  // automatic: long when its three columns are there

enum class RepeatedVotes { refuse, first, last };  // when a judge votes twice on an item: an error, or which one counts

struct VotesFormat {
  VotesLayout layout = VotesLayout::automatic;
  char delimiter = ',';
  RepeatedVotes repeated = RepeatedVotes::refuse;
};

// Classes are the labels seen, in natural order; or, when `classes` is given (a
// model's), exactly those in that order, and any other label is an error. Every
// rule broken is Error{bad_data} with file and line.
Votes read_votes(const std::string& path, const VotesFormat& format, const RunContext& run,
                 std::span<const std::string> classes = {});

// "label 'cat' is not one of {yes, no}"
std::string unknown_label_text(std::string_view label, const NameList& classes);

}  // namespace motet
