#include "motet/multilabel/baselines/support_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "multilabel/baseline_cases.h"
#include "support/cancelled.h"
#include "support/expect_error.h"

namespace motet::multilabel::support_vectors_test {
namespace {

constexpr double cost = 3.0;

// The decision values of two classes, above 0 for the first: the dual solved two multipliers at a time until no pair
// moves.
std::vector<double> plain_decisions(const BaselineCase& made) {
  const std::size_t D = made.data.dimensions;
  const std::size_t rows = made.of.size();
  double mean = 0.0;
  double variance = 0.0;
  const auto cells = static_cast<double>(made.data.train.size());
  for (const double x : made.data.train) mean += x / cells;
  for (const double x : made.data.train) variance += (x - mean) * (x - mean) / cells;
  const double gamma = 1.0 / (static_cast<double>(D) * variance);
  const auto kernel = [&](const double* a, const double* b) {
    double sum = 0.0;
    for (std::size_t d = 0; d < D; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
    return std::exp(-gamma * sum);
  };
  const auto row = [&](std::size_t n) { return &made.data.train[n * D]; };
  const auto sign = [&](std::size_t n) { return made.of[n] == 0 ? 1.0 : -1.0; };
  std::vector<double> alpha(rows, 0.0);
  std::vector<double> value(rows, 0.0);  // sum_m alpha_m y_m K(n, m)
  for (int sweep = 0; sweep < 500; ++sweep) {
    double moved = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double curvature = 2.0 - 2.0 * kernel(row(i), row(j));
        if (!(curvature > 1e-12)) continue;
        // y_i alpha_i grows by t, y_j alpha_j falls by t.
        double t = (sign(i) - value[i] - sign(j) + value[j]) / curvature;
        const auto limits = [&](std::size_t n, double way) {
          const double towards = way * sign(n) * t;
          const double left = towards > 0.0 ? cost - alpha[n] : alpha[n];
          if (std::abs(t) > left) t = std::copysign(left, t);
        };
        limits(i, 1.0);
        limits(j, -1.0);
        alpha[i] += sign(i) * t;
        alpha[j] -= sign(j) * t;
        for (std::size_t n = 0; n < rows; ++n) value[n] += t * (kernel(row(n), row(i)) - kernel(row(n), row(j)));
        moved = std::max(moved, std::abs(t));
      }
    }
    if (moved < 1e-9) break;
  }
  double offset = 0.0;  // from those that lie on the margin
  double free = 0.0;
  for (std::size_t n = 0; n < rows; ++n) {
    if (alpha[n] < 1e-6 || alpha[n] > cost - 1e-6) continue;
    offset += sign(n) - value[n];
    free += 1.0;
  }
  offset /= free;
  std::vector<double> decisions;
  for (std::size_t n = 0; n < made.data.test_rows(); ++n) {
    double sum = offset;
    for (std::size_t m = 0; m < rows; ++m) sum += alpha[m] * sign(m) * kernel(row(m), &made.data.test[n * D]);
    decisions.push_back(sum);
  }
  return decisions;
}

TEST(SupportVectors, DecideAsTheDualDoes) {
  const BaselineCase made = classes_on_a_circle(2, 10, 2, 0.9, Rng(Seed{9}));
  const std::vector<double> decisions = plain_decisions(made);
  const std::vector<std::uint32_t> found = support_vectors(made.data, made.of, 2, {});
  std::size_t first = 0;
  for (std::size_t n = 0; n < found.size(); ++n) {
    if (std::abs(decisions[n]) < 0.01) continue;  // libsvm ends at a thousandth of the conditions
    EXPECT_EQ(found[n], decisions[n] > 0.0 ? 0U : 1U) << n;
    first += found[n] == 0 ? 1 : 0;
  }
  EXPECT_GT(first, 50U);
  EXPECT_LT(first, 400U);
}

// No line parts these.
TEST(SupportVectors, PartWhatNoLineParts) {
  BaselineCase made;
  made.data.dimensions = 2;
  Rng rng(Seed{10});
  for (std::size_t n = 0; n < 80; ++n) {
    const double x = n % 2 == 0 ? 1.0 : -1.0;
    const double y = n / 2 % 2 == 0 ? 1.0 : -1.0;
    made.data.train.insert(made.data.train.end(), {x + 0.2 * rng.normal(), y + 0.2 * rng.normal()});
    made.of.push_back(x * y > 0.0 ? 1 : 0);
  }
  made.data.test = {1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, -1.0};
  EXPECT_EQ(support_vectors(made.data, made.of, 2, {}), (std::vector<std::uint32_t>{1, 0, 0, 1}));
}

TEST(SupportVectors, PartMoreThanTwoClasses) {
  BaselineCase made = classes_on_a_circle(4, 8, 2, 6.0, Rng(Seed{11}));
  made.data.test = {6.0, 0.0, 0.0, 6.0, -6.0, 0.0, 0.0, -6.0};
  EXPECT_EQ(support_vectors(made.data, made.of, 4, {}), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(SupportVectors, FeaturesThatAreAllTheSameAreTaken) {
  BaselineCase made;
  made.data.dimensions = 1;
  made.data.train = {0.0, 0.0, 0.0};
  made.data.test = {0.0};
  made.of = {0, 1, 1};
  EXPECT_EQ(support_vectors(made.data, made.of, 2, {}).size(), 1U);
}

TEST(SupportVectors, StopWhenAsked) {
  const BaselineCase made = classes_on_a_circle(2, 5, 2, 1.0, Rng(Seed{12}));
  expect_error(ErrorKind::interrupted, "interrupted while fitting support vectors",
               [&] { support_vectors(made.data, made.of, 2, cancelled_run()); });
}

}  // namespace
}  // namespace motet::multilabel::support_vectors_test
