#include "motet/temporal/field/field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/temporal/field/conditional.h"
#include "support/errors.h"

namespace motet::temporal::field_test {
namespace {

using States = std::vector<std::uint8_t>;
using Weights = std::vector<double>;

std::string message_of(const TimeField& field) {
  return error_if_any([&] { check(field); }, ErrorKind::usage);
}

double energy_of(const States& states, const TimeField& field) {
  const std::vector<std::size_t> starts{0, states.size()};
  return energy(starts, field, states);
}

// p(z_n = first | neighbours).
double probability_of_first(const States& states, const TimeField& field, std::size_t n) {
  const std::vector<std::size_t> starts{0, states.size()};
  const Weights densities(2 * states.size());
  Weights responsibilities(densities.size());
  conditional_responsibilities({starts, densities, 2, {}, {}}, field, states, {}, responsibilities);
  return responsibilities[n];
}

const States chain{0, 1, 1, 1, 0, 0, 1};  // (5.10)
const TimeField literal{.radius = 2};
const TimeField whole{.radius = 2, .border = Border::clique};

TEST(Field, HasTheWeightsOfTheDocument) {
  EXPECT_EQ(weights_of({.radius = 4}), (Weights{4, 3, 2, 1}));
  EXPECT_EQ(weights_of({.radius = 4, .shape = WeightShape::quadratic}), (Weights{16, 9, 4, 1}));
  const Weights gaussian = weights_of({.radius = 4, .shape = WeightShape::gaussian});
  for (std::size_t d = 1; d <= 4; ++d) {
    const double distance = static_cast<double>(d);
    EXPECT_DOUBLE_EQ(gaussian[d - 1], std::exp(-distance * distance / 2.0) * (5.0 - distance));
  }
  EXPECT_EQ(weights_of({.radius = 2, .shape = WeightShape::custom, .custom = {0.5, 3.0}}), (Weights{1, 3}));
  EXPECT_EQ(weights_of({.radius = 2, .strength = 0.25}), (Weights{0.5, 0.25}));
  EXPECT_EQ(weights_of({}), Weights{});
}

TEST(Field, LiteralWeightsSumToTheRadiusTimesOneMore) {
  for (const std::size_t h : {0U, 2U, 18U, 50U}) {
    EXPECT_EQ(total_weight({.radius = h}), static_cast<double>(h * (h + 1)));
  }
  EXPECT_EQ(total_weight({.radius = 2, .image_width = 5}), 4 * 2 + 8 * 1);
}

TEST(Field, TakesATotalWeight) {
  const TimeField field = with_total_weight({.radius = 18, .shape = WeightShape::gaussian}, 4.5);
  EXPECT_DOUBLE_EQ(total_weight(field), 4.5);
  EXPECT_EQ(with_total_weight({.radius = 3}, 0.0).strength, 0.0);
  EXPECT_EQ(with_total_weight({.radius = 0}, 3.0).strength, 1.0);
}

TEST(Field, RefusesWhatIsNoWeight) {
  EXPECT_EQ(message_of({.radius = 2, .strength = -1.0}), "field: strength = -1 is not a number of at least 0");
  EXPECT_EQ(message_of({.radius = 2, .strength = std::numeric_limits<double>::infinity()}),
            "field: strength = inf is not a number of at least 0");
  EXPECT_EQ(message_of({.radius = 2, .shape = WeightShape::custom, .custom = {1.0}}),
            "field: custom has 1 values; there must be one per distance up to the radius, 2");
  EXPECT_EQ(message_of({.radius = 2, .shape = WeightShape::custom, .custom = {1.0, -0.5}}),
            "field: custom value 2 = -0.5 is not a number of at least 0");
  EXPECT_EQ(message_of({.radius = 2, .border = Border::clique, .image_width = 3}),
            "field: --border clique is for rows in time; an image takes weights");
  EXPECT_EQ(message_of({}), "");
}

TEST(Field, CliquesOfTheToyHaveTheirEnergies) {  // (5.11) to (5.15)
  const double expected[] = {-1, -3, -1, -1, -1};
  for (std::size_t i = 0; i < 5; ++i) {
    const States clique(chain.begin() + static_cast<std::ptrdiff_t>(i),
                        chain.begin() + static_cast<std::ptrdiff_t>(i + 3));
    EXPECT_EQ(energy_of(clique, whole), expected[i]);
  }
  EXPECT_EQ(energy_of(chain, whole), -7);
}

TEST(Field, NeighbourhoodOfTheToyHasItsProbability) {  // (5.20) to (5.23)
  EXPECT_EQ(energy_of({0, 1, 0, 1, 0}, whole), -3);
  EXPECT_EQ(energy_of({0, 1, 1, 1, 0}, whole), -5);
  for (const TimeField& field : {literal, whole}) {
    EXPECT_NEAR(probability_of_first(chain, field, 2), 0.1192, 5e-5);
    EXPECT_NEAR(1.0 - probability_of_first(chain, field, 2), 0.8808, 5e-5);
  }
}

TEST(Field, BordersDifferInTheToy) {  // erratum E6
  EXPECT_NEAR(probability_of_first(chain, whole, 0), 0.1192, 5e-5);
  EXPECT_NEAR(probability_of_first(chain, literal, 0), 0.0474, 5e-5);
  EXPECT_NEAR(probability_of_first(chain, whole, 1), 0.1192, 5e-5);
  EXPECT_NEAR(probability_of_first(chain, literal, 1), 0.2689, 5e-5);
  EXPECT_NEAR(probability_of_first(chain, whole, 5), 0.5, 1e-12);
  EXPECT_NEAR(probability_of_first(chain, literal, 5), 0.2689, 5e-5);
}

TEST(Field, EnergyOfASequenceShorterThanACliqueIsThatOfOne) {
  const TimeField field{.radius = 4, .border = Border::clique};
  EXPECT_EQ(energy_of({1, 1, 0, 1}, field), -3);
  EXPECT_EQ(energy_of({1}, field), 0);
}

TEST(Field, EnergyIsASumOverSequences) {
  const std::vector<std::size_t> starts{0, 3, 3, 7};
  EXPECT_EQ(energy(starts, literal, chain), energy_of({0, 1, 1}, literal) + energy_of({1, 0, 0, 1}, literal));
  EXPECT_EQ(energy(starts, {.radius = 2, .strength = 0.5}, chain), energy(starts, literal, chain) / 2.0);
}

}  // namespace
}  // namespace motet::temporal::field_test
