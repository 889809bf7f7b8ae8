// Labels of recordings: a CSV table with a column clip (or item, file, recording, sequence) and a column labels (or
// label), several joined by '|'.
#pragma once

#include <string>
#include <vector>

namespace motet {

struct ClipLabelRow {
  std::string name;
  std::vector<std::string> labels;  // ascending, each once
};

// A clip comes once. Every rule broken is Error{bad_data} with file and line.
std::vector<ClipLabelRow> read_clip_labels(const std::string& path, char delimiter = ',');

}  // namespace motet
