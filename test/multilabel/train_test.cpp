#include "motet/multilabel/train.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/multilabel/predict.h"
#include "multilabel/training_cases.h"
#include "support/errors.h"

namespace motet::multilabel::train_test {
namespace {

std::string message_of(const LabelledItems& items, const TrainOptions& options, ErrorKind kind) {
  return error_if_any([&] { train_multilabel(items, options, false, {}); }, kind);
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

TEST(TrainMultilabel, KeepsALabelInNoItemAndNeverGivesIt) {
  LabelledItems items = gaussian_items();
  items.labels = {"a", "b", "d", "c"};
  BitMatrix wider(items.rows(), 4);
  for (std::size_t n = 0; n < items.rows(); ++n) {
    for (std::size_t k = 0; k < 3; ++k) wider.set(n, k == 2 ? 3 : k, items.sets(n, k));
  }
  const MultilabelFit without = train_multilabel(gaussian_items(), {}, false, {});
  items.sets = wider;
  const MultilabelFit fit = train_multilabel(items, {}, false, {});
  EXPECT_EQ(
      fit.warnings,
      (std::vector<std::string>{"label 'd' is in no item: nothing can be learnt about it, and it is never given"}));
  EXPECT_EQ(fit.model.sources, without.model.sources);
  const SetPredictions found = predict(fit.model, items.features, {}, {});
  const SetPredictions same = predict(without.model, items.features, {}, {});
  EXPECT_EQ(found.labels, items.labels);
  for (std::size_t n = 0; n < items.rows(); ++n) {
    EXPECT_FALSE(found.sets(n, 2));
    EXPECT_EQ(found.sets(n, 3), same.sets(n, 2));
    EXPECT_EQ(found.marginal[n * 4 + 2], 0.0);
    EXPECT_EQ(found.marginal[n * 4 + 3], same.marginal[n * 3 + 2]);
  }
}

TEST(TrainMultilabel, LearnsLabelsThatAlwaysComeTogetherAsOne) {
  LabelledItems items = gaussian_items();
  items.labels.push_back("twin");
  BitMatrix wider(items.rows(), 4);
  for (std::size_t n = 0; n < items.rows(); ++n) {
    for_each_bit(items.sets.row(n), [&](std::size_t k) { wider.set(n, k); });
    wider.set(n, 3, items.sets(n, 0));
  }
  items.sets = wider;
  const MultilabelFit fit = train_multilabel(items, {}, false, {});
  EXPECT_EQ(
      fit.warnings,
      (std::vector<std::string>{
          "labels 'a', 'twin' always come together, so no item tells them apart: they are learnt and given as one"}));
  EXPECT_EQ(fit.model.labels, (std::vector<std::string>{"a|twin", "b", "c"}));
  const SetPredictions found = predict(fit.model, items.features, {}, {});
  std::size_t together = 0;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    EXPECT_EQ(found.sets(n, 0), found.sets(n, 3));
    together += found.sets(n, 0) ? 1 : 0;
  }
  EXPECT_GT(together, 0U);
  EXPECT_LT(together, items.rows());
}

TEST(TrainMultilabel, TellsItemsWithoutAnyLabel) {
  LabelledItems items = gaussian_items();
  items.sets = BitMatrix(items.rows(), 3);
  EXPECT_EQ(message_of(items, {}, ErrorKind::unanswerable), "no item has a label, so nothing can be learnt");
}

TEST(TrainMultilabel, LearnsThresholdsForDecisionsByLabel) {
  const LabelledItems items = gaussian_items();
  for (const bool calibrate_too : {true, false}) {
    TrainOptions options;
    options.method = Training::log_linear;
    options.optimize = Optimize::macro_f1;
    const MultilabelModel model = train_multilabel(items, options, calibrate_too, {}).model;
    EXPECT_EQ(model.calibration.known(), calibrate_too);
    ASSERT_EQ(model.thresholds.size(), 3U);
    const MultilabelModel back = multilabel_from_record(to_record(model));
    EXPECT_EQ(back.thresholds, model.thresholds);
    EXPECT_EQ(back.options.optimize, Optimize::macro_f1);
    const SetPredictions found = predict(back, items.features, {}, {});
    for (std::size_t n = 0; n < items.rows(); ++n) {
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(found.sets(n, k), found.marginal[n * 3 + k] > model.thresholds[k]);
      }
    }
    const SetPredictions sets = predict(back, items.features, {{}, Decision::map}, {});
    EXPECT_EQ(sets.marginal, found.marginal);
  }
  EXPECT_TRUE(train_multilabel(items, {}, false, {}).model.thresholds.empty());
}

TEST(TrainMultilabel, TellsHowManyWaysTheBudgetLeft) {
  TrainOptions options;
  options.method = Training::automatic;
  options.budget = 1e-6;
  const MultilabelFit fit = train_multilabel(gaussian_items(60), options, false, {});
  ASSERT_EQ(fit.model.trials.size(), 1U);
  const std::string text = fit.warnings.back();
  EXPECT_TRUE(text.starts_with("--budget 1e-06: 1 of ") && text.ends_with(" ways were tried")) << text;
}

TEST(TrainMultilabel, HoldsOutWhatItCan) {
  const LabelledItems items = gaussian_items(3);
  const MultilabelFit fit = train_multilabel(items, {}, true, {});
  EXPECT_EQ(fit.warnings.back(), "--folds 5 is more than the 3 items: each is held out by itself");
  EXPECT_TRUE(fit.model.calibration.known());
  const MultilabelFit one = train_multilabel(rows_of(items, std::vector<std::uint32_t>{0}), {}, true, {});
  EXPECT_FALSE(one.model.calibration.known());
  EXPECT_NE(std::find(one.warnings.begin(), one.warnings.end(), "1 item is too few to hold out: nothing is calibrated"),
            one.warnings.end());
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
  const MultilabelFit backed_off = train_multilabel(items, options, false, {});
  EXPECT_EQ(
      backed_off.warnings[1],
      "'a', the background cannot be told apart: items without any label would settle it; until then a prior worth "
      "one item decides, as with --prior-strength 1");
  EXPECT_EQ(backed_off.model.options.prior_strength, 1.0);
}

// The mean of many times 0.1 is not quite 0.1. What is left is no variance, in whose units the fit would drown in
// rounding.
TEST(TrainMultilabel, AFeatureThatVariesByRoundingOnlyIsConstant) {
  LabelledItems items = gaussian_items(41);
  for (std::size_t n = 0; n < items.rows(); ++n) items.features.values[n * 2] = 0.1;
  for (const Training method : {Training::deconvolution, Training::cross, Training::probabilistic, Training::fresh}) {
    for (const Covariance covariance :
         {Covariance::diagonal, Covariance::spherical, Covariance::full, Covariance::shared}) {
      TrainOptions options;
      options.method = method;
      options.covariance = covariance;
      const MultilabelFit fit = train_multilabel(items, options, false, {});
      EXPECT_EQ(fit.summary.stop, Stop::converged) << training_words[static_cast<std::size_t>(method)];
      for (const double mean : fit.model.sources.location) EXPECT_LT(std::abs(mean), 100.0);
      EXPECT_LT(fit.summary.objective.back() / 41.0, 10.0);
    }
  }
}

TEST(TrainMultilabel, tells_items_without_labels) {
  LabelledItems items = gaussian_items();
  for (std::size_t k = 0; k < 3; ++k) items.sets.set(0, k, false);
  const MultilabelFit fit = train_multilabel(items, {}, false, {});
  EXPECT_EQ(fit.warnings,
            (std::vector<std::string>{"1 item has no label: a background explains it, as with --background"}));
  EXPECT_TRUE(fit.model.sources.background);
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
            "--method ignore learns only from items with one label, of which there are none for label 'b'; --method "
            "deconvolution does not need them");
}

TEST(TrainMultilabel, tells_values_and_preparations_that_do_not_fit_the_family) {
  LabelledItems items = labelled(drawn_items(trained_as(Family::poisson, Combination::sum), 3, 2, 100, 12));
  TrainOptions options = trained_as(Family::poisson, Combination::sum);
  EXPECT_EQ(message_of(items, options, ErrorKind::bad_data), "");
  items.features.values[7] = 2.5;
  EXPECT_EQ(message_of(items, options, ErrorKind::bad_data),
            "item '4': x2 = 2.5 cannot come from --source poisson; whole numbers from 0 on are allowed");
  options.standardize = true;
  EXPECT_EQ(message_of(items, options, ErrorKind::usage),
            "--standardize: --source poisson needs the features as they are; only gaussian can take others");
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

}  // namespace
}  // namespace motet::multilabel::train_test
