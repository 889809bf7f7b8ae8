#include "motet/discover/segments.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/discover/answers.h"
#include "motet/discover/questions/propagate.h"

namespace motet::discover {
namespace {

constexpr double slack = 1e-3;  // of a hop: label tracks keep times to a microsecond or so

FrameClock clock_of(const Features& features) {
  return features.clock.has_time() ? features.clock : FrameClock{1.0, 1.0};
}

struct Stretch {
  std::size_t begin = 0;  // rows, over all sequences
  std::size_t end = 0;
  std::int32_t of_class = 0;
};

std::vector<Stretch> stretches_of(std::span<const std::int32_t> of_class, std::size_t begin, std::size_t end) {
  std::vector<Stretch> found;
  for (std::size_t n = begin; n < end;) {
    std::size_t after = n + 1;
    while (after < end && of_class[after] == of_class[n]) ++after;
    if (of_class[n] > 0) found.push_back({n, after, of_class[n]});
    n = after;
  }
  return found;
}

bool has_answer(const HeldAnswers& held, std::size_t begin, std::size_t end, std::int32_t of_class) {
  for (auto entry = held.lower_bound(begin); entry != held.end() && entry->first < end; ++entry) {
    if (entry->second == of_class) return true;
  }
  return false;
}

std::vector<Stretch> merged(const std::vector<Stretch>& stretches, const HeldAnswers& held, double hop,
                            double merge_gap) {
  std::vector<Stretch> result;
  for (const Stretch& stretch : stretches) {
    if (!result.empty() && result.back().of_class == stretch.of_class) {
      Stretch& before = result.back();
      const double gap = static_cast<double>(stretch.begin - before.end) * hop;
      if (gap <= merge_gap + slack * hop && !has_answer(held, before.end, stretch.begin, 0)) {
        before.end = stretch.end;
        continue;
      }
    }
    result.push_back(stretch);
  }
  return result;
}

std::size_t named_sequence(const Features& features, const Segment& segment) {
  if (segment.sequence.empty() && features.sequences.size() == 1) return 0;
  const auto found = std::find(features.sequences.begin(), features.sequences.end(), segment.sequence);
  if (found == features.sequences.end()) {
    fail(ErrorKind::bad_data, "segment '" + segment.label + "' at " + to_text(segment.begin) + ": sequence '" +
                                  segment.sequence + "' is not among the features");
  }
  return static_cast<std::size_t>(found - features.sequences.begin());
}

}  // namespace

std::vector<Segment> segments_of(const Features& features, const Discovery& discovery, const Propagation& rows,
                                 const SegmentRule& rule) {
  const FrameClock clock = clock_of(features);
  const HeldAnswers held = held_answers(discovery);
  const std::vector<std::string>& classes = rows.classes.empty() ? discovery.mixture.classes : rows.classes;
  std::vector<Segment> segments;
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    const std::size_t first = features.starts[s];
    const std::vector<Stretch> found = stretches_of(rows.of_class, first, features.starts[s + 1]);
    for (const Stretch& stretch : merged(found, held, clock.hop, rule.merge_gap)) {
      Segment segment;
      segment.sequence = features.sequences[s];
      segment.begin = clock.begin(stretch.begin - first);
      segment.end = clock.end(stretch.end - 1 - first);
      segment.label = classes[static_cast<std::size_t>(stretch.of_class)];
      const bool is_short = segment.end - segment.begin < rule.minimum_length - slack * clock.hop;
      if (is_short && !has_answer(held, stretch.begin, stretch.end, stretch.of_class)) continue;
      double sum = 0.0;
      std::size_t count = 0;
      for (std::size_t n = stretch.begin; n < stretch.end; ++n) {
        if (rows.of_class[n] != stretch.of_class) continue;  // a closed gap
        sum += rows.probability[n];
        ++count;
      }
      segment.probability = sum / static_cast<double>(count);
      segments.push_back(segment);
    }
  }
  return segments;
}

