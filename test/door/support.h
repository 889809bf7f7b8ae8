// What the tests of the door share: the samples as a user of the library would hand them in.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "cli/support.h"
#include "motet/features.h"

namespace motet::door {

inline std::string sample_file(const std::string& name) { return MOTET_TEST_DIR "/../samples/" + name; }

// The fields of a plain csv, the header first.
inline std::vector<std::vector<std::string>> lines_of(const std::string& path) {
  std::vector<std::vector<std::string>> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string>& fields = lines.emplace_back();
    std::istringstream rest(line);
    for (std::string field; std::getline(rest, field, ',');) fields.push_back(field);
  }
  return lines;
}

// Columns first ... first + count - 1 as numbers.
inline FeatureTable features_of(const std::vector<std::vector<std::string>>& lines, std::size_t first,
                                std::size_t count) {
  FeatureTable table;
  for (std::size_t c = first; c < first + count; ++c) table.columns.push_back(lines[0][c]);
  for (std::size_t n = 1; n < lines.size(); ++n) {
    for (std::size_t c = first; c < first + count; ++c) {
      table.values.push_back(std::strtod(lines[n][c].c_str(), nullptr));
    }
  }
  return table;
}

}  // namespace motet::door
