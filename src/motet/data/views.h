// What is done with some rows of a data set without copying them (rows.h).
#pragma once

#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/labelled_items.h"
#include "motet/data/preparation.h"
#include "motet/data/rows.h"

namespace motet {

// The label sets of some rows: LabelSetIndex::rows are numbers of the whole, of_row goes by the places of the view.
LabelSetIndex index_label_sets(const BitMatrix& sets, Rows some);

// learn_preparation and prepare of preparation.h, from and for some rows.
Preparation learn_preparation(const NumberTable& features, Rows some, const PreparationOptions& options,
                              Threads threads);
std::vector<double> prepare(const Preparation& preparation, const NumberTable& features, Rows some, Threads threads);

// Whether it leaves features as they come, so that they need not be prepared at all.
inline bool leaves_features(const Preparation& preparation) {
  return preparation.centre.empty() && preparation.components.empty();
}

}  // namespace motet
