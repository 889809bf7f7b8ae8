#include "motet/temporal/mixture/mixture_step.h"

#include <algorithm>
#include <cmath>

#include "motet/base/lanes.h"
#include "motet/temporal/mixture/soft_classes.h"
#include "motet/temporal/mixture/student.h"

namespace motet::temporal {
namespace {

constexpr double least_share = 1e-300;  // so that its logarithm is a number

void finish(const std::vector<Moments>& moments, const GlobalShape& global, Mixture& mixture) {
  maximise_components(moments, global, mixture.covariance, mixture.components);
  double total = 0.0;
  for (const Moments& of_component : moments) total += of_component.mass();
  if (!(total > 0.0)) return;
  for (std::size_t k = 0; k < moments.size(); ++k) mixture.components[k].share = moments[k].mass() / total;
}

// Weight of a labelled row, by component.
std::vector<double> component_label_weights(std::span<const double> unlabelled, std::span<const double> labelled,
                                            double alpha, const Mixture& mixture) {
  std::vector<double> unlabelled_mass(mixture.classes.size(), 0.0);
  std::vector<double> labelled_mass(mixture.classes.size(), 0.0);
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    const std::int32_t of_class = mixture.components[k].of_class;
    if (of_class < 0) continue;
    unlabelled_mass[static_cast<std::size_t>(of_class)] += unlabelled[k];
    labelled_mass[static_cast<std::size_t>(of_class)] += labelled[k];
  }
  const std::vector<double> lambda = label_weights(unlabelled_mass, labelled_mass, alpha);
  std::vector<double> result(mixture.components.size(), 1.0);
  for (std::size_t k = 0; k < result.size(); ++k) {
    const std::int32_t of_class = mixture.components[k].of_class;
    if (of_class >= 0) result[k] = lambda[static_cast<std::size_t>(of_class)];
  }
  return result;
}

std::vector<Moments> emission_moments(const DensityFactors& factors, const Features& features,
                                      std::span<const double> weights, Threads threads, Mixture& mixture) {
  return mixture.emission == ComponentLaw::student_t ? student_moments(factors, features, weights, threads, mixture)
                                                     : weighted_moments(factors, features, weights, threads);
}

// Labelled rows count as their own class asks, whatever component they are in.
void maximise_with_soft_classes(const DensityFactors& factors, const Features& features,
                                std::span<const std::int32_t> labels, double alpha, const GlobalShape& global,
                                Threads threads, std::span<const double> responsibilities, Mixture& mixture) {
  const std::vector<double> lambda = soft_label_weights(labels, responsibilities, alpha, mixture);
  std::vector<double> weights(responsibilities.begin(), responsibilities.end());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::int32_t label = labels[i % labels.size()];
    if (label >= 0) weights[i] *= lambda[static_cast<std::size_t>(label)];
  }
  maximise_soft_classes(labels, responsibilities, mixture);
  finish(emission_moments(factors, features, weights, threads, mixture), global, mixture);
}

}  // namespace

std::vector<double> label_weights(std::span<const double> unlabelled, std::span<const double> labelled, double alpha) {
  std::vector<double> lambda(labelled.size(), 1.0);
  for (std::size_t w = 0; w < labelled.size(); ++w) {
    if (labelled[w] > 0.0) lambda[w] = std::max(1.0, alpha / (1.0 - alpha) * unlabelled[w] / labelled[w]);
  }
  return lambda;
}

void maximise_mixture(std::span<const double> statistics, bool has_labels, double alpha, const GlobalShape& global,
                      Mixture& mixture) {
  const std::size_t dimensions = mixture.dimensions();
  const std::size_t components = mixture.components.size();
  const std::size_t size = moment_count(dimensions);
  const auto part = [&](std::size_t i) { return statistics.subspan(1 + i * size, size); };
  std::vector<double> lambda(components, 1.0);
  if (has_labels) {
    std::vector<double> unlabelled;
    std::vector<double> labelled;
    for (std::size_t k = 0; k < components; ++k) {
      unlabelled.push_back(part(k)[0]);
      labelled.push_back(part(components + k)[0]);
    }
    lambda = component_label_weights(unlabelled, labelled, alpha, mixture);
  }
  std::vector<Moments> moments;
  for (std::size_t k = 0; k < components; ++k) {
    std::vector<double> sum(part(k).begin(), part(k).end());
    if (has_labels) {
      const std::span<const double> more = part(components + k);
      for (std::size_t i = 0; i < size; ++i) sum[i] += lambda[k] * more[i];
    }
    moments.push_back(moments_of(sum, dimensions));
  }
  finish(moments, global, mixture);
}

