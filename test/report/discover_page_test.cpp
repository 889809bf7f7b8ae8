#include "motet/report/discover_page.h"

#include <gtest/gtest.h>

#include "motet/report/event_lanes.h"

namespace motet {
namespace {

// Two recordings of six frames; one bird found, one question open.
struct Found {
  Features features;
  Discovery discovery;
  Propagation propagation;
  std::vector<Segment> segments;
  std::vector<AnswerEntry> history;

  Found() {
    features.columns = {"x", "y"};
    features.values.assign(24, 0.0);
    features.starts = {0, 6, 12};
    features.sequences = {"dawn.wav", "noon.wav"};
    features.clock = {0.1, 0.25};
    discovery.options.exclusion = 2;
    discovery.mixture.columns = features.columns;
    discovery.mixture.classes = {"background", "bird"};
    discovery.mixture.components = {{{0, 0}, {1, 0, 0, 1}, 0.9, 0}, {{3, -1}, {1, 0, 0, 1}, 0.1, 1}};
    discovery.states.assign(12, 0);
    discovery.states[3] = 1;
    discovery.global = {{0, 0}, {4, 0, 0, 1}, {0, 0}};
    discovery.answers = {
        {3, AnswerKind::of_class, "bird"}, {8, AnswerKind::nothing, ""}, {9, AnswerKind::not_sure, ""}};
    discovery.queue = {{11, 0, -3.0}};
    propagation = {std::vector<std::int32_t>(12, 0), std::vector<double>(12, 1.0)};
    propagation.of_class[3] = 1;
    segments = {{"dawn.wav", 0.3, 0.55, "bird"}};
    for (std::size_t i = 0; i < 3; ++i) {
      history.push_back({static_cast<std::int64_t>(i + 1), discovery.answers[i], "ada", 0, false});
    }
  }
  Page page() const {
    DiscoverStatus status;
    status.project = "birds.motet";
    status.classes = {{"background", 1, 2}, {"bird", 1, 1}};
    status.certificate = certificate(features, discovery);
    const LearningCurve curve = learning_curve(features, discovery, propagation);
    return discover_page({status, features, discovery, segments, history, curve});
  }
};

TEST(DiscoverPage, HasATimelineARecording) {
  const Page page = Found().page();
  ASSERT_EQ(page.sections.size(), 5U);
  ASSERT_EQ(page.sections[1].plots.size(), 2U);
  EXPECT_EQ(page.sections[1].plots[0].title, "dawn.wav");
  const Table& lanes = page.sections[1].plots[0].table;
  ASSERT_EQ(lanes.rows.size(), 4U);
  EXPECT_EQ(std::get<std::string>(lanes.rows[0][0]), "bird");
  EXPECT_EQ(std::get<std::int64_t>(lanes.rows[0][1]), 1);  // a segment
  EXPECT_EQ(std::get<std::int64_t>(lanes.rows[0][3]), 1);  // an answer
  const Table& other = page.sections[1].plots[1].table;
  EXPECT_EQ(std::get<std::int64_t>(other.rows[1][3]), 1);  // nothing here
  EXPECT_EQ(std::get<std::int64_t>(other.rows[2][3]), 1);  // not sure
  EXPECT_EQ(std::get<std::int64_t>(other.rows[3][4]), 1);  // to be asked
}

TEST(DiscoverPage, ShowsMeansInStandardDeviationsOfAllRows) {
  const Page page = Found().page();
  const Table& map = page.sections[3].plots[0].table;
  ASSERT_EQ(map.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(std::get<double>(map.rows[1][1]), 1.5);
  EXPECT_DOUBLE_EQ(std::get<double>(map.rows[1][2]), -1.0);
}

TEST(EventLanesPlot, LeavesOutTheShortestBarsWhenThereAreTooMany) {
  EventLanes data;
  data.lanes = {"a"};
  data.time_title = "rows";
  for (std::size_t i = 0; i < most_lane_bars + 5; ++i) {
    data.bars.push_back({0, static_cast<double>(i), static_cast<double>(i) + (i < 5 ? 0.5 : 1.0), 1.0});
  }
  const Plot plot = lanes_plot({"t", "c"}, data);
  EXPECT_EQ(plot.spec.at("data").at("values").as_list().size(), most_lane_bars);
  EXPECT_DOUBLE_EQ(plot.spec.at("data").at("values").as_list()[0].at("begin").as_number(), 5.0);
  EXPECT_EQ(std::get<std::int64_t>(plot.table.rows[0][1]), static_cast<std::int64_t>(most_lane_bars + 5));
}

}  // namespace
}  // namespace motet
