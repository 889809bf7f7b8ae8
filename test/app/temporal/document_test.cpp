#include "motet/app/temporal/document.h"

#include <gtest/gtest.h>

#include "support/texts.h"

namespace motet::temporal::document_test {
namespace {

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
  const Page page = temporal_document({fit, features, "x.csv"});
  ASSERT_FALSE(page.sections.empty());
  const Section& timeline = page.sections[0];
  expect_in(timeline.lead, {"Stretches are too many to draw"});
  EXPECT_LE(timeline.plots[0].table.rows.size(), 3000U);
  EXPECT_EQ(std::get<std::string>(timeline.plots[0].table.rows[0][0]), "all rows");
}

}  // namespace
}  // namespace motet::temporal::document_test
