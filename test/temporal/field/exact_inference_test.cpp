#include "motet/temporal/field/exact_inference.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/numeric.h"
#include "motet/temporal/field/conditional.h"
#include "motet/temporal/field/icm.h"
#include "support/errors.h"
#include "support/threads.h"
#include "temporal/field_cases.h"

namespace motet::temporal::exact_inference_test {
namespace {

using Numbers = std::vector<double>;
using States = std::vector<std::uint8_t>;

constexpr double agreement = 1e-10;  // with the sum over all labellings

// All labellings of all sequences, one after another.
struct BruteForce {
  double log_sum = -INFINITY;
  double largest = -INFINITY;
  Numbers marginals;  // components x rows
};

double joint(const FieldCase& drawn, const States& states) {
  double sum = -energy(drawn.starts, drawn.field, states);
  for (std::size_t n = 0; n < states.size(); ++n) {
    const bool allowed = drawn.labels.empty() || drawn.labels[n] < 0 || drawn.of_class[states[n]] == drawn.labels[n];
    sum += allowed ? drawn.densities[states[n] * drawn.rows() + n] : -INFINITY;
  }
  return sum;
}

BruteForce brute_force(const FieldCase& drawn) {
  std::vector<States> labellings;
  Numbers values;
  States states(drawn.rows());
  while (true) {
    labellings.push_back(states);
    values.push_back(joint(drawn, states));
    std::size_t n = 0;
    while (n < states.size() && ++states[n] == drawn.components) states[n++] = 0;
    if (n == states.size()) break;
  }
  BruteForce result;
  result.log_sum = log_sum_exp(values);
  result.largest = *std::max_element(values.begin(), values.end());
  result.marginals.assign(drawn.components * drawn.rows(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t n = 0; n < drawn.rows(); ++n) {
      result.marginals[labellings[i][n] * drawn.rows() + n] += std::exp(values[i] - result.log_sum);
    }
  }
  return result;
}

FieldCase small_case(Rng& rng) {
  const std::size_t components = 1 + rng.below(3);
  const std::size_t rows = components == 3 ? 7 : 10;
  return random_case({.most_components = components, .most_radius = 6, .most_rows = rows, .most_sequences = 2}, rng);
}

void expect_near(const Numbers& found, const Numbers& expected, double tolerance, std::size_t i) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t j = 0; j < found.size(); ++j) ASSERT_NEAR(found[j], expected[j], tolerance) << i;
}

TEST(ExactInference, EqualsTheSumOverAllLabellings) {
  const Rng rng(Seed{71});
  for (std::size_t i = 0; i < 400; ++i) {
    Rng own = rng.child(i);
    const FieldCase drawn = small_case(own);
    const BruteForce expected = brute_force(drawn);
    Numbers found(expected.marginals.size());
    const double log_sum = exact_marginals(drawn.problem(), drawn.field, {1}, found);
    ASSERT_NEAR(log_sum, expected.log_sum, agreement * (1.0 + std::abs(log_sum))) << i;
    expect_near(found, expected.marginals, agreement, i);
    States mode(drawn.rows());
    const double value = exact_mode(drawn.problem(), drawn.field, mode);
    ASSERT_NEAR(value, expected.largest, agreement * (1.0 + std::abs(value))) << i;
    ASSERT_NEAR(joint(drawn, mode), expected.largest, agreement * (1.0 + std::abs(value))) << i;
  }
}

TEST(ExactInference, WeightsOfThousandsOfNatsDoNotOverflow) {
  const std::vector<std::size_t> starts{0, 60};
  Numbers densities(120);
  for (std::size_t n = 0; n < 60; ++n) densities[n] = n < 30 ? 0.0 : -5000.0;
  for (std::size_t n = 0; n < 60; ++n) densities[60 + n] = n < 30 ? -5000.0 : 0.0;
  const TimeField field = with_total_weight({.radius = 4}, 2550.0);
  const FieldProblem problem{starts, densities, 2, {}, {}};
  Numbers found(120);
  const double log_sum = exact_marginals(problem, field, {}, found);
  States mode(60);
  EXPECT_NEAR(exact_mode(problem, field, mode), log_sum, 1e-6);
  for (std::size_t n = 0; n < 60; ++n) {
    EXPECT_EQ(mode[n], n < 30 ? 0 : 1);
    EXPECT_NEAR(found[n], n < 30 ? 1.0 : 0.0, 1e-12);
  }
}

