#include "judges/regression_cases.h"
#include "support/errors.h"

namespace motet::judges::regression_checks_test {
namespace {

const Predictions good = make_predictions({{1.0, 2.0, 1.0}, {2.0, 1.0, 2.5}, {3.0, 3.5, 2.0}, {1.5, 0.0, 0.5}});

void refuses(ErrorKind kind, const std::string& text, const Predictions& data, const RegressionOptions& options = {}) {
  EXPECT_EQ(error_of([&] { fit_regression(data, options); }, kind), text);
}

TEST(RegressionChecks, Options) {
  refuses(ErrorKind::usage, "--variance 0 is too small; the truth must vary, so give a variance above 0", good,
          {.variance = 0.0});
  refuses(ErrorKind::usage, "--variance -1 is outside [0, 1e+100]", good, {.variance = -1.0});
  refuses(ErrorKind::usage, "--confidence 1 is outside [0.5, 0.9999]", good, {.confidence = 1.0});
  refuses(ErrorKind::usage, "--noise-variance 0 is too small; proportional judges need a noise variance above 0", good,
          {.noise_variance = 0.0});
  refuses(ErrorKind::usage,
          "--noise-variance 2 is not below --variance 1; deterministic judges see the part of the truth whose variance "
          "is the difference",
          good, {.noise_variance = 2.0, .noise = RegressionNoise::deterministic});
  refuses(ErrorKind::usage, "--separately does not go with --noise factor; a line is known only by comparing judges",
          good, {.noise = RegressionNoise::factor, .separately = true});
}

TEST(RegressionChecks, Values) {
  Predictions infinite = good;
  infinite.values[4] = std::numeric_limits<double>::infinity();
  refuses(ErrorKind::bad_data, "item '2': judge 'b' predicted inf; predictions must be finite numbers", infinite);
  Predictions short_of_one = good;
  short_of_one.values.pop_back();
  refuses(ErrorKind::bad_data, "11 predictions for 4 items and 3 judges; there must be one for each pair",
          short_of_one);
}

TEST(RegressionChecks, TooLittle) {
  refuses(ErrorKind::unanswerable, "there are no judges to rate", Predictions{});
  refuses(ErrorKind::unanswerable, "1 of 2 items have predictions; at least 2 are needed",
          make_predictions({{1.0, 2.0}, {missing, missing}}));
  refuses(ErrorKind::unanswerable, "judge 'b' made no predictions; leave the judge out",
          make_predictions({{1.0, missing}, {2.0, missing}}));
  refuses(ErrorKind::unanswerable, "judge 'b' made 1 prediction; at least 2 are needed",
          make_predictions({{1.0, missing}, {2.0, 4.0}}));
  refuses(ErrorKind::unanswerable,
          "--noise factor does not work with 2 judges; it finds a judge's line by comparing three or more; add "
          "judges or use proportional or channel",
          make_predictions({{1.0, 2.0}, {2.0, 1.0}, {0.0, 1.0}}), {.noise = RegressionNoise::factor});
}

TEST(RegressionChecks, ConstantJudges) {
  for (const RegressionNoise noise : {RegressionNoise::proportional, RegressionNoise::channel}) {
    refuses(ErrorKind::unanswerable,
            "judge 'b' predicted 0.1 for every item; a judge that never varies cannot be rated",
            make_predictions({{1.0, 0.1}, {2.0, 0.1}, {4.0, 0.1}}), {.noise = noise});
  }
  refuses(ErrorKind::unanswerable, "judge 'a' predicted 0 for every item; a judge that never varies cannot be rated",
          make_predictions({{0.0, 1.0}, {0.0, 2.0}}));
}

TEST(RegressionChecks, NumbersWhoseSquaresAreBeyondAllNumbers) {
  for (const RegressionNoise noise : {RegressionNoise::proportional, RegressionNoise::channel}) {
    refuses(ErrorKind::unanswerable,
            "judge 'b' predicted -2e+200, whose square is beyond all numbers; give predictions and truth in a larger "
            "unit",
            make_predictions({{1.0, 0.1}, {2.0, -2e200}, {4.0, 1e200}}), {.noise = noise});
  }
}

TEST(RegressionChecks, Copies) {
  const Predictions copied = make_predictions({{1.0, 1.0, 0.0}, {2.0, 2.0, 1.0}, {3.0, 3.0, 0.5}, {5.0, missing, 1.0}});
  refuses(ErrorKind::unanswerable,
          "judges 'a' and 'b' predicted the same for every item they share, so their errors are not independent; leave "
          "one out",
          copied, {.noise = RegressionNoise::channel});
  const Predictions aligned =
      make_predictions({{1.0, -1.0, 0.0}, {2.0, -3.0, 1.0}, {3.0, -5.0, 0.5}, {5.0, -9.0, 1.0}});
  refuses(ErrorKind::unanswerable,
          "judges 'a' and 'b' are a straight line of each other, so their errors are not independent; leave one out",
          aligned, {.noise = RegressionNoise::factor});
  EXPECT_EQ(fit_regression(copied, {.noise = RegressionNoise::channel, .separately = true}).model.judges.size(), 3U);
}

TEST(RegressionChecks, WarnsOfTheSign) {
  const Predictions data = make_predictions({{1.0, -2.0}, {2.0, -1.0}, {0.5, -0.5}});
  EXPECT_EQ(fit_regression(data, {}).summary.warnings,
            std::vector<std::string>{"--mean 0: theta and -theta predict alike, so theta > 0 is taken for granted"});
  EXPECT_EQ(
      fit_regression(data, {.mean = 1.0}).summary.warnings,
      std::vector<std::string>{"judge 'b': its mean -1.167 and the truth's 1 have opposite signs, but theta > 0 is "
                               "taken for granted; if the judge reverses the truth, turn its sign"});
}

TEST(RegressionChecks, FactorSignIsStated) {
  EXPECT_EQ(fit_regression(good, {.noise = RegressionNoise::factor}).summary.warnings[0],
            "the sum of the slopes is taken to be positive; predictions alone do not tell");
}

TEST(RegressionChecks, CombineKnowsItsJudges) {
  const RegressionModel model = fit_regression(good, {}).model;
  Predictions stranger = make_predictions({{1.0, 2.0, 3.0, 4.0}});
  EXPECT_EQ(error_of([&] { combine(model, stranger); }, ErrorKind::bad_data), "judge 'd' is not in the model");
  EXPECT_EQ(error_of([&] { log_likelihood(model, stranger); }, ErrorKind::bad_data), "judge 'd' is not in the model");
}

TEST(RegressionChecks, FieldsHaveTheNamesOfTheCommandLine) {
  RegressionOptions options;
  std::vector<std::string> names;
  for (const Field& field : fields_of(options)) names.push_back(field.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"mean", "variance", "noise_variance", "noise", "separately", "confidence"}));
}

}  // namespace
}  // namespace motet::judges::regression_checks_test
