#include "motet/app/discover/simulation_document.h"

#include <gtest/gtest.h>

namespace motet::discover::simulation_document_test {
namespace {

DiscoveryComparison played(Strategy strategy) {
  DiscoveryComparison comparison;
  comparison.strategy = strategy;
  comparison.classes = {"owl", "hen"};
  comparison.runs = {{8, true, {{0, 3}, {1, 8}}}, {10, false, {{0, 5}}}};
  comparison.requests_mean = 9.0;
  comparison.requests_sd = 1.5;
  comparison.capped = 1;
  comparison.most_requests = 40;
  comparison.curve = {0.0, 0.5, 1.0};
  return comparison;
}

TEST(SimulationDocument, TellsQuestionsByClass) {
  const std::vector<DiscoveryComparison> one = {played(Strategy::temporal)};
  const Document document = simulation_document(one, "a.csv", {"look"});
  EXPECT_EQ(document.text,
            "warning: look\n"
            "strategy temporal: 9.0 (1.5) questions until all 2 classes were found, mean and standard deviation of 2 "
            "runs\n"
            "1 of 2 runs ended before all classes were found and count with their last question\n"
            "the guarantee: 40 questions at most, for classes that last long enough\n"
            "\n"
            "class  found in  mean request  first  last\n"
            "owl    2 of 2             4.0      3     5\n"
            "hen    1 of 2             8.0      8     8\n");
  EXPECT_EQ(document.json.at("runs").as_list()[1].at("requests").as_whole(), 10);
  EXPECT_FALSE(document.json.at("runs").as_list()[1].at("found_all").as_bool());
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

}  // namespace
}  // namespace motet::discover::simulation_document_test
