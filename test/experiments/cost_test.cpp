#include "experiments/cost.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace motet::cost_test {
namespace {

TEST(Cost, TellsTheTimeAndTheMemoryOfTheWork) {
  const Cost small = cost_of([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
  EXPECT_GE(small.seconds, 0.02);
  constexpr std::size_t megabytes = 64;
  double sum = 0.0;
  const Cost large = cost_of([&] {
    std::vector<char> used(megabytes << 20U, 'x');
    for (std::size_t i = 0; i < used.size(); i += 4096) sum += used[i];
  });
  EXPECT_GT(sum, 0.0);
  if (std::isnan(large.megabytes)) GTEST_SKIP() << "the system does not tell";
  EXPECT_GE(large.megabytes, 64.0);
}

TEST(Cost, IsToldWithItsUnit) {
  EXPECT_EQ(seconds_text({1.25, 10.0}), "1.2 s");
  EXPECT_EQ(megabytes_text({1.25, 10.4}), "10 MB");
  EXPECT_EQ(megabytes_text({1.0, std::numeric_limits<double>::quiet_NaN()}), "");
}

}  // namespace
}  // namespace motet::cost_test
