// Tells how far the reading of a file is, and ends it when the user asks for it.
#pragma once

#include <cstdint>
#include <string>

#include "motet/base/run.h"
#include "motet/io/csv.h"

namespace motet {

class ReadingProgress {
 public:
  ReadingProgress(const InputFile& file, const RunContext& run);
  ReadingProgress(const CsvReader& reader, const RunContext& run) : ReadingProgress(reader.file(), run) {}

  // To be called for every batch of rows. Throws Error{interrupted}
  // "interrupted while reading FILE".
  void step();

 private:
  const InputFile& file_;
  const RunContext& run_;
  std::string stage_;
  std::uint64_t next_report_ = 0;
};

}  // namespace motet
