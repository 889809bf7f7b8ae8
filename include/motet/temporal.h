// Numbers that come in time: the states behind them, and when each of them held. docs/temporal.md has the models.
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
  // At [column * columns + column]; of a model with `stack`, columns are those of all rows side by side. The scale
  // matrix of Student's t.
  const std::vector<double>& covariance(std::size_t component) const;
  double share(std::size_t component) const;            // of the rows
  double degrees(std::size_t component) const;          // of freedom, of Student's t; 0: Gaussian
  const std::vector<double>& chain_start() const;       // by component; empty: no chain
  const std::vector<double>& chain_transition() const;  // at [from * components + to]
  const std::vector<std::string>& classes() const;      // may be empty
  std::vector<std::string> columns() const;             // of the features
};

std::string to_text(const Model& model);  // a model file
Model model_from_text(std::string_view text);

struct States {
  std::vector<std::uint8_t> component;  // of each row
  std::vector<double> probability;      // of it
  std::vector<std::int32_t> of_class;   // the class of each row, -1: none; empty when the model has no classes
  std::vector<std::uint8_t> path;       // of a chain, the most probable components of all rows together; else empty
  double objective = 0.0;               // per row, without priors
  std::string objective_kind;           // what it is: log-likelihood, lower bound of it or pseudo-log-likelihood
};

struct Fit {
  Model model;
  States states;
  FitSummary summary;
  std::optional<double> log_likelihood;  // per row, or its lower bound; none of a pseudo-likelihood
  std::size_t parameters = 0;            // numbers that were chosen
  std::optional<double> bic;             // smaller is better
};

// `motet temporal fit --components COUNT`.
Fit fit(const FeatureTable& features, std::size_t count, const Options& options = {}, const Run& run = {},
        const RowClasses& classes = {});
OptionList fit_options();

// `motet temporal apply`. Columns are found by name; `inference` is icm, mean-field or exact.
States apply(const Model& model, const FeatureTable& features, std::string_view inference = "icm", const Run& run = {});

}  // namespace motet::temporal
#pragma GCC visibility pop
