// Numbers that come in time: the states behind them, and when each of them held. docs/temporal.md has the models.
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
namespace motet::temporal {

struct Mixture;

// What is known of the classes of rows; both empty: nothing.
struct RowClasses {
  std::vector<std::string> names{};
  std::vector<std::int32_t> of_row{};  // a number in `names`, -1 where unknown
};

// A fitted mixture, as a value that is cheap to copy.
class Model : public ModelOf<Mixture> {
 public:
  using ModelOf::ModelOf;
  std::size_t components() const;
  const std::vector<double>& mean(std::size_t component) const;  // by column
  const std::vector<std::string>& classes() const;               // may be empty
  std::vector<std::string> columns() const;                      // of the features
};

std::string to_text(const Model& model);  // a model file
Model model_from_text(std::string_view text);

struct States {
  std::vector<std::uint8_t> component;  // of each row
  std::vector<double> probability;      // of it
  std::vector<std::int32_t> of_class;   // the class of each row, -1: none; empty when the model has no classes
  std::vector<std::uint8_t> path;       // of a chain, the most probable components of all rows together; else empty
};

struct Fit {
  Model model;
  States states;
  FitSummary summary;
};

// `motet temporal fit --components COUNT`.
Fit fit(const FeatureTable& features, std::size_t count, const Options& options = {}, const Run& run = {},
        const RowClasses& classes = {});
OptionList fit_options();

// `motet temporal apply`. Columns are found by name; `inference` is icm, mean-field or exact.
States apply(const Model& model, const FeatureTable& features, std::string_view inference = "icm", const Run& run = {});

}  // namespace motet::temporal
#pragma GCC visibility pop
