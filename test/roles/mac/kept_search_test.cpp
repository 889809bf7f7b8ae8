#include "motet/roles/mac/kept_search.h"

#include <gtest/gtest.h>

#include <limits>

#include "data/bits.h"
#include "support/errors.h"

namespace motet::roles::kept_search_test {
namespace {

RoleState some_state() { return {bits_of({"10010", "00000", "01111"}), 0.125, 0.75, {0.5, 0.25, 0.25}, -12.5}; }

TEST(NumbersOfAState, GiveTheStateBack) {
  const std::optional<RoleState> again = state_of_numbers(numbers_of(some_state()), 5);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, some_state());
}

TEST(NumbersOfAState, ThatAreNoStateAreRefused) {
  const std::vector<double> numbers = numbers_of(some_state());
  for (std::size_t size = 0; size < numbers.size(); ++size) {
    EXPECT_FALSE(state_of_numbers(std::span(numbers).first(size), 5)) << size;
  }
  EXPECT_FALSE(state_of_numbers(numbers, 4));  // a role has the fifth column
  for (const std::size_t at : {0U, 4U, 8U}) {
    for (const double wrong : {-1.0, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
      std::vector<double> changed = numbers;
      changed[at] = wrong;
      EXPECT_FALSE(state_of_numbers(changed, 5)) << at;
    }
  }
}

TEST(KeptSearch, MakesNothingTwice) {
  Checkpoint saved;
  RunContext first;
  first.save = [&](const Checkpoint& state) { saved = state; };
  KeptSearch kept(first, 5);
  EXPECT_EQ(kept.once(3, some_state), some_state());
  kept.keep(7, some_state());
  EXPECT_EQ(saved.stage, "roles search");

  RunContext second;
  second.resume = [&](std::string_view stage) { return stage == saved.stage ? &saved : nullptr; };
  KeptSearch again(second, 5);
  EXPECT_EQ(again.once(3, []() -> RoleState { throw std::logic_error("made twice"); }), some_state());
  EXPECT_TRUE(again.find(7));
  EXPECT_FALSE(again.find(4));
  EXPECT_EQ(error_of([&] { KeptSearch(second, 2).find(3); }, ErrorKind::bad_data),
            "the checkpoint is damaged; start without --resume");
}

TEST(KeptSearch, KeepsNothingThatWasCutShort) {
  std::size_t saves = 0;
  CancelFlag cancel;
  RunContext run;
  run.cancel = &cancel;
  run.save = [&](const Checkpoint&) { ++saves; };
  KeptSearch kept(run, 5);
  const auto cut_short = [&] {
    cancel.set(2);
    return some_state();
  };
  EXPECT_EQ(error_of([&] { kept.once(1, cut_short); }, ErrorKind::interrupted), "interrupted");
  EXPECT_EQ(saves, 0U);
}

}  // namespace
}  // namespace motet::roles::kept_search_test
