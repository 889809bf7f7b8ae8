#include "motet/discover/questions/nominate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "discover/search_cases.h"
#include "motet/discover/questions/asking.h"
#include "motet/discover/questions/open_rows.h"

namespace motet::discover::nominate_test {
namespace {

constexpr std::size_t rows = 30;

// Two sequences, three components, random densities and owners: what nominating looks at, and nothing else.
struct Case {
  Features features = features_of(std::vector<double>(rows, 0.0), 1, {18, 12});
  Discovery discovery;

  explicit Case(std::uint64_t seed, int exclusion = 2, std::size_t batch = 0) {
    Rng rng(Seed{seed});
    discovery.options.strategy = Strategy::temporal;
    discovery.options.exclusion = exclusion;
    discovery.options.batch = batch;
    discovery.mixture.classes = {"background", "owl"};
    discovery.mixture.components.resize(3);
    for (std::size_t i = 0; i < 3 * rows; ++i) discovery.densities.push_back(rng.normal());
    for (std::size_t n = 0; n < rows; ++n) discovery.states.push_back(static_cast<std::uint8_t>(rng.below(3)));
    discovery.isolated.assign(rows, 0);
  }
  double density(std::size_t n) const { return discovery.densities[discovery.states[n] * rows + n]; }
};

std::size_t apart(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

// By the words of the header, row by row: the components take turns, each with the least likely of its rows that lies
// more than g from every sure answer and every question before.
std::vector<std::size_t> by_turns(const Case& c, std::size_t wanted) {
  std::vector<std::size_t> taken;
  for (const Answer& answer : c.discovery.answers) taken.push_back(answer.row);
  const auto is_open = [&](std::size_t n) {
    return std::none_of(taken.begin(), taken.end(), [&](std::size_t other) {
      return sequence_of(c.features, other) == sequence_of(c.features, n) &&
             apart(other, n) <= static_cast<std::size_t>(c.discovery.options.exclusion);
    });
  };
  std::vector<std::size_t> asked;
  for (bool found = true; found && asked.size() < wanted;) {
    found = false;
    for (std::size_t k = 0; k < 3 && asked.size() < wanted; ++k) {
      std::size_t best = rows;
      for (std::size_t n = 0; n < rows; ++n) {
        if (c.discovery.states[n] == k && is_open(n) && (best == rows || c.density(n) < c.density(best))) best = n;
      }
      if (best == rows) continue;
      asked.push_back(best);
      taken.push_back(best);
      found = true;
    }
  }
  return asked;
}

std::vector<std::size_t> asked_rows(const std::vector<Nomination>& batch) {
  std::vector<std::size_t> asked;
  for (const Nomination& nomination : batch) asked.push_back(nomination.row);
  return asked;
}

TEST(Nominate, ComponentsTakeTurnsWithTheRowsThatFitThemLeast) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const std::size_t batch : {0U, 1U, 5U, 40U}) {
      Case c(seed, static_cast<int>(seed % 4), batch);
      c.discovery.answers = {{5, AnswerKind::nothing, ""}, {20, AnswerKind::of_class, "owl"}};
      const std::vector<Nomination> found = nominate(c.features, c.discovery, {1});
      EXPECT_EQ(asked_rows(found), by_turns(c, batch == 0 ? 3 : batch)) << seed << " " << batch;
      for (const Nomination& nomination : found) {
        EXPECT_EQ(nomination.component, c.discovery.states[nomination.row]);
        EXPECT_EQ(nomination.log_density, c.density(nomination.row));
      }
    }
  }
}

TEST(Nominate, AnEmptyListIsMadeUpForUnlessTheAlgorithmIsTheLiteralOne) {
  Case c(3, 0);
  std::fill(c.discovery.states.begin(), c.discovery.states.end(), std::uint8_t{1});
  EXPECT_EQ(nominate(c.features, c.discovery, {1}).size(), 3U);
  for (const Strategy strategy : {Strategy::literal, Strategy::interleave}) {
    c.discovery.options.strategy = strategy;
    EXPECT_EQ(nominate(c.features, c.discovery, {1}).size(), 1U) << name_of(strategy);
    c.discovery.options.batch = 2;
    EXPECT_EQ(nominate(c.features, c.discovery, {1}).size(), 2U) << name_of(strategy);
    c.discovery.options.batch = 0;
  }
}

