#include "motet/temporal/chain/hidden_chain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "temporal/all_labellings.h"
#include "temporal/field_cases.h"

namespace motet::temporal::hidden_chain_test {
namespace {

using Numbers = std::vector<double>;

constexpr double agreement = 1e-10;  // with the sum over all paths

HiddenChain random_chain(std::size_t components, Rng& rng) {
  Numbers counts(chain_count(components));
  for (double& count : counts) count = 3.0 * rng.uniform();
  return chain_from_counts(counts, components);
}

FieldCase small_case(Rng& rng) {
  FieldCase drawn = random_case({.most_components = 3, .most_rows = 8, .most_sequences = 1}, rng);
  return drawn;
}

AllLabellings all_paths(const FieldCase& drawn, const HiddenChain& chain) {
  const std::size_t components = drawn.components;
  return AllLabellings(drawn.rows(), components, [&](const std::vector<std::uint8_t>& z) {
    double sum = std::log(chain.start[z[0]]);
    for (std::size_t n = 0; n < z.size(); ++n) {
      if (n > 0) sum += std::log(chain.transition[z[n - 1] * components + z[n]]);
      const bool allowed = drawn.labels.empty() || drawn.labels[n] < 0 || drawn.of_class[z[n]] == drawn.labels[n];
      sum += allowed ? drawn.densities[z[n] * drawn.rows() + n] : -INFINITY;
    }
    return sum;
  });
}

TEST(HiddenChain, PosteriorsAreSumsOverAllPaths) {
  const Rng rng(Seed{31});
  for (std::size_t i = 0; i < 60; ++i) {
    Rng own = rng.child(i);
    const FieldCase drawn = small_case(own);
    const std::size_t components = drawn.components;
    const std::size_t rows = drawn.rows();
    const HiddenChain chain = random_chain(components, own);
    const AllLabellings paths = all_paths(drawn, chain);
    const FieldProblem problem = drawn.problem();
    const AllowedComponents allowed(problem);
    Numbers found(components * rows);
    Numbers counts(chain_count(components), 0.0);
    const double log_likelihood = chain_posterior(problem, allowed, chain, 0, rows, found, counts);
    ASSERT_NEAR(log_likelihood, paths.log_sum(), agreement * (1.0 + std::abs(log_likelihood))) << i;
    for (std::size_t k = 0; k < components; ++k) {
      for (std::size_t n = 0; n < rows; ++n) {
        const double expected = paths.mean([&](const auto& z) { return z[n] == k ? 1.0 : 0.0; });
        ASSERT_NEAR(found[k * rows + n], expected, agreement) << i;
      }
      ASSERT_NEAR(counts[k], found[k * rows], agreement) << i;
      for (std::size_t j = 0; j < components; ++j) {
        const double expected = paths.mean([&](const auto& z) {
          double count = 0.0;
          for (std::size_t n = 1; n < rows; ++n) count += z[n - 1] == j && z[n] == k ? 1.0 : 0.0;
          return count;
        });
        ASSERT_NEAR(counts[components + j * components + k], expected, agreement * 10.0) << i;
      }
    }
    std::vector<std::uint8_t> path(rows);
    const double best = chain_path(problem, allowed, chain, 0, rows, path);
    ASSERT_NEAR(best, *std::max_element(paths.values.begin(), paths.values.end()), agreement * (1.0 + std::abs(best)));
    const auto at = std::find(paths.states.begin(), paths.states.end(), path) - paths.states.begin();
    ASSERT_NEAR(paths.values[static_cast<std::size_t>(at)], best, agreement * (1.0 + std::abs(best))) << i;
  }
}

TEST(HiddenChain, DensitiesFarBelowAnyExponentDoNoHarm) {
  // The second row speaks for component 2 with 50,000 nats, the others for component 1 with as many.
  const std::vector<std::size_t> starts{0, 4};
  const Numbers densities{-60000, -110000, -60000, -60000, -110000, -60000, -110000, -110000};
  const HiddenChain chain{{0.5, 0.5}, {0.9, 0.1, 0.1, 0.9}};
  const FieldProblem problem{starts, densities, 2, {}, {}};
  const AllowedComponents allowed(problem);
  Numbers found(8);
  const double expected = std::log(0.5 * 0.1 * 0.1 * 0.9) - 240000.0;
  EXPECT_NEAR(chain_posterior(problem, allowed, chain, 0, 4, found, {}), expected, 1e-6);
  for (std::size_t n = 0; n < 4; ++n) EXPECT_EQ(found[n], n == 1 ? 0.0 : 1.0);
}

TEST(HiddenChain, ARowNoComponentCanExplainFollowsItsNeighbours) {
  const std::vector<std::size_t> starts{0, 3};
  const Numbers densities{-9, -INFINITY, -9, 0, -INFINITY, 0};
  const HiddenChain chain{{0.5, 0.5}, {0.9, 0.1, 0.1, 0.9}};
  const FieldProblem problem{starts, densities, 2, {}, {}};
  const AllowedComponents allowed(problem);
  Numbers found(6);
  EXPECT_EQ(chain_posterior(problem, allowed, chain, 0, 3, found, {}), -INFINITY);
  EXPECT_NEAR(found[3 + 1], 0.81 / 0.82, 1e-4);
}

TEST(HiddenChain, CountsBecomeSharesWithAPriorWorthOneOfEach) {
  const Numbers counts{3, 0, 8, 1, 0, 0};
  const HiddenChain chain = chain_from_counts(counts, 2);
  EXPECT_EQ(chain.start, (Numbers{3.5 / 4.0, 0.5 / 4.0}));
  EXPECT_EQ(chain.transition, (Numbers{8.5 / 10.0, 1.5 / 10.0, 0.5, 0.5}));
  // They are where counts and prior together are largest.
  const auto value = [&](const HiddenChain& at) {
    double sum = log_chain_prior(at);
    for (std::size_t k = 0; k < 2; ++k) sum += counts[k] * std::log(at.start[k]);
    for (std::size_t i = 0; i < 4; ++i) sum += counts[2 + i] * std::log(at.transition[i]);
    return sum;
  };
  for (const double step : {-1e-3, 1e-3}) {
    HiddenChain other = chain;
    other.transition[0] += step;
    other.transition[1] -= step;
    EXPECT_LT(value(other), value(chain));
    other = chain;
    other.start[0] += step;
    other.start[1] -= step;
    EXPECT_LT(value(other), value(chain));
  }
}

}  // namespace
}  // namespace motet::temporal::hidden_chain_test
