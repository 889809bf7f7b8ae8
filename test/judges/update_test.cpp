#include "motet/judges/update.h"

#include <gtest/gtest.h>

#include <ostream>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judges/tied_votes.h"
#include "motet/base/error.h"
#include "motet/judges/estimate.h"
#include "motet/judges/simulate.h"
#include "support/errors.h"

namespace motet::judges::update_test {
namespace {

constexpr std::size_t old_items = 3000;
constexpr std::size_t batch_items = 30;

struct UpdateCase {
  std::string name;
  JudgesOptions options;
};

void PrintTo(const UpdateCase& item, std::ostream* out) { *out << item.name; }

Votes simulated(std::size_t items, std::size_t judges = 6, std::size_t classes = 3) {
  SimulateOptions options;
  options.items = items;
  options.judges = judges;
  options.classes = classes;
  options.answered = 0.8;
  return simulate_votes(options, Seed{11}).votes;
}

// Items first up to last.
Votes part_of(const Votes& votes, std::size_t first, std::size_t last) {
  NameList items;
  std::vector<Vote> list;
  for (std::size_t i = first; i < last; ++i) {
    items.push_back(votes.items[i]);
    for (const std::uint32_t code : votes.of_item(i)) {
      const auto k = static_cast<std::uint32_t>(votes.class_count());
      list.push_back({static_cast<std::uint32_t>(i - first), code / k, code % k});
    }
  }
  return make_votes(items, votes.judges, votes.classes, list);
}

std::vector<UpdateCase> update_cases() {
  std::vector<UpdateCase> cases(6);
  cases[0].name = "common_centre";
  cases[0].options.noise = JudgeNoise::confusion;
  cases[1].name = "plain";
  cases[1].options.smoothing = 0.0;
  cases[2].name = "smoothed";
  cases[2].options.smoothing = 1.0;
  cases[3].name = "known_prior";
  cases[3].options.noise = JudgeNoise::confusion;
  cases[3].options.prior = "a=0.4,b=0.3,c=0.3";
  cases[4].name = "symmetric";
  cases[4].options.noise = JudgeNoise::symmetric;
  cases[5].name = "symmetric_known_prior";
  cases[5].options.noise = JudgeNoise::symmetric;
  cases[5].options.prior = "uniform";
  return cases;
}

class Update : public testing::TestWithParam<UpdateCase> {
 protected:
  const Votes all = simulated(old_items + batch_items);
  const JudgesModel before = estimate_judges(part_of(all, 0, old_items), GetParam().options, {}).model;
  const JudgesUpdate after = absorb_votes(before, part_of(all, old_items, old_items + batch_items), {});
};

TEST_P(Update, OfASmallBatchIsNearlyAFitOfAllVotes) {
  // A batch of a hundredth moves an estimate by about a tenth of its standard error. What the
  // update leaves out, the batch's effect on the old items, is a fraction of that.
  constexpr double part_of_error = 0.1;
  const JudgesFit all_together = estimate_judges(all, GetParam().options, {});
  for (std::size_t j = 0; j < before.judge_count(); ++j) {
    EXPECT_NEAR(after.model.accuracy(j), all_together.judges[j].accuracy,
                part_of_error * all_together.judges[j].standard_error);
  }
}

TEST(UpdateOfStates, AddsToTheTablesByClass) {
  const Votes all = simulated(old_items + batch_items);
  const JudgesModel before = estimate_judges(part_of(all, 0, old_items), {}, {}).model;
  ASSERT_TRUE(before.states.has_value());
  const JudgesModel after = absorb_votes(before, part_of(all, old_items, old_items + batch_items), {}).model;
  EXPECT_FALSE(after.states.has_value());
  EXPECT_EQ(after.noise, JudgeNoise::confusion);
  const JudgesFit all_together = estimate_judges(all, {}, {});
  for (std::size_t j = 0; j < before.judge_count(); ++j) {  // another model of the same votes: within an error
    EXPECT_NEAR(after.accuracy(j), all_together.judges[j].accuracy, all_together.judges[j].standard_error);
  }
}

TEST_P(Update, ObjectiveNeverFalls) {
  EXPECT_EQ(after.summary.stop, Stop::converged);
  const std::vector<double>& trace = after.summary.objective;
  for (std::size_t i = 1; i < trace.size(); ++i) EXPECT_GE(trace[i], trace[i - 1] - 1e-10 * std::abs(trace[i]));
}

TEST_P(Update, ParametersAreTheOnesOfTheirCounts) {
  constexpr double step_tolerance = 2e-6;  // the last step of the update is at most 1e-6
  ConfusionSpec spec{after.model.noise, {}, after.model.pseudo, after.model.vote_weight};
  if (after.model.prior_known) spec.known_prior.assign(before.parameters.begin(), before.parameters.begin() + 3);
  const VoteTable table = make_vote_table(all);
  const std::vector<double> again =
      confusion_problem(table, spec).maximise(after.model.statistics, after.model.parameters);
  for (std::size_t i = 0; i < again.size(); ++i) EXPECT_NEAR(after.model.parameters[i], again[i], step_tolerance) << i;
  for (std::size_t y = 0; y < 3 && after.model.prior_known; ++y) EXPECT_EQ(after.model.prior(y), before.prior(y));
}

TEST_P(Update, VotesAndItemsAddUp) {
  EXPECT_EQ(after.model.items, static_cast<double>(old_items + batch_items));
  const std::vector<double>& votes = after.model.judge_votes;
  EXPECT_EQ(std::accumulate(votes.begin(), votes.end(), 0.0), static_cast<double>(all.vote_count()));
  const double counted = std::accumulate(after.model.statistics.begin() + 4, after.model.statistics.end(), 0.0);
  EXPECT_NEAR(counted, static_cast<double>(all.vote_count()), 1e-6);
  EXPECT_NEAR(after.model.statistics[1] + after.model.statistics[2] + after.model.statistics[3], 3030.0, 1e-6);
  for (std::size_t j = 0; j < before.judge_count(); ++j) {
    EXPECT_NEAR(after.model.accuracy_votes[j] / before.accuracy_votes[j], votes[j] / before.judge_votes[j], 1e-12);
  }
  EXPECT_TRUE(after.new_judges.empty());
}

INSTANTIATE_TEST_SUITE_P(Cases, Update, testing::ValuesIn(update_cases()),
                         [](const auto& given) { return given.param.name; });

// One item per vote, by the judges named.
Votes few_votes(const std::vector<std::string>& judges, std::uint32_t label, const NameList& classes) {
  NameList items;
  std::vector<Vote> list;
  for (std::uint32_t i = 0; i < 10; ++i) {
    items.push_back("new" + std::to_string(i));
    for (std::uint32_t j = 0; j < judges.size(); ++j) list.push_back({i, j, label});
  }
  return make_votes(items, NameList(judges), classes, list);
}

TEST(UpdateJudges, OthersKeepTheirTablesAndNewOnesJoin) {
  const Votes old = simulated(500);
  const JudgesModel before = estimate_judges(old, {}, {}).model;
  const JudgesUpdate after = absorb_votes(before, few_votes({"fresh", "judge2"}, 1, old.classes), {});
  EXPECT_EQ(after.new_judges, std::vector<std::string>{"fresh"});
  ASSERT_EQ(after.model.judge_count(), 7U);
  EXPECT_EQ(after.model.judges[6], "fresh");
  EXPECT_EQ(after.model.judge_votes[6], 10.0);
  EXPECT_GT(after.model.accuracy_votes[6], 0.0);
  EXPECT_LE(after.model.accuracy_votes[6], 10.0);
  EXPECT_EQ(after.model.parameters.size(), 3U + 7U * 9U);
  EXPECT_EQ(after.model.statistics.size(), 1U + 3U + 7U * 9U);
  for (std::size_t j = 0; j < 6; ++j) {
    const auto at = static_cast<std::ptrdiff_t>(3 + 9 * j);
    const bool same = std::equal(before.parameters.begin() + at, before.parameters.begin() + at + 9,
                                 after.model.parameters.begin() + at);
    EXPECT_EQ(same, j != 1) << j;
  }
  EXPECT_EQ(judges_from_record(to_record(after.model)).parameters, after.model.parameters);
}

// A fit by plain likelihood, without the checks of estimate_judges.
JudgesModel plain_model(const Votes& votes, JudgeNoise noise) {
  const std::size_t k = votes.class_count();
  const VoteTable table = make_vote_table(votes);
  const ConfusionSpec spec{noise, std::vector<double>(k, 1.0 / static_cast<double>(k)), {}};
  EmResult fitted = run_em(confusion_problem(table, spec), vote_share_start(table, spec), {}, {});
  JudgesModel model;
  model.classes = votes.classes.to_vector();
  model.judges = votes.judges.to_vector();
  model.noise = noise;
  model.prior_known = true;
  model.parameters = fitted.parameters;
  model.statistics = fitted.statistics;
  model.pseudo = {std::vector<double>(k * k, 0.0), std::vector<double>(k, 0.0)};
  model.judge_votes.assign(votes.judge_count(), static_cast<double>(votes.item_count()));
  model.accuracy_votes = model.judge_votes;
  model.items = static_cast<double>(votes.item_count());
  return model;
}

TEST(UpdateJudges, WhatWasNeverSeenMayComeWithNewVotes) {
  // Nobody ever said class 2, or nobody ever erred: the tables have zeros that the new votes need.
  const Votes two = votes_from({{0, 0, 0}, {1, 1, 1}, {0, 0, 1}, {1, 1, 0}}, 3);
  const Votes faultless = votes_from({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 0, 0}}, 3);
  const Votes split = votes_from({{2, 1, 0}, {2, 2, 1}}, 3);
  for (const JudgesModel& model :
       {plain_model(two, JudgeNoise::confusion), plain_model(faultless, JudgeNoise::confusion),
        plain_model(faultless, JudgeNoise::symmetric)}) {
    const JudgesUpdate after = absorb_votes(model, split, {});
    EXPECT_EQ(after.summary.stop, Stop::converged);
    for (const double p : after.model.parameters) EXPECT_TRUE(p >= 0.0 && p <= 1.0);
    for (std::size_t y = 0; y < 3; ++y) EXPECT_EQ(after.model.prior(y), model.prior(y));
    double said = 0.0;
    for (std::size_t y = 0; y < 3; ++y) said += after.model.cell(0, 2, y);
    EXPECT_GT(said, 0.1);
  }
}

TEST(UpdateJudges, DependentJudgesAreRefused) {
  JudgesModel model = estimate_judges(simulated(100), {}, {}).model;
  model.dependence.emplace();
  EXPECT_EQ(error_of([&] { absorb_votes(model, simulated(10), {}); }, ErrorKind::usage),
            "--update: a model with dependent judges cannot be added to; fit all votes together");
}

}  // namespace
}  // namespace motet::judges::update_test
