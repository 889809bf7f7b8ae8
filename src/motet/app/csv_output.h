// A table as an output of a verb: a file that appears whole or not at all, or text for
// standard output when its name is "-".
#pragma once

#include <optional>
#include <sstream>
#include <string>

#include "motet/io/csv_writer.h"

namespace motet {

class CsvOutput {
 public:
  explicit CsvOutput(const std::string& path) {
    if (path != "-") file_.emplace(path);
    writer_.emplace(file_ ? CsvWriter(*file_) : CsvWriter(text_));
  }
  CsvOutput(const CsvOutput&) = delete;
  CsvOutput& operator=(const CsvOutput&) = delete;

  CsvWriter& csv() { return *writer_; }

  // Puts the file in its place, or returns the text.
  std::string finish() {
    writer_->finish();
    if (file_) file_->commit();
    return text_.str();
  }

 private:
  std::optional<AtomicFile> file_;
  std::ostringstream text_;
  std::optional<CsvWriter> writer_;
};

}  // namespace motet
