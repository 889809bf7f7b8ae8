#include "motet/roles/mac/weigh_ends.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "roles/model_cases.h"

namespace motet::roles::weigh_ends_test {
namespace {

std::vector<SearchStart> ends_of(const std::vector<double>& objectives) {
  std::vector<SearchStart> ends;
  for (const double objective : objectives) {
    ends.push_back({"start", {BitMatrix(1, 2), 0.1, 0.9, {1.0}, objective}, {}});
  }
  return ends;
}

TEST(NearTies, AreWithinAThousandthAndDiffer) {
  const std::vector<SearchStart> ends = ends_of({-1000.0, -1000.00001, -1000.5, -1000.9, -1002.0});
  // All users alike: a difference has no error.
  const auto alike = [&](std::size_t end) { return std::vector<double>(10, ends[end].state.objective / 10.0); };
  EXPECT_EQ(near_ties(ends, 3, alike), (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(near_ties(ends, 2, alike), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(near_ties(ends, 9, alike), (std::vector<std::size_t>{0, 2, 3}));
}

TEST(NearTies, AreWithinTwoStandardErrors) {
  const std::vector<SearchStart> ends = ends_of({-100.0, -104.0, -110.0});
  // Differences of 0.4 and 1 per user, each with a standard error of 1/3: ten users, 1 more or less.
  const auto likelihoods = [&](std::size_t end) {
    std::vector<double> by_user(10, ends[end].state.objective / 10.0);
    for (std::size_t n = 0; n < by_user.size(); ++n) by_user[n] += end > 0 ? (n % 2 == 0 ? 1.0 : -1.0) : 0.0;
    return by_user;
  };
  EXPECT_EQ(near_ties(ends, 3, likelihoods), (std::vector<std::size_t>{0, 1}));
}

TEST(NearTies, OfTwoObjectivesAreWithinAThousandthOfTheLarger) {
  EXPECT_TRUE(is_near_tie(-1000.0, -999.1));
  EXPECT_FALSE(is_near_tie(-1000.0, -998.9));
  EXPECT_TRUE(is_same_end(-1000.0, -1000.00009));
  EXPECT_FALSE(is_same_end(-1000.0, -1000.0002));
}

// Mean gain 0.5, its standard error 0.645.
TEST(PredictsBetter, NeedsAStandardError) {
  const std::vector<double> one = {0.0, -1.0, -2.0, -3.0};
  const std::vector<double> other = {-2.0, -2.0, -2.0, -2.0};
  EXPECT_FALSE(predicts_better(one, other));
  EXPECT_FALSE(predicts_better(other, one));
  const std::vector<double> sure = {-1.0, -1.1, -1.0, -0.9};
  EXPECT_TRUE(predicts_better(sure, other));
  EXPECT_FALSE(predicts_better(sure, sure));
}

TEST(WrongCells, AreThoseOfTheRolesTold) {
  const RoleModel model = hard_model(bits_of({"1110", "0011"}), 2, 0.02, 0.98);
  EXPECT_EQ(wrong_cells(model, bits_of({"1110", "1111", "0110", "0000"}), {}),
            (std::vector<double>{0.0, 0.0, 1.0, 0.0}));
}

}  // namespace
}  // namespace motet::roles::weigh_ends_test
