#include "motet/superset/update.h"

#include <gtest/gtest.h>

#include "motet/superset/predict.h"
#include "motet/superset/train.h"
#include "superset/candidate_cases.h"
#include "superset/lsb_cases.h"
#include "superset/model_cases.h"
#include "support/errors.h"

namespace motet::superset::update_test {
namespace {

SupersetModel trained_mixture(const CandidateItems& items) {
  SupersetOptions options = few_iterations(10);
  options.method = SupersetMethod::lsb_cmm;
  options.folds = options.restarts = 2;
  options.components = 6;
  return train_superset(items, options, {}).model;
}

double mass_of(const LsbCmm& mixture) { return std::accumulate(mixture.mass.begin(), mixture.mass.end(), 0.0); }

TEST(SupersetUpdate, EveryMixtureHoldsTheNewItemsToo) {
  const CandidateItems items = easy_items(60), more = easy_items(45, Seed{8});
  const SupersetModel before = trained_mixture(items);
  const SupersetModel after = update_superset(before, more, {});
  EXPECT_EQ(after.items, 105U);
  ASSERT_EQ(after.members[0].mixtures.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const LsbCmm& mixture = after.members[0].mixtures[i];
    EXPECT_NEAR(mass_of(mixture), mass_of(before.members[0].mixtures[i]) + 45.0, 1e-6);
    EXPECT_EQ(mixture.components(), before.members[0].mixtures[i].components());
  }
  const CandidateItems fresh = easy_items(60, Seed{9});
  EXPECT_GT(accuracy_of(predict(after, fresh.features, {}, {1}).probability, fresh), 0.9);
  // How features are prepared and what was calibrated stay.
  EXPECT_EQ(after.preparation.centre, before.preparation.centre);
  EXPECT_EQ(after.members[0].sharpness, before.members[0].sharpness);
  EXPECT_EQ(after.sets, before.sets);
}

TEST(SupersetUpdate, AClassThatIsACandidateNowIsNoLongerNeverOne) {
  CandidateItems items = easy_items(60);
  items.classes.insert(items.classes.end(), {"d", "e"});
  const SupersetModel before = trained_mixture(items);
  EXPECT_EQ(before.never, (std::vector<std::string>{"d", "e"}));
  CandidateItems more = easy_items(3);
  more.classes = items.classes;
  more.label.back() = 4;
  EXPECT_EQ(update_superset(before, more, {}).never, (std::vector<std::string>{"d"}));
}

TEST(SupersetUpdate, ModelsWithoutCountsAndOtherClassesAreRefused) {
  CandidateItems items = easy_items(6);
  items.classes = {"no", "yes"};
  EXPECT_EQ(error_of([&] { update_superset(lines_model(), items, {}); }),
            "update: a model with 'clpl' cannot take further items; train one with --method lsb-cmm, or again on all "
            "items");
  items.classes = {"yes", "no"};
  EXPECT_EQ(error_of([&] { update_superset(lines_model(), items, {}); }),
            "the classes of the items are not those of the model");
}

}  // namespace
}  // namespace motet::superset::update_test
