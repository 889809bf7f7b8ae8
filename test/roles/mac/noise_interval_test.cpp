#include "motet/roles/mac/noise_interval.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "data/bits.h"
#include "motet/roles/mac/mac_em.h"
#include "roles/model_cases.h"
#include "roles/planted_cases.h"
#include "support/threads.h"

namespace motet::roles::noise_interval_test {
namespace {

constexpr double z_95 = 1.959963984540054;

// The information as squares of the derivatives of each user's log-likelihood, by differences.
std::array<double, 3> information(const RoleModel& model, const BitMatrix& held, bool is_symmetric) {
  constexpr double h = 1e-6;
  const auto at = [&](double by_p0, double by_p1) {
    RoleModel moved = model;
    moved.p0[0] += by_p0;
    moved.p1[0] += by_p1;
    return user_posteriors(moved, held, {}, {}).log_likelihood;
  };
  const double with = is_symmetric ? -h : 0.0;  // p1 = 1 - p0
  const std::vector<double> up0 = at(h, with), down0 = at(-h, -with), up1 = at(0.0, h), down1 = at(0.0, -h);
  std::array<double, 3> sums{};
  for (std::size_t n = 0; n < held.rows(); ++n) {
    const double by_p0 = (up0[n] - down0[n]) / (2.0 * h), by_p1 = (up1[n] - down1[n]) / (2.0 * h);
    sums[0] += by_p0 * by_p0;
    sums[1] += by_p0 * by_p1;
    sums[2] += by_p1 * by_p1;
  }
  return sums;
}

struct Given {
  RoleModel model = hard_model(bits_of({"111000", "001110"}), 2, 0.1, 0.8);
  BitMatrix held;

