// What is learned from features of clips: a class or a number, by a support vector machine, a random forest or a linear
// model.
//
// Features are standardised by the rows that are learned from, inside every fold. Costs and gammas are those with the
// least error in `folds` folds of these rows; folds keep rows of one group (a source file) together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motet/audio/scenes/examples.h"
#include "motet/audio/scenes/forest.h"
#include "motet/audio/scenes/machine.h"
#include "motet/base/fields.h"
#include "motet/base/run.h"
#include "motet/data/record.h"

namespace motet::audio {

enum class LearnMethod { svm_linear, svm_rbf, forest, linear };

struct LearnOptions {
  LearnMethod method = LearnMethod::svm_linear;
  std::size_t folds = 10;
  std::size_t trees = 500;
};

template <class V>
void visit_fields(V& v, LearnOptions& o) {
  v("method", o.method, Choices{{"svm-linear", "svm-rbf", "forest", "linear"}},
    "support vector machine with a linear or an RBF kernel, random forest, or linear regression (of numbers only)");
  v("folds", o.folds, Range<std::size_t>{2, 100}, "of the rows that are learned from, to choose cost and gamma");
  v("trees", o.trees, Range<std::size_t>{1, 100'000}, "of a forest");
}

// How far what is said can be trusted (calibration.h). Models of version 1 have none.
struct Calibration {
  double slope = 0.0;             // of the scores of classes
  std::vector<double> offsets;    // of each class; empty: no calibration
  std::vector<double> residuals;  // of numbers, truth - said of clips held out, rising; empty: no calibration
  double least = 0.0;             // of the numbers learned from
  double most = 0.0;
};

struct Learned {
  static constexpr const char* kind = "audio-scene";
  static constexpr int newest_version = 2;

  LearnMethod method = LearnMethod::svm_linear;
  std::vector<std::string> columns;
  std::vector<std::string> classes;  // empty: a number
  Standard standard;
  Machine machine;
  Forest forest;
  std::vector<double> weights;  // of the linear model: one per feature, then the constant
  double cost = 0.0;            // that was chosen
  double gamma = 0.0;
  Calibration calibration;

  std::vector<double> say(const Rows2d& rows) const;

  // Of classes: one column each, greater the more a row looks like it. Of a machine the mean of what is said for the
  // class against each other one; of a forest its margins. A class that was not there to learn from has no sense.
  Rows2d scores(const Rows2d& rows) const;
};

// `groups`: one per row. Throws Error{unanswerable} for fewer than two classes, two groups or four rows.
Learned learn(const Rows2d& rows, const Target& target, std::span<const std::uint32_t> groups,
              const LearnOptions& options, const RunContext& run);

// The same kind of model, with the cost and gamma that `like` has, from other rows.
Learned relearned(const Learned& like, const Rows2d& rows, const Target& target, const LearnOptions& options,
                  Seed seed);

double error_of_said(const Target& truth, std::span<const double> said);  // balanced error, or mean |residual|

Record to_record(const Learned& learned);
Learned learned_from_record(const Record& record);

}  // namespace motet::audio
