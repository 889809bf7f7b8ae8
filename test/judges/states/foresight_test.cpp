#include "motet/judges/states/foresight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judges/states/state_cases.h"

namespace motet::judges::foresight_test {
namespace {

constexpr double rounding = 1e-10;

TEST(Foresight, AFifthIsHeldOutAndNoItemWhole) {
  const Votes votes = random_votes({.items = 2000, .judges = 5, .classes = 3, .answered = 0.6}, Seed{3});
  const HeldVotes held = hold_out(votes);
  EXPECT_EQ(held.shown.item_count(), votes.item_count());
  std::vector<double> by_judge(5, 0.0);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const auto shown = held.shown.of_item(i);
    const auto kept = held.of_item(i);
    EXPECT_EQ(shown.empty(), votes.of_item(i).empty());
    std::vector<std::uint32_t> both(shown.begin(), shown.end());
    both.insert(both.end(), kept.begin(), kept.end());
    std::sort(both.begin(), both.end());
    const std::vector<std::uint32_t> all(votes.of_item(i).begin(), votes.of_item(i).end());
    EXPECT_EQ(both, all);
    for (const std::uint32_t code : kept) by_judge[code / 3] += 1.0;
  }
  const double total = static_cast<double>(votes.vote_count());
  EXPECT_NEAR(static_cast<double>(held.codes.size()) / total, 0.2, 0.02);  // fewer where an item has one vote
  for (const double count : by_judge) EXPECT_NEAR(count / total, 0.04, 0.01);
}

TEST(Foresight, JudgesWhoTakeTurnsAreHeldOutAlike) {
  // Five judges on every item: every fifth vote would always be the same one's.
  const HeldVotes held = hold_out(random_votes({.items = 1000, .judges = 5, .answered = 1.1}, Seed{3}));
  std::vector<double> by_judge(5, 0.0);
  for (const std::uint32_t code : held.codes) by_judge[code / 3] += 1.0;
  for (const double count : by_judge) EXPECT_NEAR(count, 200.0, 5.0);
}

TEST(Foresight, IsThatOfTheFormula) {
  const HeldVotes held = hold_out(random_votes({.items = 40, .judges = 5, .classes = 3, .gold = 0.2}, Seed{3}));
  StateFit fit;
  fit.spec = some_spec(3, 2, {0.0, 0.5});
  const StateShape& shape = fit.spec.shape;
  const std::vector<double> p = random_state_parameters(shape, 5, Rng(Seed{9}));
  fit.result.parameters = p;
  const std::vector<double> by_item = foreseen(held, fit);
  const auto said = [&](std::uint32_t code, std::size_t z, std::size_t h) {
    return (1.0 - shape.levels[h]) * p[shape.cell(code, z)] + shape.levels[h] * shape.background[code % 3];
  };
  for (std::size_t i = 0; i < by_item.size(); ++i) {
    double sum = 0.0;
    for (const std::uint32_t vote : held.of_item(i)) {
      double with = 0.0;
      double without = 0.0;
      for (std::size_t z = 0; z < 6; ++z) {
        for (std::size_t h = 0; h < 2; ++h) {
          double value = p[z] * p[6 + h];
          const std::int32_t known = held.shown.known_class(i);
          if (known != Votes::unknown && static_cast<std::size_t>(known) != shape.class_of(z)) value = 0.0;
          for (const std::uint32_t code : held.shown.of_item(i)) value *= said(code, z, h);
          without += value;
          with += value * said(vote, z, h);
        }
      }
      sum += std::log(with / without);
    }
    EXPECT_NEAR(by_item[i], sum, rounding) << i;
  }
}

TEST(Foresight, OfPlainTablesIsThatOfOneStateAClass) {
  const HeldVotes held = hold_out(random_votes({.items = 40, .judges = 5, .classes = 3}, Seed{3}));
  const std::vector<double> plain = random_parameters(5, 3, Rng(Seed{2}));
  StateFit fit;
  fit.spec = some_spec(3, 1, {0.0});
  fit.result.parameters = plain;
  fit.result.parameters.insert(fit.result.parameters.begin() + 3, 1.0);
  EXPECT_EQ(foreseen(held, plain), foreseen(held, fit));
}

TEST(Foresight, OfADifferenceHasTheErrorOfItems) {
  HeldVotes held;
  held.starts = {0, 2, 4, 6};
  held.codes.assign(6, 0);
  const Foresight found = advantage(held, std::vector<double>{-1.0, -2.0, -3.0}, std::vector<double>{-2.0, -2.0, -5.0});
  EXPECT_NEAR(found.mean, 0.5, rounding);  // three in all, over six votes
  EXPECT_NEAR(found.error, std::sqrt(2.0) / 6.0, rounding);
  EXPECT_NEAR(advantage(held, std::vector<double>{-1.0, -2.0, -3.0}).mean, -1.0, rounding);
}

}  // namespace
}  // namespace motet::judges::foresight_test
