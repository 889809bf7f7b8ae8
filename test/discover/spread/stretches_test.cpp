#include "motet/discover/spread/stretches.h"

#include <gtest/gtest.h>

#include <cmath>

#include "discover/spread/spread_cases.h"

namespace motet::discover::stretches_test {
namespace {

double value(const SpreadStretch& stretch, Evidence which) { return stretch.evidence[static_cast<std::size_t>(which)]; }

// A model over a single column that is its own score of class a, and minus it that of class b.
struct HandMade {
  WhitenedRows whitened;
  Sequences cut;
  SpreadModel model;

  explicit HandMade(std::vector<float> scores, std::vector<std::size_t> starts = {})
      : whitened{1, std::move(scores), {0.0}, {1.0}}, model{whitened, cut, 4, {}, {}, {2, 1, {1.0, 0.0, -1.0, 0.0}}} {
    if (starts.empty()) starts = {0, whitened.values.size()};
    cut.starts = std::move(starts);
  }
  std::vector<SpreadStretch> found() const { return spread_stretches(model, {0, whitened.values.size()}, {}); }
};

std::vector<std::vector<std::size_t>> places(const std::vector<SpreadStretch>& stretches) {
  std::vector<std::vector<std::size_t>> result;
  for (const SpreadStretch& one : stretches) {
    result.push_back({one.begin, one.end, static_cast<std::size_t>(one.of_class)});
  }
  return result;
}
using Places = std::vector<std::vector<std::size_t>>;

// Scores of a and b are opposite, so between -0.5 and 0.5 there is always one above -0.5: rows of noise have 0 for
// both.
TEST(Stretches, BeginHighGoOnLowerAndOfEachRowHaveOneClass) {
  HandMade made({2, 3, 2, -2, -2, 2, 2});
  EXPECT_EQ(places(made.found()), (Places{{0, 3, 1}, {3, 5, 2}, {5, 7, 1}}));
  made.model.scores.weights = {1.0, 0.0, 0.0, -9.0};  // b is never favoured
  made.whitened.values = {-1.4F, -1.0F, 1.0F, -1.4F, -2.0F, -1.0F, -9.0F};
  EXPECT_EQ(places(made.found()), (Places{{0, 6, 1}}));  // over a pause of one row
  made.whitened.values = {-2.0F, -1.0F, -1.0F, -1.4F, -2.0F, -1.0F, -9.0F};
  EXPECT_TRUE(made.found().empty());  // nowhere high enough
}

TEST(Stretches, CloseShortPausesOfOneSequence) {
  HandMade made({3, -9, -9, 3, -9, -9, -9, 3, 3}, {0, 8, 9});
  made.model.scores.weights = {1.0, 0.0, 0.0, -9.0};
  EXPECT_EQ(places(made.found()), (Places{{0, 4, 1}, {7, 8, 1}, {8, 9, 1}}));
  made.model.held = {{1, 0}};
  EXPECT_EQ(places(made.found()), (Places{{0, 1, 1}, {2, 4, 1}, {7, 8, 1}, {8, 9, 1}}));
}

TEST(Stretches, HoldWhatPeopleSaid) {
  HandMade made({3, 3, 3, 3, 3, -9, -9, -9, -9, -9});
  made.model.scores.weights = {1.0, 0.0, 0.0, -9.0};
  made.model.held = {{2, 0}, {3, 2}, {8, 1}, {9, -1}};
  const std::vector<SpreadStretch> found = made.found();
  EXPECT_EQ(places(found), (Places{{0, 2, 1}, {3, 4, 2}, {4, 5, 1}, {8, 9, 1}}));
  ASSERT_EQ(found.size(), 4U);
  EXPECT_FALSE(found[0].is_answered);
  EXPECT_TRUE(found[1].is_answered);
  EXPECT_TRUE(found[3].is_answered);
}

TEST(Stretches, TellWhatSpeaksForThem) {
  HandMade made({0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0});
  made.model.scores.weights = {1.0, 0.0, 0.0, -9.0};
  for (float& one : made.whitened.values) one = one == 0.0F ? -9.0F : one;
  made.model.examples = {{1, {}, {2.0F}, 8.0}, {1, {}, {9.0F}, 1.0}, {0, {}, {1.0F}, 1.0}};
  made.model.held = {{5, 0}, {11, 1}, {10, -1}};
  const std::vector<SpreadStretch> found = made.found();
  ASSERT_EQ(places(found).front(), (std::vector<std::size_t>{2, 4, 1}));
  EXPECT_EQ(value(found[0], Evidence::score), 3.0);
  const double near = std::log((4.0 + 0.1) / (1.0 + 0.1));  // 3 is 2 from the nothing at 1, and 1 from the example at 2
  EXPECT_NEAR(value(found[0], Evidence::nearness), near, 1e-9);
  EXPECT_NEAR(value(found[0], Evidence::nearest), near, 1e-9);
  EXPECT_NEAR(value(found[0], Evidence::shortness), std::log(2.0) - 0.5 * std::log(8.0), 1e-12);
  EXPECT_NEAR(value(found[0], Evidence::examples), std::log(2.0), 1e-12);
  EXPECT_EQ(value(found[0], Evidence::near_nothing), 1.0);  // within two rows
  EXPECT_EQ(value(found[0], Evidence::near_own), 0.0);
  SpreadStretch counted = found[0];
  const std::vector<double> rivals = rivals_of(found, 2);
  EXPECT_EQ(rivals, (std::vector<double>{0.0, 1.0, 0.0}));  // the one of the answer at 11 is none
  set_rivals(std::vector<double>{0.0, 5.0}, counted);
  EXPECT_NEAR(value(counted, Evidence::rivals), std::log(5.0), 1e-12);
}

}  // namespace
}  // namespace motet::discover::stretches_test
