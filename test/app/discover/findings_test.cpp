#include "motet/app/discover/findings.h"

#include <gtest/gtest.h>

#include "app/discover/search_cases.h"

namespace motet::discover::findings_test {
namespace {

TEST(DiscoverFindings, HasATimelineARecording) {
  const Document page = Found().document();
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

TEST(DiscoverFindings, ShowsMeansInStandardDeviationsOfAllRows) {
  const Document page = Found().document();
  const Table& map = page.sections[3].plots[0].table;
  ASSERT_EQ(map.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(std::get<double>(map.rows[1][1]), 1.5);
  EXPECT_DOUBLE_EQ(std::get<double>(map.rows[1][2]), -1.0);
}

TEST(DiscoverFindings, CountsSegmentsOfEachClass) {
  const Document page = Found().document();
  const Table& classes = page.sections[0].tables[0].table;
  ASSERT_EQ(classes.rows.size(), 3U);
  EXPECT_EQ(std::get<std::int64_t>(classes.rows[1][3]), 1);
  EXPECT_DOUBLE_EQ(std::get<double>(classes.rows[1][4]), 0.25);
  EXPECT_EQ(classes.columns[4].name, "seconds");
}

TEST(DiscoverFindings, ListsAnswersLatestFirst) {
  const Document page = Found().document();
  const Table& answers = page.sections[4].tables[0].table;
  EXPECT_EQ(std::get<std::int64_t>(answers.rows[0][0]), 3);
  EXPECT_EQ(std::get<std::string>(answers.rows[0][3]), "not sure");
  EXPECT_EQ(std::get<std::string>(answers.rows[2][3]), "bird");
}

}  // namespace
}  // namespace motet::discover::findings_test
