// CSV tables per RFC 4180: UTF-8 with or without a byte order mark, lines ended
// by LF or CRLF, fields quoted where needed, quotes doubled inside quotes. Blank
// lines are skipped. A lone CR is data.
//
// The reader keeps one buffer, whatever the size of the file; it grows only for a
// record that does not fit, up to 16 MiB.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/io/file.h"
#include "motet/io/special_bytes.h"

namespace motet {

struct CsvFormat {
  char delimiter = ',';
  std::size_t buffer_size = default_chunk;  // to start with; tests take a few bytes
};

// Records read together. All have as many fields as the header.
class CsvRows {
 public:
  CsvRows(const std::string_view* fields, std::size_t width, std::span<const std::size_t> lines)
      : fields_(fields), width_(width), lines_(lines) {}

  std::size_t size() const { return lines_.size(); }
  std::span<const std::string_view> operator[](std::size_t row) const { return {fields_ + row * width_, width_}; }
  std::size_t line(std::size_t row) const { return lines_[row]; }  // where the record starts; the first is 1
  std::span<const std::size_t> lines() const { return lines_; }

  // For work by columns: the field of row r is column(c)[r * width()].
  const std::string_view* column(std::size_t c) const { return fields_ + c; }
  std::size_t width() const { return width_; }

 private:
  const std::string_view* fields_;
  std::size_t width_;
  std::span<const std::size_t> lines_;
};

// Every error is Error{bad_data} "FILE:LINE: ..." or "FILE:LINE: column 3: ...".
class CsvReader {
 public:
  explicit CsvReader(const std::string& path, const CsvFormat& format = {});

  const std::vector<std::string>& header() const { return header_; }
  std::size_t header_line() const { return header_line_; }

  // Some more records; none at the end. The views are good until the next call.
  CsvRows next_rows();

  const InputFile& file() const { return file_; }
  const std::string& name() const { return file_.name(); }
  std::uint64_t bytes_done() const { return file_.bytes_done(); }
  std::uint64_t bytes_total() const { return file_.bytes_total(); }
  [[noreturn]] void fail_at(std::size_t line, std::string_view message) const;

 private:
  struct Position {
    std::size_t offset = 0;   // in the buffer
    std::size_t special = 0;  // the first special byte at or after it
    std::size_t line = 1;
  };

  void read_header();
  bool refill();
  void skip_blank_lines();
  void parse_plain_records();
  bool parse_record(std::string_view* out);
  bool parse_quoted(Position& at, std::size_t index, std::string_view& field);
  void check_record(std::size_t count, std::span<const std::string_view> fields, const Position& end) const;
  [[noreturn]] void fail_in_field(std::size_t line, std::size_t field, std::string_view message) const;
  [[noreturn]] void fail_binary(std::size_t line) const;

  InputFile file_;
  char delimiter_;
  std::vector<std::string> header_;
  std::size_t header_line_ = 0;

  std::vector<char> buffer_;    // the last byte is kept free for a newline the file lacks
  std::size_t size_ = 0;        // of what is in the buffer
  bool at_end_ = false;         // nothing more to come from the file
  bool newline_added_ = false;  // the last line had none
  SpecialBytes specials_;       // of the buffer
  Position next_;               // the record to be parsed next

  std::size_t field_count_ = 0;           // of the record parsed last
  std::vector<std::string_view> fields_;  // of the rows handed out
  std::vector<std::size_t> lines_;
  std::vector<std::size_t> doubled_;  // fields of this record with doubled quotes in them
};

}  // namespace motet
