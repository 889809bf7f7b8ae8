#include "motet/temporal/field/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "motet/base/rng.h"
#include "support/expect_error.h"

namespace motet::temporal::neighbours_test {
namespace {

using Weights = std::vector<double>;

// Literal weights of the neighbours of row n, in order.
Weights weights_around(const TimeField& field, std::size_t rows, std::size_t n) {
  const FieldTables tables(field);
  Weights weights;
  Neighbours(tables, rows).for_each(n, [&](std::size_t, double weight) { weights.push_back(weight); });
  return weights;
}

TEST(Neighbours, CountWholeCliquesNearTheEnds) {
  const TimeField field{.radius = 4, .border = Border::clique};
  EXPECT_EQ(weights_around(field, 20, 0), (Weights{1, 1, 1, 1}));
  EXPECT_EQ(weights_around(field, 20, 1), (Weights{1, 2, 2, 2, 1}));
  EXPECT_EQ(weights_around(field, 20, 2), (Weights{1, 2, 3, 3, 2, 1}));
  EXPECT_EQ(weights_around(field, 20, 10), (Weights{1, 2, 3, 4, 4, 3, 2, 1}));
  EXPECT_EQ(weights_around(field, 20, 18), (Weights{1, 2, 2, 2, 1}));
  // Both ends at once: six rows are two cliques.
  EXPECT_EQ(weights_around(field, 6, 2), (Weights{1, 2, 2, 2, 1}));
}

TEST(Neighbours, CountWholeCliquesAsTheFormulaDoes) {
  for (std::size_t h = 1; h <= 6; ++h) {
    const FieldTables tables({.radius = h, .border = Border::clique});
    for (std::size_t rows = h + 1; rows <= 20; ++rows) {
      const Neighbours neighbours(tables, rows);
      for (std::size_t a = 1; a <= rows; ++a) {
        for (std::size_t b = a; b <= std::min(rows, a + h); ++b) {
          std::size_t cliques = 0;
          for (std::size_t first = 1; first + h <= rows; ++first) cliques += first <= a && b <= first + h ? 1U : 0U;
          EXPECT_EQ(neighbours.shared_cliques(a - 1, b - 1), cliques);
        }
      }
    }
  }
}

TEST(Neighbours, ASequenceShorterThanACliqueIsOne) {
  const TimeField field{.radius = 4, .border = Border::clique};
  EXPECT_EQ(weights_around(field, 5, 2), (Weights{1, 1, 1, 1}));
  EXPECT_EQ(weights_around(field, 4, 1), (Weights{1, 1, 1}));
  EXPECT_EQ(weights_around(field, 2, 0), (Weights{1}));
  EXPECT_EQ(weights_around(field, 1, 0), Weights{});
  // Full weights are those of (5.25), as far as there are rows.
  EXPECT_EQ(weights_around({.radius = 4}, 3, 1), (Weights{4, 4}));
}

TEST(Neighbours, InAnImageLieInADiamond) {
  const FieldTables tables({.radius = 2, .image_width = 4});
  std::vector<std::pair<std::size_t, double>> found;
  // Row 1, column 0 of a 3 x 4 image.
  Neighbours(tables, 12).for_each(4, [&](std::size_t m, double weight) { found.emplace_back(m, weight); });
  EXPECT_EQ(found, (std::vector<std::pair<std::size_t, double>>{{0, 2}, {1, 1}, {5, 2}, {6, 1}, {8, 2}, {9, 1}}));
}

// Every pixel but n, in the plain order of rows, at the distance |dx| + |dy|.
TEST(Neighbours, InImagesAreThePixelsWithinTheRadius) {
  const Rng rng(Seed{31});
  for (std::size_t i = 0; i < 50; ++i) {
    Rng own = rng.child(i);
    const std::size_t width = 1 + own.below(6);
    const std::size_t height = 1 + own.below(6);
    const std::size_t radius = 1 + own.below(5);
    const FieldTables tables({.radius = radius, .shape = WeightShape::quadratic, .image_width = width});
    const Neighbours neighbours(tables, width * height);
    std::size_t farthest = 0;
    for (std::size_t n = 0; n < width * height; ++n) {
      std::vector<std::pair<std::size_t, double>> expected;
      for (std::size_t m = 0; m < width * height; ++m) {
        const auto apart = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
        const std::size_t distance = apart(n % width, m % width) + apart(n / width, m / width);
        if (distance == 0 || distance > radius) continue;
        const auto left = static_cast<double>(radius + 1 - distance);
        expected.emplace_back(m, left * left);
        farthest = std::max(farthest, apart(n, m));
      }
      std::vector<std::pair<std::size_t, double>> found;
      neighbours.for_each(n, [&](std::size_t m, double weight) { found.emplace_back(m, weight); });
      ASSERT_EQ(found, expected) << i << ' ' << n;
    }
    EXPECT_GE(neighbours.reach(), farthest) << i;
  }
}

TEST(Neighbours, ReachNoFurtherThanTheRadiusOrTheSequence) {
  const FieldTables tables({.radius = 4});
  for (const std::size_t rows : {1U, 2U, 5U, 6U, 20U}) {
    const Neighbours neighbours(tables, rows);
    EXPECT_EQ(neighbours.reach(), std::min<std::size_t>(4, rows - 1));
    EXPECT_EQ(neighbours.clique_radius(), neighbours.reach());
    for (std::size_t n = 0; n < rows; ++n) {
      std::size_t last = 0;
      neighbours.for_each(n, [&](std::size_t m, double weight) {
        last = std::max(last, m > n ? m - n : n - m);
        EXPECT_EQ(weight, 5.0 - static_cast<double>(m > n ? m - n : n - m));
      });
      EXPECT_LE(last, neighbours.reach());
      EXPECT_FALSE(neighbours.is_clipped(n));
    }
  }
}

TEST(Neighbours, OfAnImageNeedWholeRowsOfPixels) {
  const FieldTables tables({.radius = 1, .image_width = 4});
  EXPECT_NO_THROW(Neighbours(tables, 8));
  expect_error(ErrorKind::usage,
               "--image-width 4 does not divide the 7 rows of a sequence; an image is given row by row, every "
               "row 4 pixels long",
               [&] { Neighbours(tables, 7); });
}

TEST(FieldTables, RefuseAFieldThatIsNone) {
  expect_error(ErrorKind::usage, "field: strength = -1 is not a number of at least 0",
               [] { FieldTables({.radius = 2, .strength = -1.0}); });
}

}  // namespace
}  // namespace motet::temporal::neighbours_test