TEST(ExactInference, IsAtLeastAsProbableAsConditionalModes) {
  const Rng rng(Seed{73});
  for (std::size_t i = 0; i < 100; ++i) {
    Rng own = rng.child(i);
    FieldCase drawn = random_case({.most_components = 3, .most_radius = 5}, own);
    States mode(drawn.rows());
    const double value = exact_mode(drawn.problem(), drawn.field, mode);
    EXPECT_NEAR(joint(drawn, mode), value, 1e-9 * (1.0 + std::abs(value)));
    icm(drawn.problem(), drawn.field, drawn.states);
    EXPECT_GE(value, joint(drawn, drawn.states) - 1e-9 * (1.0 + std::abs(value)));
  }
}

TEST(ExactInference, ReversingTimeReversesTheMarginals) {
  const Rng rng(Seed{74});
  for (std::size_t i = 0; i < 50; ++i) {
    Rng own = rng.child(i);
    FieldCase drawn = random_case({.most_components = 3, .most_radius = 4, .most_sequences = 1}, own);
    const std::size_t rows = drawn.rows();
    Numbers forward(drawn.components * rows);
    const double log_sum = exact_marginals(drawn.problem(), drawn.field, {1}, forward);
    for (std::size_t k = 0; k < drawn.components; ++k) {
      const auto begin = drawn.densities.begin() + static_cast<std::ptrdiff_t>(k * rows);
      std::reverse(begin, begin + static_cast<std::ptrdiff_t>(rows));
    }
    std::reverse(drawn.labels.begin(), drawn.labels.end());
    Numbers backward(forward.size());
    EXPECT_NEAR(exact_marginals(drawn.problem(), drawn.field, {1}, backward), log_sum, 1e-9 * (1 + std::abs(log_sum)));
    for (std::size_t k = 0; k < drawn.components; ++k) {
      for (std::size_t n = 0; n < rows; ++n) {
        ASSERT_NEAR(forward[k * rows + n], backward[k * rows + rows - 1 - n], 1e-9) << i;
      }
    }
  }
}

TEST(ExactInference, HasTheSameBitsOnAnyNumberOfThreads) {
  Rng rng(Seed{75});
  FieldCase drawn = random_case({.most_components = 3, .most_radius = 3, .most_rows = 400, .most_sequences = 20}, rng);
  Numbers one(drawn.components * drawn.rows());
  const double log_sum = exact_marginals(drawn.problem(), drawn.field, {1}, one);
  for (const unsigned threads : {2U, 4U}) {
    Numbers more(one.size());
    EXPECT_EQ(exact_marginals(drawn.problem(), drawn.field, StartedThreads(threads), more), log_sum);
    EXPECT_EQ(more, one);
  }
}

TEST(ExactInference, RefusesTooManyTuplesAndImages) {
  const std::vector<std::size_t> starts{0, 40};
  const Numbers densities(3 * 40);
  Numbers found(3 * 40);
  const auto message = [&](const TimeField& field) -> std::string {
    return error_if_any([&] { exact_marginals({starts, densities, 3, {}, {}}, field, {}, found); }, ErrorKind::usage);
  };
  EXPECT_EQ(
      message({.radius = 8}),
      "field: 3 components with radius 8 are too many for exact inference; components^radius may be 4096 at most, "
      "so take icm or mean-field");
  EXPECT_EQ(message({.radius = 1'000'000}).substr(0, 39), "field: 3 components with radius 1000000");
  EXPECT_EQ(message({.radius = 7}), "");
  EXPECT_EQ(message({.radius = 1, .image_width = 8}), "field: an image has no exact inference; take icm or mean-field");
}

TEST(ExactInference, ARowNoComponentCanExplainFollowsItsNeighbours) {
  const std::vector<std::size_t> starts{0, 3};
  const Numbers densities{-9, -INFINITY, -9, 0, -INFINITY, 0};
  Numbers found(6);
  EXPECT_EQ(exact_marginals({starts, densities, 2, {}, {}}, {.radius = 1}, {}, found), -INFINITY);
  EXPECT_GT(found[3 + 1], 0.85);
  EXPECT_LT(found[3 + 1], 0.9);
}

}  // namespace
}  // namespace motet::temporal::exact_inference_test
