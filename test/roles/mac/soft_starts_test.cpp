#include "motet/roles/mac/soft_starts.h"

#include <gtest/gtest.h>

#include <map>

#include "data/bits.h"

namespace motet::roles::soft_starts_test {
namespace {

SearchStart end_at(const std::string& name, double objective, std::optional<Factorization> factors = {}) {
  return {name, {BitMatrix(1, 2), 0.1, 0.9, {1.0}, objective}, std::move(factors)};
}

std::vector<std::string> names_of(const std::vector<SoftStart>& starts) {
  std::vector<std::string> names;
  for (const SoftStart& start : starts) names.push_back(start.name);
  return names;
}

TEST(SoftStarts, AreEndsThatDifferAndThoseOfGreedyMethods) {
  const std::vector<SearchStart> ends = {end_at("a", -10.0), end_at("again", -10.0), end_at("b", -11.0),
                                         end_at("c", -12.0),
                                         end_at("greedy", -13.0, Factorization{BitMatrix(1, 2), BitMatrix(3, 1)})};
  EXPECT_EQ(names_of(soft_starts(ends, 2, false)), (std::vector<std::string>{"a", "b", "greedy"}));
}

TEST(SoftStarts, HaveTheirNoiseOrNone) {
  const std::vector<SoftStart> starts = soft_starts({end_at("a", -10.0)}, 2, true);
  EXPECT_EQ(names_of(starts), (std::vector<std::string>{"a", "a, without noise"}));
  EXPECT_EQ(starts[0].state.p0, 0.1);
  EXPECT_EQ(starts[0].state.p1, 0.9);
  EXPECT_EQ(starts[1].state.p0, least_noise);
  EXPECT_EQ(starts[1].state.p1, 1.0 - least_noise);
}

// A start is its number; its parameter counts the steps it got.
struct Race {
  std::map<std::size_t, double> objective;
  std::map<std::size_t, std::size_t> steps;

  std::vector<SoftFit> run(std::size_t starts) {
    std::vector<std::vector<double>> all;
    for (std::size_t i = 0; i < starts; ++i) all.push_back({static_cast<double>(i)});
    return best_soft(all, [&](std::vector<double> start, std::size_t more) {
      const auto number = static_cast<std::size_t>(start[0]);
      steps[number] += more;
      EmResult result;
      result.parameters = std::move(start);
      result.summary.objective = {objective.at(number)};
      return result;
    });
  }
};

TEST(BestSoft, IsTheLikeliestAndOnlyFewAreFittedLong) {
  Race race;
  for (std::size_t i = 0; i < 12; ++i) race.objective[i] = -100.0 - static_cast<double>(i);
  race.objective[9] = -50.0;
  const std::vector<SoftFit> fits = race.run(12);
  ASSERT_FALSE(fits.empty());
  EXPECT_EQ(fits.front().start, 9U);
  EXPECT_EQ(fits.front().objective, -50.0);
  EXPECT_EQ(fits.front().parameters, std::vector<double>{9.0});
  EXPECT_EQ(race.steps.at(9), 42U);
  EXPECT_EQ(race.steps.at(11), 4U);
  std::size_t total = 0;
  for (const auto& [start, steps] : race.steps) total += steps;
  EXPECT_LE(total, 12U * 4U + 7U * 8U + 4U * 30U);
  for (std::size_t i = 1; i < fits.size(); ++i) EXPECT_LE(fits[i].objective, fits[i - 1].objective);
}

TEST(BestSoft, KeepsTheBestEndWithItsNoiseAndWithout) {
  Race race;
  for (std::size_t i = 0; i < 12; ++i) race.objective[i] = -100.0 + static_cast<double>(i);
  std::vector<std::size_t> starts;
  for (const SoftFit& fit : race.run(12)) starts.push_back(fit.start);
  EXPECT_EQ(starts, (std::vector<std::size_t>{11, 10, 9, 1, 0}));
}

TEST(BestSoft, TwoThatCameToOnePlaceAreOne) {
  Race race;
  race.objective = {{0, -100.0}, {1, -90.0}, {2, -50.0}, {3, -50.001}, {4, -60.0}, {5, -70.0}};
  std::vector<std::size_t> starts;
  for (const SoftFit& fit : race.run(6)) starts.push_back(fit.start);
  EXPECT_EQ(starts, (std::vector<std::size_t>{2, 4, 5, 1, 0}));
  EXPECT_EQ(race.steps.at(3), 4U);
}

}  // namespace
}  // namespace motet::roles::soft_starts_test
