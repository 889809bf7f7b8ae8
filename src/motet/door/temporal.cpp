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
  States states{std::move(found.states), std::move(found.probability), std::move(found.classes.of_row),
                std::move(found.path)};
  if (mixture.classes.empty() || !states.of_class.empty()) return states;
  for (const std::uint8_t component : states.component) {
    states.of_class.push_back(mixture.components[component].of_class);
  }
  return states;
}

}  // namespace

std::size_t Model::components() const { return inside().components.size(); }
const std::vector<double>& Model::mean(std::size_t component) const { return inside().components.at(component).mean; }
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
  States states = told(model.inside(), std::move(found));
  return {std::move(model), std::move(states), std::move(summary)};
}

OptionList fit_options() { return door::list_of_options<TemporalOptions>(); }

States apply(const Model& model, const FeatureTable& features, std::string_view inference, const Run& run) {
  const auto options = door::inside_options<TemporalOptions>({{"inference", inference}});
  return told(model.inside(), assign_temporal(door::in_columns(features, model.columns()), model.inside(),
                                              options.inference, door::inside(run)));
}

}  // namespace motet::temporal