void keep_apart(std::span<Segment> segments) {
  for (std::size_t i = 1; i < segments.size(); ++i) {
    Segment& before = segments[i - 1];
    Segment& after = segments[i];
    if (before.sequence != after.sequence || before.end <= after.begin) continue;
    before.end = after.begin = FrameClock::whole_nanoseconds(0.5 * (before.end + after.begin));
  }
}

std::map<std::string, ClassSegments> segments_by_class(std::span<const Segment> segments) {
  std::map<std::string, ClassSegments> of_class;
  for (const Segment& segment : segments) {
    ClassSegments& one = of_class[segment.label];
    ++one.count;
    one.length += segment.end - segment.begin;
  }
  return of_class;
}

SegmentRows rows_of_segments(const Features& features, std::span<const Segment> segments) {
  const FrameClock clock = clock_of(features);
  SegmentRows result{{std::string(background_name)}, std::vector<std::int32_t>(features.rows(), 0)};
  for (const Segment& segment : segments) {
    const std::size_t s = named_sequence(features, segment);
    const std::size_t first = features.starts[s];
    const std::size_t rows = features.starts[s + 1] - first;
    if (rows == 0 || !(segment.begin >= -slack * clock.hop) || !(segment.end >= segment.begin) ||
        segment.begin >= clock.end(rows - 1)) {
      fail(ErrorKind::bad_data, "segment '" + segment.label + "' from " + to_text(segment.begin) + " to " +
                                    to_text(segment.end) + " lies outside sequence '" + features.sequences[s] +
                                    "', which ends at " + to_text(rows == 0 ? 0.0 : clock.end(rows - 1)));
    }
    const auto found = std::find(result.classes.begin(), result.classes.end(), segment.label);
    const auto number = static_cast<std::int32_t>(found - result.classes.begin());
    if (found == result.classes.end()) result.classes.push_back(segment.label);
    const double begin = std::ceil(segment.begin / clock.hop - slack);
    const double end = std::floor((segment.end - clock.window) / clock.hop + slack) + 1.0;
    auto from = static_cast<std::size_t>(std::max(0.0, begin));
    auto to = static_cast<std::size_t>(std::clamp(end, 0.0, static_cast<double>(rows)));
    if (from >= to) {
      const double centre = (segment.begin + segment.end - clock.window) / 2.0 / clock.hop;
      from = static_cast<std::size_t>(std::clamp(std::round(centre), 0.0, static_cast<double>(rows - 1)));
      to = from + 1;
    }
    std::fill(result.of_class.begin() + static_cast<std::ptrdiff_t>(first + from),
              result.of_class.begin() + static_cast<std::ptrdiff_t>(first + to), number);
  }
  return result;
}

std::vector<Answer> answers_of_segments(const Features& features, std::vector<Segment> segments, std::size_t g) {
  const std::string nothing = "\n" + std::string(background_name);  // no label can be called this
  for (Segment& segment : segments) {
    if (segment.label == background_name) segment.label = nothing;
  }
  const SegmentRows rows = rows_of_segments(features, segments);
  std::vector<Answer> answers;
  for (std::size_t begin = 0; begin < rows.of_class.size();) {
    const std::int32_t of_class = rows.of_class[begin];
    const std::size_t sequence_end = features.starts[sequence_of(features, begin) + 1];
    std::size_t end = begin + 1;
    while (end < sequence_end && rows.of_class[end] == of_class) ++end;
    const std::size_t parts = of_class == 0 ? 0 : (end - begin + 2 * g) / (2 * g + 1);
    for (std::size_t i = 0; i < parts; ++i) {
      const std::size_t row = begin + (2 * i + 1) * (end - begin) / (2 * parts);
      const std::string& name = rows.classes[static_cast<std::size_t>(of_class)];
      if (name == nothing) {
        answers.push_back({row, AnswerKind::nothing, ""});
      } else {
        answers.push_back({row, AnswerKind::of_class, name});
      }
    }
    begin = end;
  }
  return answers;
}

}  // namespace motet::discover
