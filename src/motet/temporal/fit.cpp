#include "motet/temporal/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "motet/base/error.h"
#include "motet/temporal/chain/hmm_fit.h"
#include "motet/temporal/field/coupling.h"
#include "motet/temporal/field/exact_inference.h"
#include "motet/temporal/field/field_choice.h"
#include "motet/temporal/field/field_fit.h"
#include "motet/temporal/field/field_problem.h"
#include "motet/temporal/field/likely_coupling.h"
#include "motet/temporal/field/partition_function.h"
#include "motet/temporal/mixture/class_components.h"
#include "motet/temporal/mixture/fit_start.h"
#include "motet/temporal/mixture/soft_classes.h"
#include "motet/temporal/mixture/static_fit.h"
#include "motet/temporal/mixture/warm.h"
#include "motet/temporal/stack.h"

namespace motet::temporal {
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

void check_hmm(const TemporalOptions& options) {
  if (options.method != TemporalMethod::hmm) return;
  if (options.emission == ComponentLaw::student_t) {
    fail(ErrorKind::usage, "--method hmm has gaussian components only; student-t belongs to --method field");
  }
  if (options.class_assignment == ClassAssignment::soft) {
    fail(ErrorKind::usage, "--method hmm has hard classes only; soft ones belong to --method field");
  }
}

void check_arguments(const Features& features, std::size_t components, const std::vector<std::string>& classes,
                     const RowLabels& labels, const TemporalOptions& options, std::size_t radius) {
  if (features.rows() == 0) fail(ErrorKind::unanswerable, "there are no rows");
  if (components == 0 || components > most_components) {
    fail(ErrorKind::usage, "--components " + std::to_string(components) + " is outside [1, 255]");
  }
  if (!labels.empty() && labels.size() != features.rows()) {
    fail(ErrorKind::usage, "labels = " + std::to_string(labels.size()) + " are not one per row; there are " +
                               std::to_string(features.rows()) + " rows");
  }
  for (const std::int32_t y : labels) {
    if (y < -1 || y >= static_cast<std::int32_t>(classes.size())) {
      fail(ErrorKind::usage, "label = " + std::to_string(y) + " names none of the " + std::to_string(classes.size()) +
                                 " classes; -1 stands for unknown");
    }
  }
  if (options.method == TemporalMethod::hmm && (radius > 0 || options.image_width > 0)) {
    fail(ErrorKind::usage, "--method hmm takes neither a radius nor an image; they belong to --method field");
  }
  check_hmm(options);
  if (options.degrees && options.emission != ComponentLaw::student_t) {
    fail(ErrorKind::usage, "--degrees " + to_text(*options.degrees) + " is for student-t; components are gaussian");
  }
  const std::size_t longest = longest_sequence(features);
  if (radius > 0 && radius >= longest) {
    fail(ErrorKind::usage, "--radius " + std::to_string(radius) + " is too long; the longest sequence has " +
                               std::to_string(longest) + " rows");
  }
  if (radius > 0 && options.inference == Inference::exact) {
    double states = 1.0;
    for (std::size_t i = 0; i < radius && states <= most_exact_states; ++i) {
      states *= static_cast<double>(components);
    }
    if (states > most_exact_states) {
      fail(ErrorKind::usage, "--inference exact needs components^radius of at most " +
                                 std::to_string(most_exact_states) + ", and " + std::to_string(components) + "^" +
                                 std::to_string(radius) + " is more; take icm or mean-field");
    }
  }
}

constexpr double automatic = -1.0;
constexpr double literal = -2.0;

// Nats, or one of the above.
double coupling_of(const std::string& text) {
  if (text == "auto") return automatic;
  if (text == "literal") return literal;
  const Result<double> parsed = parse_double(text);
  if (!parsed || parsed.value() < 0.0) {
    fail(ErrorKind::usage, "--coupling: '" + text + "' is not auto, literal or a number of nats from 0 on");
  }
  return parsed.value();
}

FieldRule field_rule(const TemporalOptions& options) {
  return {options.inference, options.label_weight, options.max_iterations, options.tolerance};
}

// The fit that does not look at time; the field of the mixture is left alone.
FitSummary fit_without_time(const Features& features, const RowLabels& labels, const GlobalShape& global,
                            const TemporalOptions& options, const std::vector<std::uint8_t>& states,
                            const RunContext& run, std::string_view stage, Mixture& mixture) {
  if (mixture.emission == ComponentLaw::gaussian && !mixture.has_soft_classes()) {
    const StaticRule rule{options.label_weight, options.max_iterations, options.tolerance};
    return fit_static(features, labels, global, rule, run, stage, mixture);
  }
  const TimeField field = std::exchange(mixture.field, TimeField{});
  FieldState state{states, {}};
  FitSummary summary = fit_field(features, labels, global, field_rule(options), run, stage, mixture, state);
  mixture.field = field;
  return summary;
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
  if (!has_field(still.field) || still.field.image_width > 0 || still.has_soft_classes()) return;
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

// With soft assignment.
void tell_classes(const RowLabels& labels, std::span<const double> responsibilities, TemporalFit& fit) {
  if (!fit.mixture.has_soft_classes()) return;
  name_by_soft_classes(fit.mixture);
  fit.classes = soft_classes_of_rows(labels, responsibilities, fit.mixture);
}

TemporalFit without_time(const Features& features, const RowLabels& labels, Mixture mixture, FitSummary summary,
                         const RunContext& run) {
  TemporalFit fit;
  fit.mixture = std::move(mixture);
  fit.summary = std::move(summary);
  fit.states.resize(features.rows());
  fit.probability.resize(features.rows());
  std::vector<double> responsibilities(fit.mixture.has_soft_classes() ? fit.mixture.components.size() * features.rows()
                                                                      : 0);
  const double sum =
      assign_static(features, fit.mixture, labels, run.threads, fit.states, fit.probability, responsibilities);
  fit.likelihood = likelihood_of(ObjectiveKind::log_likelihood, sum, features.rows(), fit.mixture, false);
  tell_classes(labels, responsibilities, fit);
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

TemporalFit fit_stacked(const Features& features, std::size_t components, const std::vector<std::string>& classes,
                        const RowLabels& labels, TemporalOptions options, const RunContext& run) {
  const std::size_t w = std::exchange(options.stack, 0);
  if (options.image_width > 0) {
    fail(ErrorKind::usage, fmt::format("--stack {} is for rows in time; leave it out with --image-width", w));
  }
  const std::size_t covariances = options.covariance == MixtureCovariance::diagonal ? 0
                                  : options.covariance == MixtureCovariance::tied   ? 1
                                                                                    : components;
  check_stack(features.dimensions(), w, features.rows(), covariances);
  TemporalFit fit = fit_temporal(stack_rows(features, w), components, classes, labels, options, run);
  fit.mixture.stack = w;
  return fit;
}

}  // namespace

TemporalFit fit_temporal(const Features& features, std::size_t components, const std::vector<std::string>& classes,
                         const RowLabels& labels, const TemporalOptions& options, const RunContext& run) {
  check_ranges(options);
  if (options.stack > 0) return fit_stacked(features, components, classes, labels, options, run);
  const TimeField field = field_of(options);
  check_arguments(features, components, classes, labels, options, field.radius);
  const double coupling = coupling_of(options.coupling);
  const bool has_labels = std::any_of(labels.begin(), labels.end(), [](std::int32_t y) { return y >= 0; });
  const RowLabels known = has_labels ? labels : RowLabels{};
  const bool is_soft = options.class_assignment == ClassAssignment::soft;
  if (is_soft && !has_labels) fail(ErrorKind::usage, "--class-assignment soft needs rows with a label; there are none");
  if (has_labels && !is_soft)
    components_a_class(known, classes.size(), components);  // too few components: said before the work

  const GlobalShape global = global_shape(features, options.floor, run.threads);
  report(run, "k-means");
  Mixture mixture;
  mixture.columns = features.columns;
  mixture.covariance = options.covariance;
  mixture.classes = classes;
  mixture.emission = options.emission;
  mixture.degrees_are_given = options.degrees.has_value();
  FieldState state{start_fit(features, components, known, options, global, run, mixture), {}};
  mixture.field = field;
  if (options.method == TemporalMethod::hmm) {
    const StaticRule rule{options.label_weight, options.max_iterations, options.tolerance};
    FitSummary summary = fit_hmm(features, known, global, rule, state.states, run, mixture);
    return with_chain(features, known, std::move(mixture), std::move(summary), run);
  }

  if (mixture.field.radius > 0 && coupling == automatic) {
    Mixture still = mixture;
    FitSummary summary = fit_without_time(features, known, global, options, state.states, run, "without time", still);
    const bool is_interrupted = summary.stop == Stop::interrupted;
    if (!is_interrupted) choose_field(features, known, global, options, run, still, mixture);
    // Neighbours say nothing of each other, or we were interrupted: that was the fit.
    if (is_interrupted || !has_field(mixture.field)) {
      still.field.strength = 0.0;
      return without_time(features, known, std::move(still), std::move(summary), run);
    }
    state.states = states_by_density(features, known, mixture, run);
  } else if (mixture.field.radius > 0 && coupling != literal) {
    mixture.field = with_total_weight(mixture.field, coupling);
  }
  if (!has_field(mixture.field)) {
    FitSummary summary = fit_without_time(features, known, global, options, state.states, run, "static", mixture);
    return without_time(features, known, std::move(mixture), std::move(summary), run);
  }
  TemporalFit fit;
  fit.summary = fit_field(features, known, global, field_rule(options), run, "field", mixture, state);
  const double prior =
      log_floor_prior(DensityFactors(mixture.components, features.dimensions()), global, mixture.covariance);
  const double sum =
      fit.summary.objective.empty() ? 0.0 : fit.summary.objective.back() * static_cast<double>(features.rows()) - prior;
  fit.likelihood = likelihood_of(kind_of(options.inference), sum, features.rows(), mixture, coupling == automatic);
  fit.mixture = std::move(mixture);
  fit.probability = state_probability(state);
  fit.states = std::move(state.states);
  tell_classes(known, state.responsibilities, fit);
  return fit;
}

TemporalStates assign_temporal(const Features& features, const Mixture& mixture, Inference inference,
                               const RunContext& run) {
  if (mixture.stack > 0) {
    Mixture stacked = mixture;
    const std::size_t w = std::exchange(stacked.stack, 0);
    check_stack(features.dimensions(), w, features.rows(), 0);
    return assign_temporal(stack_rows(features, w), stacked, inference, run);
  }
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
  const bool is_soft = mixture.has_soft_classes();
  if (!has_field(mixture.field)) {
    found.states.resize(features.rows());
    found.probability.resize(features.rows());
    std::vector<double> responsibilities(is_soft ? mixture.components.size() * features.rows() : 0);
    found.objective =
        assign_static(features, mixture, {}, run.threads, found.states, found.probability, responsibilities) / rows;
    if (is_soft) found.classes = soft_classes_of_rows({}, responsibilities, mixture);
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
  if (is_soft) found.classes = soft_classes_of_rows({}, state.responsibilities, mixture);
  return found;
}

}  // namespace motet::temporal
