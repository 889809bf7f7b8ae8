#include "motet/temporal/mixture/warm.h"

#include <algorithm>
#include <limits>

#include "motet/temporal/field/conditional.h"
#include "motet/temporal/field/icm.h"
#include "motet/temporal/mixture/mixture_step.h"

namespace motet::temporal {
namespace {

FieldProblem problem_of(const Features& features, const RowLabels& labels, std::span<const std::int32_t> of_class,
                        const WarmState& state) {
  FieldProblem problem{features.starts, state.densities, state.mixture.components.size(), {}, {}};
  if (!labels.empty()) {
    problem.labels = labels;
    problem.of_class = of_class;
  }
  return problem;
}

void fill_densities(const DensityFactors& factors, const Features& features, Threads threads, WarmState& state) {
  state.densities.resize(factors.components() * features.rows());
  log_densities(factors, features, threads, state.densities);
}

// The most probable component of each row by densities and shares.
void static_states(const Features& features, const RowLabels& labels, Threads threads, WarmState& state) {
  const std::vector<double> log_shares = log_shares_of(state.mixture.components);
  const std::vector<std::int32_t> of_class = classes_of(state.mixture.components);
  const std::size_t rows = features.rows();
  const RowTasks tasks(rows);
  for_each_task(tasks.count, threads_for(threads, static_cast<double>(state.densities.size())), [&](std::size_t task) {
    const std::size_t begin = tasks.begin(task);
    const std::size_t count = tasks.end(task) - begin;
    std::vector<double> best(count, -std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < log_shares.size(); ++k) {
      const double* const density = state.densities.data() + k * rows + begin;
      for (std::size_t n = 0; n < count; ++n) {
        const double joint = density[n] + log_shares[k];
        if (!(joint > best[n])) continue;
        if (!labels.empty() && labels[begin + n] >= 0 && labels[begin + n] != of_class[k]) continue;
        best[n] = joint;
        state.states[begin + n] = static_cast<std::uint8_t>(k);
      }
    }
  });
}

}  // namespace

bool has_field(const TimeField& field) { return field.radius > 0 && field.strength > 0.0; }

void warm_states(const Features& features, const RowLabels& labels, Threads threads, WarmState& state) {
  const Mixture& mixture = state.mixture;
  if (state.densities.size() != mixture.components.size() * features.rows()) {
    fill_densities(DensityFactors(mixture.components, features.dimensions()), features, threads, state);
  }
  state.states.resize(features.rows(), 0);
  if (has_field(mixture.field)) {
    const std::vector<std::int32_t> of_class = classes_of(mixture.components);
    icm(problem_of(features, labels, of_class, state), mixture.field, state.states);
  } else {
    static_states(features, labels, threads, state);
  }
}

void warm_iteration(const Features& features, const GlobalShape& global, const RowLabels& labels, double label_weight,
                    Threads threads, WarmState& state) {
  Mixture& mixture = state.mixture;
  const DensityFactors factors(mixture.components, features.dimensions());
  const std::vector<std::int32_t> of_class = classes_of(mixture.components);
  const std::size_t size = mixture.components.size() * features.rows();
  if (state.densities.size() != size) fill_densities(factors, features, threads, state);
  state.responsibilities.resize(size);
  if (has_field(mixture.field)) {
    state.states.resize(features.rows(), 0);
    const FieldProblem problem = problem_of(features, labels, of_class, state);
    icm(problem, mixture.field, state.states);
    state.objective =
        conditional_responsibilities(problem, mixture.field, state.states, threads, state.responsibilities);
    maximise_mixture(factors, features, labels, label_weight, global, threads, state.responsibilities, mixture);
  } else {
    const std::vector<double> log_shares = log_shares_of(mixture.components);
    const std::vector<double> statistics = mixture_statistics(
        {factors, features, log_shares, labels, of_class, state.densities, state.responsibilities}, threads);
    state.objective = statistics[0];
    maximise_mixture(statistics, !labels.empty(), label_weight, global, mixture);
  }
  fill_densities(DensityFactors(mixture.components, features.dimensions()), features, threads, state);
  warm_states(features, labels, threads, state);
}

}  // namespace motet::temporal
