// How far the segments of a search can be trusted, where the truth is known.
//
// An event is a run of rows of one class. A segment is right when it shares a row with an event of its class; an event
// is touched when it shares one with a segment of its class.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/discover/spread/spread.h"
#include "motet/discover/study/row_truth.h"

namespace motet::discover {

struct SegmentQuality {
  struct Band {  // of the probabilities of segments without an answer, whatever the threshold
    double from = 0.0;
    double to = 0.0;
    std::size_t segments = 0;
    std::size_t right = 0;
    double promised = 0.0;  // the sum of their probabilities
  };
  std::size_t answers = 0;
  double threshold = 0.0;
  std::size_t segments = 0;
  std::size_t right = 0;
  std::size_t answered = 0;  // segments that hold an answer of their class: they are right as far as people are
  std::size_t events = 0;
  std::size_t touched = 0;
  std::vector<Band> bands;

  double precision() const;  // of all segments; NaN without one
  double recall() const;     // of all events; NaN without one
};

// `of_class` gives the class in the truth of each of the spread's classes.
SegmentQuality segment_quality(const Sequences& cut, const RowTruth& truth, std::size_t background,
                               const Spread& spread, const std::vector<std::size_t>& of_class, double threshold);

// Added up over searches of one threshold.
void add(SegmentQuality& sum, const SegmentQuality& more);

}  // namespace motet::discover
