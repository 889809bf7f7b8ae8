#include "motet/door/inside.h"

#include "door/support.h"
#include "motet/version.h"
#include "support/errors.h"

namespace motet::door {
namespace {

const TemporaryFolder folder;

TEST(Door, VersionTextIsTheThreeNumbers) {
  EXPECT_EQ(version_text,
            std::to_string(version_major) + "." + std::to_string(version_minor) + "." + std::to_string(version_patch));
}

TEST(Door, NumbersOfOptionsKeepEveryBit) {
  EXPECT_EQ(Option("x", 0.1).value, "0.1");
  EXPECT_EQ(std::strtod(Option("x", 1.0 / 3.0).value.c_str(), nullptr), 1.0 / 3.0);
  EXPECT_EQ(Option("x", 7).value, "7");
  EXPECT_EQ(Option("x", true).value, "true");
  EXPECT_EQ(Option("x", "text").value, "text");
}

TEST(Door, RunBecomesTheContextOfAFit) {
  CancelFlag cancel;
  std::string heard;
  const RunContext context = inside(motet::Run{7, 3, [&](const Progress& p) { heard = p.stage; }, &cancel});
  EXPECT_EQ(context.seed, Seed{7});
  EXPECT_EQ(context.threads.count, 3U);
  EXPECT_EQ(context.cancel, &cancel);
  context.observer({"fitting", 1.0, 2.0, "rows"});
  EXPECT_EQ(heard, "fitting");
}

TEST(Door, TablesBecomeFeaturesWithTheirSequences) {
  const FeatureTable table{{"a", "b"}, {1, 2, 3, 4, 5, 6}, {2, 1}, 0.5};
  const Features features = inside(table);
  EXPECT_EQ(features.starts, (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(features.sequences, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(features.clock, (FrameClock{0.5, 0.5}));
  EXPECT_EQ(inside(FeatureTable{{"a"}, {1, 2}}).starts, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(in_columns(table, {"b"}).values, (std::vector<double>{2, 4, 6}));
}

TEST(Door, TablesThatDoNotFitAreRefused) {
  EXPECT_EQ(folder.error_of([] {
    inside(FeatureTable{{"a", "b"}, {1, 2, 3}});
  }),
            "features: 3 values where there must be 2");
  EXPECT_EQ(folder.error_of([] {
    inside(FeatureTable{{"a"}, {1, 2, 3}, {1, 1}});
  }),
            "sequences, rows in all: 2 values where there must be 3");
  EXPECT_EQ(folder.error_of([] {
    inside(FeatureTable{{"a", "b"}, {1, 2, 3, std::nan("")}});
  }),
            "features: row 2, column 'b' is not a finite number");
  EXPECT_EQ(folder.error_of([] {
    in_columns(FeatureTable{{"a"}, {1}}, {"c"});
  }),
            "features: there is no column 'c', which the model was fitted to; found 'a'");
}

}  // namespace
}  // namespace motet::door
