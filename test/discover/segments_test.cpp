#include "motet/discover/segments.h"

#include <gtest/gtest.h>

#include <functional>

#include "discover/search_cases.h"
#include "motet/base/error.h"
#include "motet/discover/questions/propagate.h"
#include "support/errors.h"

namespace motet::discover::segments_test {
namespace {

// A search over rows that say nothing, with classes a and b; what counts is the propagation given.
struct Case {
  Features features;
  Discovery discovery;
};

Case two_classes(std::vector<std::size_t> lengths, FrameClock clock) {
  std::size_t rows = 0;
  for (const std::size_t length : lengths) rows += length;
  Case result{noise_rows(rows, 2, Seed{1}, lengths), {}};
  result.features.clock = clock;
  result.discovery = start_discovery(result.features, search_options(Strategy::temporal, 2), {});
  result.discovery.mixture.classes = {"background", "a", "b"};
  return result;
}

Propagation said(std::vector<std::int32_t> of_class) {
  Propagation rows;
  rows.probability.assign(of_class.size(), 0.75);
  rows.of_class = std::move(of_class);
  return rows;
}

constexpr FrameClock frames{0.1, 0.25};

TEST(Segments, ReachFromTheFirstFrameToTheEndOfTheLast) {
  const Case c = two_classes({6, 4}, frames);
  const std::vector<Segment> found = segments_of(c.features, c.discovery, said({0, 1, 1, 2, 0, 1, 1, 0, 2, 2}), {});
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0].sequence, "s1");
  EXPECT_EQ(found[0].label, "a");
  EXPECT_DOUBLE_EQ(found[0].begin, 0.1);
  EXPECT_DOUBLE_EQ(found[0].end, 0.45);
  EXPECT_DOUBLE_EQ(found[0].probability, 0.75);
  EXPECT_EQ(found[1].label, "b");
  EXPECT_DOUBLE_EQ(found[2].end, 0.75);  // not joined with the next sequence
  EXPECT_EQ(found[3].sequence, "s2");
  EXPECT_DOUBLE_EQ(found[3].begin, 0.0);
}

TEST(Segments, CountRowsWithoutAClock) {
  const Case c = two_classes({5}, {});
  const std::vector<Segment> found = segments_of(c.features, c.discovery, said({0, 1, 1, 0, 0}), {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].begin, 1.0);
  EXPECT_EQ(found[0].end, 3.0);
}

TEST(Segments, CloseShortGapsUnlessAPersonSaidThatNothingIsThere) {
  Case c = two_classes({9}, frames);
  const Propagation rows = said({1, 0, 0, 1, 0, 0, 0, 1, 2});
  EXPECT_EQ(segments_of(c.features, c.discovery, rows, {.merge_gap = 0.2}).size(), 3U);
  EXPECT_EQ(segments_of(c.features, c.discovery, rows, {.merge_gap = 0.19}).size(), 4U);
  EXPECT_EQ(segments_of(c.features, c.discovery, rows, {.merge_gap = 0.3}).size(), 2U);
  c.discovery.answers.push_back({1, AnswerKind::nothing, ""});
  EXPECT_EQ(segments_of(c.features, c.discovery, rows, {.merge_gap = 0.3}).size(), 3U);
  EXPECT_EQ(segments_of(c.features, c.discovery, said({1, 2, 1, 0, 0, 0, 0, 0, 0}), {.merge_gap = 1.0}).size(), 3U);
}

TEST(Segments, DropShortOnesUnlessAPersonLabelledThem) {
  Case c = two_classes({9}, frames);
  const Propagation rows = said({1, 0, 0, 0, 1, 1, 1, 0, 2});
  EXPECT_EQ(segments_of(c.features, c.discovery, rows, {.minimum_length = 0.45}).size(), 1U);
  c.discovery.answers.push_back({8, AnswerKind::of_class, "b"});
  EXPECT_EQ(segments_of(c.features, c.discovery, rows, {.minimum_length = 0.45}).size(), 2U);
}

TEST(Segments, RoundTripToRowsAndBack) {
  Rng rng(Seed{2});
  for (const FrameClock clock : {frames, FrameClock{}, FrameClock{0.5, 0.5}, FrameClock{0.032, 0.064}}) {
    const Case c = two_classes({40, 25}, clock);
    for (int i = 0; i < 200; ++i) {
      std::vector<std::int32_t> of_class(65);
      for (std::size_t n = 0; n < 65; ++n) {
        of_class[n] = n > 0 && rng.uniform() < 0.7 ? of_class[n - 1] : static_cast<std::int32_t>(rng.below(3));
      }
      std::vector<Segment> segments = segments_of(c.features, c.discovery, said(of_class), {});
      // Label tracks keep six digits.
      for (Segment& segment : segments) {
        segment.begin = std::stod(std::to_string(segment.begin));
        segment.end = std::stod(std::to_string(segment.end));
      }
      const SegmentRows rows = rows_of_segments(c.features, segments);
      for (std::size_t n = 0; n < 65; ++n) {
        ASSERT_EQ(rows.classes[static_cast<std::size_t>(rows.of_class[n])],
                  c.discovery.mixture.classes[static_cast<std::size_t>(of_class[n])]);
      }
    }
  }
}

