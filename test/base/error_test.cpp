
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/errors.h"

namespace motet::error_test {
namespace {

TEST(Error, FramesComeOutermostFirstAndKeepTheKind) {
  EXPECT_EQ(error_of(
                [&] {
                  with_frame("votes.csv",
                             [] { with_frame("line 7", [] { fail(ErrorKind::bad_data, "label 'cat' is unknown"); }); });
                },
                ErrorKind::bad_data),
            "votes.csv: line 7: label 'cat' is unknown");
}

TEST(Error, FramesLetValuesAndOtherExceptionsThrough) {
  EXPECT_EQ(with_frame("unused", [] { return 7; }), 7);
  int value = 1;
  int& same = with_frame("unused", [&]() -> int& { return value; });
  EXPECT_EQ(&same, &value);
  try {
    with_frame("unused", [] { throw std::runtime_error("plain"); });
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "plain");
  }
}

TEST(ToText, IsShort) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(3.0), "3");
  EXPECT_EQ(to_text(-1e300), "-1e+300");
  EXPECT_EQ(to_text(std::numeric_limits<double>::infinity()), "inf");
}

RC_GTEST_PROP(ToText, ReadsBackAsTheSameValue, (double value)) {
  const std::string text = to_text(value);
  double again = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), again);
  RC_ASSERT(again == value || (std::isnan(again) && std::isnan(value)));
}

}  // namespace
}  // namespace motet::error_test
