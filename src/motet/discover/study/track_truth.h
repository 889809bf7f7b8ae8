// The class of every row, from a label track of the recordings.
//
// A row is of the class whose segments cover most of it, if any does (section 7.1: "if any of its samples is"); where
// two cover the same, of the earlier one in the track. All else is background.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motet/data/features.h"
#include "motet/data/segment.h"
#include "motet/discover/study/row_truth.h"

namespace motet::discover {

struct TrackTruth {
  RowTruth truth;                     // classes: the background first, the others by first appearance
  std::vector<std::string> warnings;  // of segments that are cut at the end of their recording
};

// Each segment names its sequence, or there is only one. Without a clock times are numbers of rows. Throws
// Error{bad_data} for a segment without a label, of a sequence that is not there, that begins after the end of it, or
// that ends before it begins.
TrackTruth truth_of_track(const Features& features, std::span<const Segment> segments);

}  // namespace motet::discover
