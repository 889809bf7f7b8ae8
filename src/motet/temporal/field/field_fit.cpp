#include "motet/temporal/field/field_fit.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "motet/engine/iterate.h"
#include "motet/temporal/field/conditional.h"
#include "motet/temporal/field/exact_inference.h"
#include "motet/temporal/field/icm.h"
#include "motet/temporal/field/mean_field.h"
#include "motet/temporal/field/partition_function.h"
#include "motet/temporal/mixture/mixture_step.h"
#include "motet/temporal/mixture/soft_classes.h"
#include "motet/temporal/mixture/static_fit.h"
#include "motet/temporal/mixture/warm.h"

namespace motet::temporal {
namespace {

constexpr std::size_t mean_field_sweeps = 50;
constexpr double mean_field_tolerance = 1e-8;

class FieldFit {
 public:
  FieldFit(const Features& features, const RowLabels& labels, const GlobalShape& global, const FieldRule& rule,
           const RunContext& run, std::string_view stage, Mixture& mixture, FieldState& state)
      : features_(features),
        labels_(labels),
        global_(global),
        rule_(rule),
        run_(run),
        stage_(stage),
        mixture_(mixture),
        state_(state) {
    const bool has_labels = std::any_of(labels.begin(), labels.end(), [](std::int32_t y) { return y >= 0; });
    must_rise_ = rule.label_weight == 0.0 || !has_labels;
    goes_by_modes_ = rule.inference == Inference::icm && has_field(mixture.field);
    if (has_field(mixture.field)) log_normaliser_ = log_normaliser(features, mixture, rule.inference);
  }

  FitSummary go() {
    IterationRule ends{rule_.max_iterations, 0.0, 0.0, rule_.tolerance};
    ends.must_rise = must_rise_;
    Iterated fit{[&] { return objective(); },
                 [&] { return step(); },
                 [&] { return keep(); },
                 [&](std::span<const double> kept) { return take(kept); },
                 {}};
    // Modes promise no rise: the best is kept.
    if (goes_by_modes_) fit.go_back = [&](double fall, std::size_t iteration) { return go_back(fall, iteration); };
    return iterate(fit, ends, run_, stage_);
  }

 private:
  double objective() {
    factors_.emplace(mixture_.components, features_.dimensions());
    const double sum = expect_field(features_, mixture_, *factors_, labels_, rule_.inference, run_.threads, state_) +
                       log_floor_prior(*factors_, global_, mixture_.covariance) - log_normaliser_;
    return sum / static_cast<double>(features_.rows());
  }

  Step step() {
    if (goes_by_modes_) {
      before_ = mixture_;
      states_before_ = state_.states;
    }
    maximise_mixture(*factors_, features_, labels_, rule_.label_weight, global_, run_.threads, state_.responsibilities,
                     mixture_);
    return {};
  }

  std::string go_back(double fall, std::size_t iteration) {
    mixture_ = std::move(before_);
    state_.states = std::move(states_before_);
    objective();
    return "the objective fell by " + to_text(fall) + " a row at iteration " + std::to_string(iteration) +
           ", as iterated conditional modes may; the model before it is kept";
  }

  // Parameters, then what the next E-step starts from: states, and for the mean field responsibilities.
  std::vector<double> keep() const {
    std::vector<double> kept = to_parameters(mixture_);
    kept.insert(kept.end(), state_.states.begin(), state_.states.end());
    if (rule_.inference == Inference::mean_field) {
      kept.insert(kept.end(), state_.responsibilities.begin(), state_.responsibilities.end());
    }
    return kept;
  }

  bool take(std::span<const double> kept) {
    const std::size_t model = to_parameters(mixture_).size();
    const std::size_t rows = features_.rows();
    const std::size_t table = mixture_.components.size() * rows;
    const bool has_table = rule_.inference == Inference::mean_field && kept.size() == model + rows + table;
    if (kept.size() != model + rows && !has_table) return false;
    from_parameters(kept.first(model), mixture_);
    for (std::size_t n = 0; n < rows; ++n) state_.states[n] = static_cast<std::uint8_t>(kept[model + n]);
    if (has_table) state_.responsibilities.assign(kept.end() - static_cast<std::ptrdiff_t>(table), kept.end());
    return true;
  }

