// The class of every row from a table of rows, as `audio mix --labels` writes it: sequence, time, label.
#pragma once

#include <string>
#include <vector>

#include "motet/data/features.h"
#include "motet/discover/study/row_truth.h"

namespace motet::discover {

// By its header: a .csv with the columns time and label and no begin, as segments have.
bool has_row_labels(const std::string& path);

struct TimeLabels {
  RowTruth truth;  // classes: the background first, the others by first appearance
  std::vector<std::string> warnings;
};

// Of several labels joined by '|' the first. Throws Error{bad_data} "FILE: has no label of the row at 0.15 s of
// 'a.wav'; ..." where rows of features begin at other times; rows behind the last of the table are background, which
// is told.
TimeLabels read_row_labels(const std::string& path, const Features& features);

}  // namespace motet::discover
