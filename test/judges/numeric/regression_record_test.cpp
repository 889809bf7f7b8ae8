#include "motet/judges/numeric/regression_record.h"

#include "judges/regression_cases.h"
#include "support/errors.h"

namespace motet::judges::regression_record_test {
namespace {

const RegressionOptions golden_options{.mean = 0.5, .variance = 1.0, .noise_variance = 0.64, .confidence = 0.9};

TEST(RegressionRecord, RoundTripKeepsEverything) {
  for (const RegressionNoise noise :
       {RegressionNoise::proportional, RegressionNoise::channel, RegressionNoise::factor}) {
    RegressionOptions options = golden_options;
    options.noise = noise;
    const RegressionModel model = fit_regression(golden_predictions(), options).model;
    const RegressionModel back = regression_from_record(to_record(model));
    EXPECT_EQ(back.options, model.options);
    EXPECT_EQ(to_record(back), to_record(model));
    EXPECT_EQ(combine(back, golden_predictions()).mean, combine(model, golden_predictions()).mean);
  }
}

TEST(RegressionRecord, NumbersThatDoNotExistAreNull) {
  const Predictions quiet = make_predictions({{0.1}, {-0.2}, {0.3}});
  const RegressionModel model = fit_regression(quiet, {.noise = RegressionNoise::channel}).model;
  const Record record = to_record(model);
  EXPECT_TRUE(record.fields.at("judges").as_list()[0].at("theta_error").is_null());
  EXPECT_TRUE(std::isnan(regression_from_record(record).judges[0].theta_error));
}

TEST(RegressionRecord, ReadsVersion1) {
  // As version 1 wrote it; kept so that later versions still read it.
  const Value judge = Value::object({{"name", "ann"},
                                     {"predictions", 12},
                                     {"theta", 0.5},
                                     {"theta_error", 0.1},
                                     {"theta_interval", Value::list({0.3, 0.8})},
                                     {"intercept", 0.0},
                                     {"slope", 0.5},
                                     {"residual_variance", 0.16},
                                     {"mse", 0.4},
                                     {"mse_error", 0.05},
                                     {"mse_interval", Value::list({0.3, 0.5})},
                                     {"at_boundary", false}});
  const Value options = Value::object({{"mean", 0},
                                       {"variance", 1},
                                       {"noise_variance", 0.64},
                                       {"noise", "proportional"},
                                       {"separately", true},
                                       {"confidence", 0.95}});
  const RegressionModel model = regression_from_record(
      {"judges_regression", 1, Value::object({{"options", options}, {"judges", Value::list({judge})}})});
  EXPECT_EQ(model.options.noise_variance, 0.64);
  EXPECT_TRUE(model.options.separately);
  ASSERT_EQ(model.judges.size(), 1U);
  EXPECT_EQ(model.judges[0].predictions, 12U);
  EXPECT_EQ(model.judges[0].theta_interval, (Interval{0.3, 0.8}));
  EXPECT_EQ(model.judges[0].line, (JudgeLine{0.0, 0.5, 0.16}));
}

TEST(RegressionRecord, BadFilesAreRefusedByName) {
  Record record = to_record(fit_regression(golden_predictions(), golden_options).model);
  Record newer = record;
  newer.version = 2;
  EXPECT_EQ(error_of([&] { regression_from_record(newer); }, ErrorKind::bad_data),
            "'judges_regression' model of version 2 is newer than this program, which reads 1 to 1; use a newer motet");
  Record other = record;
  other.kind = "judges";
  EXPECT_EQ(error_of([&] { regression_from_record(other); }, ErrorKind::bad_data),
            "holds a 'judges' model; a 'judges_regression' model is needed");
  Record no_judges = record;
  no_judges.fields = Value::object({{"options", record.fields.at("options")}});
  EXPECT_EQ(error_of([&] { regression_from_record(no_judges); }, ErrorKind::bad_data), "field 'judges' is missing");
  Record bad_noise = record;
  Value options = record.fields.at("options");
  options.set("noise", "loud");
  bad_noise.fields.set("options", options);
  EXPECT_EQ(error_of([&] { regression_from_record(bad_noise); }, ErrorKind::bad_data),
            "options: noise: 'loud' is not one of {proportional, deterministic, channel, factor}");
  Record bad_judge = record;
  Value judge = record.fields.at("judges").as_list()[1];
  judge.set("residual_variance", -1.0);
  bad_judge.fields.set("judges", Value::list({judge}));
  EXPECT_EQ(error_of([&] { regression_from_record(bad_judge); }, ErrorKind::bad_data),
            "judges[0]: residual_variance = -1 is negative");
}

}  // namespace
}  // namespace motet::judges::regression_record_test
