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

TEST_F(TemporalDoor, TellsWhatWasFitted) {
  const FeatureTable table = two_levels();
  const Fit still = fit(table, 2);
  ASSERT_TRUE(still.log_likelihood && still.bic);
  EXPECT_EQ(still.states.objective_kind, "log-likelihood");
  EXPECT_EQ(still.states.objective, *still.log_likelihood);
  EXPECT_NEAR(apply(still.model, table).objective, *still.log_likelihood, 1e-9);
  EXPECT_EQ(still.parameters, 5U);  // two means, two variances, a share
  EXPECT_NEAR(*still.bic, 5.0 * std::log(60.0) - 120.0 * *still.log_likelihood, 1e-9);
  EXPECT_NEAR(still.model.share(0) + still.model.share(1), 1.0, 1e-12);
  EXPECT_GT(still.model.covariance(1)[0], 0.0);
  EXPECT_EQ(still.model.degrees(0), 0.0);
  EXPECT_TRUE(still.model.chain_start().empty());
  const Fit chain = fit(table, 2, {{"method", "hmm"}});
  EXPECT_EQ(chain.model.chain_start().size(), 2U);
  EXPECT_EQ(chain.model.chain_transition().size(), 4U);
  EXPECT_GT(fit(table, 2, {{"emission", "student-t"}}).model.degrees(0), 0.0);
  const Fit pulled = fit(table, 2, {{"radius", 4}});
  EXPECT_EQ(pulled.states.objective_kind, "pseudo-log-likelihood");
  EXPECT_FALSE(pulled.log_likelihood.has_value());
  EXPECT_EQ(pulled.states.objective, pulled.summary.objective.back());
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
