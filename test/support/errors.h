// What a call that must fail says.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "motet/base/error.h"

namespace motet {

// The text of the Error that `body` throws; an error of another kind fails the test. Empty: there is none.
template <class Body>
std::string error_if_any(const Body& body, std::optional<ErrorKind> kind = {}) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind.value_or(error.kind())) << error.what();
    return error.what();
  }
  return "";
}

// The same where no error fails the test too.
template <class Body>
std::string error_of(const Body& body, std::optional<ErrorKind> kind = {}) {
  const std::string text = error_if_any(body, kind);
  if (text.empty()) ADD_FAILURE() << "no error";
  return text;
}

// The text of the error by which bad data are refused, "accepted" when they are not.
template <class Body>
std::string refusal(const Body& body, ErrorKind kind = ErrorKind::bad_data) {
  const std::string text = error_if_any(body, kind);
  return text.empty() ? "accepted" : text;
}

}  // namespace motet
