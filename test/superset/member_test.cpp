#include "motet/superset/member.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/superset/linear/clpl.h"
#include "motet/superset/linear/logistic.h"
#include "superset/candidate_cases.h"
#include "support/errors.h"

namespace motet::superset::member_test {
namespace {

TEST(SupersetMember, APlanIsNamedByItsMethodAndItsWays) {
  using enum SupersetMethod;
  EXPECT_EQ(name_of(MemberPlan{knn}), "knn");
  EXPECT_EQ(name_of(MemberPlan{lsb_cmm}), "lsb-cmm");
  EXPECT_EQ(name_of(MemberPlan{logistic, true, true, true}), "logistic-em, unit rows, landmarks, propagated");
}

TEST(SupersetMember, AMethodByNameIsOnePlanOfTheOptions) {
  SupersetOptions options;
  options.penalty = 2.0;
  options.components = 7;
  options.restarts = 3;
  for (const SupersetMethod method : {SupersetMethod::lsb_cmm, SupersetMethod::ipal, SupersetMethod::svm}) {
    options.method = method;
    const MemberPlan plan = plan_of(options);
    EXPECT_EQ(plan.method, method);
    EXPECT_EQ(plan.penalty, 2.0);
    EXPECT_EQ(plan.components, 7U);
    EXPECT_EQ(plan.restarts, method == SupersetMethod::lsb_cmm ? 3U : 1U);
    EXPECT_EQ(plan.unit_rows, method == SupersetMethod::ipal);
  }
}

// What looks at all pairs of rows is left out where there are very many.
TEST(SupersetMember, AutoTriesFewerWaysOnVeryManyRows) {
  const std::vector<MemberPlan> few = plans_of_auto({}, 20'000), many = plans_of_auto({}, 20'001);
  EXPECT_EQ(few.size(), 7U);
  EXPECT_EQ(many.size(), 4U);
  for (const MemberPlan& plan : many) {
    EXPECT_EQ(plan.method, SupersetMethod::logistic);
    EXPECT_FALSE(plan.propagated);
  }
  for (std::size_t i = 0; i < few.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(few[i] == few[j]) << i << ' ' << j;
  }
}

TEST(SupersetMember, ScoresAreWhatTheMethodSays) {
  SupersetMember member;
  member.linear = {1, 2, {1.0, -2.0, 0.0, 0.5}};
  const std::vector<double> x{3.0};
  member.plan.method = SupersetMethod::svm;
  EXPECT_EQ(member_scores(member, x, 1, {1}), (std::vector<double>{3.0, -5.5}));
  member.plan.method = SupersetMethod::naive;
  const std::vector<double> naive = member_scores(member, x, 1, {1});
  EXPECT_NEAR(naive[0], -std::log(1.0 + std::exp(-3.0)), 1e-15);
  EXPECT_NEAR(naive[1], -std::log(1.0 + std::exp(5.5)), 1e-14);
  member.plan.method = SupersetMethod::knn;
  member.memory = {1, 2, {3.0}, {1.0, 0.0}};
  const std::vector<double> votes = member_scores(member, x, 1, {1});
  EXPECT_NEAR(votes[0], std::log(1.001), 1e-15);
  EXPECT_NEAR(votes[1], std::log(0.001), 1e-15);
}

TEST(SupersetMember, MixturesSpeakByTheirMean) {
  SupersetMember member;
  member.plan.method = SupersetMethod::lsb_cmm;
  for (const double a : {1.0, 3.0}) member.mixtures.push_back({1, 2, {}, {a, 1.0}, {a}});
  const std::vector<double> g = member_scores(member, std::vector<double>{0.0}, 1, {1});
  EXPECT_NEAR(g[0], std::log(0.5 * (0.5 + 0.75)), 1e-11);  // 1e-12 is added to every probability
  EXPECT_NEAR(g[1], std::log(0.5 * (0.5 + 0.25)), 1e-11);
}

TEST(SupersetMember, OfUnitRowsTheSizeOfAnItemSaysNothing) {
  const CandidateItems items = easy_items(60);
  std::vector<double> twice = items.features.values;
  for (double& value : twice) value *= 2.0;
  for (const bool unit_rows : {false, true}) {
    MemberPlan plan{SupersetMethod::logistic, unit_rows};
    const SupersetMember member = fit_member(plan, evidence_of(items, 0.0), items.features.values, 2, {}, {}).member;
    EXPECT_EQ(member_scores(member, items.features.values, 2, {1}) == member_scores(member, twice, 2, {1}), unit_rows);
  }
}

// The penalty of the squared hinges is counted ten times.
TEST(SupersetMember, LinesAreThoseOfTheirMethod) {
  const CandidateItems items = easy_items(60);
  const EvidenceMatrix evidence = evidence_of(items, 0.0);
  const std::vector<double>& x = items.features.values;
  MemberPlan plan;
  plan.penalty = 0.5;
  EXPECT_EQ(fit_member(plan, evidence, x, 2, {}, {}).member.linear, fit_logistic(evidence, x, 2, 0.5, {}).model);
  plan.method = SupersetMethod::clpl;
  EXPECT_EQ(fit_member(plan, evidence, x, 2, {}, {}).member.linear, fit_clpl(evidence, x, 2, 5.0, {}).model);
}

// On a ring around a blob lines are no better than chance; on landmarks they tell both apart.
TEST(SupersetMember, LandmarksBendTheLines) {
  EvidenceMatrix evidence{120, 2, {}};
  std::vector<double> x;
  Rng rng(Seed{4});
  for (std::size_t n = 0; n < 120; ++n) {
    const double angle = rng.uniform(0.0, 6.28), radius = n % 2 == 0 ? 0.5 : 3.0;
    x.insert(x.end(), {radius * std::cos(angle), radius * std::sin(angle)});
    evidence.values.insert(evidence.values.end(), {n % 2 == 0 ? 1.0 : 0.0, n % 2 == 0 ? 0.0 : 1.0});
  }
  for (const bool bent : {false, true}) {
    const MemberPlan plan{SupersetMethod::logistic, false, bent, false, 0.03};
    const SupersetMember member = fit_member(plan, evidence, x, 2, {}, {}).member;
    EXPECT_EQ(member.landmarks.count(), bent ? 120U : 0U);
    const std::vector<double> g = member_scores(member, x, 2, {1});
    std::size_t right = 0;
    for (std::size_t n = 0; n < 120; ++n) right += (g[n * 2] > g[n * 2 + 1]) == (n % 2 == 0) ? 1U : 0U;
    if (bent) {
      EXPECT_EQ(right, 120U);
    } else {
      EXPECT_LT(right, 90U);
    }
  }
}

TEST(SupersetMember, RestartsBeginWithOtherOrdersOfTheClasses) {
  const CandidateItems items = easy_items(60);
  SupersetOptions options;
  options.max_iterations = 3;
  const MemberPlan plan{SupersetMethod::lsb_cmm, false, false, false, 1.0, 6, 3};
  const MemberFit fit = fit_member(plan, evidence_of(items, 0.0), items.features.values, 2, options, {});
  ASSERT_EQ(fit.member.mixtures.size(), 3U);
  EXPECT_NE(fit.member.mixtures[0], fit.member.mixtures[1]);
  EXPECT_NE(fit.member.mixtures[1], fit.member.mixtures[2]);
  for (const LsbCmm& mixture : fit.member.mixtures) EXPECT_LE(mixture.components(), 6U);
}

TEST(SupersetMember, AFitThatIsCancelledIsNoMember) {
  const CandidateItems items = easy_items(30);
  CancelFlag flag;
  flag.set(2);
  RunContext run;
  run.cancel = &flag;
  for (const MemberPlan& plan : {MemberPlan{SupersetMethod::ipal, true}, MemberPlan{SupersetMethod::lsb_cmm}}) {
    EXPECT_EQ(error_of([&] { fit_member(plan, evidence_of(items, 0.0), items.features.values, 2, {}, run); }),
              "interrupted while fitting " + name_of(plan));
  }
}

}  // namespace
}  // namespace motet::superset::member_test
