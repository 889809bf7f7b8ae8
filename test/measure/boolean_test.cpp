#include "motet/measure/boolean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "data/bits.h"
#include "motet/base/error.h"

namespace motet::boolean_test {
namespace {

TEST(Boolean, CentroidErrorIsOfTheBestMatching) {
  const BitMatrix truth = bits_of({"1100", "0011"});
  const BitMatrix estimate = bits_of({"0011", "1110"});
  const RoleMatch match = match_roles(truth, estimate);
  EXPECT_EQ(match.difference, 1.0);
  EXPECT_EQ(match.error, 1.0 / 8.0);
  EXPECT_EQ(match.partner, (std::vector<std::size_t>{1, 0}));
}

TEST(Boolean, RolesWithoutAPartnerAreComparedWithAnEmptyOne) {
  const BitMatrix two = bits_of({"1110", "0001"});
  const BitMatrix one = bits_of({"0001"});
  const RoleMatch lost = match_roles(two, one);
  EXPECT_EQ(lost.difference, 3.0);
  EXPECT_EQ(lost.error, 3.0 / 8.0);
  EXPECT_EQ(lost.partner, (std::vector<std::size_t>{RoleMatch::none, 0}));
  const RoleMatch spare = match_roles(one, two);
  EXPECT_EQ(spare.error, 3.0 / 8.0);
  EXPECT_EQ(spare.partner, (std::vector<std::size_t>{1}));
}

TEST(Boolean, CentroidErrorOfProbabilities) {
  const std::vector<double> truth = {0, 1, 1, 0};          // roles 10 and 01
  const std::vector<double> absence = {1, 0.25, 0.5, 1};   // two roles over two permissions
  const RoleMatch match = match_roles(truth, absence, 2);  // |0-.5|+|1-1| and |1-1|+|0-.25|
  EXPECT_EQ(match.difference, 0.75);
  EXPECT_EQ(match.error, 0.1875);
  EXPECT_EQ(match.partner, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(match_roles(truth, std::vector<double>{0, 1}, 2).difference, 1.0);
}

TEST(Boolean, ProbabilitiesOfZeroAndOneScoreAsBits) {
  const BitMatrix truth = bits_of({"110100", "001110", "000111"});
  const BitMatrix estimate = bits_of({"001010", "100111", "110000", "000000"});
  const auto absence = [](const BitMatrix& roles) {
    std::vector<double> beta;
    for (std::size_t k = 0; k < roles.rows(); ++k) {
      for (std::size_t d = 0; d < roles.columns(); ++d) beta.push_back(roles(k, d) ? 0.0 : 1.0);
    }
    return beta;
  };
  EXPECT_EQ(match_roles(truth, estimate).difference,
            match_roles(absence(truth), absence(estimate), truth.columns()).difference);
}

TEST(Boolean, NoRolesOnEitherSideHaveNoError) {
  EXPECT_TRUE(std::isnan(match_roles(BitMatrix(0, 4), BitMatrix(0, 4)).error));
  EXPECT_EQ(match_roles(BitMatrix(0, 4), bits_of({"1100"})).error, 0.5);
}

TEST(Boolean, ReconstructionErrorAndCoverageByHand) {
  const BitMatrix data = bits_of({"1100", "1000"});
  const BitMatrix guess = bits_of({"1000", "1011"});
  EXPECT_EQ(differing_cells(guess, data), 3U);
  EXPECT_EQ(reconstruction_error(guess, data), 3.0 / 8.0);
  EXPECT_EQ(coverage(guess, data, true), 2.0 / 3.0);
  EXPECT_EQ(coverage(guess, data, false), 3.0 / 5.0);
  EXPECT_TRUE(std::isnan(coverage(guess, BitMatrix(2, 4), true)));
  EXPECT_TRUE(std::isnan(reconstruction_error(BitMatrix(0, 4), BitMatrix(0, 4))));
}

TEST(Boolean, BitsBeyondTheLastColumnDoNotCount) {
  BitMatrix data(1, 70);
  data.set(0, 69);
  EXPECT_EQ(reconstruction_error(BitMatrix(1, 70), data), 1.0 / 70.0);
  EXPECT_EQ(coverage(BitMatrix(1, 70), data, false), 1.0);
}

TEST(Boolean, OverlapIsTheMeanOverPairsOfRoles) {
  EXPECT_EQ(mean_overlap(bits_of({"1110", "0111", "1000"})), (2.0 + 1.0 + 0.0) / (3.0 * 4.0));
  EXPECT_EQ(mean_overlap(bits_of({"1100", "0011"})), 0.0);
  EXPECT_TRUE(std::isnan(mean_overlap(bits_of({"1100"}))));
}

TEST(Boolean, MatricesOfDifferentShapesAreADefect) {
  EXPECT_THROW(differing_cells(BitMatrix(1, 2), BitMatrix(2, 1)), Error);
  EXPECT_THROW(match_roles(BitMatrix(1, 2), BitMatrix(1, 3)), Error);
}

}  // namespace
}  // namespace motet::boolean_test
