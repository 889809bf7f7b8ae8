// The one exception of Motet.
//
// `kind` says who can mend the problem; the text is one sentence of the form
//   place: thing = value is problem; what is allowed
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#pragma GCC visibility push(default)
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

}  // namespace motet
#pragma GCC visibility pop