TEST(Nominate, NoiseComesAfterAllOthersAndRowsThatAreUnsureAfterIt) {
  for (const Strategy strategy : {Strategy::temporal, Strategy::random}) {
    Case c(4, 0, 100);
    c.discovery.options.strategy = strategy;
    c.discovery.isolated[3] = c.discovery.isolated[7] = c.discovery.isolated[25] = 1;
    c.discovery.answers = {{7, AnswerKind::not_sure, ""}, {11, AnswerKind::not_sure, ""}};
    const std::vector<std::size_t> ordinary = asked_rows(nominate(c.features, c.discovery, {1}));
    EXPECT_EQ(ordinary.size(), rows - 4);
    for (const std::size_t row : {3U, 7U, 11U, 25U}) EXPECT_EQ(std::count(ordinary.begin(), ordinary.end(), row), 0);
    for (const std::size_t row : ordinary) c.discovery.answers.push_back({row, AnswerKind::nothing, ""});
    const std::vector<std::size_t> noise = asked_rows(nominate(c.features, c.discovery, {1}));
    EXPECT_EQ(std::set<std::size_t>(noise.begin(), noise.end()), (std::set<std::size_t>{3, 25}));
    for (const std::size_t row : noise) c.discovery.answers.push_back({row, AnswerKind::nothing, ""});
    const std::vector<std::size_t> unsure = asked_rows(nominate(c.features, c.discovery, {1}));
    EXPECT_EQ(std::set<std::size_t>(unsure.begin(), unsure.end()), (std::set<std::size_t>{7, 11}));
  }
}

TEST(Nominate, AFixedOrderIsGoneThroughTenAtATime) {
  Case c(5, 1);
  c.discovery.options.strategy = Strategy::nndm;
  for (std::uint32_t n = 0; n < rows; ++n) c.discovery.order.push_back(rows - 1 - n);
  c.discovery.answers = {{25, AnswerKind::nothing, ""}};
  const std::vector<Nomination> found = nominate(c.features, c.discovery, {1});
  EXPECT_EQ(asked_rows(found), (std::vector<std::size_t>{29, 27, 23, 21, 19, 17, 15, 13, 11, 9}));
  EXPECT_EQ(found[0].component, -1);
  EXPECT_TRUE(std::isnan(found[0].log_density));
}

TEST(Nominate, ARandomOrderIsThatOfItsSeedAndCoversAllRows) {
  const auto order = [](std::uint64_t seed) {
    Case c(6, 0, rows);
    c.discovery.options.strategy = Strategy::random;
    c.discovery.seed = seed;
    return asked_rows(nominate(c.features, c.discovery, {1}));
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
  std::vector<std::size_t> all = order(1);
  std::sort(all.begin(), all.end());
  for (std::size_t n = 0; n < rows; ++n) EXPECT_EQ(all[n], n);
}

TEST(Nominate, ABatchIsOneQuestionForEachComponentUnlessSaidOtherwise) {
  Case c(7);
  EXPECT_EQ(batch_size(c.discovery), 3U);
  for (const Strategy strategy : {Strategy::nndm, Strategy::random}) {
    c.discovery.options.strategy = strategy;
    EXPECT_EQ(batch_size(c.discovery), 10U);
  }
  c.discovery.options.batch = 4;
  EXPECT_EQ(batch_size(c.discovery), 4U);
}

// Distances are counted only where they matter; the question is that of all distances nevertheless.
TEST(Nominate, ScoredQuestionsAreThoseOfAllScores) {
  const Features features = noise_rows(40'000, 3, Seed{6}, {25'000, 15'000});  // several stretches
  for (const Strategy strategy : {Strategy::distance, Strategy::farthest_first}) {
    DiscoverOptions options = search_options(strategy, 8);
    options.batch = 2;
    Discovery discovery = start_discovery(features, options, {});
    std::size_t few = 0;
    while (discovery.answers.size() < 40) {
      std::vector<std::size_t> besides;
      for (const Nomination& nomination : discovery.queue) {
        Discovery counted = discovery;
        AskedRows asked(counted.scout, !discovery.answers.empty());
        OpenRows open(features, discovery, 8);
        for (const std::size_t row : besides) {
          asked.ask(row);
          open.ask(row);
        }
        const Asker asker = askers_of(options).front();
        std::size_t best = features.rows();
        for (std::size_t n = 0; n < features.rows(); ++n) {
          if (!open.may_ask(n, Turn::ordinary)) continue;
          if (best == features.rows() || asked.score(asker, n) > asked.score(asker, best)) best = n;
        }
        ASSERT_EQ(nomination.row, best) << name_of(strategy) << " after " << discovery.answers.size();
        besides.push_back(nomination.row);
      }
      const Nomination next = discovery.queue.front();
      take_answer(features, discovery, {next.row, AnswerKind::nothing, ""}, {});
      if (discovery.queue.size() == 1) {
        take_answer(features, discovery, {discovery.queue.front().row, AnswerKind::nothing, ""}, {});
      }
    }
    const OddRows& odd = strategy == Strategy::distance ? discovery.scout.averaged : discovery.scout.plain;
    for (const std::uint32_t counted : odd.counted) few += counted < 20 ? 1U : 0U;
    EXPECT_GT(few, features.rows() / 2);
  }
}

}  // namespace
}  // namespace motet::discover::nominate_test
