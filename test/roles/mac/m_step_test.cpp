#include "motet/roles/mac/m_step.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>

#include "roles/mac_cases.h"
#include "support/threads.h"

namespace motet::roles::m_step_test {
namespace {

// Central differences with step h: an error of h^2 times the third derivative, and of
// 1e-16 |f| / h by rounding. Counts are of the order of 100.
constexpr double step = 1e-5;
constexpr double difference_tolerance = 1e-5;

double slope_of(const std::function<double(double)>& f, double x) { return (f(x + step) - f(x - step)) / (2.0 * step); }

// Expected counts as an E-step makes them: ones between 0 and the users of the set.
struct Case {
  MacShape shape;
  std::size_t columns = 0;
  std::vector<double> ones;
  std::vector<double> users;
  std::vector<double> weight;
  std::vector<double> beta;  // [role * columns + column]

  CellCounts counts() const { return {ones, users, weight}; }
  SetTables tables() const { return {shape.sets, sets_by_role(shape.sets, shape.roles), {}}; }
  std::vector<double> column(std::size_t d) const {
    std::vector<double> result(shape.roles);
    for (std::size_t k = 0; k < shape.roles; ++k) result[k] = beta[k * columns + d];
    return result;
  }

  // The objective done the long way, in all columns.
  double objective(std::span<const double> at, std::span<const double> p0, std::span<const double> p1) const {
    long double sum = 0.0L;
    for (std::size_t d = 0; d < columns; ++d) {
      const long double low = p0.size() == 1 ? p0[0] : p0[d];
      const long double high = p1.size() == 1 ? p1[0] : p1[d];
      for (std::size_t l = 0; l < users.size(); ++l) {
        long double absent = 1.0L;
        for (const std::uint32_t k : shape.sets[l]) absent *= at[k * columns + d];
        const long double q = high - (high - low) * absent;
        const long double n1 = ones[d * users.size() + l];
        sum += weight[d] * (n1 * std::log(q) + (users[l] - n1) * std::log(1.0L - q));
      }
    }
    return static_cast<double>(sum);
  }
  double objective(std::span<const double> at, double p0, double p1) const {
    return objective(at, std::span(&p0, 1), std::span(&p1, 1));
  }
};

Case random_case(std::size_t roles, std::size_t degree, std::size_t columns, bool rounded, Rng& rng) {
  Case result;
  result.shape.roles = roles;
  result.shape.sets = LabelSets::up_to(roles, degree);
  result.shape.rounded = rounded;
  result.columns = columns;
  const std::size_t sets = result.shape.sets.size();
  for (std::size_t l = 0; l < sets; ++l) result.users.push_back(rng.uniform(0.0, 40.0));
  for (std::size_t i = 0; i < columns * sets; ++i) {
    // Some cells are nearly always or nearly never held, as in real data.
    const double share = rng.below(3) == 0 ? static_cast<double>(rng.below(2)) : rng.uniform();
    result.ones.push_back(share * result.users[i % sets]);
  }
  for (std::size_t d = 0; d < columns; ++d) result.weight.push_back(1.0 + static_cast<double>(rng.below(3)));
  for (std::size_t i = 0; i < roles * columns; ++i) {
    result.beta.push_back(rounded ? static_cast<double>(rng.below(2)) : rng.uniform(0.05, 0.95));
  }
  return result;
}

TEST(MStepDerivatives, ByBetaAgreesWithDifferences) {
  Rng rng(Seed{1});
  const Case c = random_case(4, 3, 3, false, rng);
  for (std::size_t d = 0; d < c.columns; ++d) {
    for (std::size_t k = 0; k < c.shape.roles; ++k) {
      const auto at = [&](double b) {
        std::vector<double> beta = c.column(d);
        beta[k] = b;
        return by_beta(c.counts(), c.tables(), d, beta, 0.15, 0.8, k);
      };
      const double b = c.beta[k * c.columns + d];
      const Derivatives found = at(b);
      EXPECT_NEAR(found.first, slope_of([&](double x) { return at(x).value; }, b), difference_tolerance * 100.0);
      EXPECT_NEAR(found.second, slope_of([&](double x) { return at(x).first; }, b),
                  difference_tolerance * std::abs(found.second));
      EXPECT_LT(found.second, 0.0);  // concave
      // And against the objective of all columns done the long way.
      const auto whole = [&](double x) {
        std::vector<double> beta = c.beta;
        beta[k * c.columns + d] = x;
        return c.objective(beta, 0.15, 0.8);
      };
      EXPECT_NEAR(c.weight[d] * found.first, slope_of(whole, b), difference_tolerance * 300.0);
    }
  }
}

// Sum over the columns, as noise_levels takes it.
NoiseDerivatives noise_derivatives(const Case& c, double p0, double p1) {
  NoiseDerivatives sum;
  for (std::size_t d = 0; d < c.columns; ++d) {
    const NoiseDerivatives at = by_noise(c.counts(), c.tables(), d, c.column(d), p0, p1);
    sum.value += c.weight[d] * at.value;
    for (std::size_t i = 0; i < 2; ++i) sum.first[i] += c.weight[d] * at.first[i];
    for (std::size_t i = 0; i < 3; ++i) sum.second[i] += c.weight[d] * at.second[i];
  }
  return sum;
}

TEST(MStepDerivatives, ByNoiseAgreeWithDifferences) {
  Rng rng(Seed{2});
  const Case c = random_case(3, 2, 5, false, rng);
  const double p0 = 0.2;
  const double p1 = 0.75;
  const NoiseDerivatives found = noise_derivatives(c, p0, p1);
  const double scale = std::abs(found.value);
  EXPECT_NEAR(found.value, c.objective(c.beta, p0, p1), 1e-12 * scale);
  EXPECT_NEAR(found.first[0], slope_of([&](double x) { return c.objective(c.beta, x, p1); }, p0),
              difference_tolerance * scale);
  EXPECT_NEAR(found.first[1], slope_of([&](double x) { return c.objective(c.beta, p0, x); }, p1),
              difference_tolerance * scale);
  EXPECT_NEAR(found.second[0], slope_of([&](double x) { return noise_derivatives(c, x, p1).first[0]; }, p0),
              difference_tolerance * scale);
  EXPECT_NEAR(found.second[1], slope_of([&](double x) { return noise_derivatives(c, p0, x).first[0]; }, p1),
              difference_tolerance * scale);
  EXPECT_NEAR(found.second[2], slope_of([&](double x) { return noise_derivatives(c, p0, x).first[1]; }, p1),
              difference_tolerance * scale);
}

// The parameters of section 9.1.2 by the chain rule; F = -objective, as in the errata.
TEST(MStepDerivatives, OfTheNoiseModelsFollowByTheChainRule) {
  Rng rng(Seed{3});
  const Case c = random_case(3, 2, 8, false, rng);
  {
    // Mixture: p0 = e r, p1 = 1 - e (1 - r): dq/de = r - 1 + beta_L, dq/dr = e.
    const double e = 0.3;
    const double r = 0.4;
    const NoiseDerivatives at = noise_derivatives(c, e * r, 1.0 - e * (1.0 - r));
    const auto f = [&](double ee, double rr) { return c.objective(c.beta, ee * rr, 1.0 - ee * (1.0 - rr)); };
    const double by_e = at.first[0] * r - at.first[1] * (1.0 - r);
    const double by_r = at.first[0] * e + at.first[1] * e;
    const double scale = std::abs(at.value);
    EXPECT_NEAR(by_e, slope_of([&](double x) { return f(x, r); }, e), difference_tolerance * scale);
    EXPECT_NEAR(by_r, slope_of([&](double x) { return f(e, x); }, r), difference_tolerance * scale);
  }
  {
    // Flip: p0 = e0, p1 = 1 - e1: dq/de0 = +beta_L, dq/de1 = -(1 - beta_L).
    const double e0 = 0.1;
    const double e1 = 0.25;
    const NoiseDerivatives at = noise_derivatives(c, e0, 1.0 - e1);
    const auto f = [&](double a, double b) { return c.objective(c.beta, a, 1.0 - b); };
    const double scale = std::abs(at.value);
    EXPECT_NEAR(at.first[0], slope_of([&](double x) { return f(x, e1); }, e0), difference_tolerance * scale);
    EXPECT_NEAR(-at.first[1], slope_of([&](double x) { return f(e0, x); }, e1), difference_tolerance * scale);
  }
  {
    // Symmetric flip: p0 = e, p1 = 1 - e.
    const double e = 0.2;
    const NoiseDerivatives at = noise_derivatives(c, e, 1.0 - e);
    const auto f = [&](double x) { return c.objective(c.beta, x, 1.0 - x); };
    EXPECT_NEAR(at.first[0] - at.first[1], slope_of(f, e), difference_tolerance * std::abs(at.value));
  }
}

// The signs the thesis prints are those of P(x = 0): with q = P(x = 1) more cells held than the
// model expects pull p0 and p1 up and beta down, fewer pull the other way.
TEST(MStepDerivatives, HaveTheSignsOfTheErrata) {
  for (const double held : {1.0, 0.0}) {
    Case c;
    c.shape.roles = 1;
    c.shape.sets = LabelSets::up_to(1, 1);
    c.columns = 1;
    c.users = {10.0, 10.0};
    c.ones = {10.0 * held, 10.0 * held};
    c.weight = {1.0};
    c.beta = {0.4};
    const double sign = held > 0.5 ? 1.0 : -1.0;
    const NoiseDerivatives noise = noise_derivatives(c, 0.2, 0.7);
    EXPECT_GT(sign * noise.first[0], 0.0);
    EXPECT_GT(sign * noise.first[1], 0.0);
    EXPECT_LT(sign * by_beta(c.counts(), c.tables(), 0, c.beta, 0.2, 0.7, 0).first, 0.0);
    // dF/de1 = -dobjective/de1 = +first[1]: negative when nothing is held (FD -83.909, printed -103.737).
    // dF/de of the mixture = first[0] r - first[1] (1 - r) with F = -objective.
    EXPECT_GT(sign * (noise.first[0] * 0.5 + noise.first[1] * 0.5), 0.0);
  }
}

TEST(SoftCentroids, EveryRoleEndsAtItsMaximum) {
  Rng rng(Seed{4});
  for (int round = 0; round < 5; ++round) {
    Case c = random_case(1 + rng.below(4), 2, 20, false, rng);
    const std::vector<double> p0 = {0.1};
    const std::vector<double> p1 = {0.85};
    double before = c.objective(c.beta, p0, p1);
    for (int sweep = 0; sweep < 1500; ++sweep) {
      soft_centroids(c.counts(), c.tables(), c.shape, p0, p1, c.beta, {1});
      const double now = c.objective(c.beta, p0, p1);
      EXPECT_GE(now, before - 1e-10 * std::abs(before));  // rounding of the sum
      before = now;
    }
    for (std::size_t d = 0; d < c.columns; ++d) {
      for (std::size_t k = 0; k < c.shape.roles; ++k) {
        const double b = c.beta[k * c.columns + d];
        const double slope = by_beta(c.counts(), c.tables(), d, c.column(d), 0.1, 0.85, k).first;
        // Newton ends when a step is below 1e-10 and curvatures are up to 1e4 (users / q^2), but a sweep
        // moves the other roles as well, and sweeps converge slowly where two roles share their users.
        constexpr double gradient_tolerance = 1e-3;
        if (b <= 0.0) {
          EXPECT_LE(slope, gradient_tolerance);
        } else if (b >= 1.0) {
          EXPECT_GE(slope, -gradient_tolerance);
        } else {
          EXPECT_NEAR(slope, 0.0, gradient_tolerance) << b;
        }
      }
    }
  }
}

TEST(SoftCentroids, LeavesFrozenRolesAlone) {
  Rng rng(Seed{5});
  Case c = random_case(3, 2, 6, false, rng);
  c.shape.frozen = {0, 1, 0};
  const std::vector<double> before = c.beta;
  soft_centroids(c.counts(), c.tables(), c.shape, std::vector{0.1}, std::vector{0.9}, c.beta, {1});
  for (std::size_t d = 0; d < c.columns; ++d) {
    EXPECT_EQ(c.beta[c.columns + d], before[c.columns + d]);
    EXPECT_NE(c.beta[d], before[d]);
  }
}

class Levels : public testing::TestWithParam<RoleNoise> {};

// At a maximum over least_noise <= p0 <= p1 <= 1 - least_noise nothing leads upwards.
void expect_no_way_up(const NoiseDerivatives& at, const MacShape& shape, double p0, double p1) {
  const double tolerance = 1e-6 * (1.0 + std::abs(at.value));
  if (shape.noise == RoleNoise::symmetric_flip) {
    EXPECT_EQ(p1, 1.0 - p0);
    const double slope = at.first[0] - at.first[1];
    if (p0 > least_noise * 1.01) {
      EXPECT_GE(slope, -tolerance);
    }
    if (p0 < 0.5) {
      EXPECT_LE(slope, tolerance);
    }
    return;
  }
  EXPECT_LE(p0, p1);
  if (p0 == p1) return;  // the edge on which the roles say nothing
  if (p0 > least_noise * 1.01) {
    EXPECT_GE(at.first[0], -tolerance);
  }
  EXPECT_LE(at.first[0], tolerance);
  if (p1 < 1.0 - least_noise * 1.01) {
    EXPECT_LE(at.first[1], tolerance);
  }
  EXPECT_GE(at.first[1], -tolerance);
}

TEST_P(Levels, EndWhereNothingLeadsUpwards) {
  Rng rng(Seed{6});
  for (int round = 0; round < 40; ++round) {
    Case c = random_case(3, 2, 12, round % 2 == 0, rng);
    c.shape.noise = GetParam();
    // Data a model could have made, so that p0 < p1 at the maximum.
    for (std::size_t d = 0; d < c.columns; ++d) {
      for (std::size_t l = 0; l < c.users.size(); ++l) {
        double absent = 1.0;
        for (const std::uint32_t k : c.shape.sets[l]) absent *= c.beta[k * c.columns + d];
        const double q = 0.9 - 0.8 * absent;
        c.ones[d * c.users.size() + l] = c.users[l] * std::clamp(q + rng.uniform(-0.1, 0.1), 0.0, 1.0);
      }
    }
    std::vector<double> p0 = {rng.uniform(0.01, 0.45)};
    std::vector<double> p1 = {GetParam() == RoleNoise::symmetric_flip ? 1.0 - p0[0] : rng.uniform(0.5, 0.99)};
    const double before = c.objective(c.beta, p0, p1);
    noise_levels(c.counts(), c.tables(), c.shape, c.beta, p0, p1, {1});
    EXPECT_GE(c.objective(c.beta, p0, p1), before - 1e-10 * std::abs(before));
    expect_no_way_up(noise_derivatives(c, p0[0], p1[0]), c.shape, p0[0], p1[0]);
    // From the maximum it does not leave: a step below rounding once sent it half way to the end.
    for (int again = 0; again < 5; ++again) {
      const double from = p0[0];
      noise_levels(c.counts(), c.tables(), c.shape, c.beta, p0, p1, {1});
      EXPECT_NEAR(p0[0], from, 1e-8);
    }
  }
}

TEST_P(Levels, OfPermissionsEndWhereNothingLeadsUpwards) {
  Rng rng(Seed{7});
  for (const bool rounded : {false, true}) {
    Case c = random_case(3, 2, 10, rounded, rng);
    c.shape.noise = GetParam();
    c.shape.scope = NoiseScope::permission;
    c.shape.level_users = 10.0;
    c.shape.level_centre[0] = 0.2;
    c.shape.level_centre[1] = 0.8;
    std::vector<double> p0(c.columns, 0.2);
    std::vector<double> p1(c.columns, 0.8);
    const auto objective = [&] { return c.objective(c.beta, p0, p1) + log_prior_of_levels(c.shape, c.weight, p0, p1); };
    const double before = objective();
    noise_levels(c.counts(), c.tables(), c.shape, c.beta, p0, p1, {1});
    EXPECT_GT(objective(), before);
    for (std::size_t d = 0; d < c.columns; ++d) {
      EXPECT_LE(p0[d], p1[d]);
      if (p0[d] == p1[d] || p0[d] == 0.5) continue;
      const auto at = [&](double x, double y) {
        std::vector<double> low = p0;
        std::vector<double> high = p1;
        low[d] = x;
        high[d] = y;
        return c.objective(c.beta, low, high) + log_prior_of_levels(c.shape, c.weight, low, high);
      };
      constexpr double gradient_tolerance = 2e-3;  // differences of sums of size 1e4 with step 1e-5
      if (GetParam() == RoleNoise::symmetric_flip) {
        EXPECT_NEAR(slope_of([&](double x) { return at(x, 1.0 - x); }, p0[d]), 0.0, gradient_tolerance);
      } else {
        EXPECT_NEAR(slope_of([&](double x) { return at(x, p1[d]); }, p0[d]), 0.0, gradient_tolerance);
        EXPECT_NEAR(slope_of([&](double x) { return at(p0[d], x); }, p1[d]), 0.0, gradient_tolerance);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(MStep, Levels,
                         testing::Values(RoleNoise::mixture, RoleNoise::flip, RoleNoise::symmetric_flip));

TEST(NoiseLevels, StayWhereNoNoiseIsAskedFor) {
  Rng rng(Seed{8});
  Case c = random_case(2, 2, 4, true, rng);
  c.shape.noise = RoleNoise::none;
  std::vector<double> p0 = {least_noise};
  std::vector<double> p1 = {1.0 - least_noise};
  noise_levels(c.counts(), c.tables(), c.shape, c.beta, p0, p1, {1});
  EXPECT_EQ(p0[0], least_noise);
  EXPECT_EQ(p1[0], 1.0 - least_noise);
}

RC_GTEST_PROP(RoundedCentroids, NeverLowerTheObjective, (std::uint64_t seed)) {
  Rng rng(Seed{seed});
  Case c = random_case(1 + rng.below(5), 1 + rng.below(3), 1 + rng.below(20), true, rng);
  const bool by_permission = rng.below(2) == 0;
  std::vector<double> p0(by_permission ? c.columns : 1);
  std::vector<double> p1(p0.size());
  for (std::size_t i = 0; i < p0.size(); ++i) {
    p0[i] = rng.uniform(0.01, 0.5);
    p1[i] = rng.uniform(p0[i], 0.99);
  }
  const double before = c.objective(c.beta, p0, p1);
  rounded_centroids(c.counts(), c.tables(), c.shape, cover_gain(c.counts(), p0, p1), c.beta, {1});
  const double after = c.objective(c.beta, p0, p1);
  RC_ASSERT(after >= before - 1e-10 * std::abs(before));
  // No single cell is better the other way.
  for (double& b : c.beta) {
    b = 1.0 - b;
    RC_ASSERT(c.objective(c.beta, p0, p1) <= after + 1e-10 * std::abs(after));
    b = 1.0 - b;
  }
}

TEST(RoundedCentroids, FromSeveralStartsReachTheBestOfAllColumns) {
  Rng rng(Seed{9});
  for (int round = 0; round < 50; ++round) {
    Case c = random_case(3, 2, 1, true, rng);
    const std::vector<double> p0 = {0.15};
    const std::vector<double> p1 = {0.8};
    double best = -1e300;
    double found = -1e300;
    for (unsigned code = 0; code < 8; ++code) {
      std::vector<double> beta(3);
      for (std::size_t k = 0; k < 3; ++k) beta[k] = code >> k & 1U ? 0.0 : 1.0;
      best = std::max(best, c.objective(beta, p0, p1));
      rounded_centroids(c.counts(), c.tables(), c.shape, cover_gain(c.counts(), p0, p1), beta, {1});
      found = std::max(found, c.objective(beta, p0, p1));
    }
    EXPECT_NEAR(found, best, 1e-10 * std::abs(best));
  }
}

RC_GTEST_PROP(RoundedCentroids, KeepExcludedColumnsApartWithoutLoss, (std::uint64_t seed)) {
  Rng rng(Seed{seed});
  Case c = random_case(1 + rng.below(4), 2, 8, true, rng);
  c.shape.never_with.resize(c.columns);
  for (int pair = 0; pair < 4; ++pair) {
    const auto a = static_cast<std::uint32_t>(rng.below(c.columns));
    const auto b = static_cast<std::uint32_t>((a + 1 + rng.below(c.columns - 1)) % c.columns);
    c.shape.never_with[a].push_back(b);
    c.shape.never_with[b].push_back(a);
  }
  const auto holds = [&] {
    for (std::size_t k = 0; k < c.shape.roles; ++k) {
      for (std::size_t d = 0; d < c.columns; ++d) {
        for (const std::uint32_t e : c.shape.never_with[d]) {
          if (c.beta[k * c.columns + d] < 0.5 && c.beta[k * c.columns + e] < 0.5) return false;
        }
      }
    }
    return true;
  };
  for (std::size_t k = 0; k < c.shape.roles; ++k) {
    for (std::size_t d = 0; d < c.columns; ++d) {
      if (c.beta[k * c.columns + d] >= 0.5) continue;
      for (const std::uint32_t e : c.shape.never_with[d]) c.beta[k * c.columns + e] = 1.0;
    }
  }
  RC_ASSERT(holds());
  const std::vector<double> p0 = {0.1};
  const std::vector<double> p1 = {0.8};
  for (int round = 0; round < 3; ++round) {
    const double before = c.objective(c.beta, p0, p1);
    rounded_centroids(c.counts(), c.tables(), c.shape, cover_gain(c.counts(), p0, p1), c.beta, {1});
    RC_ASSERT(holds());
    RC_ASSERT(c.objective(c.beta, p0, p1) >= before - 1e-10 * std::abs(before));
  }
}

TEST(RoundedCentroids, LeaveFrozenRolesAlone) {
  Rng rng(Seed{10});
  for (const bool excluded : {false, true}) {
    Case c = random_case(3, 2, 30, true, rng);
    c.shape.frozen = {1, 0, 1};
    if (excluded) {
      c.shape.never_with.resize(c.columns);
      c.shape.never_with[0] = {1};
      c.shape.never_with[1] = {0};
    }
    const std::vector<double> before = c.beta;
    const std::vector<double> p0 = {0.1};
    const std::vector<double> p1 = {0.8};
    rounded_centroids(c.counts(), c.tables(), c.shape, cover_gain(c.counts(), p0, p1), c.beta, {1});
    bool changed = false;
    for (std::size_t d = 0; d < c.columns; ++d) {
      EXPECT_EQ(c.beta[d], before[d]);
      EXPECT_EQ(c.beta[2 * c.columns + d], before[2 * c.columns + d]);
      changed = changed || c.beta[c.columns + d] != before[c.columns + d];
    }
    EXPECT_TRUE(changed);
  }
}

TEST(MStep, IsTheSameOnAnyNumberOfThreads) {
  Rng rng(Seed{11});
  for (const bool rounded : {false, true}) {
    const Case c = random_case(4, 2, 333, rounded, rng);  // 21 tasks of 16 columns
    std::vector<std::vector<double>> ends;
    for (const unsigned threads : {1U, 2U, 4U}) {
      std::vector<double> end = c.beta;
      std::vector<double> p0 = {0.2};
      std::vector<double> p1 = {0.7};
      if (rounded) {
        rounded_centroids(c.counts(), c.tables(), c.shape, cover_gain(c.counts(), p0, p1), end,
                          StartedThreads(threads));
      } else {
        soft_centroids(c.counts(), c.tables(), c.shape, p0, p1, end, StartedThreads(threads));
      }
      noise_levels(c.counts(), c.tables(), c.shape, end, p0, p1, StartedThreads(threads));
      end.push_back(p0[0]);
      end.push_back(p1[0]);
      ends.push_back(std::move(end));
    }
    EXPECT_EQ(ends[0], ends[1]);
    EXPECT_EQ(ends[0], ends[2]);
  }
}

}  // namespace
}  // namespace motet::roles::m_step_test