void maximise_mixture(const DensityFactors& factors, const Features& features, std::span<const std::int32_t> labels,
                      double alpha, const GlobalShape& global, Threads threads, std::span<double> responsibilities,
                      Mixture& mixture) {
  const std::size_t rows = features.rows();
  const std::size_t components = mixture.components.size();
  std::vector<std::size_t> labelled_rows;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (labels[n] >= 0) labelled_rows.push_back(n);
  }
  if (mixture.has_soft_classes() && !labelled_rows.empty()) {
    maximise_with_soft_classes(factors, features, labels, alpha, global, threads, responsibilities, mixture);
    return;
  }
  std::vector<double> lambda;
  if (!labelled_rows.empty() && alpha > 0.0) {
    const RowTasks tasks(rows);
    const std::vector<double> all =
        sum_over_tasks(tasks.count, components, threads_for(threads, static_cast<double>(responsibilities.size())),
                       [&](std::size_t task, std::span<double> sums) {
                         for (std::size_t k = 0; k < components; ++k) {
                           for (std::size_t n = tasks.begin(task); n < tasks.end(task); ++n)
                             sums[k] += responsibilities[k * rows + n];
                         }
                       });
    std::vector<double> labelled(components, 0.0);
    std::vector<double> unlabelled(components, 0.0);
    for (std::size_t k = 0; k < components; ++k) {
      for (const std::size_t n : labelled_rows) labelled[k] += responsibilities[k * rows + n];
      unlabelled[k] = std::max(0.0, all[k] - labelled[k]);
    }
    lambda = component_label_weights(unlabelled, labelled, alpha, mixture);
    for (std::size_t k = 0; k < components; ++k) {
      for (const std::size_t n : labelled_rows) responsibilities[k * rows + n] *= lambda[k];
    }
  }
  finish(emission_moments(factors, features, responsibilities, threads, mixture), global, mixture);
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    for (const std::size_t n : labelled_rows) responsibilities[k * rows + n] /= lambda[k];
  }
}

void maximise_from_states(const Features& features, std::span<const std::uint8_t> states,
                          std::span<const std::int32_t> labels, double alpha, const GlobalShape& global,
                          Threads threads, Mixture& mixture) {
  const std::size_t rows = features.rows();
  const std::size_t dimensions = features.dimensions();
  // Moments are taken about the clusters' own means, which a first pass finds.
  std::vector<double> sums(mixture.components.size() * (1 + dimensions), 0.0);
  for (std::size_t n = 0; n < rows; ++n) {
    double* const of_state = sums.data() + states[n] * (1 + dimensions);
    of_state[0] += 1.0;
    for (std::size_t d = 0; d < dimensions; ++d) of_state[1 + d] += features.row(n)[d] - global.mean[d];
  }
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    const double* const of_state = sums.data() + k * (1 + dimensions);
    Component& component = mixture.components[k];
    component.mean = global.mean;
    component.covariance = global.covariance;
    for (std::size_t d = 0; d < dimensions && of_state[0] > 0.0; ++d) {
      component.mean[d] += of_state[1 + d] / of_state[0];
    }
  }
  std::vector<double> row_weights;
  if (!labels.empty() && alpha > 0.0) {
    std::vector<double> unlabelled(mixture.components.size(), 0.0);
    std::vector<double> labelled(mixture.components.size(), 0.0);
    for (std::size_t n = 0; n < rows; ++n) (labels[n] < 0 ? unlabelled : labelled)[states[n]] += 1.0;
    const std::vector<double> lambda = component_label_weights(unlabelled, labelled, alpha, mixture);
    for (std::size_t n = 0; n < rows; ++n) row_weights.push_back(labels[n] < 0 ? 1.0 : lambda[states[n]]);
  }
  finish(state_moments(DensityFactors(mixture.components, dimensions), features, states, row_weights, threads), global,
         mixture);
}

std::vector<std::int32_t> classes_of(std::span<const Component> components) {
  std::vector<std::int32_t> of_class;
  for (const Component& component : components) of_class.push_back(component.of_class);
  return of_class;
}

std::vector<double> log_shares_of(std::span<const Component> components) {
  std::vector<double> log_shares;
  for (const Component& component : components) {
    log_shares.push_back(log_of_positive(std::max(component.share, least_share)));
  }
  return log_shares;
}

}  // namespace motet::temporal
