// Rows of features as the bytes of a file: CSV, .npy, .arff or JSON lines.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "motet/app/recording_features.h"
#include "motet/data/value.h"

namespace motet::audio {

enum class RowFile { csv, npy, arff, json_lines };

RowFile row_file_of(const std::string& path);  // by the end of the name; .csv for what is not known

// Names, units and the clock, and what they were made with.
struct RowShape {
  std::vector<std::string> columns;
  std::vector<std::string> units;
  FrameClock clock;
  Value options;

  bool operator==(const RowShape& other) const {
    return columns == other.columns && units == other.units && clock == other.clock;
  }
};

// Everything that a file does not tell by itself, as JSON. Rows and recordings are added by who knows them.
Value shape_value(const RowShape& shape);

// `rows`: how many there will be; only .npy needs it, and its length does not depend on it.
std::string row_header(RowFile kind, const RowShape& shape, std::size_t rows);

// Rows of one recording, the first of which is row `first`.
std::string row_text(RowFile kind, const RowShape& shape, std::string_view recording, std::size_t first,
                     std::span<const double> rows);

}  // namespace motet::audio
