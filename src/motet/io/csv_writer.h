// Writes CSV per RFC 4180 with LF, for a file or a stream.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "motet/io/file.h"

namespace motet {

// Quotes only where needed; numbers as the shortest text that reads back the same.
class CsvWriter {
 public:
  explicit CsvWriter(AtomicFile& file, char delimiter = ',') : file_(&file), delimiter_(delimiter) {}
  explicit CsvWriter(std::ostream& stream, char delimiter = ',') : stream_(&stream), delimiter_(delimiter) {}

  CsvWriter& text(std::string_view field);
  CsvWriter& number(double field);  // what is no finite number is an empty field
  CsvWriter& whole(std::int64_t field);
  void end_row();
  void row(std::span<const std::string> fields);  // a whole row of texts
  void finish();  // hands on what is still kept here; needed at the end, does not commit a file

 private:
  void separate();
  void flush();

  AtomicFile* file_ = nullptr;
  std::ostream* stream_ = nullptr;
  char delimiter_;
  std::string kept_;
  std::size_t fields_in_row_ = 0;
};

}  // namespace motet
