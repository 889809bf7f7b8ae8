#include "motet/report/interval_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace motet::interval_text_test {
namespace {

TEST(IntervalText, IsFromItsLowToItsHighEnd) {
  EXPECT_EQ(interval_text({0.8136, 0.9084}, 3), "0.814 to 0.908");
  EXPECT_EQ(interval_text({-2.0, 10.0}, 0), "-2 to 10");
}

TEST(IntervalText, AnIntervalWithoutAnEndHasNone) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(interval_text({std::nan(""), 1.0}, 2), "");
  EXPECT_EQ(interval_text({0.0, infinity}, 2), "");
}

TEST(IntervalText, ForMachinesItIsAListOfTwo) { EXPECT_EQ(interval_value({0.25, 0.5}), Value::list({0.25, 0.5})); }

}  // namespace
}  // namespace motet::interval_text_test
