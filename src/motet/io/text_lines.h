// A text file line by line, in one buffer whatever its size.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "motet/io/file.h"

namespace motet {

// Lines end with LF or CRLF, the last one perhaps with neither; a byte order mark is skipped.
class TextLines {
 public:
  explicit TextLines(const std::string& path, std::size_t buffer_size = default_chunk);

  // The next line without its end; false after the last. The view is good until the next call.
  // Throws Error{bad_data} for a NUL byte, a text that is not UTF-8, or a line above 256 MiB.
  bool next(std::string_view& line);
  std::size_t line() const { return line_; }  // number of the line handed out last; the first is 1

  const InputFile& file() const { return file_; }
  const std::string& name() const { return file_.name(); }
  [[noreturn]] void fail_here(std::string_view message) const;  // "FILE:LINE: message"

 private:
  bool refill();
  void check(std::string_view line) const;

  InputFile file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what was not handed out
  std::size_t end_ = 0;
  std::size_t line_ = 0;
  bool at_end_ = false;
};

}  // namespace motet
