#include <utility>

#include "motet/base/error.h"
#include "motet/door/inside.h"
#include "motet/io/record_text.h"
#include "motet/temporal/fit.h"
#include "motet/temporal/stack.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/temporal.h"

namespace motet::temporal {
namespace {

// Found is TemporalFit or TemporalStates.
template <class Found>
States told(const Mixture& mixture, Found&& found) {
  States states{std::move(found.states),
                std::move(found.probability),
                std::move(found.classes.of_row),
                std::move(found.path),
                0.0,
                {}};
  if (mixture.classes.empty() || !states.of_class.empty()) return states;
  for (const std::uint8_t component : states.component) {
    states.of_class.push_back(mixture.components[component].of_class);
  }
  return states;
}

}  // namespace

std::size_t Model::components() const { return inside().components.size(); }
const std::vector<double>& Model::mean(std::size_t component) const { return inside().components.at(component).mean; }
const std::vector<double>& Model::covariance(std::size_t component) const {
  return inside().components.at(component).covariance;
}
double Model::share(std::size_t component) const { return inside().components.at(component).share; }
double Model::degrees(std::size_t component) const { return inside().components.at(component).degrees; }
const std::vector<double>& Model::chain_start() const { return inside().chain.start; }
const std::vector<double>& Model::chain_transition() const { return inside().chain.transition; }
const std::vector<std::string>& Model::classes() const { return inside().classes; }
std::vector<std::string> Model::columns() const { return single_columns(inside().columns, inside().stack); }

std::string to_text(const Model& model) { return record_text(to_record(model.inside())); }

Model model_from_text(std::string_view text) { return door::model_of<Model>(text, mixture_from_record); }

Fit fit(const FeatureTable& features, std::size_t count, const Options& options, const Run& run,
        const RowClasses& classes) {
  const Features data = door::inside(features);
  if (!classes.of_row.empty()) door::require_size("classes of rows", classes.of_row.size(), data.rows());
  for (const std::int32_t of_class : classes.of_row) {
    if (of_class >= static_cast<std::int32_t>(classes.names.size())) {
      fail(ErrorKind::usage, "classes: a row has a number beyond the list of names");
    }
  }
  TemporalFit found = fit_temporal(data, count, classes.names, classes.of_row,
                                   door::inside_options<TemporalOptions>(options), door::inside(run));
  Model model = door::outside<Model>(std::move(found.mixture));
  FitSummary summary = std::move(found.summary);
  const Likelihood likelihood = found.likelihood;
  States states = told(model.inside(), std::move(found));
  states.objective = likelihood.a_row.value_or(summary.objective.empty() ? 0.0 : summary.objective.back());
  states.objective_kind = name_of(likelihood.kind);
  return {std::move(model), std::move(states),     std::move(summary),
          likelihood.a_row, likelihood.parameters, likelihood.bic};
}

OptionList fit_options() { return door::list_of_options<TemporalOptions>(); }

States apply(const Model& model, const FeatureTable& features, std::string_view inference, const Run& run) {
  const auto options = door::inside_options<TemporalOptions>({{"inference", inference}});
  TemporalStates found = assign_temporal(door::in_columns(features, model.columns()), model.inside(), options.inference,
                                         door::inside(run));
  const double objective = found.objective;
  const ObjectiveKind kind = found.kind;
  States states = told(model.inside(), std::move(found));
  states.objective = objective;
  states.objective_kind = name_of(kind);
  return states;
}

}  // namespace motet::temporal
