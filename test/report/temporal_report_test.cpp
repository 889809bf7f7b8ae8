#include "motet/report/temporal_report.h"

#include <gtest/gtest.h>

#include "motet/report/timeline_plot.h"

namespace motet {
namespace {

Features two_sequences() {
  Features features;
  features.columns = {"x"};
  features.values = {0, 0, 1, 1, 1, 1, 0};
  features.starts = {0, 5, 7};
  features.sequences = {"a", "b"};
  return features;
}

TEST(RunLengths, EndAtTheBordersOfSequences) {
  const std::vector<RunLengths> runs = run_lengths(two_sequences(), {0, 0, 1, 1, 1, 1, 0}, 3);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].rows, 3U);
  EXPECT_EQ(runs[0].runs, 2U);
  EXPECT_EQ(runs[0].mean, 1.5);
  EXPECT_EQ(runs[0].longest, 2U);
  EXPECT_EQ(runs[1].rows, 4U);
  EXPECT_EQ(runs[1].runs, 2U);
  EXPECT_EQ(runs[1].median, 3U);
  EXPECT_EQ(runs[2].runs, 0U);
  EXPECT_EQ(runs[2].mean, 0.0);
}

TEST(StripesOf, JoinsEqualRowsAndThenBlocks) {
  const std::vector<std::size_t> kinds = {0, 0, 1, 1, 1, 0, 1, 0, 0, 0};
  const auto text = [&](std::size_t most) {
    std::string all;
    for (const Stripe& stripe : stripes_of(kinds, 2, most)) {
      EXPECT_EQ(stripe.sequence, 2U);
      all += std::to_string(static_cast<int>(stripe.begin)) + "-" + std::to_string(static_cast<int>(stripe.end)) + ":" +
             std::to_string(stripe.kind) + " ";
    }
    return all;
  };
  EXPECT_EQ(text(100), "0-2:0 2-5:1 5-6:0 6-7:1 7-10:0 ");
  EXPECT_EQ(text(2), "0-5:1 5-10:0 ");
  EXPECT_TRUE(stripes_of({}, 0, 5).empty());
}

TEST(TemporalReport, NamesComponentsByTheirClass) {
  Mixture mixture;
  mixture.classes = {"owl"};
  mixture.components.resize(2);
  mixture.components[1].of_class = 0;
  EXPECT_EQ(component_name(mixture, 0), "1");
  EXPECT_EQ(component_name(mixture, 1), "2 (owl)");
}

TEST(TemporalReport, ASequenceWithoutANameAndMoreThanFitsArePartOfThePage) {
  TemporalFit fit;
  fit.mixture.columns = {"x"};
  fit.mixture.components = {{{0.0}, {1.0}, 0.5, -1}, {{1.0}, {0.0}, 0.5, -1}};
  Features features;
  features.columns = {"x"};
  features.starts = {0, 10'000};
  features.sequences = {""};
  features.values.resize(10'000);
  for (std::size_t n = 0; n < 10'000; ++n) fit.states.push_back(n % 2);
  fit.probability.resize(10'000, 1.0);
  const Page page = temporal_page({fit, features, "x.csv"});
  ASSERT_FALSE(page.sections.empty());
  const Section& timeline = page.sections[0];
  EXPECT_NE(timeline.lead.find("Stretches are too many to draw"), std::string::npos);
  EXPECT_LE(timeline.plots[0].table.rows.size(), 3000U);
  EXPECT_EQ(std::get<std::string>(timeline.plots[0].table.rows[0][0]), "all rows");
}

}  // namespace
}  // namespace motet
