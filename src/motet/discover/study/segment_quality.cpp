#include "motet/discover/study/segment_quality.h"

#include <algorithm>
#include <limits>

namespace motet::discover {
namespace {

constexpr std::size_t band_count = 5;

struct TrueEvent {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t of_class = 0;
  bool is_touched = false;
};

std::vector<TrueEvent> events_of(const Sequences& cut, const RowTruth& truth, std::size_t background) {
  std::vector<TrueEvent> events;
  for (std::size_t s = 0; s + 1 < cut.starts.size(); ++s) {
    for (std::size_t n = cut.starts[s]; n < cut.starts[s + 1];) {
      std::size_t end = n + 1;
      while (end < cut.starts[s + 1] && truth.of_row[end] == truth.of_row[n]) ++end;
      if (truth.of_row[n] != background) events.push_back({n, end, truth.of_row[n], false});
      n = end;
    }
  }
  return events;
}

// Marks the events that a stretch touches, if they are to be marked; true when there is one.
bool touches(const SpreadStretch& stretch, std::size_t of_class, bool is_marked, std::vector<TrueEvent>& events) {
  auto event = std::upper_bound(events.begin(), events.end(), stretch.begin,
                                [](std::size_t row, const TrueEvent& one) { return row < one.end; });
  bool is_right = false;
  for (; event != events.end() && event->begin < stretch.end; ++event) {
    if (event->of_class != of_class) continue;
    is_right = true;
    event->is_touched = event->is_touched || is_marked;
  }
  return is_right;
}

double share(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double SegmentQuality::precision() const { return share(right, segments); }
double SegmentQuality::recall() const { return share(touched, events); }

SegmentQuality segment_quality(const Sequences& cut, const RowTruth& truth, std::size_t background,
                               const Spread& spread, const std::vector<std::size_t>& of_class, double threshold) {
  SegmentQuality quality;
  quality.threshold = threshold;
  for (std::size_t i = 0; i < band_count; ++i) {
    quality.bands.push_back({static_cast<double>(i) / band_count, static_cast<double>(i + 1) / band_count, 0, 0, 0.0});
  }
  std::vector<TrueEvent> events = events_of(cut, truth, background);
  for (const SpreadStretch& stretch : spread.stretches) {
    const bool is_shown = stretch.is_answered || stretch.probability >= threshold;
    const bool is_right = touches(stretch, of_class[static_cast<std::size_t>(stretch.of_class)], is_shown, events);
    if (is_shown) {
      ++quality.segments;
      quality.right += is_right ? 1 : 0;
      quality.answered += stretch.is_answered ? 1 : 0;
    }
    if (stretch.is_answered) continue;
    const auto i = static_cast<std::size_t>(stretch.probability * static_cast<double>(band_count));
    SegmentQuality::Band& band = quality.bands[std::min(i, band_count - 1)];
    ++band.segments;
    band.right += is_right ? 1 : 0;
    band.promised += stretch.probability;
  }
  quality.events = events.size();
  for (const TrueEvent& event : events) quality.touched += event.is_touched ? 1 : 0;
  return quality;
}

void add(SegmentQuality& sum, const SegmentQuality& more) {
  sum.answers += more.answers;
  sum.segments += more.segments;
  sum.right += more.right;
  sum.answered += more.answered;
  sum.events += more.events;
  sum.touched += more.touched;
  if (sum.bands.empty()) {
    sum.bands = more.bands;
    sum.threshold = more.threshold;
    return;
  }
  for (std::size_t i = 0; i < sum.bands.size(); ++i) {
    sum.bands[i].segments += more.bands[i].segments;
    sum.bands[i].right += more.bands[i].right;
    sum.bands[i].promised += more.bands[i].promised;
  }
}

}  // namespace motet::discover
