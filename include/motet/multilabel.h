// Items with several labels at once: what the source of each label is like, and the labels of new items.
// docs/multilabel.md has the models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motet/error.h"
#include "motet/features.h"
#include "motet/model.h"
#include "motet/options.h"
#include "motet/run.h"

#pragma GCC visibility push(default)
namespace motet::multilabel {

struct MultilabelModel;

using LabelSet = std::vector<std::uint32_t>;  // numbers in a list of labels, rising

struct Items {
  FeatureTable features;
  std::vector<std::string> labels;  // names
  std::vector<LabelSet> sets;       // one per row
};

// A trained classifier, as a value that is cheap to copy.
class Model : public ModelOf<MultilabelModel> {
 public:
  using ModelOf::ModelOf;
  const std::vector<std::string>& labels() const;
  const std::vector<std::string>& columns() const;  // of the features
};

std::string to_text(const Model& model);  // a model file
Model model_from_text(std::string_view text);

struct Trained {
  Model model;
  FitSummary summary;
  std::size_t label_sets = 0;            // that differ, among the items
  std::optional<double> log_likelihood;  // of the items, where every one of them can be explained
  std::vector<std::string> warnings;
};

// `motet multilabel train`.
Trained train(const Items& items, const Options& options = {}, const Run& run = {});
OptionList train_options();

struct Predictions {
  std::vector<LabelSet> sets;          // one per row; empty where rejected
  std::vector<double> probability;     // that the set is right
  std::vector<double> log_likelihood;  // of the row, given the set
  std::vector<double> marginal;        // of each label, at [row * labels + label]
  std::vector<std::uint8_t> outlier;   // 1: unlike the training items
  std::vector<std::uint8_t> rejected;  // 1: too unsure for a set
};

// `motet multilabel predict`. Columns are found by name.
Predictions predict(const Model& model, const FeatureTable& features, const Options& options = {}, const Run& run = {});
OptionList predict_options();

// What each source of an item is expected to have emitted, one entry per item and source of its set.
struct Emissions {
  std::vector<std::string> columns;  // of the features, or pc1, pc2, ... where the model projects them
  std::vector<std::string> sources;  // names: of the labels that were learnt, "a|b" of two as one; a background is last
  std::vector<std::uint32_t> item;
  std::vector<std::uint32_t> source;  // numbers in the list of names
  std::vector<double> mean;           // at [entry * columns + column]
  std::vector<double> standard_deviation;
};

// `motet multilabel separate`, of items whose sets are known; `labels` of the items are found by name.
Emissions separate(const Model& model, const Items& items, const Run& run = {});

// `motet multilabel simulate`.
Items simulate(const Options& options = {}, const Run& run = {});
OptionList simulate_options();

}  // namespace motet::multilabel
#pragma GCC visibility pop
