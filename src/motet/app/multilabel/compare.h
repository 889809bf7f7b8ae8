// What `motet multilabel evaluate --compare` names, tried on the same items: the usual classifiers (compare.h),
// and the trainings of the documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motet/app/multilabel/evaluate_document.h"
#include "motet/app/multilabel/folds.h"
#include "motet/multilabel/choice/learning_curve.h"

namespace motet::multilabel {

struct Rival {
  std::string word;                     // as it was named: "lp-lda", "cross", "cross/one-against-all"
  std::string name;                     // for people
  std::optional<FoldOptions> training;  // empty: a usual classifier
};

// "all" are the usual classifiers; TRAINING or TRAINING/DECISION a training with the other options of `base`, whose
// decision holds where none is named and the training has it. Throws Error{usage} for anything else.
std::vector<Rival> rivals_of(const std::string& text, const FoldOptions& base);
bool names_training(const std::vector<Rival>& rivals);

// What a rival decided about items that it was not trained on.
struct Attempt {
  std::string name;
  Decided decided;      // of a usual classifier only the sets
  std::string failure;  // why it could not be trained; empty when it could
  std::vector<std::string> warnings = {};
};
Attempt try_rival(const Rival& rival, const LabelledItems& train, const LabelledItems& test, const RunContext& run);
Attempt try_rival(const Rival& rival, const LabelledItems& items, const Parts& parts, const RunContext& run);

// Rivals as methods of a learning curve.
std::vector<CurveMethod> curve_methods(const std::vector<Rival>& rivals);

// The difference of the error is paired: over the items on which one is right and the other, `first`, is not.
ClassifierScore score_of(const Attempt& attempt, const LabelledItems& items, const BitMatrix& first);
ClassifierScore score_of(const std::string& name, const BitMatrix& truth, const BitMatrix& sets,
                         const BitMatrix& first);

// Whether each set is the true one.
std::vector<std::uint8_t> right_of(const BitMatrix& truth, const BitMatrix& sets);

}  // namespace motet::multilabel
