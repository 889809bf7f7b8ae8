#include "motet/roles/baselines/ino_chain.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "roles/planted_cases.h"

namespace motet::roles::ino_chain_test {
namespace {

// The terms one by one, straight from the formulas.
TEST(InoChain, LogPosteriorIsThatOfTheModel) {
  const BitMatrix held = bits_of({"110", "011"});
  InoChain chain(held, 5, Rng(Seed{1}));
  InoState state;
  state.features = {{{1, 0}, {1, 1, 0}, 1}, {{1, 1}, {0, 1, 1}, 2}};
  state.lambda = 0.7;
  state.eps = 0.2;
  state.alpha = 1.5;
  state.p = 0.4;
  chain.restore(state);
  const auto one = [](double roles) { return std::log(1.0 - 0.8 * std::pow(0.3, roles)); };
  const auto zero = [](double roles) { return std::log(0.8 * std::pow(0.3, roles)); };
  const double likelihood = one(1) + one(2) + zero(1) + zero(0) + one(1) + one(1);
  const double buffet = 2.0 * std::log(1.5) - 1.5 * 1.5 + std::log(1.0 / 2.0) + std::log(1.0 / 2.0);
  const double roles = 4.0 * std::log(0.4) + 2.0 * std::log(0.6);
  EXPECT_NEAR(chain.log_posterior(), likelihood + buffet + roles - 1.5, 1e-12);  // -1.5: the prior of alpha
}

TEST(InoChain, ClimbingNeverGoesDown) {
  const PlantedAccess data =
      chapter9_data(chapter9_sources(Chapter9Sources::overlapping), {.noise_fraction = 0.4}, Rng(Seed{3}));
  InoChain chain(data.access.held, 20, Rng(Seed{4}));
  for (int i = 0; i < 5; ++i) chain.sweep();
  double before = chain.log_posterior();
  while (chain.climb()) {
    const double now = chain.log_posterior();
    EXPECT_GE(now, before - 1e-9);
    before = now;
  }
}

// Counts are kept up while sampling; counted anew from the state they must be the same.
TEST(InoChain, KeepsItsCountsWhileItSamplesAndClimbs) {
  const BitMatrix held = random_bits(30, 12, 0.4, Rng(Seed{6}));
  InoChain chain(held, 20, Rng(Seed{7}));
  for (int i = 0; i < 8; ++i) {
    chain.sweep();
    if (i == 7) chain.climb();
    InoChain again(held, 20, Rng(Seed{8}));
    again.restore(chain.state());
    EXPECT_NEAR(again.log_posterior(), chain.log_posterior(), 1e-9);
    for (const InoFeature& feature : chain.state().features) {
      EXPECT_EQ(feature.user_count,
                static_cast<std::size_t>(std::count(feature.users.begin(), feature.users.end(), 1)));
      EXPECT_GT(feature.user_count, 0U);
    }
  }
}

// Data drawn from the state, then a state sampled from the data, and so on: whatever the data are, the states must
// come from the prior (Geweke 2004). alpha has mean 1, the probabilities are uniform, and the number of features
// that three users have has mean alpha (1 + 1/2 + 1/3).
TEST(InoChain, SamplesFromThePosterior) {
  constexpr std::size_t users = 3, permissions = 3, batches = 100, steps = 150;
  constexpr std::array<double, 5> wanted{0.5, 0.5, 0.5, 1.0, 11.0 / 6.0};
  std::array<double, 5> sum{}, squares{};
  Rng rng(Seed{11});
  InoState state;
  for (std::size_t batch = 0; batch <= batches; ++batch) {
    std::array<double, 5> mean{};
    for (std::size_t step = 0; step < steps; ++step) {
      BitMatrix held(users, permissions);
      for (std::size_t n = 0; n < users; ++n) {
        for (std::size_t d = 0; d < permissions; ++d) {
          double zero = 1.0 - state.eps;
          for (const InoFeature& feature : state.features) {
            if (feature.users[n] != 0 && feature.permissions[d] != 0) zero *= 1.0 - state.lambda;
          }
          held.set(n, d, rng.uniform() >= zero);
        }
      }
      InoChain chain(held, 40, rng.child(batch * steps + step));
      chain.restore(state);
      chain.sweep();
      state = chain.state();
      const std::array<double, 5> now{state.lambda, state.eps, state.p, state.alpha,
                                      static_cast<double>(state.features.size())};
      for (std::size_t i = 0; i < now.size(); ++i) mean[i] += now[i] / steps;
    }
    if (batch == 0) continue;  // from where it began
    for (std::size_t i = 0; i < mean.size(); ++i) {
      sum[i] += mean[i] / batches;
      squares[i] += mean[i] * mean[i] / batches;
    }
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double error = std::sqrt((squares[i] - sum[i] * sum[i]) / (batches - 1));
    EXPECT_LT(error, 0.1) << i;  // else the test would say nothing
    EXPECT_NEAR(sum[i], wanted[i], 4.0 * error) << i;
  }
}

}  // namespace
}  // namespace motet::roles::ino_chain_test
