// Numbers in time order from a CSV table, and back.
//
// One line per row, in the order of time. Columns called `sequence`, `item` and `time`
// have the meaning of their names unless the format says otherwise: `time` (seconds) is
// the clock, not a feature. All other columns are features and must hold finite numbers;
// text that is to be kept beside them has to be named in `labels`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/io/csv_writer.h"
#include "motet/io/line_map.h"

namespace motet {

struct FeaturesFormat {
  char delimiter = ',';
  std::string sequence_column = {};      // empty: `sequence` if it is there, else all rows are one sequence
  std::string item_column = {};          // empty: `item` if it is there, else items are named by row
  std::vector<std::string> labels = {};  // columns of classes, returned beside the features; an empty field: unknown
  std::vector<std::string> leave_out = {};
  std::vector<std::string> leave_out_if_there = {};
  std::vector<std::string> only = {};  // the features, in this order; empty: every column that has no other use
  FrameClock clock = {};               // hop > 0: rather than what a column `time` says; window = 0: the hop
};

// A column of classes.
struct LabelColumn {
  std::string name;
  std::vector<std::string> classes;  // in order of first appearance
  std::vector<std::int32_t> of_row;  // number in classes; -1: the field is empty

  bool operator==(const LabelColumn&) const = default;
};

struct FeaturesFile {
  Features features;
  std::vector<LabelColumn> labels;         // as named in the format
  std::vector<std::string> warnings;       // for people, such as uneven times
  std::vector<std::string> left_out = {};  // of leave_out_if_there, what was
  std::string name = {};                   // of the file, for messages
  LineMap lines = {};                      // of the rows

  std::string place(std::size_t row) const;  // "x.csv:8"
};

// Every rule broken is Error{bad_data} with file and line, such as
// "x.csv:8: row 7 column 'mfcc3' is empty; every feature needs a number".
FeaturesFile read_features_csv(const std::string& path, const FeaturesFormat& format, const RunContext& run);

// sequence (when there are several or it has a name), item (when items have names), time (when there is a
// clock), then the features. Read back, it gives the same values, names and hop; the window is not in it.
void write_features_csv(CsvWriter& csv, const Features& features);

}  // namespace motet
