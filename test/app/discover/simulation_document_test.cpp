#include "motet/app/discover/simulation_document.h"

#include <gtest/gtest.h>

namespace motet::discover::simulation_document_test {
namespace {

DiscoveryComparison played(Strategy strategy) {
  DiscoveryComparison comparison;
  comparison.strategy = strategy;
  comparison.classes = {"owl", "hen"};
  comparison.runs = {{8, true, {{0, 3}, {1, 8}}}, {10, false, {{0, 5}}, RunEnd::nothing_to_ask}};
  comparison.found_mean = 1.5;
  comparison.requests_mean = 9.0;
  comparison.requests_sd = 1.5;
  comparison.capped = 1;
  comparison.most_requests = 40;
  comparison.random_requests = 25.5;
  comparison.curve = {0.0, 0.5, 1.0};
  return comparison;
}

TEST(SimulationDocument, TellsQuestionsByClass) {
  const std::vector<DiscoveryComparison> one = {played(Strategy::temporal)};
  const Document document = simulation_document(one, "a.csv", {"look"});
  EXPECT_EQ(document.text,
            "warning: look\n"
            "warning: strategy temporal: 1 of 2 runs ended without all: 1 had nothing left to ask; they count with "
            "their last question, so that finding all takes more questions than the mean says\n"
            "strategy temporal: 1.5 of 2 classes were found; 1 of 2 runs ended without all: 1 had nothing left to "
            "ask\n"
            "9.0 (1.5) questions until all were found or the run ended, mean and standard deviation of 2 runs\n"
            "the guarantee: 40 questions at most, for classes that last long enough\n"
            "asked at random: 25.5 expected\n"
            "\n"
            "class  found in  mean request  first  last\n"
            "owl    2 of 2             4.0      3     5\n"
            "hen    1 of 2             8.0      8     8\n");
  EXPECT_EQ(document.json.at("runs").as_list()[1].at("requests").as_whole(), 10);
  EXPECT_FALSE(document.json.at("runs").as_list()[1].at("found_all").as_bool());
  EXPECT_EQ(document.json.at("runs").as_list()[0].at("ended").as_text(), "found all");
  EXPECT_EQ(document.json.at("runs").as_list()[1].at("ended").as_text(), "nothing to ask");
  EXPECT_EQ(document.json.at("classes_found").as_number(), 1.5);
  EXPECT_EQ(document.json.at("warnings").as_list().size(), 2U);
}

TEST(SimulationDocument, TellsTheRegretOfMixing) {
  std::vector<DiscoveryComparison> one = {played(Strategy::adaptive)};
  one[0].alone = {{Strategy::distance, 10.0}, {Strategy::farthest_first, 7.5}, {Strategy::isolation_forest, 20.0}};
  Document document = simulation_document(one, "a.csv", {});
  EXPECT_NE(document.text.find("asked at random: 25.5 expected\n"
                               "regret: 1.5 questions more than farthest-first, the best of its ways by itself "
                               "(distance 10.0, farthest-first 7.5, isolation-forest 20.0)\n"),
            std::string::npos)
      << document.text;
  EXPECT_EQ(document.json.at("regret").as_number(), 1.5);
  EXPECT_EQ(document.json.at("alone").as_list()[1].at("strategy").as_text(), "farthest-first");
  one[0].alone[1].requests_mean = 12.25;
  EXPECT_NE(simulation_document(one, "a.csv", {}).text.find("regret: 1.0 questions fewer than distance, "),
            std::string::npos);
}

TEST(SimulationDocument, SaysAllWereFoundOnlyWhenTheyWere) {
  std::vector<DiscoveryComparison> one = {played(Strategy::temporal)};
  one[0].runs[1] = {10, true, {{0, 5}, {1, 10}}};
  one[0].found_mean = 2.0;
  one[0].capped = 0;
  EXPECT_TRUE(simulation_document(one, "a.csv", {})
                  .text.starts_with("strategy temporal: 9.0 (1.5) questions until all 2 classes were found, mean and "
                                    "standard deviation of 2 runs\nthe guarantee"));
  one[0].runs = {{40, false, {{0, 5}}, RunEnd::limit}};
  one[0].found_mean = 1.0;
  one[0].capped = 1;
  one[0].requests_mean = 40.0;
  EXPECT_NE(
      simulation_document(one, "a.csv", {})
          .text.find("strategy temporal: 1 of 2 classes were found; 1 of 1 run ended without all: 1 hit the limit "
                     "of questions\n40.0 questions until all were found or the run ended, mean of 1 run\n"),
      std::string::npos);
}

TEST(SimulationDocument, PutsTheOthersBesideIt) {
  std::vector<DiscoveryComparison> two = {played(Strategy::temporal), played(Strategy::random)};
  two[1].most_requests = 0;
  const Document document = simulation_document(two, "a.csv", {});
  const Table& table = document.sections[0].tables[0].table;
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(std::get<double>(table.rows[0][3]), 8.0);
  EXPECT_EQ(std::get<double>(table.rows[0][4]), 10.0);
  EXPECT_EQ(std::get<std::string>(table.rows[1][6]), "-");
  EXPECT_EQ(document.json.at("strategy").as_text(), "temporal");
}

TEST(SimulationDocument, TellsHowGoodTheSegmentsAre) {
  std::vector<DiscoveryComparison> one = {played(Strategy::temporal)};
  SegmentQuality quality;
  quality.answers = 20;
  quality.threshold = 0.6;
  quality.segments = 6;
  quality.answered = 4;
  quality.right = 5;
  quality.events = 8;
  quality.touched = 5;
  quality.bands = {{0.0, 0.5, 0, 0, 0.0}, {0.5, 1.0, 2, 1, 1.6}};
  one[0].runs[0].segments = quality;
  one[0].runs[1].segments = quality;
  const Document document = simulation_document(one, "a.csv", {});
  EXPECT_NE(document.text.find("asked at random: 25.5 expected\n"
                               "segments after 20 answers, with a chance of 0.6 at least: 6.0, 4.0 of them hold an "
                               "answer; 83 % touch an event of their class, 62 % of 8.0 events are touched\n"
                               "  of 2.0 without an answer and with a chance of 0.5 to 1, 80 % on average, 50 % do\n"
                               "\n"),
            std::string::npos)
      << document.text;
  const Value& all = document.json.at("segments");
  EXPECT_EQ(all.at("segments").as_whole(), 12);
  EXPECT_EQ(all.at("right").as_whole(), 10);
  EXPECT_DOUBLE_EQ(all.at("precision").as_number(), 10.0 / 12.0);
  EXPECT_DOUBLE_EQ(all.at("recall").as_number(), 0.625);
  EXPECT_EQ(all.at("bands").as_list()[1].at("segments").as_whole(), 4);
  EXPECT_EQ(document.json.at("runs").as_list()[1].at("segments").at("answers").as_whole(), 20);
}

}  // namespace
}  // namespace motet::discover::simulation_document_test
