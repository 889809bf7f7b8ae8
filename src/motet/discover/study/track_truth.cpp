#include "motet/discover/study/track_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/discover/discovery.h"

namespace motet::discover {
namespace {

constexpr double touch = 1e-9;  // seconds: what only touches a row does not cover it

FrameClock track_clock(const Features& features) {
  return features.clock.has_time() ? features.clock : FrameClock{1.0, 1.0};
}

std::string told_segment(const Segment& segment) {
  return fmt::format("segment '{}' from {} to {}", segment.label, to_text(segment.begin), to_text(segment.end));
}

std::size_t sequence_with(const Features& features, const Segment& segment) {
  const auto& names = features.sequences;
  if (segment.sequence.empty() && names.size() == 1) return 0;
  const auto found = std::find(names.begin(), names.end(), segment.sequence);
  if (found == names.end()) {
    fail(ErrorKind::bad_data,
         segment.sequence.empty()
             ? fmt::format("{} does not say which of the {} recordings it is of", told_segment(segment), names.size())
             : fmt::format("{} is of '{}', which is not there", told_segment(segment), segment.sequence));
  }
  return static_cast<std::size_t>(found - names.begin());
}

void check_segment(const Features& features, const Segment& segment, std::size_t s, const FrameClock& clock,
                   std::vector<std::string>& warnings) {
  const std::size_t rows = features.starts[s + 1] - features.starts[s];
  const double end = rows == 0 ? 0.0 : clock.end(rows - 1);
  if (segment.label.empty()) fail(ErrorKind::bad_data, told_segment(segment) + " has no label");
  if (!(segment.begin >= 0.0) || !(segment.end >= segment.begin)) {
    fail(ErrorKind::bad_data, told_segment(segment) + " ends before it begins, or begins before 0");
  }
  if (segment.begin >= end) {
    fail(ErrorKind::bad_data, fmt::format("{} begins after the end of '{}', which has rows up to {}",
                                          told_segment(segment), features.sequences[s], to_text(end)));
  }
  // The last samples of a recording fill no row.
  if (segment.end > end + clock.hop + touch) {
    warnings.push_back(
        fmt::format("{} is cut at the end of '{}', {}", told_segment(segment), features.sequences[s], to_text(end)));
  }
}

}  // namespace

TrackTruth truth_of_track(const Features& features, std::span<const Segment> segments) {
  const FrameClock clock = track_clock(features);
  TrackTruth result{{{std::string(background_name)}, std::vector<std::uint32_t>(features.rows(), 0)}, {}};
  std::vector<double> covered(features.rows(), 0.0);
  for (const Segment& segment : segments) {
    const std::size_t s = sequence_with(features, segment);
    check_segment(features, segment, s, clock, result.warnings);
    if (segment.label == background_name) continue;
    std::vector<std::string>& classes = result.truth.classes;
    const auto found = std::find(classes.begin(), classes.end(), segment.label);
    const auto number = static_cast<std::uint32_t>(found - classes.begin());
    if (found == classes.end()) classes.push_back(segment.label);
    const std::size_t first = features.starts[s];
    const std::size_t rows = features.starts[s + 1] - first;
    const double from = std::max(0.0, std::floor((segment.begin - clock.window) / clock.hop));
    for (auto i = static_cast<std::size_t>(from); i < rows && clock.begin(i) < segment.end; ++i) {
      const double share = std::min(segment.end, clock.end(i)) - std::max(segment.begin, clock.begin(i));
      if (share < touch || share <= covered[first + i] + touch) continue;
      covered[first + i] = share;
      result.truth.of_row[first + i] = number;
    }
  }
  return result;
}

}  // namespace motet::discover
