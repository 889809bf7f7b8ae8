#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/error.h"
#include "motet/temporal/field/conditional.h"
#include "motet/temporal/field/coupling.h"
#include "motet/temporal/field/exact_inference.h"
#include "motet/temporal/field/icm.h"
#include "motet/temporal/field/mean_field.h"
#include "support/errors.h"
#include "temporal/field_cases.h"

namespace motet::temporal::image_field_test {
namespace {

using Numbers = std::vector<double>;
using States = std::vector<std::uint8_t>;

// A disc on a ground, their grey values one and a half standard deviations apart.
struct NoisyImage {
  static constexpr std::size_t width = 40;
  static constexpr std::size_t height = 30;
  std::vector<std::size_t> starts{0, width* height};
  States truth;
  States apart;  // each pixel by itself
  Numbers densities;

  explicit NoisyImage(Seed seed) : densities(2 * width * height) {
    Rng rng(seed);
    for (std::size_t n = 0; n < width * height; ++n) {
      const double x = static_cast<double>(n % width) - 18.0;
      const double y = static_cast<double>(n / width) - 14.0;
      truth.push_back(x * x + y * y < 90.0 ? 1 : 0);
      const double grey = 1.5 * truth[n] + rng.normal();
      densities[n] = -0.5 * grey * grey;
      densities[width * height + n] = -0.5 * (grey - 1.5) * (grey - 1.5);
      apart.push_back(grey > 0.75 ? 1 : 0);
    }
  }

  FieldProblem problem() const { return {starts, densities, 2, {}, {}}; }
  std::size_t errors(const States& states) const {
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < truth.size(); ++n) wrong += states[n] != truth[n] ? 1U : 0U;
    return wrong;
  }
};

TEST(ImageField, MakesFewerErrorsThanPixelsApart) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const NoisyImage image{Seed{seed}};
    const std::size_t before = image.errors(image.apart);
    EXPECT_GT(before, 200U);
    for (const std::size_t h : {1U, 2U}) {
      const TimeField field = with_total_weight({.radius = h, .image_width = NoisyImage::width}, 6.0);
      States states = image.apart;
      icm(image.problem(), field, states);
      EXPECT_LT(image.errors(states), before / 3) << h;
      Numbers shares(image.densities.size(), 0.5);
      mean_field(image.problem(), field, 50, 1e-6, shares);
      for (std::size_t n = 0; n < states.size(); ++n) states[n] = shares[n] < 0.5 ? 1 : 0;
      EXPECT_LT(image.errors(states), before / 3) << h;
    }
  }
}

TEST(ImageField, KnowsTheRowAboveWhereTimeDoesNot) {
  // Upright stripes of one pixel: along time they alternate, in the plane columns agree.
  constexpr std::size_t width = 8;
  States states(width * 12);
  for (std::size_t n = 0; n < states.size(); ++n) states[n] = static_cast<std::uint8_t>(n % width % 2);
  const std::vector<std::size_t> starts{0, states.size()};
  const TimeField in_time{.radius = 1};
  const TimeField in_plane{.radius = 1, .image_width = width};
  EXPECT_EQ(energy(starts, in_time, states), 0.0);
  EXPECT_EQ(energy(starts, in_plane, states), -static_cast<double>(width * 11));
}

TEST(ImageField, ColumnOfPixelsIsASequenceInTime) {
  for (auto& [i, drawn, own] : random_cases(50, Seed{101})) {
    drawn.field.border = Border::weights;
    const double own_strength = drawn.field.strength;
    States in_time = drawn.states;
    icm(drawn.problem(), drawn.field, in_time);
    Numbers time_shares(drawn.densities.size());
    const double bound = mean_field(drawn.problem(), drawn.field, 5, 0.0, time_shares);
    drawn.field.strength = 1.0;
    const double time_total = total_weight(drawn.field);
    const double strength = pseudo_likelihood_strength(drawn.starts, drawn.components, drawn.field, drawn.states, 9.0);
    drawn.field.strength = own_strength;
    drawn.field.image_width = 1;
    States in_plane = drawn.states;
    icm(drawn.problem(), drawn.field, in_plane);
    EXPECT_EQ(in_plane, in_time);
    Numbers shares(drawn.densities.size());
    EXPECT_NEAR(mean_field(drawn.problem(), drawn.field, 5, 0.0, shares), bound, 1e-8 * (1.0 + std::abs(bound)));
    for (std::size_t j = 0; j < shares.size(); ++j) ASSERT_NEAR(shares[j], time_shares[j], 1e-8);
    // The same cap in nats of an image, where there are 4 d neighbours at distance d.
    drawn.field.strength = 1.0;
    const double most_total = time_total > 0.0 ? 9.0 * total_weight(drawn.field) / time_total : 9.0;
    EXPECT_NEAR(pseudo_likelihood_strength(drawn.starts, drawn.components, drawn.field, drawn.states, most_total),
                strength, 1e-9 * strength);
  }
}

TEST(ImageField, BoundNeverFalls) {
  const NoisyImage image{Seed{4}};
  const TimeField field = with_total_weight({.radius = 2, .shape = WeightShape::quadratic, .image_width = 40}, 5.0);
  Numbers shares(image.densities.size(), 0.5);
  double before = mean_field(image.problem(), field, 0, 0.0, shares);
  for (std::size_t sweep = 0; sweep < 15; ++sweep) {
    const double now = mean_field(image.problem(), field, 1, 0.0, shares);
    EXPECT_GE(now, before - 1e-9 * std::abs(before));
    before = now;
  }
}

TEST(ImageField, StrengthByPseudoLikelihoodIsStrongForADisc) {
  const NoisyImage image{Seed{5}};
  TimeField field{.radius = 1, .image_width = NoisyImage::width};
  field.strength = pseudo_likelihood_strength(image.starts, 2, field, image.truth, 40.0);
  EXPECT_GT(total_weight(field), 6.0);
  field.strength = pseudo_likelihood_strength(image.starts, 2, field, image.apart, 40.0);
  EXPECT_LT(total_weight(field), 4.0);
}

TEST(ImageField, RefusesRowsThatAreNoMultipleOfTheWidth) {
  const std::vector<std::size_t> starts{0, 12, 19};
  const Numbers densities(2 * 19);
  States states(19);
  Numbers shares(2 * 19);
  const TimeField field{.radius = 1, .image_width = 4};
  const FieldProblem problem{starts, densities, 2, {}, {}};
  const std::string expected =
      "--image-width 4 does not divide the 7 rows of a sequence; an image is given row by row, every row 4 "
      "pixels "
      "long";
  const auto expect_refusal = [&](const auto& call) { EXPECT_EQ(error_of(call, ErrorKind::usage), expected); };
  expect_refusal([&] { icm(problem, field, states); });
  expect_refusal([&] { mean_field(problem, field, 1, 0.0, shares); });
  expect_refusal([&] { conditional_responsibilities(problem, field, states, {}, shares); });
  expect_refusal([&] { pseudo_likelihood_strength(starts, 2, field, states, 10.0); });
}

}  // namespace
}  // namespace motet::temporal::image_field_test
