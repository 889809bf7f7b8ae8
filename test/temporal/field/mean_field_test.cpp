#include "motet/temporal/field/mean_field.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/error.h"
#include "motet/temporal/field/exact_inference.h"
#include "temporal/field_cases.h"

namespace motet::temporal::mean_field_test {
namespace {

using Numbers = std::vector<double>;

constexpr double rounding = 1e-9;  // of bounds of some hundred nats

Numbers random_shares(const FieldCase& drawn, Rng& rng) {
  Numbers shares(drawn.components * drawn.rows());
  for (std::size_t n = 0; n < drawn.rows(); ++n) {
    double total = 0.0;
    for (std::size_t k = 0; k < drawn.components; ++k) total += shares[k * drawn.rows() + n] = 0.01 + rng.uniform();
    for (std::size_t k = 0; k < drawn.components; ++k) shares[k * drawn.rows() + n] /= total;
  }
  return shares;
}

TEST(MeanField, BoundNeverFalls) {
  for (auto& [i, drawn, own] : random_cases(300, Seed{81})) {
    Numbers shares = random_shares(drawn, own);
    double before = mean_field(drawn.problem(), drawn.field, 0, 0.0, shares);
    for (std::size_t sweep = 0; sweep < 12; ++sweep) {
      const double now = mean_field(drawn.problem(), drawn.field, 1, 0.0, shares);
      ASSERT_GE(now, before - rounding * (1.0 + std::abs(before))) << i << " sweep " << sweep;
      before = now;
    }
  }
}

TEST(MeanField, BoundIsBelowTheExactSum) {
  const Rng rng(Seed{82});
  for (std::size_t i = 0; i < 100; ++i) {
    Rng own = rng.child(i);
    const FieldCase drawn = random_case({.most_components = 3, .most_radius = 5}, own);
    Numbers shares = random_shares(drawn, own);
    const double bound = mean_field(drawn.problem(), drawn.field, 100, 1e-10, shares);
    Numbers exact(shares.size());
    const double log_sum = exact_marginals(drawn.problem(), drawn.field, {1}, exact);
    EXPECT_LE(bound, log_sum + rounding * (1.0 + std::abs(log_sum))) << i;
  }
}

TEST(MeanField, WithoutAFieldIsExact) {
  Rng rng(Seed{83});
  FieldCase drawn = random_case({}, rng);
  drawn.field = {};
  Numbers shares = random_shares(drawn, rng);
  Numbers exact(shares.size());
  const double log_sum = exact_marginals(drawn.problem(), drawn.field, {1}, exact);
  EXPECT_NEAR(mean_field(drawn.problem(), drawn.field, 2, 0.0, shares), log_sum, rounding * (1 + std::abs(log_sum)));
  for (std::size_t j = 0; j < shares.size(); ++j) EXPECT_NEAR(shares[j], exact[j], 1e-12);
}

// q ~ p(x | z) exp(sum_i w_i q_i) in every row: what a sweep without change means.
TEST(MeanField, EndsWhereEveryRowAgreesWithItsNeighbours) {
  const Rng rng(Seed{84});
  for (std::size_t i = 0; i < 100; ++i) {
    Rng own = rng.child(i);
    FieldCase drawn = random_case({.most_sequences = 1}, own);
    drawn.labels.clear();
    drawn.of_class.clear();
    drawn.field.border = Border::weights;
    Numbers q = random_shares(drawn, own);
    mean_field(drawn.problem(), drawn.field, 10'000, 1e-13, q);
    const Numbers weights = weights_of(drawn.field);
    const std::size_t rows = drawn.rows();
    for (std::size_t n = 0; n < rows; ++n) {
      Numbers terms(drawn.components);
      double largest = -INFINITY;
      for (std::size_t k = 0; k < drawn.components; ++k) {
        terms[k] = drawn.densities[k * rows + n];
        for (std::size_t d = 1; d <= weights.size(); ++d) {
          if (d <= n) terms[k] += weights[d - 1] * q[k * rows + n - d];
          if (n + d < rows) terms[k] += weights[d - 1] * q[k * rows + n + d];
        }
        largest = std::max(largest, terms[k]);
      }
      double total = 0.0;
      for (double& term : terms) total += term = std::exp(term - largest);
      for (std::size_t k = 0; k < drawn.components; ++k) ASSERT_NEAR(q[k * rows + n], terms[k] / total, 1e-9) << i;
    }
  }
}

TEST(MeanField, LabelledRowsKeepToTheirClassAndRowsSumToOne) {
  for (auto& [i, drawn, own] : random_cases(100, Seed{85})) {
    Numbers shares(drawn.components * drawn.rows());  // no start at all
    mean_field(drawn.problem(), drawn.field, 3, 1e-6, shares);
    for (std::size_t n = 0; n < drawn.rows(); ++n) {
      double total = 0.0;
      for (std::size_t k = 0; k < drawn.components; ++k) {
        const double share = shares[k * drawn.rows() + n];
        total += share;
        const bool allowed = drawn.labels.empty() || drawn.labels[n] < 0 || drawn.of_class[k] == drawn.labels[n];
        ASSERT_TRUE(allowed || share == 0.0) << i;
      }
      ASSERT_NEAR(total, 1.0, 1e-12) << i;
    }
  }
}

TEST(MeanField, DoesNotOverflowWithTheLiteralEnergyOfAWideField) {
  const std::vector<std::size_t> starts{0, 300};
  Numbers densities(600, -1.0);
  for (std::size_t n = 0; n < 300; ++n) densities[(n < 150 ? 0 : 300) + n] = 0.0;
  Numbers shares = densities;
  for (double& share : shares) share += 1.5;
  const double bound = mean_field({starts, densities, 2, {}, {}}, {.radius = 50}, 50, 1e-9, shares);
  EXPECT_TRUE(std::isfinite(bound));
  for (const double share : shares) EXPECT_TRUE(share >= 0.0 && share <= 1.0);
}

}  // namespace
}  // namespace motet::temporal::mean_field_test
