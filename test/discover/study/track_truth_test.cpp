#include "motet/discover/study/track_truth.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "discover/search_cases.h"
#include "support/errors.h"

namespace motet::discover::track_truth_test {
namespace {

Segment segment(double begin, double end, std::string label, std::string sequence = "") {
  Segment made;
  made.sequence = std::move(sequence);
  made.begin = begin;
  made.end = end;
  made.label = std::move(label);
  return made;
}

Features frames(std::size_t rows) {
  Features features = noise_rows(rows, 1, Seed{1});
  features.clock = {0.1, 0.25};
  return features;
}

std::string refused(const Features& features, const Segment& one) {
  return refusal([&] { truth_of_track(features, std::vector<Segment>{one}); });
}

TEST(TrackTruth, IsOfEveryRowThatASegmentTouches) {
  const TrackTruth found = truth_of_track(frames(100), std::vector<Segment>{segment(3.0, 6.5, "bird")});
  EXPECT_EQ(found.truth.classes, (std::vector<std::string>{"background", "bird"}));
  // Row i covers 0.1 i to 0.1 i + 0.25: rows 28 (2.8 to 3.05) to 64 (6.4 to 6.65), 37 of them (erratum E17).
  EXPECT_EQ(std::count(found.truth.of_row.begin(), found.truth.of_row.end(), 1U), 37);
  EXPECT_EQ(found.truth.of_row[27], 0U);
  EXPECT_EQ(found.truth.of_row[28], 1U);
  EXPECT_EQ(found.truth.of_row[64], 1U);
  EXPECT_EQ(found.truth.of_row[65], 0U);
  EXPECT_TRUE(found.warnings.empty());
}

TEST(TrackTruth, IsTheLabelThatCoversMore) {
  const std::vector<Segment> track = {segment(1.0, 2.0, "a"), segment(1.9, 3.0, "b"), segment(4.0, 4.2, "background"),
                                      segment(5.0, 6.0, "c"), segment(5.0, 6.0, "d")};
  const TrackTruth found = truth_of_track(frames(100), track);
  EXPECT_EQ(found.truth.classes, (std::vector<std::string>{"background", "a", "b", "c", "d"}));
  EXPECT_EQ(found.truth.of_row[17], 1U);  // 1.7 to 1.95
  EXPECT_EQ(found.truth.of_row[19], 2U);  // 1.9 to 2.15
  EXPECT_EQ(found.truth.of_row[40], 0U);
  EXPECT_EQ(found.truth.of_row[52], 3U);
}

TEST(TrackTruth, CountsRowsWithoutAClock) {
  const TrackTruth found = truth_of_track(noise_rows(10, 1, Seed{2}), std::vector<Segment>{segment(3, 5, "x")});
  EXPECT_EQ(found.truth.of_row, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 0, 0, 0, 0, 0}));
}

TEST(TrackTruth, IsToldPerRecording) {
  Features features = noise_rows(8, 1, Seed{3}, {4, 4});
  const TrackTruth found = truth_of_track(features, std::vector<Segment>{segment(1, 2, "x", "s2")});
  EXPECT_EQ(found.truth.of_row, (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(refused(features, segment(1, 2, "x")),
            "segment 'x' from 1 to 2 does not say which of the 2 recordings it is of");
  EXPECT_EQ(refused(features, segment(1, 2, "x", "s3")), "segment 'x' from 1 to 2 is of 's3', which is not there");
}

TEST(TrackTruth, SaysWhatIsWrongWithATrack) {
  const Features features = frames(20);  // up to 2.15 s
  EXPECT_EQ(refused(features, segment(3, 4, "x")),
            "segment 'x' from 3 to 4 begins after the end of 's1', which has rows up to 2.15");
  EXPECT_EQ(refused(features, segment(1, 2, "")), "segment '' from 1 to 2 has no label");
  EXPECT_EQ(refused(features, segment(2, 1, "x")), "segment 'x' from 2 to 1 ends before it begins, or begins before 0");
  const TrackTruth cut = truth_of_track(features, std::vector<Segment>{segment(2.0, 9.0, "x")});
  EXPECT_EQ(cut.warnings, (std::vector<std::string>{"segment 'x' from 2 to 9 is cut at the end of 's1', 2.15"}));
  EXPECT_EQ(cut.truth.of_row[19], 1U);
}

}  // namespace
}  // namespace motet::discover::track_truth_test
