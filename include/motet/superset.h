// Items with candidate labels of which one is right: label new items, and say which candidate it was.
// docs/superset.md has the models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "motet/error.h"
#include "motet/features.h"
#include "motet/model.h"
#include "motet/options.h"
#include "motet/run.h"

#pragma GCC visibility push(default)
namespace motet::superset {

struct SupersetModel;

struct Candidate {
  std::uint32_t label = 0;  // number in the list of classes
  double weight = 1.0;      // above 0
};

struct Items {
  FeatureTable features;
  std::vector<std::string> classes;
  std::vector<std::vector<Candidate>> candidates;  // one list per row; none: all classes are
};

// A trained classifier, as a value that is cheap to copy.
class Model : public ModelOf<SupersetModel> {
 public:
  using ModelOf::ModelOf;
  const std::vector<std::string>& classes() const;
  const std::vector<std::string>& columns() const;  // of the features
};

std::string to_text(const Model& model);  // a model file
Model model_from_text(std::string_view text);

struct Trained {
  Model model;
  FitSummary summary;
  std::vector<double> probability;  // of each class, given the candidates, at [row * classes + class]
};

// `motet superset train`.
Trained train(const Items& items, const Options& options = {}, const Run& run = {});
OptionList train_options();

struct Predictions {
  std::vector<std::int32_t> label;               // -1: abstained
  std::vector<double> confidence;                // probability of the likeliest class
  std::vector<double> probability;               // of each class, at [row * classes + class]
  std::vector<std::vector<std::uint32_t>> sets;  // with the option coverage, one per row; else empty
};

// `motet superset predict`. Columns are found by name.
Predictions predict(const Model& model, const FeatureTable& features, const Options& options = {}, const Run& run = {});
OptionList predict_options();

// `motet superset disambiguate`: the probability of each class, given features and candidates, at
// [row * items.classes + class].
std::vector<double> disambiguate(const Model& model, const Items& items, const Run& run = {});

struct Simulated {
  Items items;
  std::vector<std::int32_t> truth;  // by row
};

// `motet superset simulate`.
Simulated simulate(const Options& options = {}, const Run& run = {});
OptionList simulate_options();

}  // namespace motet::superset
#pragma GCC visibility pop
