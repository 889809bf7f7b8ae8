// What the tests of files with labelled items share.
#pragma once

#include <string>

#include "motet/data/labelled_items.h"
#include "motet/io/labelled_items_file.h"

namespace motet {

// "a|b;;c": the sets of all items.
inline std::string sets_of(const LabelledItems& items) {
  std::string text;
  for (std::size_t n = 0; n < items.sets.rows(); ++n) {
    text += (n == 0 ? "" : ";") + joined_labels(items.sets.row(n), items.labels);
  }
  return text;
}

// The last columns are labels.
inline LabelledFormat counted(std::size_t labels) {
  LabelledFormat format;
  format.label_count = labels;
  return format;
}

}  // namespace motet
