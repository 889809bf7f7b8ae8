#include "motet/multilabel/choice/held_out_items.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "motet/base/numeric.h"
#include "motet/data/views.h"
#include "motet/multilabel/model.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "multilabel/choice_cases.h"
#include "multilabel/model_cases.h"
#include "support/expect_error.h"

namespace motet::multilabel::held_out_items_test {
namespace {

constexpr double rounding = 1e-9;

Parts every_third(std::size_t rows) {
  std::vector<std::uint32_t> of_row(rows);
  for (std::size_t n = 0; n < rows; ++n) of_row[n] = static_cast<std::uint32_t>(n % 3);
  return given_parts(of_row);
}

std::vector<HeldOutItems> asked(const LabelledItems& items, const std::vector<TrainOptions>& ways, const Parts& parts,
                                const RunContext& run = {}) {
  return predict_held_out(items, Rows::all(items.rows()), ways, parts, "trying", run);
}

// A training that goes through the items once, so that nothing depends on when it stops.
TrainOptions one_pass(std::size_t pca = 0) {
  TrainOptions way;
  way.method = Training::cross;
  way.standardize = true;
  way.pca = pca;
  return way;
}

// Items of the other parts prepared, learnt and asked about, by hand.
HeldOutItems plain_held_out(const LabelledItems& items, const TrainOptions& way, const Parts& parts) {
  HeldOutItems said;
  const std::size_t rows = items.rows();
  said.right.resize(rows);
  for (std::vector<double>* numbers : {&said.posterior, &said.log_true, &said.log_evidence}) numbers->resize(rows);
  for (std::size_t part = 0; part < parts.count; ++part) {
    const LabelledItems seen = rows_of(items, parts.others(part));
    const Preparation preparation = learn_preparation(seen.features, preparation_options(way), {1});
    const LabelSetIndex index = index_label_sets(seen.sets);
    const std::vector<double> x = prepare(preparation, seen.features, {1});
    const Sources sources = fit_sources(index, x, preparation.outputs(), way, {}).sources;
    const std::vector<std::uint32_t> own = parts.rows_of(part);
    const std::vector<double> unseen = prepare(preparation, rows_of(items, own).features, {1});
    for (std::size_t i = 0; i < own.size(); ++i) {
      std::vector<double> joint;
      for (std::size_t j = 0; j < index.size(); ++j) {
        joint.push_back(std::log(static_cast<double>(index.count(j)) / static_cast<double>(seen.rows())) +
                        plain_log_density(sources, index.sets.row(j),
                                          std::span(unseen).subspan(i * sources.dimensions, sources.dimensions)));
      }
      const auto best = static_cast<std::size_t>(std::max_element(joint.begin(), joint.end()) - joint.begin());
      const std::size_t truth = find_set(index.sets, items.sets.row(own[i]));
      said.log_evidence[own[i]] = log_sum_exp(joint);
      said.posterior[own[i]] = std::exp(joint[best] - said.log_evidence[own[i]]);
      said.right[own[i]] = best == truth ? 1 : 0;
      said.log_true[own[i]] =
          truth == no_set ? -std::numeric_limits<double>::infinity() : joint[truth] - said.log_evidence[own[i]];
    }
  }
  return said;
}

void expect_same(const HeldOutItems& found, const HeldOutItems& expected) {
  EXPECT_TRUE(found.fitted);
  EXPECT_EQ(found.right, expected.right);
  for (std::size_t n = 0; n < expected.right.size(); ++n) {
    EXPECT_NEAR(found.posterior[n], expected.posterior[n], rounding) << n;
    EXPECT_NEAR(found.log_evidence[n], expected.log_evidence[n], 100.0 * rounding) << n;
    if (std::isinf(expected.log_true[n])) {
      EXPECT_EQ(found.log_true[n], expected.log_true[n]) << n;
    } else {
      EXPECT_NEAR(found.log_true[n], expected.log_true[n], 100.0 * rounding) << n;
    }
  }
}

// Ways with the same preparation share it, whatever the number of components.
TEST(HeldOutItems, AreWhatModelsOfTheOtherPartsSay) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 90, 1);
  const Parts parts = every_third(90);
  const std::vector<TrainOptions> ways = {one_pass(2), one_pass(3), one_pass()};
  const std::vector<HeldOutItems> found = asked(items, ways, parts);
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t w = 0; w < 3; ++w) {
    SCOPED_TRACE(w);
    expect_same(found[w], plain_held_out(items, ways[w], parts));
  }
}

