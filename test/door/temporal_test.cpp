#include "motet/temporal.h"

#include "door/support.h"
#include "support/errors.h"

namespace motet::temporal {
namespace {

FeatureTable two_levels(std::size_t rows = 60) {
  FeatureTable table{{"a"}, {}};
  for (std::size_t n = 0; n < rows; ++n) {
    table.values.push_back((n < rows / 2 ? 0.0 : 3.0) + std::sin(7.0 * static_cast<double>(n)));
  }
  return table;
}

std::string as_csv(const FeatureTable& table) {
  std::string text = table.columns[0] + "\n";
  for (const double value : table.values) text += motet::to_text(value) + "\n";
  return text;
}

class TemporalDoor : public CommandTest {};

TEST_F(TemporalDoor, GivesTheBytesOfTheCommandLine) {
  const FeatureTable table = two_levels();
  folder.write("d.csv", as_csv(table));
  ASSERT_EQ(motet("temporal fit @d.csv --components 2 --radius 4 --model @m.json --assignments @a.csv").code, 0);
  const Fit found = fit(table, 2, {{"radius", 4}});
  EXPECT_EQ(to_text(found.model), folder.read("m.json"));
  const auto lines = door::lines_of(folder / "a.csv");
  ASSERT_EQ(lines.size(), table.rows() + 1);
  for (std::size_t n = 0; n < table.rows(); ++n) {
    EXPECT_EQ(lines[n + 1][1], std::to_string(found.states.component[n] + 1));
    EXPECT_EQ(lines[n + 1][2], motet::to_text(found.states.probability[n]));
  }
  EXPECT_TRUE(found.states.of_class.empty());
}

TEST_F(TemporalDoor, AppliesAModelToNewRows) {
  const Fit found = fit(two_levels(), 2, {{"radius", 4}});
  const Model model = model_from_text(to_text(found.model));
  EXPECT_EQ(model.columns(), (std::vector<std::string>{"a"}));
  const States states = apply(model, two_levels(40));
  EXPECT_EQ(states.component.size(), 40U);
  EXPECT_NE(states.component[0], states.component[39]);
  EXPECT_EQ(folder.error_of([&] { apply(model, two_levels(), "icmm"); }, ErrorKind::usage),
            "--inference: 'icmm' is not one of {icm, mean-field, exact}");
}

TEST_F(TemporalDoor, ClassesOfRowsNameTheComponents) {
  RowClasses classes{{"low", "high"}, std::vector<std::int32_t>(60, -1)};
  classes.of_row[0] = 0;
  classes.of_row[59] = 1;
  const Fit found = fit(two_levels(), 2, {}, {}, classes);
  EXPECT_EQ(found.model.classes(), classes.names);
  EXPECT_EQ(found.states.of_class[1], 0);
  EXPECT_EQ(found.states.of_class[58], 1);
  classes.of_row[3] = 2;
  EXPECT_EQ(folder.error_of([&] { fit(two_levels(), 2, {}, {}, classes); }, ErrorKind::usage),
            "classes: a row has a number beyond the list of names");
}

}  // namespace
}  // namespace motet::temporal
