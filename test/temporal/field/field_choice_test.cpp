#include "motet/temporal/field/field_choice.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "temporal/row_cases.h"

namespace motet::temporal::field_choice_test {
namespace {

TemporalOptions custom(std::string values, std::size_t radius = 0) {
  TemporalOptions options;
  options.weights = WeightShape::custom;
  options.weight_values = std::move(values);
  options.radius = radius;
  return options;
}

std::string message_of(const TemporalOptions& options) {
  return error_of([&] { field_of(options); }, ErrorKind::usage);
}

TEST(FieldChoice, CustomWeightsAreThoseOfTheList) {
  const TimeField field = field_of(custom("5,0.3,0,7"));
  EXPECT_EQ(field.radius, 4U);
  const std::vector<double> expected{5.0, 0.3, 0.0, 7.0};
  const std::vector<double> weights = weights_of(field);
  ASSERT_EQ(weights.size(), 4U);
  for (std::size_t d = 0; d < 4; ++d) EXPECT_NEAR(weights[d], expected[d], 1e-15);
  EXPECT_NEAR(total_weight(field), 24.6, 1e-12);
  EXPECT_EQ(field_of(custom("2,1", 2)).radius, 2U);
}

TEST(FieldChoice, CustomWeightsOfAKnownShapeGiveItsFit) {
  const Features features = clustered_rows(600, 2, 2, 2.0, 1, 15);
  const std::vector<std::pair<WeightShape, std::string>> shapes{{WeightShape::linear, "3,2,1"},
                                                                {WeightShape::quadratic, "9,4,1"}};
  for (const auto& [shape, values] : shapes) {
    for (const Inference inference : {Inference::icm, Inference::mean_field, Inference::exact}) {
      for (const Border border : {Border::weights, Border::clique}) {
        for (const char* const coupling : {"auto", "4", "literal"}) {
          TemporalOptions known;
          known.radius = 3;
          known.weights = shape;
          known.inference = inference;
          known.border = border;
          known.coupling = coupling;
          TemporalOptions own = known;
          own.weights = WeightShape::custom;
          own.weight_values = values;
          const TemporalFit expected = fit_temporal(features, 2, {}, {}, known, {});
          const TemporalFit found = fit_temporal(features, 2, {}, {}, own, {});
          EXPECT_EQ(found.states, expected.states);
          EXPECT_NEAR(found.summary.objective.back(), expected.summary.objective.back(), 1e-6);
          EXPECT_NEAR(total_weight(found.mixture.field), total_weight(expected.mixture.field), 1e-6);
        }
      }
    }
  }
}

TEST(FieldChoice, BadInputIsToldExactly) {
  EXPECT_EQ(message_of(custom("")), "--weights custom needs --weight-values, one for each distance");
  TemporalOptions options = custom("1");
  options.weights = WeightShape::linear;
  EXPECT_EQ(message_of(options), "--weight-values is for --weights custom");
  for (const auto& [text, word] : std::vector<std::pair<std::string, std::string>>{
           {"1,x", "x"}, {"1,-2", "-2"}, {"1,,2", ""}, {"1,", ""}, {"inf", "inf"}, {"nan,1", "nan"}}) {
    EXPECT_EQ(
        message_of(custom(text)),
        "--weight-values: '" + word + "' is not a number from 0 on; one for each distance, with commas, is allowed");
  }
  EXPECT_EQ(message_of(custom("1,2,3", 2)),
            "--radius 2 does not agree with the 3 numbers of --weight-values; leave it out");
  EXPECT_EQ(message_of(custom("0,0")), "--weight-values are all 0; one at least has to be larger");
}

}  // namespace
}  // namespace motet::temporal::field_choice_test
