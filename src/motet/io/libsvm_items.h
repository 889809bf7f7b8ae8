// Multi-label libsvm files: one item per line, its labels, then the features that are not 0.
//
//   1,3 2:0.5 7:1      # labels 1 and 3
//    4:0.25            an item without labels
// Labels may be any words. Features are numbered from 1 (from 0 when a file has a feature 0)
// and called by their number.
#pragma once

#include <string>

#include "motet/io/labelled_items_file.h"

namespace motet {

LabelledItems read_libsvm_items(const std::string& path, const LabelledFormat& format, const RunContext& run);

}  // namespace motet
