// A table as an output of a verb: a file that appears whole or not at all, or standard output
// when its name is "-".
#pragma once

#include <string>

#include "motet/io/csv_writer.h"

namespace motet {

class CsvOutput {
 public:
  explicit CsvOutput(const std::string& path) : file_(path), writer_(file_) {}

  CsvWriter& csv() { return writer_; }

  // Puts the file in its place.
  void finish() {
    writer_.finish();
    file_.commit();
  }

 private:
  AtomicFile file_;
  CsvWriter writer_;
};

}  // namespace motet
