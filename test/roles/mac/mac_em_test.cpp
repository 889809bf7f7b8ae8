#include "motet/roles/mac/mac_em.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/beta.hpp>
#include <ostream>

#include "motet/roles/mac/user_noise.h"
#include "roles/mac_cases.h"
#include "support/threads.h"

namespace motet::roles::mac_em_test {
namespace {

struct Combination {
  bool rounded = false;
  RoleNoise noise = RoleNoise::mixture;
  NoiseScope scope = NoiseScope::global;
};

std::string word(const Combination& c) {
  const char* const noises[] = {"mixture", "none", "flip", "symmetric_flip"};
  const char* const scopes[] = {"global", "permission", "user"};
  return std::string(c.rounded ? "rounded_" : "soft_") + noises[static_cast<int>(c.noise)] + "_" +
         scopes[static_cast<int>(c.scope)];
}
void PrintTo(const Combination& c, std::ostream* out) { *out << word(c); }

std::vector<Combination> combinations() {
  std::vector<Combination> all;
  for (const bool rounded : {false, true}) {
    for (const RoleNoise noise : {RoleNoise::mixture, RoleNoise::none, RoleNoise::flip, RoleNoise::symmetric_flip}) {
      for (const NoiseScope scope : {NoiseScope::global, NoiseScope::permission, NoiseScope::user}) {
        if (rounded || scope != NoiseScope::user) all.push_back({rounded, noise, scope});
      }
    }
  }
  return all;
}

struct Problem {
  MergedMatrix data;
  MacShape shape;
};

Problem small_problem(const Combination& c, bool with_attributes, bool weighted, std::size_t users, Rng& rng) {
  const BitMatrix roles = drawn_bits(3, 14, 0.35, rng);
  const BitMatrix held = random_access(users, roles, 0.2, rng);
  Problem problem{weighted ? with_weights(held, rng) : each_alone(held), {}};
  problem.shape.roles = 3;
  problem.shape.sets = LabelSets::up_to(3, 2);
  problem.shape.rounded = c.rounded;
  problem.shape.noise = c.noise;
  problem.shape.scope = c.scope;
  if (with_attributes) {
    const Attributes attributes = random_attributes(users, rng);
    problem.shape.groups = group_by_attributes(&attributes, users);
    problem.shape.prior_weight = 0.6;
    problem.shape.prior_centre.resize(problem.shape.sets.size());
    fill_shares(problem.shape.prior_centre, rng);
  }
  return problem;
}

// By user: scores of all sets, from cells and numbers of the prior.
std::vector<NaivePosterior> naive_posteriors(const Problem& problem, std::span<const double> parameters,
                                             double inverse_temperature) {
  const MacShape& shape = problem.shape;
  const std::span<const double> prior = parameters.subspan(mac_parts(shape, problem.data.bits.columns()).prior());
  std::vector<NaivePosterior> result;
  for (std::size_t n = 0; n < problem.data.bits.rows(); ++n) {
    const std::size_t group = shape.groups.group_of.empty() ? 0 : shape.groups.group_of[n];
    std::vector<long double> score;
    for (std::size_t l = 0; l < shape.sets.size(); ++l) {
      score.push_back(naive_log_likelihood(problem.data, shape, parameters, n, l) +
                      shape.prior_weight * std::log(naive_share(shape, prior, group, l)));
    }
    result.push_back(naive_posterior(score, inverse_temperature));
  }
  return result;
}

std::vector<double> expect_all(const Problem& problem, std::span<const double> parameters, double b = 1.0) {
  return expect(mac_problem(problem.data, problem.shape, {1}), parameters, b, Threads{1});
}

class MacEm : public testing::TestWithParam<Combination> {};

TEST_P(MacEm, NeverLowersTheObjective) {
  std::uint64_t seed = 0;
  for (const bool with_attributes : {false, true}) {
    for (const bool weighted : {false, true}) {
      for (int start = 0; start < 3; ++start) {
        Rng rng(Seed{++seed});
        const Problem problem = small_problem(GetParam(), with_attributes, weighted, 120, rng);
        EmRule rule{.max_iterations = 60, .tolerance = 1e-7};
        const EmResult result = run_em(mac_problem(problem.data, problem.shape, {1}),
                                       random_point(problem.shape, problem.data.bits.columns(), rng), rule, {});
        EXPECT_NE(result.summary.stop, Stop::objective_fell)
            << (result.summary.warnings.empty() ? "" : result.summary.warnings[0]);
        const std::vector<double>& trace = result.summary.objective;
        for (std::size_t i = 1; i < trace.size(); ++i) {
          EXPECT_GE(trace[i], trace[i - 1] - 1e-10 * std::abs(trace[i])) << "step " << i;
        }
        EXPECT_GT(trace.back(), trace.front());
      }
    }
  }
}

TEST_P(MacEm, ObjectiveAndStatisticsEqualThoseOfAllCells) {
  if (GetParam().scope == NoiseScope::user) return;  // a test of its own
  // What is left out of a user's posterior is at most 1e-10 of it; the rest is rounding.
  constexpr double tolerance = 1e-9;
  Rng rng(Seed{30});
  for (const bool with_attributes : {false, true}) {
    for (const double b : {1.0, 0.4}) {
      const Problem problem = small_problem(GetParam(), with_attributes, true, 25, rng);
      const std::size_t columns = problem.data.bits.columns();
      const std::size_t sets = problem.shape.sets.size();
      const std::vector<double> parameters = random_point(problem.shape, columns, rng);
      const std::vector<double> found = expect_all(problem, parameters, b);
      const std::vector<NaivePosterior> wanted = naive_posteriors(problem, parameters, b);
      const std::size_t groups = problem.shape.groups.groups;
      std::vector<long double> sums(2 + groups * sets + columns * sets);
      for (std::size_t n = 0; n < wanted.size(); ++n) {
        const double weight = problem.data.row_weight[n];
        const std::size_t group = problem.shape.groups.group_of.empty() ? 0 : problem.shape.groups.group_of[n];
        sums[0] += weight * wanted[n].log_sum;
        for (std::size_t l = 0; l < sets; ++l) {
          sums[2 + group * sets + l] += weight * wanted[n].share[l];
          for (std::size_t d = 0; d < columns; ++d) {
            if (problem.data.bits(n, d)) sums[2 + groups * sets + d * sets + l] += weight * wanted[n].share[l];
          }
        }
      }
      ASSERT_EQ(found.size(), sums.size());
      for (std::size_t i = 0; i < sums.size(); ++i) {
        if (i == 1) continue;  // the mass left out
        const auto careful = static_cast<double>(sums[i]);
        EXPECT_NEAR(found[i], careful, tolerance * (1.0 + std::abs(careful))) << i;
      }
    }
  }
}

TEST_P(MacEm, GivesTheSameBitsOnAnyNumberOfThreads) {
  Rng rng(Seed{31});
  const Problem problem = small_problem(GetParam(), true, true, 128 * 20, rng);  // 20 leaves
  const std::vector<double> start = random_point(problem.shape, problem.data.bits.columns(), rng);
  EmRule rule{.max_iterations = 4, .tolerance = 0.0};
  std::vector<std::vector<double>> ends;
  for (const unsigned threads : {1U, 2U, 4U}) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    ends.push_back(run_em(mac_problem(problem.data, problem.shape, started), start, rule, run).parameters);
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST_P(MacEm, MergedDataHaveTheObjectiveOfAllUsers) {
  Rng rng(Seed{32});
  // Few distinct rows, and columns in pairs of equals.
  const BitMatrix few = random_access(12, drawn_bits(3, 9, 0.4, rng), 0.2, rng);
  BitMatrix held(60, 18);
  for (std::size_t n = 0; n < held.rows(); ++n) {
    const std::size_t from = rng.below(few.rows());
    for (std::size_t d = 0; d < held.columns(); ++d) held.set(n, d, few(from, d / 2));
  }
  Problem all = small_problem(GetParam(), false, false, 1, rng);
  all.data = each_alone(held);
  Problem merged = all;
  merged.data = merge_equal(held);
  ASSERT_LT(merged.data.bits.columns(), all.data.bits.columns());
  const std::size_t few_columns = merged.data.bits.columns();
  const std::vector<double> point = random_point(merged.shape, few_columns, rng);
  // The same numbers for every column a merged one stands for.
  const MacParts from = mac_parts(merged.shape, few_columns);
  std::vector<double> wide;
  for (std::size_t k = 0; k < merged.shape.roles; ++k) {
    for (const std::uint32_t column : merged.data.column_of) wide.push_back(point[k * few_columns + column]);
  }
  for (const std::size_t at : {from.p0(), from.p1()}) {
    if (merged.shape.scope == NoiseScope::permission) {
      for (const std::uint32_t column : merged.data.column_of) wide.push_back(point[at + column]);
    } else {
      for (std::size_t i = 0; i < from.levels; ++i) wide.push_back(point[at + i]);
    }
  }
  wide.insert(wide.end(), point.begin() + static_cast<std::ptrdiff_t>(from.prior()), point.end());
  const EmProblem a = mac_problem(all.data, all.shape, {1});
  const EmProblem b = mac_problem(merged.data, merged.shape, {1});
  const double of_all = expect_all(all, wide)[0] + a.log_prior(wide);
  const double of_merged = expect_all(merged, point)[0] + b.log_prior(point);
  EXPECT_NEAR(of_merged, of_all, 1e-11 * std::abs(of_all));
  // And after a step.
  const std::vector<double> next_all = a.maximise(expect_all(all, wide), wide);
  const std::vector<double> next_merged = b.maximise(expect_all(merged, point), point);
  const double after = expect_all(all, next_all)[0] + a.log_prior(next_all);
  EXPECT_NEAR(expect_all(merged, next_merged)[0] + b.log_prior(next_merged), after, 1e-8 * std::abs(after));
}

INSTANTIATE_TEST_SUITE_P(All, MacEm, testing::ValuesIn(combinations()),
                         [](const auto& info) { return word(info.param); });

// (9.22): the free energy is the mean cost minus temperature times entropy. With the prior in the cost,
// R = -log p(x, L), and F = -T log sum exp(-R / T), the engine's objective with the sign turned.
TEST(MacEmFreeEnergy, IsCostMinusTemperatureTimesEntropy) {
  Rng rng(Seed{40});
  for (const bool rounded : {false, true}) {
    for (const double temperature : {1.0, 1.7, 5.0}) {
      const Problem problem = small_problem({rounded}, true, true, 30, rng);
      const std::vector<double> parameters = random_point(problem.shape, problem.data.bits.columns(), rng);
      const double free_energy = -expect_all(problem, parameters, 1.0 / temperature)[0];
      long double cost = 0.0L;
      long double entropy = 0.0L;
      const std::vector<NaivePosterior> users = naive_posteriors(problem, parameters, 1.0 / temperature);
      for (std::size_t n = 0; n < users.size(); ++n) {
        for (std::size_t l = 0; l < users[n].share.size(); ++l) {
          const long double share = users[n].share[l];
          cost -= problem.data.row_weight[n] * share * users[n].score[l];
          entropy -= problem.data.row_weight[n] * share * std::log(share);
        }
      }
      const auto wanted = static_cast<double>(cost - temperature * entropy);
      EXPECT_NEAR(free_energy, wanted, 1e-10 * std::abs(wanted));
    }
  }
}

TEST(MacEmScores, OfTheTableProductEqualThoseOfCounting) {
  Rng rng(Seed{41});
  for (const bool weighted : {false, true}) {
    const Problem problem = small_problem({true}, true, weighted, 150, rng);
    const std::vector<double> parameters = random_point(problem.shape, problem.data.bits.columns(), rng);
    std::vector<double> scores;
    MacScores(problem.data, problem.shape, parameters).compute(0, 150, scores);
    const std::vector<NaivePosterior> wanted = naive_posteriors(problem, parameters, 1.0);
    const std::size_t sets = problem.shape.sets.size();
    double sum = 0.0;
    for (std::size_t n = 0; n < 150; ++n) {
      std::vector<long double> own(scores.begin() + static_cast<std::ptrdiff_t>(n * sets),
                                   scores.begin() + static_cast<std::ptrdiff_t>((n + 1) * sets));
      for (std::size_t l = 0; l < sets; ++l) {
        EXPECT_NEAR(scores[n * sets + l], static_cast<double>(wanted[n].score[l]), 1e-11);
      }
      sum += problem.data.row_weight[n] * static_cast<double>(naive_posterior(own, 1.0L).log_sum);
    }
    EXPECT_NEAR(expect_all(problem, parameters)[0], sum, 1e-9 * std::abs(sum));
  }
}

// User-wise noise by a sum over a grid of p0 and p1 instead of Beta functions.
TEST(MacEmUserNoise, EqualsIntegrationOverAGrid) {
  Rng rng(Seed{42});
  const Problem problem = small_problem({true, RoleNoise::mixture, NoiseScope::user}, false, true, 6, rng);
  const std::size_t columns = problem.data.bits.columns();
  std::vector<double> parameters = random_point(problem.shape, columns, rng);
  const MacParts parts = mac_parts(problem.shape, columns);
  const double levels[2][2] = {{2.0, 7.0}, {6.0, 3.0}};  // smooth at both ends
  for (std::size_t i = 0; i < 2; ++i) {
    parameters[parts.p0() + i] = levels[0][i];
    parameters[parts.p1() + i] = levels[1][i];
  }
  constexpr std::size_t points = 20000;
  const auto integral = [&](const double(&level)[2], double ones, double zeros) {
    long double sum = 0.0L;
    for (std::size_t i = 0; i < points; ++i) {
      const double p = (static_cast<double>(i) + 0.5) / points;
      sum += std::pow(p, level[0] - 1.0 + ones) * std::pow(1.0 - p, level[1] - 1.0 + zeros);
    }
    return static_cast<double>(sum / points) / boost::math::beta(level[0], level[1]);
  };
  double wanted = 0.0;
  for (std::size_t n = 0; n < problem.data.bits.rows(); ++n) {
    double total = 0.0;
    for (std::size_t l = 0; l < problem.shape.sets.size(); ++l) {
      double cells[2][2] = {{0.0, 0.0}, {0.0, 0.0}};  // [covered][held]
      for (std::size_t d = 0; d < columns; ++d) {
        bool covered = false;
        for (const std::uint32_t k : problem.shape.sets[l]) covered = covered || parameters[k * columns + d] < 0.5;
        cells[covered ? 1 : 0][problem.data.bits(n, d) ? 1 : 0] += problem.data.column_weight[d];
      }
      total += parameters[parts.prior() + l] * integral(levels[0], cells[0][1], cells[0][0]) *
               integral(levels[1], cells[1][1], cells[1][0]);
    }
    wanted += problem.data.row_weight[n] * std::log(total);
  }
  constexpr double grid_tolerance = 1e-6;  // midpoint rule with 20,000 points, relative
  EXPECT_NEAR(expect_all(problem, parameters)[0], wanted, grid_tolerance * std::abs(wanted));
}

TEST(MacEmStart, RoundsRolesAndSpreadsLabelSets) {
  MacShape shape;
  shape.roles = 2;
  shape.sets = LabelSets::up_to(2, 2);
  shape.rounded = true;
  const std::vector<double> start = mac_start(shape, std::vector{0.2, 0.7, 0.49, 0.5}, 2, 0.1, 0.8);
  EXPECT_EQ(start, (std::vector<double>{0.0, 1.0, 0.0, 1.0, 0.1, 0.8, 0.25, 0.25, 0.25, 0.25}));
  shape.noise = RoleNoise::none;
  EXPECT_EQ(mac_start(shape, std::vector{0.2, 0.7, 0.49, 0.5}, 2, 0.1, 0.8)[4], least_noise);
}

}  // namespace
}  // namespace motet::roles::mac_em_test
