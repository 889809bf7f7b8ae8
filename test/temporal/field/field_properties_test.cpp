// What must not matter: the numbers of the components, the order of the sequences.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "motet/temporal/field/conditional.h"
#include "motet/temporal/field/coupling.h"
#include "motet/temporal/field/exact_inference.h"
#include "motet/temporal/field/icm.h"
#include "motet/temporal/field/mean_field.h"
#include "support/orders.h"
#include "temporal/field_cases.h"

namespace motet::temporal::field_properties_test {
namespace {

using Numbers = std::vector<double>;

// Densities without ties, so that the order of the components decides nothing.
FieldCase untied_case(Rng& rng) {
  FieldCase drawn = random_case({.most_components = 3, .most_radius = 5}, rng);
  for (double& density : drawn.densities) density = 4.0 * rng.normal();
  return drawn;
}

// Component k becomes component to[k].
Numbers renamed(const Numbers& table, const std::vector<std::size_t>& to, std::size_t rows) {
  Numbers result(table.size());
  for (std::size_t k = 0; k < to.size(); ++k) {
    for (std::size_t n = 0; n < rows; ++n) result[to[k] * rows + n] = table[k * rows + n];
  }
  return result;
}

FieldCase renamed(const FieldCase& drawn, const std::vector<std::size_t>& to) {
  FieldCase result = drawn;
  result.densities = renamed(drawn.densities, to, drawn.rows());
  for (std::size_t k = 0; k < drawn.of_class.size(); ++k) result.of_class[to[k]] = drawn.of_class[k];
  for (auto& state : result.states) state = static_cast<std::uint8_t>(to[state]);
  return result;
}

void expect_near(const Numbers& a, const Numbers& b) {
  RC_ASSERT(a.size() == b.size());
  for (std::size_t j = 0; j < a.size(); ++j) RC_ASSERT(std::abs(a[j] - b[j]) < 1e-9);
}

RC_GTEST_PROP(FieldProperties, RenamingComponentsRenamesTheResults, (std::uint64_t seed)) {
  Rng rng(Seed{seed});
  FieldCase drawn = untied_case(rng);
  const std::vector<std::size_t> to = random_order(drawn.components, rng);
  FieldCase other = renamed(drawn, to);
  const std::size_t rows = drawn.rows();
  const double strength = pseudo_likelihood_strength(drawn.starts, drawn.components, drawn.field, drawn.states, 30.0);
  const double other_strength =
      pseudo_likelihood_strength(other.starts, other.components, other.field, other.states, 30.0);
  RC_ASSERT(std::abs(strength - other_strength) <= 1e-6 * strength);

  Numbers exact(drawn.densities.size());
  Numbers other_exact(exact);
  exact_marginals(drawn.problem(), drawn.field, {1}, exact);
  exact_marginals(other.problem(), other.field, {1}, other_exact);
  expect_near(renamed(exact, to, rows), other_exact);

  Numbers shares(exact.size());
  Numbers other_shares(exact.size());
  mean_field(drawn.problem(), drawn.field, 5, 0.0, shares);
  mean_field(other.problem(), other.field, 5, 0.0, other_shares);
  expect_near(renamed(shares, to, rows), other_shares);

  icm(drawn.problem(), drawn.field, drawn.states);
  icm(other.problem(), other.field, other.states);
  RC_ASSERT(renamed(drawn, to).states == other.states);
  conditional_responsibilities(drawn.problem(), drawn.field, drawn.states, {1}, shares);
  conditional_responsibilities(other.problem(), other.field, other.states, {1}, other_shares);
  expect_near(renamed(shares, to, rows), other_shares);
}

RC_GTEST_PROP(FieldProperties, SequencesDoNotKnowOfEachOther, (std::uint64_t seed)) {
  Rng rng(Seed{seed});
  FieldCase drawn = untied_case(rng);
  const std::size_t rows = drawn.rows();
  Numbers together(drawn.densities.size());
  const double sum = exact_marginals(drawn.problem(), drawn.field, {1}, together);
  std::vector<std::uint8_t> states = drawn.states;
  icm(drawn.problem(), drawn.field, states);
  double sum_apart = 0.0;
  for (std::size_t i = 0; i + 1 < drawn.starts.size(); ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(drawn.starts[i]);
    const auto end = static_cast<std::ptrdiff_t>(drawn.starts[i + 1]);
    FieldCase alone = drawn;
    alone.starts = {0, drawn.starts[i + 1] - drawn.starts[i]};
    alone.states.assign(drawn.states.begin() + begin, drawn.states.begin() + end);
    if (!drawn.labels.empty()) alone.labels.assign(drawn.labels.begin() + begin, drawn.labels.begin() + end);
    if (alone.rows() == 0) continue;
    alone.densities.clear();
    Numbers expected;
    for (std::size_t k = 0; k < drawn.components; ++k) {
      const auto column = static_cast<std::ptrdiff_t>(k * rows);
      alone.densities.insert(alone.densities.end(), drawn.densities.begin() + column + begin,
                             drawn.densities.begin() + column + end);
      expected.insert(expected.end(), together.begin() + column + begin, together.begin() + column + end);
    }
    Numbers found(alone.densities.size());
    sum_apart += exact_marginals(alone.problem(), alone.field, {1}, found);
    RC_ASSERT(found == expected);
    icm(alone.problem(), alone.field, alone.states);
    RC_ASSERT(std::equal(alone.states.begin(), alone.states.end(), states.begin() + begin));
  }
  RC_ASSERT(std::abs(sum - sum_apart) <= 1e-9 * (1.0 + std::abs(sum)));
}

}  // namespace
}  // namespace motet::temporal::field_properties_test
