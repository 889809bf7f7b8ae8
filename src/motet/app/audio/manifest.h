// What is finished of a long run over many recordings, so that an interrupted run goes on.
//
// MANIFEST is a text of JSON lines: first what the rows are made with, then one line per finished recording with the
// place of its rows in MANIFEST.rows, which holds them as they will stand in the output. A line is written when its
// rows are on the disk, at most a second after they are there and at the end of the run. A recording whose size or time
// of change is another than before is heard again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "motet/app/audio/inputs.h"
#include "motet/app/audio/row_text.h"

namespace motet::audio {

// A recording whose rows are there.
struct FinishedRecording {
  std::uint64_t begin = 0;  // bytes of its rows
  std::uint64_t end = 0;
  Heard heard;  // without the names of columns and units
};

class Manifest {
 public:
  // Reads what is there. Throws Error{usage} "m.jsonl: was made with --hop 0.1, and here it is 0.2; ..." for one of a
  // run with other options, Error{bad_data} for a file that is no manifest.
  Manifest(const std::string& path, RowFile kind, const Value& options);
  ~Manifest();
  Manifest(Manifest&&) noexcept;

  const RowShape* shape() const;  // null before the first recording
  const FinishedRecording* find(const NamedRecording& recording) const;

  void set_shape(const RowShape& shape);  // once, before the first rows
  void write(std::string_view rows);
  std::uint64_t size() const;
  void cut_to(std::uint64_t size);
  void add(const NamedRecording& recording, FinishedRecording finished);
  void finish();  // everything is on the disk

  // Calls take(bytes) with the rows of a finished recording, in pieces.
  void read(const FinishedRecording& recording, const std::function<void(std::string_view)>& take) const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace motet::audio
