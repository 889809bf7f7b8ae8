#include "motet/roles/baselines/neighbours.h"

#include <gtest/gtest.h>

#include "roles/planted_cases.h"
#include "support/threads.h"

namespace motet::roles::neighbours_test {
namespace {

const std::vector<std::uint32_t> first_two{0, 1};

TEST(Neighbours, NothingKeepsWhatIsDisclosed) {
  EXPECT_EQ(guess_nothing(bits_of({"1111", "0111"}), first_two), bits_of({"1100", "0100"}));
}

TEST(Neighbours, MajorityIsMoreThanHalf) {
  const BitMatrix training = bits_of({"0011", "0010", "0110", "0001"});
  EXPECT_EQ(guess_majority(training, bits_of({"1000"}), first_two), bits_of({"1010"}));  // the last is held by half
}

TEST(Neighbours, TheNearestInDisclosedPermissionsDecide) {
  const BitMatrix training = bits_of({"1100", "1101", "1111", "0010"});
  EXPECT_EQ(guess_nearest(training, bits_of({"0000"}), first_two, {}), bits_of({"0010"}));
  EXPECT_EQ(guess_nearest(training, bits_of({"1100"}), first_two, {}), bits_of({"1101"}));  // two of three equals
  // 10 is one away from all four: half of them do not make a majority.
  EXPECT_EQ(guess_nearest(training, bits_of({"1000"}), first_two, {}), bits_of({"1000"}));
}

TEST(Neighbours, NothingDisclosedIsTheMajority) {
  const BitMatrix training = random_bits(51, 20, 0.5, Rng(Seed{1}));
  const BitMatrix test = random_bits(5, 20, 0.5, Rng(Seed{2}));
  EXPECT_EQ(guess_nearest(training, test, {}, {}), guess_majority(training, test, {}));
}

TEST(Neighbours, DoNotCareForTheOrderOfUsersOrThreads) {
  const BitMatrix training = random_bits(200, 70, 0.3, Rng(Seed{3}));
  const BitMatrix test = random_bits(100, 70, 0.3, Rng(Seed{4}));
  const std::vector<std::uint32_t> disclosed{3, 9, 33, 66, 69};
  const BitMatrix one = guess_nearest(training, test, disclosed, with_threads({1}));
  const BitMatrix turned = training.rows_of(shuffled(200, Rng(Seed{5})));
  EXPECT_EQ(guess_nearest(turned, test, disclosed, with_threads(StartedThreads(2))), one);
  EXPECT_EQ(guess_nearest(training, test, disclosed, with_threads(StartedThreads(4))), one);
}

TEST(Neighbours, AUserSeenBeforeIsKnownWhenAllButFewAreDisclosed) {
  const PlantedAccess data = simulate_access({.users = 300, .noise_fraction = 0.0}, Rng(Seed{6}));
  std::vector<std::uint32_t> disclosed;
  for (std::uint32_t d = 0; d < 60; d += 2) disclosed.push_back(d);
  const BitMatrix guess = guess_nearest(data.clean, data.clean, disclosed, {});
  EXPECT_LT(difference(guess, data.clean), data.clean.count() / 100);
}

}  // namespace
}  // namespace motet::roles::neighbours_test
