// A data set: numbers, how their rows are cut into sequences where they come in time, and what is known of the labels.
// The tasks that learn from items take the view of it that suits them, and say here what evidence makes no sense there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "motet/data/candidate_items.h"
#include "motet/data/evidence.h"
#include "motet/data/labelled_items.h"
#include "motet/data/number_table.h"
#include "motet/data/sequences.h"

namespace motet {

struct Dataset {
  NumberTable features;
  Evidence evidence;                   // as many items as there are rows
  std::optional<Sequences> sequences;  // none: rows have no order
};

// Some rows; in time they are one sequence.
Dataset rows_of(const Dataset& data, std::span<const std::uint32_t> rows);

// To learn which one label is right: all evidence tells of that. A known label is the one candidate, nothing known is
// all classes as candidates, votes are weights. Throws Error{unanswerable} for a known set of none or several labels.
// The numbers and, where no item is without evidence, the lists are moved.
CandidateItems candidate_items(Dataset data);

// To learn which labels are there together: that takes known sets, of all items. Throws Error{unanswerable} for
// candidates and votes, of which one label only is right, and where some items have no evidence. Where no item has any,
// the sets have no rows.
LabelledItems labelled_items(Dataset data);

}  // namespace motet
