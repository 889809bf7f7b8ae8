#include "motet/io/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "motet/base/error.h"
#include "motet/io/special_bytes.h"
#include "motet/io/words.h"

namespace motet {
namespace {

constexpr std::size_t longest_line = std::size_t{256} << 20;

}  // namespace

TextLines::TextLines(const std::string& path, std::size_t buffer_size)
    : file_(path), buffer_(std::max<std::size_t>(buffer_size, 4)) {
  refill();
  if (std::string_view(buffer_.data(), end_).starts_with(byte_order_mark)) begin_ = byte_order_mark.size();
}

void TextLines::fail_here(std::string_view message) const {
  fail(ErrorKind::bad_data, fmt::format("{}:{}: {}", name(), line_, message));
}

bool TextLines::next(std::string_view& line) {
  std::size_t looked_at = begin_;
  for (;;) {
    const void* const found = std::memchr(buffer_.data() + looked_at, '\n', end_ - looked_at);
    if (found == nullptr && !at_end_) {
      const std::size_t kept = end_ - begin_;
      refill();
      looked_at = begin_ + kept;
      continue;
    }
    if (found == nullptr && begin_ == end_) return false;
    const std::size_t stop =
        found == nullptr ? end_ : static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
    line = {buffer_.data() + begin_, stop - begin_};
    begin_ = found == nullptr ? end_ : stop + 1;
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    check(line);
    return true;
  }
}

// Keeps the line that was not complete and adds what comes next.
bool TextLines::refill() {
  if (at_end_) return false;
  const std::size_t kept = end_ - begin_;
  if (kept > longest_line) {
    ++line_;
    fail_here("the line is longer than 256 MiB; is this a text file?");
  }
  std::memmove(buffer_.data(), buffer_.data() + begin_, kept);
  if (2 * kept >= buffer_.size()) buffer_.resize(2 * buffer_.size());
  begin_ = 0;
  end_ = kept + file_.read(std::span(buffer_).subspan(kept));
  at_end_ = end_ < buffer_.size();
  return true;
}

void TextLines::check(std::string_view line) const {
  if (line.find('\0') != std::string_view::npos) {
    fail_here("this is a binary file (it holds a NUL byte); a text file is needed");
  }
  const bool is_ascii = std::all_of(line.begin(), line.end(), [](char c) { return (c & 0x80) == 0; });
  if (!is_ascii && !is_utf8(line)) fail_here("the text is not valid UTF-8; convert the file to UTF-8");
}

}  // namespace motet
