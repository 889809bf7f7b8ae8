// What is said when something is refused.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "motet/base/error.h"

namespace motet {

// The text of the Error that `body` throws, "accepted" when it throws none; an error of another kind fails the test.
template <class Body>
std::string refusal(const Body& body, ErrorKind kind = ErrorKind::bad_data) {
  try {
    body();
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
}

}  // namespace motet
