// Made-up texts with rare labels: what public sets of reports, e-mails and protein motifs are like. Items are sets of
// words (1: it occurs). Every label has words of its own and there is a background, all as sparse random shares of the
// vocabulary; a text is a number of words, each from the background or from one of its labels.
//
// Label sets come from a list drawn once, the rth of which is as frequent as 1/r, labels in it as 1/k^1.2; a share of
// the items has a set of its own, which the list need not have.
#pragma once

#include <cstddef>

#include "motet/base/rng.h"
#include "motet/data/labelled_items.h"

namespace motet::multilabel {

struct RareWordsOptions {
  std::size_t items = 400;
  std::size_t vocabulary = 400;
  std::size_t labels = 12;
  std::size_t label_sets = 30;  // of the list
  std::size_t text = 25;        // words per item, some of them the same
  double of_labels = 0.4;       // share of the words that its labels bring
  double own_sets = 0.05;       // share of the items whose set is drawn for them
};

LabelledItems rare_words(const RareWordsOptions& options, Seed seed);

}  // namespace motet::multilabel
