#include "motet/temporal/fit.h"

#include <algorithm>

#include "motet/base/error.h"
#include "motet/temporal/class_components.h"
#include "motet/temporal/field_fit.h"
#include "motet/temporal/field_inference.h"
#include "motet/temporal/field_problem.h"
#include "motet/temporal/hmm_fit.h"
#include "motet/temporal/kmeans.h"
#include "motet/temporal/likely_coupling.h"
#include "motet/temporal/mixture_step.h"
#include "motet/temporal/partition_function.h"
#include "motet/temporal/static_fit.h"
#include "motet/temporal/warm.h"

namespace motet {
namespace {

// Labels without a gap, as those of events in a row, would ask for a coupling without end.
constexpr double most_coupling = 16.0;

std::size_t longest_sequence(const Features& features) {
  std::size_t longest = 0;
  for (std::size_t s = 1; s < features.starts.size(); ++s) {
    longest = std::max(longest, features.starts[s] - features.starts[s - 1]);
  }
  return longest;
}

void check_arguments(const Features& features, std::size_t components, const std::vector<std::string>& classes,
                     const RowLabels& labels, const TemporalOptions& options) {
  check_ranges(options);
  if (features.rows() == 0) fail(ErrorKind::unanswerable, "there are no rows");
  if (components == 0 || components > most_components) {
    fail(ErrorKind::usage, "components = " + std::to_string(components) + " is outside [1, 255]");
  }
  if (!labels.empty() && labels.size() != features.rows()) {
    fail(ErrorKind::usage, "labels = " + std::to_string(labels.size()) + " are not one a row; there are " +
                               std::to_string(features.rows()) + " rows");
  }
  for (const std::int32_t y : labels) {
    if (y < -1 || y >= static_cast<std::int32_t>(classes.size())) {
      fail(ErrorKind::usage, "label = " + std::to_string(y) + " names none of the " + std::to_string(classes.size()) +
                                 " classes; -1 stands for unknown");
    }
  }
  if (options.method == TemporalMethod::hmm && (options.radius > 0 || options.image_width > 0)) {
    fail(ErrorKind::usage, "method = hmm takes neither a radius nor an image; they belong to method = field");
  }
  const std::size_t longest = longest_sequence(features);
  if (options.radius > 0 && options.radius >= longest) {
    fail(ErrorKind::usage, "radius = " + std::to_string(options.radius) + " is too long; the longest sequence has " +
                               std::to_string(longest) + " rows");
  }
  if (options.radius > 0 && options.inference == Inference::exact) {
    double states = 1.0;
    for (std::size_t i = 0; i < options.radius && states <= most_exact_states; ++i) {
      states *= static_cast<double>(components);
    }
    if (states > most_exact_states) {
      fail(ErrorKind::usage, "inference = exact needs components^radius of at most " +
                                 std::to_string(most_exact_states) + ", and " + std::to_string(components) + "^" +
                                 std::to_string(options.radius) + " is more; take icm or mean-field");
    }
  }
}

TimeField field_of(const TemporalOptions& options) {
  TimeField field;
  field.radius = options.radius;
  field.shape = options.weights;
  field.border = options.border;
  field.image_width = options.image_width;
  return field;
}

constexpr double automatic = -1.0;
constexpr double literal = -2.0;

// Nats, or one of the above.
double coupling_of(const std::string& text) {
  if (text == "auto") return automatic;
  if (text == "literal") return literal;
  const Result<double> parsed = parse_double(text);
  if (!parsed || parsed.value() < 0.0) {
    fail(ErrorKind::usage, "coupling: '" + text + "' is not auto, literal or a number of nats from 0 on");
  }
  return parsed.value();
}

StaticRule static_rule(const TemporalOptions& options) {
  return {options.label_weight, options.max_iterations, options.tolerance};
}

void report(const RunContext& run, std::string_view stage) {
  if (run.observer) run.observer({stage, 0.0, 0.0, ""});
}

// Of the field that makes the states of the fit without time most probable (I2).
double static_strength(const Features& features, const RowLabels& labels, const Mixture& still, const RunContext& run) {
  std::vector<std::uint8_t> states(features.rows());
  std::vector<double> probability(features.rows());
  assign_static(features, still, labels, run.threads, states, probability);
  return pseudo_likelihood_strength(features.starts, still.components.size(), still.field, states, most_coupling);
}

// That, and on from there by the likelihood of the rows, with the mixture: from `still`, which is fitted without time,
// and from `mixture`, which is not and may lead elsewhere, whichever ends higher. Of an image only that is known well.
void choose_field(const Features& features, const RowLabels& labels, const GlobalShape& global,
                  const TemporalOptions& options, const RunContext& run, Mixture still, Mixture& mixture) {
  still.field.strength = static_strength(features, labels, still, run);
  mixture.field = still.field;
  if (!has_field(still.field) || still.field.image_width > 0) return;
  report(run, "coupling");
  const auto likely = [&](Mixture& from) {
    return likely_coupling(features, labels, global, options.label_weight, most_coupling, run, from);
  };
  const LikelyCoupling one = likely(still);
  const LikelyCoupling other = likely(mixture);
  const bool still_is_higher = one.bound >= other.bound;
  if (still_is_higher) mixture = std::move(still);
  mixture.field = with_total_weight(mixture.field, still_is_higher ? one.nats : other.nats);
}

// What the densities alone say, whatever the shares are.
std::vector<std::uint8_t> states_by_density(const Features& features, const RowLabels& labels, Mixture mixture,
                                            const RunContext& run) {
  for (Component& component : mixture.components) component.share = 1.0;
  std::vector<std::uint8_t> states(features.rows());
  std::vector<double> probability(features.rows());
  assign_static(features, mixture, labels, run.threads, states, probability);
  return states;
}

ObjectiveKind kind_of(Inference inference) {
  switch (inference) {
    case Inference::exact: return ObjectiveKind::log_likelihood;
    case Inference::mean_field: return ObjectiveKind::lower_bound;
    default: return ObjectiveKind::pseudo_log_likelihood;
  }
}

TemporalFit without_time(const Features& features, const RowLabels& labels, Mixture mixture, FitSummary summary,
                         const RunContext& run) {
  TemporalFit fit;
  fit.mixture = std::move(mixture);
  fit.summary = std::move(summary);
  fit.states.resize(features.rows());
  fit.probability.resize(features.rows());
  const double sum = assign_static(features, fit.mixture, labels, run.threads, fit.states, fit.probability);
  fit.likelihood = likelihood_of(ObjectiveKind::log_likelihood, sum, features.rows(), fit.mixture, false);
  return fit;
}

TemporalFit with_chain(const Features& features, const RowLabels& labels, Mixture mixture, FitSummary summary,
                       const RunContext& run) {
  HmmStates found = assign_hmm(features, mixture, labels, run.threads);
  TemporalFit fit;
  fit.likelihood = likelihood_of(ObjectiveKind::log_likelihood, found.log_likelihood, features.rows(), mixture, false);
  fit.mixture = std::move(mixture);
  fit.summary = std::move(summary);
  fit.states = std::move(found.states);
  fit.probability = std::move(found.probability);
  fit.path = std::move(found.path);
  return fit;
}

}  // namespace

TemporalFit fit_temporal(const Features& features, std::size_t components, const std::vector<std::string>& classes,
                         const RowLabels& labels, const TemporalOptions& options, const RunContext& run) {
  check_arguments(features, components, classes, labels, options);
  const double coupling = coupling_of(options.coupling);
  const bool has_labels = std::any_of(labels.begin(), labels.end(), [](std::int32_t y) { return y >= 0; });
  const RowLabels known = has_labels ? labels : RowLabels{};
  if (has_labels) components_a_class(known, classes.size(), components);  // too few components: said before the work

  const GlobalShape global = global_shape(features, options.floor, run.threads);
  report(run, "k-means");
  Clusters clusters = kmeans(features, components, options.starts, ColumnUnits::own, run);
  Mixture mixture;
  mixture.columns = features.columns;
  mixture.covariance = options.covariance;
  mixture.classes = classes;
  mixture.components.resize(components);
  if (has_labels) {
    const std::vector<std::int32_t> of_class = share_out_clusters(features, known, classes.size(), global, clusters);
    for (std::size_t k = 0; k < components; ++k) mixture.components[k].of_class = of_class[k];
  }
  maximise_from_states(features, clusters.states, known, options.label_weight, global, run.threads, mixture);
  mixture.field = field_of(options);
  if (options.method == TemporalMethod::hmm) {
    FitSummary summary = fit_hmm(features, known, global, static_rule(options), clusters.states, run, mixture);
    return with_chain(features, known, std::move(mixture), std::move(summary), run);
  }

  if (mixture.field.radius > 0 && coupling == automatic) {
    Mixture still = mixture;
    FitSummary summary = fit_static(features, known, global, static_rule(options), run, "without time", still);
    const bool is_interrupted = summary.stop == Stop::interrupted;
    if (!is_interrupted) choose_field(features, known, global, options, run, still, mixture);
    // Neighbours say nothing of each other, or we were interrupted: that was the fit.
    if (is_interrupted || !has_field(mixture.field)) {
      still.field.strength = 0.0;
      return without_time(features, known, std::move(still), std::move(summary), run);
    }
    clusters.states = states_by_density(features, known, mixture, run);
  } else if (mixture.field.radius > 0 && coupling != literal) {
    mixture.field = with_total_weight(mixture.field, coupling);
  }
  if (!has_field(mixture.field)) {
    FitSummary summary = fit_static(features, known, global, static_rule(options), run, "static", mixture);
    return without_time(features, known, std::move(mixture), std::move(summary), run);
  }
  FieldState state{std::move(clusters.states), {}};
  const FieldRule rule{options.inference, options.label_weight, options.max_iterations, options.tolerance};
  TemporalFit fit;
  fit.summary = fit_field(features, known, global, rule, run, "field", mixture, state);
  const double prior =
      log_floor_prior(DensityFactors(mixture.components, features.dimensions()), global, mixture.covariance);
  const double sum =
      fit.summary.objective.empty() ? 0.0 : fit.summary.objective.back() * static_cast<double>(features.rows()) - prior;
  fit.likelihood = likelihood_of(kind_of(options.inference), sum, features.rows(), mixture, coupling == automatic);
  fit.mixture = std::move(mixture);
  fit.probability = state_probability(state);
  fit.states = std::move(state.states);
  return fit;
}

TemporalStates assign_temporal(const Features& features, const Mixture& mixture, Inference inference,
                               const RunContext& run) {
  if (features.columns != mixture.columns) {
    fail(ErrorKind::bad_data, "the columns are not those of the model; name and order must agree");
  }
  TemporalStates found;
  const double rows = static_cast<double>(features.rows());
  if (features.rows() == 0) return found;
  if (mixture.has_chain()) {
    HmmStates of_chain = assign_hmm(features, mixture, {}, run.threads);
    found.objective = of_chain.log_likelihood / rows;
    found.states = std::move(of_chain.states);
    found.probability = std::move(of_chain.probability);
    found.path = std::move(of_chain.path);
    return found;
  }
  if (!has_field(mixture.field)) {
    found.states.resize(features.rows());
    found.probability.resize(features.rows());
    found.objective = assign_static(features, mixture, {}, run.threads, found.states, found.probability) / rows;
    return found;
  }
  FieldState state{states_by_density(features, {}, mixture, run), {}};
  const DensityFactors factors(mixture.components, features.dimensions());
  found.kind = kind_of(inference);
  found.objective = (expect_field(features, mixture, factors, {}, inference, run.threads, state) -
                     log_normaliser(features, mixture, inference)) /
                    rows;
  found.probability = state_probability(state);
  found.states = std::move(state.states);
  return found;
}

}  // namespace motet
