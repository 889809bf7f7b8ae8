#include "motet/superset/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "motet/superset/companions.h"
#include "superset/candidate_cases.h"
#include "support/errors.h"

namespace motet::superset::calibrate_test {
namespace {

SupersetOptions two_folds(SupersetMethod method) {
  SupersetOptions options;
  options.method = method;
  options.folds = 2;
  return options;
}

SupersetCalibration calibrated(const CandidateItems& items, const SupersetOptions& options,
                               const RunContext& run = {}) {
  return calibrate(std::vector<MemberPlan>{plan_of(options)}, items, options, run);
}

TEST(SupersetCalibrate, OnePlanHasAllTheWeightAndItsQuantilesRise) {
  const SupersetCalibration found = calibrated(easy_items(90), two_folds(SupersetMethod::logistic));
  EXPECT_EQ(found.weight, std::vector<double>{1.0});
  EXPECT_EQ(found.average_sharpness, 1.0);
  ASSERT_EQ(found.scores.size(), 1U);
  EXPECT_EQ(found.scores[0].name, "logistic-em");
  EXPECT_EQ(found.sets.items, 90U);
  EXPECT_TRUE(std::is_sorted(found.sets.quantile.begin(), found.sets.quantile.end()));
}

// One neighbour knows every item by heart. Where features say nothing of the labels, items that a fit has not seen
// are foreseen no better than by chance: with sharpness going to 0, two candidates of three have 2/3.
TEST(SupersetCalibrate, NothingIsLearntFromItemsThatWereSeen) {
  CandidateItems items = easy_items(240);
  Rng rng(Seed{5});
  for (double& value : items.features.values) value = rng.normal();
  SupersetOptions options = two_folds(SupersetMethod::knn);
  options.neighbours = 1;
  const SupersetCalibration found = calibrated(items, options);
  EXPECT_LT(found.sharpness[0], 0.2);
  // The likelihood is that of whole sets, of which there are three of two classes; rates are learnt beside.
  EXPECT_LT(found.scores[0].log_likelihood, std::log(1.0 / 3.0) + 4.0 * found.scores[0].error + 0.05);
}

TEST(SupersetCalibrate, AUselessMemberIsLeftOut) {
  const CandidateItems items = easy_items(150);
  const SupersetOptions options = two_folds(SupersetMethod::automatic);
  MemberPlan useless;
  useless.penalty = 1e9;  // always says the same
  const std::vector<MemberPlan> plans{MemberPlan{SupersetMethod::logistic}, useless};
  const SupersetCalibration found = calibrate(plans, items, options, {});
  EXPECT_NEAR(found.weight[0] + found.weight[1], 1.0, 1e-12);
  EXPECT_GT(found.weight[0], 0.9);
  EXPECT_TRUE(found.weight[1] == 0.0 || found.weight[1] >= 0.01);
  ASSERT_EQ(found.scores.size(), 3U);
  EXPECT_EQ(found.scores[2].name, "average");
  EXPECT_GT(found.scores[0].log_likelihood, found.scores[1].log_likelihood);
}

TEST(SupersetCalibrate, CandidatesAreWeighedAsAskedFor) {
  const CandidateItems items = easy_items(60);
  SupersetOptions options = two_folds(SupersetMethod::logistic);
  const std::vector<double> ones(3, 1.0);
  EXPECT_EQ(calibrated(items, options).credit, ones);  // a method by name takes them as equal
  options.companions = CompanionRule::equal;
  EXPECT_EQ(calibrated(items, options).credit, ones);
  options.companions = CompanionRule::weighed;
  EXPECT_EQ(calibrated(items, options).credit, credits(even_companion_rates(evidence_of(items, 0.0)), 0.5));
}

TEST(SupersetCalibrate, ItSaysWhatItTriesAndStopsWhenItIsTold) {
  const CandidateItems items = easy_items(60);
  std::vector<std::string> told;
  CancelFlag flag;
  RunContext run;
  run.observer = [&](const Progress& progress) { told.emplace_back(progress.stage); };
  calibrated(items, two_folds(SupersetMethod::clpl), run);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(), "trying clpl");
  flag.set(2);
  run.cancel = &flag;
  EXPECT_EQ(error_of([&] { calibrated(items, two_folds(SupersetMethod::clpl), run); }).substr(0, 24),
            "interrupted while fittin");
}

}  // namespace
}  // namespace motet::superset::calibrate_test