  const Features& features_;
  const RowLabels& labels_;
  const GlobalShape& global_;
  FieldRule rule_;
  const RunContext& run_;
  std::string stage_;
  Mixture& mixture_;
  FieldState& state_;
  bool must_rise_ = true;
  double log_normaliser_ = 0.0;  // the strength of the field stays as it is
  bool goes_by_modes_ = true;
  std::optional<DensityFactors> factors_;  // of the mixture
  Mixture before_;                         // the last step
  std::vector<std::uint8_t> states_before_;
};

void take_most_probable(std::size_t components, FieldState& state) {
  const std::size_t rows = state.states.size();
  for (std::size_t n = 0; n < rows; ++n) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < components; ++k) {
      if (state.responsibilities[k * rows + n] > state.responsibilities[best * rows + n]) best = k;
    }
    state.states[n] = static_cast<std::uint8_t>(best);
  }
}

// Shares in place of neighbours (4.20): those of a field without strength are all alike, 1 / K.
double expect_without_field(FieldProblem problem, const Mixture& mixture, Threads threads, std::span<double> densities,
                            FieldState& state) {
  const std::size_t rows = problem.rows();
  const std::vector<double> log_shares = log_shares_of(mixture.components);
  for (std::size_t i = 0; i < densities.size(); ++i) densities[i] += log_shares[i / rows];
  const double likelihood =
      conditional_responsibilities(problem, TimeField{}, state.states, threads, state.responsibilities);
  take_most_probable(mixture.components.size(), state);
  return likelihood + static_cast<double>(rows) * std::log(static_cast<double>(mixture.components.size()));
}

}  // namespace

double expect_field(const Features& features, const Mixture& mixture, const DensityFactors& factors,
                    const RowLabels& labels, Inference inference, Threads threads, FieldState& state) {
  const std::size_t components = mixture.components.size();
  std::vector<double> densities(components * features.rows());
  log_densities(factors, features, threads, densities);
  const std::vector<std::int32_t> of_class = classes_of(mixture.components);
  FieldProblem problem{features.starts, densities, components, {}, {}};
  if (!labels.empty() && mixture.has_soft_classes()) {
    add_class_evidence(labels, mixture, densities);
  } else if (!labels.empty()) {
    problem.labels = labels;
    problem.of_class = of_class;
  }
  const bool is_new = state.responsibilities.size() != densities.size();
  if (is_new) state.responsibilities.assign(densities.size(), 0.0);
  if (!has_field(mixture.field)) return expect_without_field(problem, mixture, threads, densities, state);
  double objective = 0.0;
  switch (inference) {
    case Inference::icm:
      icm(problem, mixture.field, state.states);
      return conditional_responsibilities(problem, mixture.field, state.states, threads, state.responsibilities);
    case Inference::mean_field:
      if (is_new) conditional_responsibilities(problem, mixture.field, state.states, threads, state.responsibilities);
      objective = mean_field(problem, mixture.field, mean_field_sweeps, mean_field_tolerance, state.responsibilities);
      break;
    case Inference::exact: objective = exact_marginals(problem, mixture.field, threads, state.responsibilities); break;
  }
  take_most_probable(components, state);
  return objective;
}

double log_normaliser(const Features& features, const Mixture& mixture, Inference inference) {
  if (inference == Inference::icm) return 0.0;
  return log_partition(features.starts, mixture.components.size(), mixture.field).value;
}

std::vector<double> state_probability(const FieldState& state) {
  std::vector<double> probability(state.states.size());
  for (std::size_t n = 0; n < probability.size(); ++n) {
    probability[n] = state.responsibilities[state.states[n] * probability.size() + n];
  }
  return probability;
}

FitSummary fit_field(const Features& features, const RowLabels& labels, const GlobalShape& global,
                     const FieldRule& rule, const RunContext& run, std::string_view stage, Mixture& mixture,
                     FieldState& state) {
  return FieldFit(features, labels, global, rule, run, stage, mixture, state).go();
}

}  // namespace motet::temporal