  Given() {
    Rng rng(Seed{3});
    held = draw_users(model, 600, rng).held;  // two tasks
  }
};

TEST(NoiseIntervals, AreThoseOfTheDerivativesOfTheLikelihood) {
  const Given given;
  const std::array<double, 3> sums = information(given.model, given.held, false);
  const double determinant = sums[0] * sums[2] - sums[1] * sums[1];
  const double of_p0 = sums[2] / determinant, of_p1 = sums[0] / determinant, of_both = -sums[1] / determinant;
  const UserPosteriors users = user_posteriors(given.model, given.held, {}, {});
  const NoiseIntervals found = noise_intervals(given.model, given.held, users, 0.95, with_threads({1}));
  // e = p0 + 1 - p1 = 0.3; r = p0 / e = 1/3, by p0 (1 - r) / e and by p1 r / e.
  const double e = std::sqrt(of_p0 + of_p1 - 2.0 * of_both);
  EXPECT_NEAR(found.fraction.low, 0.3 - z_95 * e, 1e-6);
  EXPECT_NEAR(found.fraction.high, 0.3 + z_95 * e, 1e-6);
  const double by_p0 = (2.0 / 3.0) / 0.3, by_p1 = (1.0 / 3.0) / 0.3;
  const double r = std::sqrt(by_p0 * by_p0 * of_p0 + by_p1 * by_p1 * of_p1 + 2.0 * by_p0 * by_p1 * of_both);
  EXPECT_NEAR(found.set_probability.low, 1.0 / 3.0 - z_95 * r, 1e-6);
  EXPECT_NEAR(found.set_probability.high, 1.0 / 3.0 + z_95 * r, 1e-6);
  const NoiseIntervals again = noise_intervals(given.model, given.held, users, 0.95, with_threads(StartedThreads(2)));
  EXPECT_EQ(again.fraction, found.fraction);
}

// One number is learnt, p0 = 1 - p1: e = 2 p0, and r is 1/2 whatever it is.
TEST(NoiseIntervals, OfSymmetricNoiseHaveOneNumberToBeUnsureOf) {
  Given given;
  given.model.noise = RoleNoise::symmetric_flip;
  given.model.p0 = {0.2};
  const double sd = 2.0 / std::sqrt(information(given.model, given.held, true)[0]);
  const NoiseIntervals found =
      noise_intervals(given.model, given.held, user_posteriors(given.model, given.held, {}, {}), 0.95, {});
  EXPECT_NEAR(found.fraction.low, 0.4 - z_95 * sd, 1e-6);
  EXPECT_NEAR(found.fraction.high, 0.4 + z_95 * sd, 1e-6);
  EXPECT_NEAR(found.set_probability.low, 0.5, 1e-9);
  EXPECT_NEAR(found.set_probability.high, 0.5, 1e-9);
}

TEST(NoiseIntervals, EndAtZeroAndOne) {
  const RoleModel model = hard_model(bits_of({"10"}), 1, 0.01, 0.99);
  const BitMatrix held = bits_of({"10", "01"});
  const NoiseIntervals found = noise_intervals(model, held, user_posteriors(model, held, {}, {}), 0.9999, {});
  EXPECT_EQ(found.fraction.low, 0.0);
  EXPECT_EQ(found.set_probability, (Interval{0.0, 1.0}));
}

TEST(NoiseIntervals, ThereAreNoneWithoutOneNoiseOfAll) {
  Given given;
  const UserPosteriors users = user_posteriors(given.model, given.held, {}, {});
  const auto has_none = [&](RoleNoise noise, NoiseScope scope) {
    given.model.noise = noise;
    given.model.scope = scope;
    const NoiseIntervals found = noise_intervals(given.model, given.held, users, 0.95, {});
    return std::isnan(found.fraction.low) && std::isnan(found.fraction.high) && std::isnan(found.set_probability.low) &&
           std::isnan(found.set_probability.high);
  };
  EXPECT_TRUE(has_none(RoleNoise::none, NoiseScope::global));
  EXPECT_TRUE(has_none(RoleNoise::mixture, NoiseScope::permission));
  EXPECT_TRUE(has_none(RoleNoise::flip, NoiseScope::user));
  EXPECT_FALSE(has_none(RoleNoise::flip, NoiseScope::global));
  const BitMatrix nobody(0, 6);
  EXPECT_TRUE(std::isnan(noise_intervals(given.model, nobody, {}, 0.95, {}).fraction.low));
}

// Roles given: the intervals of e and r hold the truth in 95 of 100 fits, give or take 2 standard
// errors of sqrt(.95 .05 100) = 2.2.
TEST(NoiseIntervalsSlow, HoldTheTruthAsOftenAsTheySay) {
  const BitMatrix roles = chapter9_sources(Chapter9Sources::overlapping);
  constexpr double p0 = 0.06;
  constexpr double p1 = 0.86;  // e = .2, r = .3
  constexpr int fits = 100;
  int fraction = 0;
  int share = 0;
  for (int i = 0; i < fits; ++i) {
    RoleModel model = hard_model(roles, 2, p0, p1);
    Rng rng(Seed{static_cast<std::uint64_t>(1000 + i)});
    const BitMatrix held = draw_users(model, 100, rng).held;
    MacShape shape;
    shape.roles = 3;
    shape.sets = model.sets;
    shape.rounded = true;
    shape.frozen = {1, 1, 1};
    const MergedMatrix data = merge_equal(held);
    std::vector<double> beta;
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t d = 0; d < data.bits.columns(); ++d) {
        const auto original = std::find(data.column_of.begin(), data.column_of.end(), d) - data.column_of.begin();
        beta.push_back(roles(k, static_cast<std::size_t>(original)) ? 0.0 : 1.0);
      }
    }
    const EmResult result = run_em(mac_problem(data, shape, {1}), mac_start(shape, beta, data.bits.columns(), 0.2, 0.7),
                                   {.max_iterations = 200, .tolerance = 1e-7}, with_threads({1}));
    const MacParts parts = mac_parts(shape, data.bits.columns());
    model.p0 = {result.parameters[parts.p0()]};
    model.p1 = {result.parameters[parts.p1()]};
    model.set_share.assign(result.parameters.begin() + static_cast<std::ptrdiff_t>(parts.prior()),
                           result.parameters.end());
    const NoiseIntervals found =
        noise_intervals(model, held, user_posteriors(model, held, {}, with_threads({1})), 0.95, with_threads({1}));
    fraction += found.fraction.contains(0.2) ? 1 : 0;
    share += found.set_probability.contains(0.3) ? 1 : 0;
  }
  EXPECT_GE(fraction, 90);
  EXPECT_GE(share, 90);
  EXPECT_LE(fraction, 99);
  EXPECT_LE(share, 99);
}

}  // namespace
}  // namespace motet::roles::noise_interval_test
