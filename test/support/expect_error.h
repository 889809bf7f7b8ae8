// What a call must refuse: the kind of the error and its whole text.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "motet/base/error.h"

namespace motet {

inline void expect_error(ErrorKind kind, const std::string& text, const std::function<void()>& body) {
  try {
    body();
    ADD_FAILURE() << "no error; expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_EQ(std::string(error.what()), text);
  }
}

}  // namespace motet
