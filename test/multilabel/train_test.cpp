#include "motet/multilabel/train.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/error.h"
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
