// Errors a caller may want to act on.
//
// One exception type. `kind` says who can mend the problem, and so the exit code
// of the program; the text is one sentence of the form
//   place: thing = value is problem; what is allowed
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace motet {

enum class ErrorKind {
  internal,       // our own invariant failed; always a defect
  usage,          // the caller passed a value outside its documented range
  bad_data,       // a file was read, but its content breaks a rule
  unanswerable,   // the data cannot answer the question; the text says why
  machine_limit,  // memory, disk, permissions
  interrupted,    // the user asked to stop
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message) : kind_(kind), text_(std::move(message)) {}

  ErrorKind kind() const noexcept { return kind_; }
  const char* what() const noexcept override { return text_.c_str(); }

  // Puts "frame: " before the text, keeping the kind.
  void add_frame(std::string_view frame);

 private:
  ErrorKind kind_;
  std::string text_;
};

[[noreturn]] void fail(ErrorKind kind, std::string message);

std::string to_text(double value);  // shortest text that reads back as the same value

// Runs `body`; an Error that leaves it gains `frame` as outermost context.
template <class Body>
auto with_frame(std::string_view frame, Body&& body) -> std::invoke_result_t<Body> {
  try {
    return std::forward<Body>(body)();
  } catch (Error& error) {
    error.add_frame(frame);
    throw;
  }
}

}  // namespace motet
