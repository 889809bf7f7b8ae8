// Rows joined to segments for people, and segments back to rows.
//
// A segment reaches from the begin of its first frame to the end of its last; without
// a clock, from the number of its first row (counted from 0 in its sequence) to one
// past the last. Neighbouring segments may overlap in time, as frames do, but hold
// different frames, so rows -> segments -> rows loses nothing.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "motet/data/segment.h"
#include "motet/discover/discovery.h"
#include "motet/discover/questions/propagate.h"

namespace motet::discover {

struct SegmentRule {
  double merge_gap = 0.0;  // seconds (rows without a clock): gaps up to this between segments of a class are closed,
                           // unless a person said that nothing is there
  double minimum_length = 0.0;  // shorter segments are dropped unless a person labelled one of their rows
};
// In the order of the rows; the background is left out. The probability is the mean of that of the rows.
std::vector<Segment> segments_of(const Features& features, const Discovery& discovery, const Propagation& rows,
                                 const SegmentRule& rule);

// Frames overlap in time and so do segments that follow each other closely; from here on they meet in the middle of
// what they share. In the order of the rows, as segments_of gives them.
void keep_apart(std::span<Segment> segments);

struct ClassSegments {
  std::size_t count = 0;
  double length = 0.0;  // in all, seconds or rows
};
std::map<std::string, ClassSegments> segments_by_class(std::span<const Segment> segments);

// The rows whose frames lie in a segment as a whole; a segment too short for that has the one frame whose
// centre is nearest to its own. Where segments overlap the later one in the list holds. Throws
// Error{bad_data} for a segment of a sequence that is not there, or that lies outside its sequence.
struct SegmentRows {
  std::vector<std::string> classes;    // the first is the background, the others by first appearance
  std::vector<std::int32_t> of_class;  // one per row
};
SegmentRows rows_of_segments(const Features& features, std::span<const Segment> segments);

// As few answers as bring every row of a segment within g rows of one: the middle of an event that is as long as
// expected, and for longer ones the middles of equal parts. All rows would only repeat what the first ones say.
// A segment labelled as the background says that nothing is there. Throws as rows_of_segments.
std::vector<Answer> answers_of_segments(const Features& features, std::vector<Segment> segments, std::size_t g);

}  // namespace motet::discover
