#include "motet/multilabel/train.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/error.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/sources/density/set_density.h"
#include "multilabel/training_cases.h"

namespace motet::multilabel::train_test {
namespace {

LabelledItems labelled(const DrawnItems& drawn) {
  LabelledItems items;
  const std::size_t dimensions = drawn.sources.dimensions;
  for (std::size_t d = 0; d < dimensions; ++d) items.features.columns.push_back("x" + std::to_string(d + 1));
  for (std::size_t k = 0; k < drawn.index.sets.columns(); ++k) items.labels.push_back(std::string(1, "abcdef"[k]));
  items.features.values = drawn.x;
  items.sets = drawn.index.sets.rows_of(drawn.index.of_row);
  return items;
}

LabelledItems gaussian_items(std::size_t rows = 120) {
  return labelled(drawn_items(trained_as(Family::gaussian, Combination::sum), 3, 2, rows, 11));
}

std::string message_of(const LabelledItems& items, const TrainOptions& options, ErrorKind kind) {
  try {
    train_multilabel(items, options, false, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "";
}

TEST(TrainMultilabel, keeps_what_a_prediction_needs) {
  const LabelledItems items = gaussian_items();
  TrainOptions options;
  options.standardize = true;
  const MultilabelFit fit = train_multilabel(items, options, false, {});
  EXPECT_EQ(fit.items, 120U);
  EXPECT_EQ(fit.model.labels, items.labels);
  EXPECT_EQ(fit.model.sources.count, 3U);
  EXPECT_EQ(fit.model.sources.dimensions, 2U);
  EXPECT_EQ(fit.model.prior.sets.rows(), fit.label_sets);
  EXPECT_FALSE(fit.model.calibration.known());
  EXPECT_TRUE(fit.warnings.empty());
}

TEST(TrainMultilabel, tells_a_label_in_no_item) {
  LabelledItems items = gaussian_items();
  items.labels.push_back("d");
  BitMatrix wider(items.rows(), 4);
  for (std::size_t n = 0; n < items.rows(); ++n) {
    for (std::size_t k = 0; k < 3; ++k) wider.set(n, k, items.sets(n, k));
  }
  items.sets = wider;
  EXPECT_EQ(message_of(items, {}, ErrorKind::unanswerable),
            "label 'd' is in no item, so nothing can be learnt about it; leave it out");
}

TEST(TrainMultilabel, warns_of_a_label_in_every_item_and_of_a_constant_feature) {
  LabelledItems items = gaussian_items();
  for (std::size_t n = 0; n < items.rows(); ++n) {
    items.sets.set(n, 0);
    items.features.values[n * 2 + 1] = 7.0;
  }
  TrainOptions options;
  options.standardize = true;
  const MultilabelFit fit = train_multilabel(items, options, false, {});
  ASSERT_EQ(fit.warnings.size(), 2U);
  EXPECT_EQ(fit.warnings[0],
            "label 'a' is in every item: it acts as a background, and no item tells when it is absent");
  EXPECT_EQ(fit.warnings[1], "feature x2 is the same in every item and says nothing");
  for (const double v : fit.model.sources.spread) EXPECT_TRUE(std::isfinite(v) && v > 0.0);
  options.background = true;
  EXPECT_EQ(message_of(items, options, ErrorKind::unanswerable),
            "the label sets have rank 3, below the 4 sources: label 'a' and the background cannot be told apart; add "
            "items in which they occur in other sets, or use --prior-strength");
}

TEST(TrainMultilabel, tells_items_without_labels) {
  LabelledItems items = gaussian_items();
  for (std::size_t k = 0; k < 3; ++k) items.sets.set(0, k, false);
  EXPECT_EQ(message_of(items, {}, ErrorKind::unanswerable),
            "1 items have no label, so no source explains them; use --background");
  TrainOptions options;
  options.background = true;
  EXPECT_EQ(message_of(items, options, ErrorKind::unanswerable), "");
  options.background = false;
  options.method = Training::fresh;
  EXPECT_EQ(message_of(items, options, ErrorKind::unanswerable), "");
}

TEST(TrainMultilabel, tells_which_labels_are_never_alone) {
  LabelledItems items = gaussian_items();
  for (std::size_t n = 0; n < items.rows(); ++n) {
    if (items.sets(n, 1) && items.sets.count(n) == 1) items.sets.set(n, 0);
  }
  TrainOptions options;
  options.method = Training::ignore;
  EXPECT_EQ(message_of(items, options, ErrorKind::unanswerable),
            "method = ignore learns only from items with one label, of which there are none for label 'b'; method = "
            "deconvolution does not need them");
}

TEST(TrainMultilabel, tells_values_and_preparations_that_do_not_fit_the_family) {
  LabelledItems items = labelled(drawn_items(trained_as(Family::poisson, Combination::sum), 3, 2, 100, 12));
  TrainOptions options = trained_as(Family::poisson, Combination::sum);
  EXPECT_EQ(message_of(items, options, ErrorKind::bad_data), "");
  items.features.values[7] = 2.5;
  EXPECT_EQ(message_of(items, options, ErrorKind::bad_data),
            "item '4': x2 = 2.5 cannot come from source = poisson; whole numbers from 0 on are allowed");
  options.standardize = true;
  EXPECT_EQ(message_of(items, options, ErrorKind::usage),
            "standardize: source = poisson needs the features as they are; only gaussian can take others");
}

TEST(TrainMultilabel, learns_a_distribution_of_its_own_from_a_single_item) {
  LabelledItems items = gaussian_items(60);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t n = 1; n < items.rows(); ++n) {
      if (items.sets.count(n) == 3) items.sets.set(n, 2, false);
    }
    items.sets.set(0, k);
  }
  TrainOptions options;
  options.method = Training::fresh;
  for (const Covariance covariance : {Covariance::full, Covariance::diagonal, Covariance::shared}) {
    options.covariance = covariance;
    const MultilabelFit fit = train_multilabel(items, options, false, {});
    EXPECT_EQ(fit.model.sources.count, fit.label_sets);
    // A set that was never seen has density 0.
    BitMatrix sets(2, 3);
    sets.set(0, 0);
    const std::vector<double> found = log_densities(fit.model, sets, std::vector<double>{0.0, 0.0}, Threads{1});
    EXPECT_TRUE(std::isfinite(found[0]));
    EXPECT_TRUE(std::isinf(found[1]));
  }
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

TEST(ModelRecord, tells_what_does_not_fit) {
  const Record good = to_record(train_multilabel(gaussian_items(), {}, false, {}).model);
  const auto message = [&](const std::string& key, Value value) {
    Record bad = good;
    bad.fields.set(key, std::move(value));
    try {
      multilabel_from_record(bad);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_data);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("labels", Value::list({"a", "b"})), "field 'prior' has 3 labels, the model 2");
  EXPECT_EQ(message("labels", Value::list({"a", "b", "a"})), "field 'labels' has 'a' twice");
  EXPECT_EQ(message("labels", Value(Value::List{})), "field 'labels' is empty");
  Value options = good.fields.at("options");
  options.set("covariance", "full");
  EXPECT_EQ(message("options", options), "field 'sources' is of another kind than the options say");
  options.set("covariance", "round");
  EXPECT_TRUE(message("options", options).starts_with("options: covariance: 'round' is not"));
  options = good.fields.at("options");
  options.set("method", "auto");
  EXPECT_EQ(message("options", options), "field 'method' is 'auto', which a trained model has not");
  Record newer = good;
  newer.version = 2;
  EXPECT_THROW(multilabel_from_record(newer), Error);
}

// One of them: a mixture that the labels constrain.
TEST(OneOf, raises_the_likelihood_and_finds_what_was_planted) {
  using enum Family;
  for (const Family family : {gaussian, bernoulli, poisson, exponential, gamma, lognormal}) {
    const TrainOptions options = trained_as(family, Combination::one_of, Covariance::diagonal);
    const DrawnItems drawn = drawn_items(options, 3, 3, 1500, 13);
    const SourceFit fit = fit_sources(drawn.index, drawn.x, 3, options, {});
    for (std::size_t i = 1; i < fit.summary.objective.size(); ++i) {
      EXPECT_GE(fit.summary.objective[i], fit.summary.objective[i - 1] - 1e-9 * std::abs(fit.summary.objective[i]));
    }
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(fit.sources.location[i], drawn.sources.location[i], 0.4) << family_word(family);
    }
    TrainOptions plain = options;
    plain.shrinkage = 0.0;
    const SourceFit exact = fit_sources(drawn.index, drawn.x, 3, plain, {});
    const double likelihood = log_likelihood(exact.sources, drawn.index.sets, drawn.index.of_row, drawn.x, Threads{1});
    EXPECT_NEAR(exact.summary.objective.back(), likelihood, 1e-8 * std::abs(likelihood));
  }
}

TEST(OneOf, takes_every_covariance) {
  for (const Covariance covariance : {Covariance::spherical, Covariance::full, Covariance::shared, Covariance::point}) {
    const TrainOptions options =
        trained_as(Family::gaussian, Combination::one_of, covariance, true, covariance == Covariance::point);
    const DrawnItems drawn = drawn_items(options, 3, 2, 1000, 14);
    const SourceFit fit = fit_sources(drawn.index, drawn.x, 2, options, {});
    EXPECT_EQ(fit.sources.count, 4U);
    EXPECT_EQ(fit.summary.stop, Stop::converged);
  }
}

// What the other trainings say of families that are not Gaussian: moments of the items that teach a source.
TEST(OtherTrainings, give_the_moments_of_any_family) {
  TrainOptions options = trained_as(Family::poisson, Combination::sum);
  options.shrinkage = 0.0;
  options.method = Training::cross;
  const DrawnItems drawn = drawn_items(options, 3, 2, 300, 15);
  const SourceFit fit = fit_sources(drawn.index, drawn.x, 2, options, {});
  double sum = 0.0;
  double items = 0.0;
  for (std::size_t n = 0; n < 300; ++n) {
    if (!drawn.index.sets(drawn.index.of_row[n], 1)) continue;
    sum += drawn.x[n * 2];
    items += 1.0;
  }
  EXPECT_NEAR(fit.sources.location[2], sum / items, 1e-9);
}

}  // namespace
}  // namespace motet::multilabel::train_test