TEST(Segments, OfPeopleGiveTheFramesThatLieInThemOrTheNearest) {
  const Case c = two_classes({20}, frames);
  Segment wide{"s1", 0.33, 0.9, "a"};
  Segment narrow{"", 1.52, 1.6, "b"};
  const SegmentRows rows = rows_of_segments(c.features, std::vector<Segment>{wide, narrow});
  EXPECT_EQ(rows.classes, (std::vector<std::string>{"background", "a", "b"}));
  for (std::size_t n = 0; n < 20; ++n) {
    // Frames 4 (0.40 to 0.65) to 6 (0.60 to 0.85); the centre of 1.52 to 1.6 is nearest to that of frame 14.
    EXPECT_EQ(rows.of_class[n], n >= 4 && n <= 6 ? 1 : n == 14 ? 2 : 0) << n;
  }
}

TEST(Segments, OutsideTheFeaturesAreRefused) {
  const Case c = two_classes({20, 5}, frames);
  const auto refusal = [&](const Segment& segment) -> std::string {
    return error_of([&] { rows_of_segments(c.features, std::vector<Segment>{segment}); }, ErrorKind::bad_data);
  };
  EXPECT_EQ(refusal({"s3", 0.0, 1.0, "a"}), "segment 'a' at 0: sequence 's3' is not among the features");
  EXPECT_EQ(refusal({"s2", 2.0, 3.0, "a"}), "segment 'a' from 2 to 3 lies outside sequence 's2', which ends at 0.65");
  EXPECT_EQ(refusal({"s2", 0.5, 0.25, "a"}),
            "segment 'a' from 0.5 to 0.25 lies outside sequence 's2', which ends at 0.65");
}

TEST(SegmentsByClass, CountsAndAddsLengths) {
  const std::vector<Segment> segments = {{"a", 0.0, 2.0, "owl"}, {"a", 3.0, 3.5, "hen"}, {"b", 1.0, 2.5, "owl"}};
  const auto found = segments_by_class(segments);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("owl").count, 2U);
  EXPECT_EQ(found.at("owl").length, 3.5);
  EXPECT_EQ(found.at("hen").length, 0.5);
}

TEST(AnswersOfSegments, BringEveryRowWithinReachWithAsFewAsPossible) {
  Features features;
  features.columns = {"x"};
  features.values.assign(24, 0.0);
  features.starts = {0, 20, 24};
  features.sequences = {"a", "b"};
  const std::vector<Segment> segments = {
      {"a", 2.0, 12.0, "bird"}, {"a", 12.0, 15.0, "background"}, {"b", 0.0, 1.0, "hen"}};
  EXPECT_EQ(answers_of_segments(features, segments, 2), (std::vector<Answer>{{4, AnswerKind::of_class, "bird"},
                                                                             {9, AnswerKind::of_class, "bird"},
                                                                             {13, AnswerKind::nothing, ""},
                                                                             {20, AnswerKind::of_class, "hen"}}));
  EXPECT_EQ(answers_of_segments(features, segments, 5).size(), 3U);
}

TEST(Segments, AreKeptApartInTheMiddleOfWhatTheyShare) {
  const Case c = two_classes({6, 4}, frames);
  std::vector<Segment> found = segments_of(c.features, c.discovery, said({1, 1, 2, 0, 1, 0, 0, 0, 2, 2}), {});
  const std::vector<Segment> before = found;
  keep_apart(found);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_DOUBLE_EQ(found[0].end, 0.275);  // from 0.2, where the other begins, to 0.35
  EXPECT_DOUBLE_EQ(found[1].begin, 0.275);
  EXPECT_DOUBLE_EQ(found[1].end, 0.425);  // 0.45 and 0.4, though a row lies between
  EXPECT_DOUBLE_EQ(found[2].begin, 0.425);
  EXPECT_EQ(found[2].end, before[2].end);
  EXPECT_EQ(found[3].begin, before[3].begin);  // of another sequence
}

TEST(Segments, HaveTheNamesOfThePropagation) {
  const Case c = two_classes({3}, {});
  Propagation rows = said({0, 3, 0});
  rows.classes = {"background", "a", "b", "frog"};
  EXPECT_EQ(segments_of(c.features, c.discovery, rows, {})[0].label, "frog");
}

}  // namespace
}  // namespace motet::discover::segments_test
