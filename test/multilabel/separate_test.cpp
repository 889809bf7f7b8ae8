#include "motet/multilabel/separate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "motet/data/labelled_items.h"
#include "motet/data/preparation.h"
#include "motet/multilabel/simulate.h"
#include "motet/multilabel/train.h"
#include "support/errors.h"

namespace motet::multilabel::separate_test {
namespace {

struct Separated {
  std::vector<std::size_t> items;
  std::vector<Emission> emissions;
};

Separated separated(const MultilabelModel& model, const LabelledItems& items, const RunContext& run = {}) {
  Separated all;
  separate(model, items.features, items.sets, run, [&](std::size_t item, const Emission& emission) {
    all.items.push_back(item);
    all.emissions.push_back(emission);
  });
  return all;
}

MultilabelModel trained(const LabelledItems& items, TrainOptions options = {}) {
  return train_multilabel(items, options, false, {}).model;
}

// Each source's members, and emissions of a sum that add up to the item, in the units of the features.
TEST(Separate, EmissionsOfASumAddUpToTheItem) {
  SimulateItemsOptions options;
  options.items = 600;  // more than are made ready at a time
  const LabelledItems items = simulate_items(options, Seed{3}).items;
  for (const bool standardized : {false, true}) {
    TrainOptions train;
    train.standardize = standardized;
    const MultilabelModel model = trained(items, train);
    const Separated all = separated(model, items);
    std::map<std::size_t, std::vector<double>> sum;
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < all.items.size(); ++i) {
      std::vector<double>& total = sum[all.items[i]];
      total.resize(items.features.dimensions());
      for (std::size_t d = 0; d < total.size(); ++d) {
        total[d] += all.emissions[i].mean[d];
        EXPECT_GE(all.emissions[i].sd[d], 0.0);
      }
      members[all.items[i]].push_back(all.emissions[i].source);
    }
    ASSERT_EQ(sum.size(), items.rows());
    for (std::size_t n = 0; n < items.rows(); ++n) {
      std::vector<std::size_t> set;
      for_each_bit(items.sets.row(n), [&](std::size_t k) { set.push_back(k); });
      EXPECT_EQ(members[n], set);
      for (std::size_t d = 0; d < items.features.dimensions(); ++d) {
        // Without a background the emissions add up to the item minus the centre.
        const double centre = standardized ? model.preparation.centre[d] : 0.0;
        EXPECT_NEAR(sum[n][d], items.features.row(n)[d] - centre, 1e-9);
      }
    }
  }
}

TEST(Separate, CanBeInterrupted) {
  const LabelledItems items = simulate_items({}, Seed{3}).items;
  CancelFlag cancel;
  cancel.set(2);
  RunContext run;
  run.cancel = &cancel;
  const MultilabelModel model = trained(items);
  EXPECT_EQ(error_of([&] { separated(model, items, run); }, ErrorKind::interrupted), "interrupted while separating");
}

}  // namespace
}  // namespace motet::multilabel::separate_test
