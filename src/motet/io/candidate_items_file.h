// Reads items with candidate labels: .csv with a column of candidates, .mat of the public
// benchmarks (data, partial_target, target), and libsvm rows whose labels are candidates.
//
// What a field of candidates may be is told in candidate_text.h. Of weights only the ratios matter: the
// largest of an item is made 1.
#pragma once

#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/candidate_items.h"
#include "motet/io/csv_writer.h"

namespace motet {

enum class CandidateFileKind { csv, mat, libsvm };
CandidateFileKind candidate_file_kind(const std::string& path);  // by the ending of its name

struct CandidateFormat {
  std::string candidates_column = "candidates";
  std::string truth_column;  // csv; empty: none
  std::string item_column;   // a column called item is one
  char delimiter = ',';
  std::vector<std::string> classes;        // declared ones; empty: those that occur, in alphabetical order
  bool needs_candidates = true;            // false: they are not looked at (prediction)
  std::vector<std::string> known_columns;  // of a model: its features; other columns are not looked at
};

struct CandidateFile {
  CandidateItems items;
  std::vector<std::string> warnings;
  std::vector<std::string> only_true = {};  // csv: classes that are no candidates and were not declared
  bool leaves_candidates = false;           // the file has candidates that were not asked for
};

// Every rule broken is Error{bad_data} with the file and the line (.mat: the number of the item). A label outside the
// declared classes, an empty set and a weight that is not positive are among them.
CandidateFile read_candidate_items(const std::string& path, const CandidateFormat& format, const RunContext& run);

// item, features, candidates, and truth where it is known.
void write_candidate_csv(CsvWriter& csv, const CandidateItems& items);

}  // namespace motet