TEST(HeldOutItems, FeaturesAsTheyAreNeedNoCopy) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 60, 2);
  TrainOptions way = one_pass();
  way.standardize = false;
  expect_same(asked(items, {way}, every_third(60))[0], plain_held_out(items, way, every_third(60)));
}

TEST(HeldOutItems, ASetThatOnlyThePartHasIsNeverFound) {
  LabelledItems items = simulated(Family::gaussian, Combination::sum, 60, 3);
  for (std::size_t k = 0; k < 3; ++k) items.sets.set(0, k);  // all three labels, which no other item has
  const HeldOutItems found = asked(items, {one_pass()}, every_third(60))[0];
  EXPECT_EQ(found.right[0], 0);
  EXPECT_EQ(found.log_true[0], -std::numeric_limits<double>::infinity());
  EXPECT_GT(found.posterior[0], 0.0);
  EXPECT_TRUE(std::isfinite(found.log_true[1]));
}

TEST(HeldOutItems, OfSomeRowsAreThoseOfACopy) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 90, 4);
  std::vector<std::uint32_t> some;
  for (std::uint32_t n = 5; n < 65; ++n) some.push_back(n);
  const std::vector<TrainOptions> ways{one_pass()};
  const std::vector<HeldOutItems> found = predict_held_out(items, Rows(some), ways, every_third(60), "trying", {});
  expect_same(found[0], asked(rows_of(items, some), ways, every_third(60))[0]);
}

TEST(HeldOutItems, AWayThatCannotBeFittedSaysWhyAndStopsNoOther) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 60, 5);
  std::vector<TrainOptions> ways = {one_pass(), one_pass()};
  ways[0].method = Training::deconvolution;
  ways[0].covariance = Covariance::point;  // without noise it has no spread
  const std::vector<HeldOutItems> found = asked(items, ways, every_third(60));
  EXPECT_FALSE(found[0].fitted);
  EXPECT_EQ(found[0].reason, "--covariance point is without spread; it needs --noise");
  EXPECT_TRUE(found[1].fitted);
  EXPECT_EQ(found[1].reason, "");
}

struct Kept {
  RunContext run() {
    RunContext context;
    context.save = [this](const Checkpoint& state) { saved[state.stage] = state; };
    context.resume = [this](std::string_view stage) -> const Checkpoint* {
      const auto found = saved.find(std::string(stage));
      return found == saved.end() ? nullptr : &found->second;
    };
    return context;
  }
  std::map<std::string, Checkpoint> saved;
};

TEST(HeldOutItems, WhatIsKeptIsNotFittedAgain) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 60, 6);
  const std::vector<TrainOptions> ways{one_pass()};
  Kept kept;
  const HeldOutItems first = asked(items, ways, every_third(60), kept.run())[0];
  LabelledItems others = items;  // had they been fitted again, these would have said something else
  for (double& value : others.features.values) value = -value * value;
  const HeldOutItems again = asked(others, ways, every_third(60), kept.run())[0];
  EXPECT_EQ(again.posterior, first.posterior);
  EXPECT_EQ(again.log_evidence, first.log_evidence);
}

TEST(HeldOutItems, ADamagedCheckpointIsRefused) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 60, 6);
  Kept kept;
  asked(items, {one_pass()}, every_third(60), kept.run());
  // A second way has no numbers there.
  expect_error(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume", [&] {
    asked(items, {one_pass(), one_pass()}, every_third(60), kept.run());
  });
}

}  // namespace
}  // namespace motet::multilabel::held_out_items_test
