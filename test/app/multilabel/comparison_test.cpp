#include "motet/app/multilabel/comparison.h"

#include <gtest/gtest.h>

namespace motet::multilabel::comparison_test {
namespace {

ClassifierScore scored(const std::string& name, double error, double difference, double difference_error) {
  ClassifierScore score{name, {}, difference, difference_error};
  score.quality.error_rate = error;
  score.quality.error_rate_error = 0.02;
  score.quality.hamming_loss = error / 2.0;
  score.quality.precision = 1.0 - error;
  score.quality.macro_recall = 0.75;
  return score;
}

// The last line of the text, which weighs the first method against the best of the others.
std::string sentence_of(const MultilabelEvaluateReport& report) {
  Document document;
  add_comparison(document, report);
  const std::string text = document.text.substr(0, document.text.size() - 1);
  return text.substr(text.rfind('\n') + 1);
}

MultilabelEvaluateReport two(double difference, double difference_error) {
  MultilabelEvaluateReport report;
  report.comparison = {scored("this model", 0.25, 0.0, 0.0),
                       scored("support vectors", 0.25 + difference, difference, difference_error)};
  return report;
}

TEST(Comparison, WeighsByTheStandardErrorOfTheDifference) {
  EXPECT_EQ(sentence_of(two(-0.1, 0.02)), "support vectors has the smaller error here, by 0.1000 +- 0.0200");
  EXPECT_EQ(sentence_of(two(0.1, 0.02)), "ours has the smallest error, by 0.1000 +- 0.0200 before support vectors");
  for (const double difference : {-0.02, 0.02}) {
    EXPECT_EQ(sentence_of(two(difference, 0.02)),
              "ours and support vectors are within a standard error of each other (0.0200 +- 0.0200)");
  }
}

TEST(Comparison, TakesTheBestOfTheOthersThatWereTrained) {
  MultilabelEvaluateReport report = two(0.1, 0.02);
  report.comparison.push_back(scored("neighbours", 0.3, 0.05, 0.01));
  report.comparison.push_back(scored("never", 0.0, -0.25, 0.01));
  report.comparison.back().failure = "too few items";
  Document document;
  add_comparison(document, report);
  EXPECT_TRUE(
      document.text.ends_with("\nours has the smallest error, by 0.0500 +- 0.0100 before neighbours\n"
                              "never was not trained: too few items\n"))
      << document.text;
  EXPECT_EQ(document.sections.at(0).notes, std::vector<std::string>{"never was not trained: too few items"});
  report.comparison.resize(1);
  EXPECT_EQ(sentence_of(report), "ours has nothing to be compared with");
}

TEST(Comparison, NamesTheFirstThatCouldBeTrained) {
  MultilabelEvaluateReport report = two(0.1, 0.02);
  report.comparison.insert(report.comparison.begin(), scored("ignore", 0.0, 0.0, 0.0));
  report.comparison[0].failure = "no items of one label";
  report.comparison[1].name = "cross";
  report.first = 1;
  report.is_comparison = true;
  Document document;
  add_comparison(document, report);
  EXPECT_NE(document.text.find("cross has the smallest error, by 0.1000 +- 0.0200 before support vectors\n"),
            std::string::npos)
      << document.text;
  EXPECT_EQ(document.sections.at(0).title, "Trainings side by side");
}

TEST(Comparison, HasATableOfSetsOfLabelsAndOfItems) {
  MultilabelEvaluateReport report = two(0.1, 0.02);
  report.comparison.push_back(scored("never", 0.0, 0.0, 0.0));
  report.comparison.back().failure = "too few items";
  Document document;
  add_comparison(document, report);
  const Section& section = document.sections.at(0);
  EXPECT_EQ(section.title, "Against the usual methods");
  ASSERT_EQ(section.tables.size(), 3U);
  const Table& sets = section.tables[0].table;
  ASSERT_EQ(sets.rows.size(), 3U);
  EXPECT_EQ(sets.columns[2].name, "more than ours");
  EXPECT_EQ(std::get<std::string>(sets.rows[0][1]), "0.2500 +- 0.0200");
  EXPECT_EQ(std::get<std::string>(sets.rows[0][2]), "");
  EXPECT_EQ(std::get<std::string>(sets.rows[1][2]), "0.1000 +- 0.0200");
  EXPECT_EQ(std::get<std::string>(sets.rows[2][1]), "not trained");
  // What was not trained has no means.
  EXPECT_EQ(section.tables[1].table.rows.size(), 2U);
  EXPECT_EQ(std::get<std::string>(section.tables[1].table.rows[0][2]), "0.750 +- 0.000");
  EXPECT_EQ(section.tables[2].table.rows.size(), 2U);
  EXPECT_EQ(std::get<std::string>(section.tables[2].table.rows[1][1]), "0.650 +- 0.000");
  EXPECT_EQ(section.plots.size(), 2U);
}

}  // namespace
}  // namespace motet::multilabel::comparison_test
