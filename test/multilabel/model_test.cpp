#include "motet/multilabel/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/io/record_file.h"
#include "motet/multilabel/predict.h"
#include "motet/multilabel/train.h"
#include "multilabel/model_cases.h"
#include "multilabel/set_cases.h"
#include "multilabel/training_cases.h"
#include "support/expect_error.h"

namespace motet::multilabel::model_test {
namespace {

Record first_version() { return read_record(std::string(MOTET_TEST_DIR) + "/golden/multilabel/model_v1.json"); }

TEST(MultilabelModelFile, ReadsTheFirstVersion) {
  const Record old = first_version();
  const MultilabelModel model = multilabel_from_record(old);
  EXPECT_EQ(model.labels, (std::vector<std::string>{"label1", "label2", "label3"}));
  EXPECT_EQ(model.preparation.columns, (std::vector<std::string>{"x1", "x2"}));
  EXPECT_EQ(model.sources.location[2], 1.8180899197245706);
  EXPECT_EQ(model.calibration.slope, 0.9844714255944572);
  EXPECT_EQ(to_record(model), old);
}

TEST(MultilabelModelFile, TheFirstVersionStillSaysTheSame) {
  NumberTable features;
  features.columns = {"x1", "x2"};
  features.values = {0.5, -1.0, 1.75, -2.25, -0.75, -2.0, 8.0, 8.0};
  const SetPredictions found = predict(multilabel_from_record(first_version()), features, {}, {});
  const std::vector<std::string> labels{"label1", "label2", "label3", "label1|label2"};
  const double log_likelihood[] = {-1.8669275523928062, -1.2752717854898854, -1.9319761003677094, -48.5864757457521};
  const double posterior[] = {0.43109754588350174, 0.6596981318502059, 0.4626786945730423, 0.9999999570729147};
  const double probability[] = {0.42672625832065453, 0.6523799146072647, 0.4577524389293816, 0.9999999428842864};
  constexpr double rounding = 1e-12;  // of logarithms and their sums in another order
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(joined_labels(found.sets.row(n), found.labels), labels[n]);
    EXPECT_NEAR(found.log_likelihood[n], log_likelihood[n], 50.0 * rounding);
    EXPECT_NEAR(found.posterior[n], posterior[n], rounding);
    EXPECT_NEAR(found.probability[n], probability[n], rounding);
    EXPECT_EQ(found.outlier[n], n == 3 ? 1 : 0);
  }
}

TEST(MultilabelModelFile, ANewerVersionIsRefused) {
  Record newer = first_version();
  newer.version = 3;
  expect_error(ErrorKind::bad_data,
               "'multilabel' model of version 3 is newer than this program, which reads 1 to 2; use a newer motet",
               [&] { multilabel_from_record(newer); });
}

TEST(ModelRecord, comes_back_the_same) {
  const LabelledItems items = gaussian_items();
  for (const Training method : {Training::deconvolution, Training::fresh}) {
    TrainOptions options;
    options.method = method;
    options.covariance = Covariance::full;
    MultilabelModel model = train_multilabel(items, options, false, {}).model;
    model.calibration = {0.1, 0.8, 120, {{0.01, -9.0}, {0.5, -3.0}}};
    model.trials = {{"deconvolution sum", options, 0.2, 0.01, 0.7}};
    const Record record = to_record(model);
    const MultilabelModel back = multilabel_from_record(record);
    EXPECT_EQ(to_record(back), record);
    EXPECT_EQ(back.sources, model.sources);
    EXPECT_EQ(back.trials.front().name, "deconvolution sum");
  }
}

TEST(ModelRecord, WithoutSourcesComesBackTheSame) {
  const LabelledItems items = gaussian_items();
  for (const Training method :
       {Training::log_linear, Training::logistic, Training::svm, Training::chain, Training::powerset}) {
    TrainOptions options;
    options.method = method;
    options.penalty = 0.25;
    const MultilabelModel model = train_multilabel(items, options, false, {}).model;
    const Record record = to_record(model);
    EXPECT_EQ(record.version, 2);
    const MultilabelModel back = multilabel_from_record(record);
    EXPECT_EQ(to_record(back), record);
    EXPECT_EQ(back.linear, model.linear);
    EXPECT_EQ(back.options.penalty, 0.25);
    EXPECT_EQ(record.fields.find("sources"), nullptr);
  }
}

TEST(ModelRecord, KeepsGroupsOfLabelsAndValuesForMissingOnes) {
  LabelledItems items = gaussian_items();
  items.labels = {"a", "b", "gone"};
  for (std::size_t n = 0; n < items.rows(); ++n) items.sets.set(n, 2, false);
  TrainOptions options;
  options.background = true;
  const MultilabelModel model = train_multilabel(items, options, false, {}).model;
  EXPECT_EQ(model.labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(model.all_labels(), items.labels);
  const MultilabelModel back = multilabel_from_record(to_record(model));
  EXPECT_EQ(back.all_labels(), items.labels);
  EXPECT_EQ(back.fill, model.fill);
  EXPECT_EQ(back.fill.size(), 2U);
}

void refuses(const Record& good, const std::string& key, Value value, const std::string& text) {
  Record bad = good;
  bad.fields.set(key, std::move(value));
  expect_error(ErrorKind::bad_data, text, [&] { multilabel_from_record(bad); });
}

TEST(ModelRecord, tells_what_does_not_fit) {
  const Record good = to_record(train_multilabel(gaussian_items(), {}, false, {}).model);
  refuses(good, "labels", Value::list({"a", "b"}), "field 'prior' has 3 labels, the model 2");
  refuses(good, "labels", Value::list({"a", "b", "a"}), "field 'labels' has 'a' twice");
  refuses(good, "labels", Value(Value::List{}), "field 'labels' is empty");
  Value options = good.fields.at("options");
  options.set("covariance", "full");
  refuses(good, "options", options, "field 'sources' is of another kind than the options say");
  options.set("covariance", "round");
  refuses(good, "options", options,
          "options: covariance: 'round' is not one of {spherical, diagonal, full, shared, point}");
  options = good.fields.at("options");
  options.set("method", "auto");
  refuses(good, "options", options, "field 'method' is 'auto', which a trained model has not");
  options.set("method", "new");
  refuses(good, "options", options, "field 'sources' has 3 sources, 7 are needed");
}

TEST(ModelRecord, TellsWeightsAndGroupsThatDoNotFit) {
  TrainOptions options;
  options.method = Training::log_linear;
  const Record good = to_record(train_multilabel(gaussian_items(), options, false, {}).model);
  Value linear = good.fields.at("linear");
  linear.set("rows", 2);
  refuses(good, "linear", linear, "linear: field 'weights' has 9 entries; 6 are needed");
  linear = good.fields.at("linear");
  linear.set("rows", 0);
  refuses(good, "linear", linear, "linear: fields 'rows' and 'dimensions' are beyond what a model can have");
  linear = good.fields.at("linear");
  linear.set("links", Value::list_of(std::vector<double>(9, 0.0)));
  refuses(good, "linear", linear, "field 'linear' is of another shape than the options and features say");
  refuses(good, "fill", Value::list_of(std::vector<double>(3, 0.0)), "field 'fill' has 3 entries; 2 are needed");
  refuses(good, "thresholds", Value::list_of(std::vector<double>{0.5, 0.5, 1.5}),
          "field 'thresholds' = 1.5 is outside [0, 1]");
  const auto groups = [](std::vector<std::string> labels, Value::List numbers) {
    return Value::object({{"labels", Value::list_of(labels)}, {"group", std::move(numbers)}});
  };
  refuses(good, "label_groups", groups({"a", "b", "d"}, {0, 1, 2}),
          "field 'label_groups' has other groups than the labels that were learnt");
  refuses(good, "label_groups", groups({"a", "b"}, {0}), "label_groups: field 'group' has 1 entries; 2 are needed");
  refuses(good, "label_groups", groups({"a", "b"}, {1, 0}),
          "label_groups: field 'group' has number 1; at most 0 can be there");
}

TEST(ModelRecord, tells_a_calibration_that_cannot_be) {
  const Record good = to_record(train_multilabel(gaussian_items(), {}, false, {}).model);
  Value calibration = good.fields.at("calibration");
  const std::string text = "calibration: field 'density' does not rise with its levels between 0 and 1";
  const auto with = [&](std::vector<double> levels, std::vector<double> values) {
    calibration.set("density_levels", Value::list_of(levels));
    calibration.set("density", Value::list_of(values));
    return calibration;
  };
  refuses(good, "calibration", with({0.1, 0.1}, {-5.0, -4.0}), text);
  refuses(good, "calibration", with({0.1, 0.2}, {-4.0, -5.0}), text);
  refuses(good, "calibration", with({0.1, 1.2}, {-5.0, -4.0}), text);
}

// `new` knows a distribution of its own for each set of the training items, and nothing of other sets.
TEST(LogDensities, OfAModelOfSetsAreThoseOfItsOwnSources) {
  Rng rng(Seed{31});
  MultilabelModel model;
  model.options.method = Training::fresh;
  model.labels = {"a", "b", "c"};
  model.prior.sets = sets_of({"100", "010", "110"});
  model.sources = random_sources({.covariance = Covariance::full}, 3, 2, 1.0, rng);
  const std::vector<double> x{0.3, -0.7, 1.5, 0.2};
  const BitMatrix asked = sets_of({"110", "001", "100"});
  const std::vector<double> found = log_densities(model, asked, x, {1});
  ASSERT_EQ(found.size(), 6U);
  for (std::size_t n = 0; n < 2; ++n) {
    const std::span<const double> row(x.data() + 2 * n, 2);
    EXPECT_NEAR(found[3 * n], plain_log_density(model.sources, sets_of({"001"}).row(0), row), 1e-12);
    EXPECT_EQ(found[3 * n + 1], -std::numeric_limits<double>::infinity());
    EXPECT_NEAR(found[3 * n + 2], plain_log_density(model.sources, sets_of({"100"}).row(0), row), 1e-12);
  }
}

}  // namespace
}  // namespace motet::multilabel::model_test
