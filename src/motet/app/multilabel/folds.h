// Training and deciding on parts of the items, for `motet multilabel evaluate`.
#pragma once

#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/data/split.h"
#include "motet/multilabel/predict.h"
#include "motet/multilabel/train.h"

namespace motet::multilabel {

// What was decided about items, in the order of the items and in all labels of the data.
struct Decided {
  BitMatrix sets;
  std::vector<double> probability;
  std::vector<double> marginal;  // items x labels
  std::vector<std::uint8_t> outlier;
  std::vector<std::uint8_t> known;  // whether the training items have this item's true set
  std::vector<std::string> chosen;  // what `auto` chose, fold by fold
  std::size_t unproved = 0;

  Decided() = default;
  Decided(std::size_t items, std::size_t labels);
};

struct FoldOptions {
  TrainOptions train;
  bool calibrate = true;
  PredictOptions decide;
  std::string name = {};  // in what is told of the progress
};

// A part of the training items may lack a label altogether: it is left out there and never decided for.
struct TrainingPart {
  LabelledItems items;
  std::vector<std::uint32_t> labels;  // of all labels, those that are left

  explicit TrainingPart(LabelledItems part);
  BitMatrix widened(const BitMatrix& sets, std::size_t labels_in_all) const;
};

// Trains on the rows of other folds, decides about those of each; fills `result` (sized by the caller).
void decide_by_folds(const LabelledItems& items, const Parts& parts, const FoldOptions& options, const RunContext& run,
                     Decided& result, std::vector<std::string>& warnings);
// The same with a method of compare.h, of which there are only sets; `name` is for people.
void decide_by_folds(const std::string& word, const std::string& name, const LabelledItems& items, const Parts& parts,
                     const RunContext& run, Decided& result);

// Trains on `train`, decides about `test`.
Decided decide_about(const LabelledItems& train, const LabelledItems& test, const FoldOptions& options,
                     const RunContext& run);
// The sets by a method of compare.h.
BitMatrix baseline_about(const std::string& word, const LabelledItems& train, const NumberTable& test,
                         const RunContext& run);

}  // namespace motet::multilabel
