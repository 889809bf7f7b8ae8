#include "motet/io/item_columns.h"

#include "io/item_cases.h"
#include "io/support.h"
#include "support/errors.h"

namespace motet::item_columns_test {
namespace {

using Names = std::vector<std::string>;

std::vector<ItemColumn> columns_of(const Names& names) {
  std::vector<ItemColumn> columns;
  for (const std::string& name : names) columns.push_back({name, {}, false});
  return columns;
}

// "item f0 l0 - f1": what each column is for, and where it goes.
std::string uses_of(const ItemPlan& plan) {
  std::string text;
  for (const ColumnUse& use : plan.uses) {
    if (!text.empty()) text += ' ';
    switch (use.role) {
      case ItemRole::feature: text += "f" + std::to_string(use.first); break;
      case ItemRole::label: text += "l" + std::to_string(use.first); break;
      case ItemRole::item: text += "item"; break;
      case ItemRole::none: text += "-"; break;
    }
  }
  return text;
}

std::string told(const std::vector<ItemColumn>& columns, const LabelledFormat& format,
                 ErrorKind kind = ErrorKind::bad_data) {
  return refusal([&] { plan_columns("x.csv", columns, format, {}); }, kind);
}

TEST(ItemColumns, WhatIsNoLabelAndNoNameIsAFeature) {
  LabelledFormat format;
  format.label_columns = {"b", "a"};
  format.leave_out = {"note"};
  const ItemPlan plan = plan_columns("x.csv", columns_of({"x", "item", "a", "note", "y", "b"}), format, {});
  EXPECT_EQ(uses_of(plan), "f0 item l1 - f1 l0");
  EXPECT_EQ(plan.features, (Names{"x", "y"}));
  EXPECT_EQ(plan.labels, (Names{"b", "a"}));
  EXPECT_TRUE(plan.has_sets);
  format.item_column = "y";
  EXPECT_EQ(uses_of(plan_columns("x.csv", columns_of({"x", "item", "a", "note", "y", "b"}), format, {})),
            "f0 f1 l1 - item l0");
}

TEST(ItemColumns, TheLastColumnsAreCountedWithoutThoseThatAreTaken) {
  LabelledFormat format = counted(2);
  format.leave_out = {"z"};
  EXPECT_EQ(uses_of(plan_columns("x.csv", columns_of({"x", "a", "item", "b", "z"}), format, {})), "f0 l0 item l1 -");
  EXPECT_EQ(told(columns_of({"x", "a", "item", "z"}), format, ErrorKind::usage),
            "--label-count 2 leaves no feature: x.csv has 2 columns");
}

TEST(ItemColumns, LabelsAreThoseOfTheFileWhereNothingElseIsSaid) {
  const NamedLabels own{{"b"}, "x.xml"};
  EXPECT_EQ(uses_of(plan_columns("x.csv", columns_of({"a", "b"}), {}, own)), "f0 l0");
  EXPECT_EQ(uses_of(plan_columns("x.csv", columns_of({"b", "a"}), counted(1), own)), "f0 l0");
  EXPECT_EQ(refusal([] {
              plan_columns("x.csv", columns_of({"a", "b"}), {}, NamedLabels{{"c"}, "x.xml"});
            }),
            "x.csv: there is no column 'c', which x.xml names; found 'a', 'b'");
  EXPECT_EQ(told(columns_of({"a", "b"}), {}, ErrorKind::usage),
            "x.csv: nothing says which columns are labels; name them with --label-columns a,b,c, their number at the "
            "end with --label-count N, or a MULAN file with --labels FILE.xml");
}

TEST(ItemColumns, LabelsOfAModelAreNoFeaturesAlsoWhereTheyAreNotNeeded) {
  LabelledFormat format;
  format.known_labels = {"a", "b"};
  ItemPlan plan = plan_columns("x.csv", columns_of({"b", "x", "a"}), format, {});
  EXPECT_EQ(uses_of(plan), "l1 f0 l0");
  EXPECT_TRUE(plan.has_sets);
  EXPECT_EQ(told(columns_of({"x", "a"}), format),
            "x.csv: there is no column 'b', which is a label of the model; found 'x', 'a'");
  format.needs_labels = false;
  plan = plan_columns("x.csv", columns_of({"x", "a"}), format, {});
  EXPECT_EQ(uses_of(plan), "f0 l0");
  EXPECT_FALSE(plan.has_sets);
  EXPECT_EQ(plan.labels, (Names{"a", "b"}));
  // Named as well, in another order.
  format.label_columns = {"a"};
  EXPECT_FALSE(plan_columns("x.csv", columns_of({"x", "a"}), format, {}).has_sets);
  format.needs_labels = true;
  EXPECT_EQ(told(columns_of({"x", "a"}), format), "x.csv: label 'b' of the model is not among the labels");
  format.label_columns = {"c"};
  EXPECT_EQ(told(columns_of({"x", "c"}), format), "x.csv: label 'c' is none of the model; it knows 'a', 'b'");
}

TEST(ItemColumns, NominalFeaturesAreOneColumnAWordUnlessThereAreTwo) {
  const std::vector<ItemColumn> columns = {{"two", {"1", "0"}},
                                           {"word", {"no", "yes"}},
                                           {"place", {"2", "far", "7"}},
                                           {"one", {"only"}},
                                           {"l", {"false", "TRUE"}}};
  const ItemPlan plan = plan_columns("x.arff", columns, counted(1), {});
  EXPECT_EQ(plan.features, (Names{"two", "word", "place=2", "place=far", "place=7", "one=only"}));
  EXPECT_EQ(uses_of(plan), "f0 f1 f2 f5 l0");
  EXPECT_EQ(plan.uses[0].numbers, (std::vector<double>{1, 0}));  // the smaller number is 0
  EXPECT_EQ(plan.uses[1].numbers, (std::vector<double>{0, 1}));  // of words the first
  EXPECT_EQ(plan.uses[2].width, 3U);
  EXPECT_EQ(plan.uses[2].place, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(plan.uses[4].numbers, (std::vector<double>{0, 1}));
}

TEST(ItemColumns, NominalFeaturesKeepTheColumnsOfAModel) {
  LabelledFormat format = counted(1);
  format.known_columns = {"place=2", "place=3", "place=7", "other=1"};
  const ItemPlan plan = plan_columns("x.arff", {{"place", {"7", "5"}}, {"l", {}}}, format, {});
  EXPECT_EQ(plan.features, (Names{"place=2", "place=3", "place=7", "place=5"}));
  EXPECT_EQ(plan.uses[0].place, (std::vector<std::size_t>{2, 3}));
}

TEST(ItemColumns, ColumnsThatCannotBeWhatTheyAreFor) {
  LabelledFormat format;
  format.label_columns = {"l"};
  EXPECT_EQ(told({{"f", {}}, {"l", {"a", "b"}}}, format),
            "x.csv: label 'l' has the values 'a', 'b'; a label is 0 or 1");
  EXPECT_EQ(told({{"f", {}}, {"l", {}, true}}, format), "x.csv: label 'l' holds text; a label is 0 or 1");
  EXPECT_EQ(told({{"t", {}, true}, {"l", {}}}, format),
            "x.csv: attribute 't' is a string; features are numeric or nominal: leave it out with --leave-out, or make "
            "it the items' names with --item-column");
  EXPECT_EQ(told(columns_of({"item", "l"}), format), "x.csv: there is no column of features; found 'item', 'l'");
  format.label_columns = {"l", "l"};
  EXPECT_EQ(told(columns_of({"f", "l"}), format), "x.csv: column 'l' is named for two uses");
  format.label_columns = {"z"};
  EXPECT_EQ(told(columns_of({"f", "l"}), format),
            "x.csv: there is no column 'z', which --label-columns names; found 'f', 'l'");
}

TEST(LabelValue, IsZeroOrOneInAnyWriting) {
  for (const char* text : {"0", "0.0", "false", "False", "-0", "0e5"}) EXPECT_EQ(label_value(text), false) << text;
  for (const char* text : {"1", "1.0", "TRUE", "true", "1e0", "0.1e1"}) EXPECT_EQ(label_value(text), true) << text;
  for (const char* text : {"", "2", "-1", "yes", "1x", "nan", " 1", "tru"}) EXPECT_FALSE(label_value(text)) << text;
}

}  // namespace
}  // namespace motet::item_columns_test
