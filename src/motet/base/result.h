// Value or reason, for failures that are part of normal work.
//
// Use it where the caller goes on after a failure (a text that may or may not be
// a number). Use motet::Error everywhere else.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace motet {

struct Failure {
  std::string reason;
};

template <class T>
class [[nodiscard]] Result {
 public:
  // What is returned becomes the result by itself: NOLINTBEGIN(google-explicit-constructor)
  Result(T value) : state_(std::move(value)) {}
  Result(Failure failure) : state_(std::move(failure)) {}
  // NOLINTEND(google-explicit-constructor)

  explicit operator bool() const noexcept { return state_.index() == 0; }
  const T& value() const { return std::get<0>(state_); }
  const std::string& reason() const { return std::get<1>(state_).reason; }

 private:
  std::variant<T, Failure> state_;
};

}  // namespace motet
