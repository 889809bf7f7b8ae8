#include "motet/io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "motet/base/error.h"
#include "motet/io/words.h"

namespace motet {
namespace {

constexpr std::size_t longest_record = std::size_t{16} << 20;
constexpr std::size_t fields_at_a_time = 768;  // a batch of rows stays in the first-level cache

// "" becomes ", in place: `field` lies in the reader's own buffer.
std::string_view without_doubles(std::string_view field, char* begin) {
  char* out = begin;
  for (std::size_t i = 0; i < field.size(); ++i) {
    *out++ = field[i];
    if (field[i] == '"') ++i;
  }
  return {begin, static_cast<std::size_t>(out - begin)};
}

}  // namespace

CsvReader::CsvReader(const std::string& path, const CsvFormat& format)
    : file_(path), delimiter_(format.delimiter), buffer_(std::max(format.buffer_size, byte_order_mark.size() + 1) + 1) {
  if (std::string_view("\"\n\r\0", 4).find(delimiter_) != std::string_view::npos || (delimiter_ & 0x80) != 0) {
    fail(ErrorKind::usage, "the delimiter must be one ASCII character, and no quote or line end");
  }
  read_header();
}

void CsvReader::fail_at(std::size_t line, std::string_view message) const {
  fail(ErrorKind::bad_data, fmt::format("{}:{}: {}", name(), line, message));
}

void CsvReader::fail_in_field(std::size_t line, std::size_t field, std::string_view message) const {
  fail_at(line, fmt::format("column {}: {}", field + 1, message));
}

void CsvReader::fail_binary(std::size_t line) const {
  fail_at(line, "this is a binary file (it holds a NUL byte); a CSV text file is needed");
}

void CsvReader::read_header() {
  refill();
  const std::string_view start(buffer_.data(), size_);
  if (start.starts_with(byte_order_mark)) next_.offset = byte_order_mark.size();
  // A binary file is told as such, not by the first rule it happens to break.
  if (const std::size_t nul = start.find('\0'); nul != std::string_view::npos) {
    fail_binary(1 + static_cast<std::size_t>(std::count(start.data(), start.data() + nul, '\n')));
  }
  for (;;) {
    skip_blank_lines();
    header_line_ = next_.line;
    fields_.resize(specials_.count);  // enough for any record in the buffer
    if (parse_record(fields_.data())) break;
    if (!refill()) fail(ErrorKind::bad_data, name() + ": the file is empty; a header line is needed");
  }
  for (std::size_t i = 0; i < field_count_; ++i) header_.emplace_back(fields_[i]);
  const std::size_t rows_at_a_time = std::max<std::size_t>(1, fields_at_a_time / header_.size());
  fields_.resize(rows_at_a_time * header_.size());
  lines_.reserve(rows_at_a_time);
}

CsvRows CsvReader::next_rows() {
  lines_.clear();
  const std::size_t width = header_.size();
  try {
    while (lines_.size() < lines_.capacity()) {
      parse_plain_records();
      if (lines_.size() == lines_.capacity()) break;
      skip_blank_lines();
      const std::size_t line = next_.line;
      if (parse_record(fields_.data() + lines_.size() * width)) {
        lines_.push_back(line);
      } else if (!lines_.empty() || !refill()) {  // a refill moves what the views of earlier rows point to
        break;
      }
    }
  } catch (const Error&) {
    if (lines_.empty()) throw;  // otherwise hand out the good rows; the next call finds the bad one again
  }
  return {fields_.data(), width, lines_};
}

// Keeps the record that was not complete and adds what comes next. False when
// nothing comes.
bool CsvReader::refill() {
  if (at_end_) return false;
  const std::size_t kept = size_ - next_.offset;
  if (kept > longest_record) fail_at(next_.line, "the record is longer than 16 MiB; is a quote left open?");
  std::memmove(buffer_.data(), buffer_.data() + next_.offset, kept);
  if (2 * kept >= buffer_.size()) buffer_.resize(2 * buffer_.size());
  size_ = kept + file_.read(std::span(buffer_).subspan(kept, buffer_.size() - 1 - kept));
  at_end_ = size_ < buffer_.size() - 1;
  if (at_end_ && size_ != 0 && buffer_[size_ - 1] != '\n') {
    buffer_[size_++] = '\n';
    newline_added_ = true;
  }
  find_special_bytes({buffer_.data(), size_}, delimiter_, specials_);
  next_.offset = 0;
  next_.special = 0;
  return true;
}

void CsvReader::skip_blank_lines() {
  const char* const text = buffer_.data();
  for (;;) {
    std::size_t end = next_.offset;
    if (end < size_ && text[end] == '\r') ++end;
    if (end >= size_ || text[end] != '\n') return;
    next_ = {end + 1, next_.special + 1, next_.line + 1};
  }
}

// The records from next_ on that are as simple as can be: ASCII, complete, no
// quotes, the right number of fields. Stops before the first that is not, and
// before a blank line; the general rules are in parse_record.
void CsvReader::parse_plain_records() {
  const std::size_t width = header_.size();
  if (!specials_.is_ascii || width < 2) return;
  const char* const text = buffer_.data();
  const std::uint32_t* const offsets = specials_.offsets.data();
  const std::size_t last = width - 1;
  std::string_view* out = fields_.data() + lines_.size() * width;
  Position at = next_;
  for (std::size_t room = lines_.capacity() - lines_.size(); room != 0; --room) {
    if (at.special + width > specials_.count) break;
    const std::uint32_t* const ends = offsets + at.special;
    std::size_t start = at.offset;
    std::size_t field = 0;
    for (; field < last && text[ends[field]] == delimiter_; ++field) {
      out[field] = {text + start, ends[field] - start};
      start = ends[field] + std::size_t{1};
    }
    if (field != last || text[ends[last]] != '\n') break;
    const std::size_t size = ends[last] - start;
    out[last] = {text + start, size - static_cast<std::size_t>(size != 0 && text[ends[last] - 1] == '\r')};
    out += width;
    lines_.push_back(at.line);
    at = {ends[last] + std::size_t{1}, at.special + width, at.line + 1};
  }
  next_ = at;
}

// Parses the record at next_ into out[0], out[1], ... and steps past it. False,
// and no step, when the buffer ends before the record does.
bool CsvReader::parse_record(std::string_view* out) {
  const char* const text = buffer_.data();
  const std::uint32_t* const offsets = specials_.offsets.data();
  const std::size_t room = header_.empty() ? fields_.size() : header_.size();
  const char delimiter = delimiter_;
  std::size_t count = 0;
  doubled_.clear();
  Position at = next_;
  for (bool is_last = false; !is_last; ++at.offset) {
    if (at.special == specials_.count) return false;
    const std::size_t start = std::exchange(at.offset, offsets[at.special++]);
    std::string_view field(text + start, at.offset - start);
    if (text[at.offset] == '"') [[unlikely]] {
      if (!field.empty())
        fail_in_field(at.line, count, "a quote inside an unquoted field; quote the field and double it");
      if (!parse_quoted(at, count, field)) return false;
    } else if (text[at.offset] == '\n') {
      if (field.ends_with('\r')) field.remove_suffix(1);
    } else if (text[at.offset] != delimiter) {
      fail_binary(at.line);
    }
    is_last = text[at.offset] == '\n';
    if (count < room) out[count] = field;
    ++count;
  }
  ++at.line;
  check_record(count, {out, std::min(count, room)}, at);
  for (const std::size_t field : doubled_) {
    out[field] = without_doubles(out[field], buffer_.data() + (out[field].data() - text));
  }
  field_count_ = count;
  next_ = at;
  return true;
}

// From the opening quote to the delimiter or line feed behind the closing one.
// False when the buffer ends before that.
bool CsvReader::parse_quoted(Position& at, std::size_t index, std::string_view& field) {
  const std::size_t first_line = at.line;
  const std::size_t start = at.offset + 1;
  bool has_doubles = false;
  for (bool is_open = true; is_open;) {
    if (at.special == specials_.count && at_end_) {
      fail_in_field(first_line, index, "the quoted field is not closed before the end of the file");
    }
    if (at.special == specials_.count) return false;
    at.offset = specials_.offsets[at.special++];
    const char byte = buffer_[at.offset];
    if (byte == '\0') fail_binary(at.line);
    if (byte == '\n') ++at.line;
    if (byte != '"') continue;
    if (at.offset + 1 == size_) return false;
    is_open = buffer_[at.offset + 1] == '"';
    if (is_open) ++at.special;
    has_doubles = has_doubles || is_open;
  }
  field = {buffer_.data() + start, at.offset - start};
  ++at.offset;
  if (buffer_[at.offset] == '\r' && at.offset + 1 == size_) return false;
  if (buffer_[at.offset] == '\r' && buffer_[at.offset + 1] == '\n') ++at.offset;
  if (buffer_[at.offset] != delimiter_ && buffer_[at.offset] != '\n') {
    fail_in_field(at.line, index, "text after the closing quote; double the quotes inside a field");
  }
  ++at.special;
  if (has_doubles) doubled_.push_back(index);
  return true;
}

void CsvReader::check_record(std::size_t count, std::span<const std::string_view> fields, const Position& end) const {
  if (!header_.empty() && count != header_.size()) {
    const bool is_cut = count < header_.size() && newline_added_ && end.offset == size_;
    fail_at(next_.line, fmt::format("{} field{} where the header has {}{}", count, count == 1 ? "" : "s",
                                    header_.size(), is_cut ? "; the file may be cut short" : ""));
  }
  if (specials_.is_ascii) return;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!is_utf8(fields[i])) fail_in_field(next_.line, i, "the text is not valid UTF-8; convert the file to UTF-8");
  }
}

}  // namespace motet
