#include "motet/report/document.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::document_test {
namespace {

Listing two_judges() {
  return {
      {{"judge", "name"}, {"accuracy", "accuracy", 2}, {"interval", "accuracy_interval", 1}, {"", "votes"}, {"rank"}},
      {{"ann", 0.75, Value::list({0.5, 0.9}), 12, 1}, {"bob", 0.5, Value::list({std::nan(""), 1.0}), 3, 2}}};
}

TEST(Listing, IsATableOfItsHeadings) {
  EXPECT_EQ(to_text(two_judges().table()),
            "judge  accuracy  interval    rank\n"
            "ann        0.75  0.5 to 0.9     1\n"
            "bob        0.50                 2\n");
}

TEST(Listing, IsAListOfObjectsByItsKeys) {
  const Value json = two_judges().json();
  ASSERT_EQ(json.as_list().size(), 2U);
  EXPECT_EQ(json.as_list()[0],
            Value::object(
                {{"name", "ann"}, {"accuracy", 0.75}, {"accuracy_interval", Value::list({0.5, 0.9})}, {"votes", 12}}));
}

TEST(Listing, LeavesOutWhatIsOptionalAndNull) {
  const Listing listing{{{"name", "name"}, {"", "first", 0, true}, {"", "last"}},
                        {{"a", Value(), Value()}, {"b", 3, 4}}};
  const Value json = listing.json();
  EXPECT_EQ(json.as_list()[0], Value::object({{"name", "a"}, {"last", Value()}}));
  EXPECT_EQ(json.as_list()[1], Value::object({{"name", "b"}, {"first", 3}, {"last", 4}}));
}

TEST(Document, TellsWarningsFirstWhereThereAreAny) {
  Document document;
  document.warn_first({});
  EXPECT_TRUE(document.sections.empty());
  document.warn_first({"look"});
  document.section("Next", "lead");
  ASSERT_EQ(document.sections.size(), 2U);
  EXPECT_EQ(document.sections[0].notes, std::vector<std::string>{"look"});
  EXPECT_EQ(document.sections[1].lead, "lead");
}

TEST(Document, ShowsATableAfterAnEmptyLine) {
  Document document;
  document.text = "head\n";
  document.show({{{"a"}}, {{std::string("x")}}});
  EXPECT_EQ(document.text, "head\n\na\nx\n");
}

TEST(Document, TakesTheSectionsOfAPart) {
  Document part;
  part.section("of a part");
  Document document;
  document.section("own");
  document.append(part);
  document.append({});
  ASSERT_EQ(document.sections.size(), 2U);
  EXPECT_EQ(document.sections[1].title, "of a part");
}

TEST(Document, HasATraceFromTwoIterationsOn) {
  EXPECT_TRUE(trace_plot("t", "c", "y", {1.0}).empty());
  EXPECT_EQ(trace_plot("t", "c", "y", {1.0, 2.0}).at(0).table.rows.size(), 2U);
  EXPECT_NE(trace_plot("t", "c", "y", {1.0, 2.0}).at(0).spec, trace_plot("t", "c", "y", {1.0, 2.0}, 1).at(0).spec);
}

TEST(Document, CountsInWords) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
}

TEST(Document, BeginsASentenceWithACapital) {
  EXPECT_EQ(capitalized("noise is low"), "Noise is low");
  EXPECT_EQ(capitalized("3 roles"), "3 roles");
  EXPECT_EQ(capitalized(""), "");
}

TEST(Document, AddsRowsOfPlots) {
  Bars bars;
  add(bars, "a", 0.5, 0.25);
  EXPECT_EQ(bars.low, std::vector<double>{0.25});
  EXPECT_EQ(bars.high, std::vector<double>{0.75});
  Intervals intervals;
  add(intervals, "a", 0.5, {0.1, 0.9});
  EXPECT_EQ(intervals.low, std::vector<double>{0.1});
  EXPECT_EQ(intervals.names, std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace motet::document_test
