// Reads items with label sets: MULAN .arff (dense or sparse) with its .xml, MEKA .arff whose
// relation says `-C n`, .csv with 0/1 columns, and multi-label libsvm. By the name's ending
// (.arff; .svm, .libsvm, .txt; else csv), `.gz` after it is read transparently.
//
// Nominal features: of two values 0 and 1 (the smaller number, or the first word, is 0); of
// more one column per value, called attribute=value. A missing value of a feature is an error, or NaN if the format
// says so.
#pragma once

#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/io/csv_writer.h"

namespace motet {

enum class ItemsKind { by_name, csv, arff, libsvm };

struct LabelledFormat {
  ItemsKind kind = ItemsKind::by_name;
  std::string labels_file;                 // MULAN .xml; empty: none
  std::vector<std::string> label_columns;  // names
  std::size_t label_count = 0;  // the last N columns; 0: not said (MEKA's own sign is heeded: -C -3 is the last 3)
  std::string item_column;      // of csv and arff; a column called item is one
  std::vector<std::string> leave_out;  // columns that are neither features nor labels
  char delimiter = ',';
  bool are_candidates = false;             // libsvm: every item needs a label, and '*' is none
  bool needs_labels = true;                // false: a file without label columns is fine (prediction)
  bool keeps_missing = false;              // features that are left out become NaN (data/missing.h)
  std::vector<std::string> known_labels;   // of a model: which columns, or libsvm numbers, are labels
  std::vector<std::string> known_columns;  // of a model: its features, which sparse files do not name
};

struct LabelledFile {
  LabelledItems items;
  std::vector<std::string> warnings;
};
// Throws Error{bad_data} with file and line for what breaks a rule, and Error{machine_limit}
// for what does not fit into memory. Labels of an .arff: as the format says, else by MEKA's sign,
// else by the .xml beside it (warned of).
LabelledFile read_labelled_items(const std::string& path, const LabelledFormat& format, const RunContext& run);

// The .xml that belongs to an .arff: songs-train.arff has songs-train.xml, or else songs.xml.
// Empty when there is none.
std::string labels_beside(const std::string& path);

// The features, then the labels as 0/1: the reader takes it with label_count. With a column
// item when items have names.
void write_labelled_csv(CsvWriter& csv, const LabelledItems& items);

}  // namespace motet
