#include "motet/temporal/mixture/fit_start.h"

#include <algorithm>

#include "motet/temporal/mixture/class_components.h"
#include "motet/temporal/mixture/kmeans.h"
#include "motet/temporal/mixture/mixture_step.h"
#include "motet/temporal/mixture/soft_classes.h"
#include "motet/temporal/mixture/trimmed_kmeans.h"

namespace motet::temporal {
namespace {

constexpr double first_degrees = 4.0;  // heavy tails at first, so that far rows count little from the start

}  // namespace

std::vector<std::uint8_t> start_fit(const Features& features, std::size_t components, const RowLabels& known,
                                    const TemporalOptions& options, const GlobalShape& global, const RunContext& run,
                                    Mixture& mixture) {
  const bool is_student = mixture.emission == ComponentLaw::student_t;
  TrimmedClusters start;
  if (is_student) {
    start = trimmed_kmeans(features, components, options.starts, run);
  } else {
    start.clusters = kmeans(features, components, options.starts, ColumnUnits::own, run);
  }
  mixture.components.resize(components);
  if (!known.empty() && options.class_assignment == ClassAssignment::soft) {
    start_soft_classes(start.clusters.states, known, mixture);
  } else if (!known.empty()) {
    const std::vector<std::int32_t> of_class =
        share_out_clusters(features, known, mixture.classes.size(), global, start.clusters);
    for (std::size_t k = 0; k < components; ++k) mixture.components[k].of_class = of_class[k];
  }
  const std::vector<std::uint8_t>& states = start.clusters.states;
  if (!is_student) {
    maximise_from_states(features, states, known, options.label_weight, global, run.threads, mixture);
    return std::move(start.clusters.states);
  }
  // Rows with a label stay, however far: their class may have no others.
  std::vector<std::uint32_t> kept = std::move(start.kept);
  const auto nearest = static_cast<std::ptrdiff_t>(kept.size());
  for (std::uint32_t n = 0; n < known.size(); ++n) {
    if (known[n] >= 0 && !std::binary_search(kept.begin(), kept.begin() + nearest, n)) kept.push_back(n);
  }
  std::vector<std::uint8_t> kept_states;
  RowLabels kept_known;
  for (const std::uint32_t n : kept) {
    kept_states.push_back(states[n]);
    if (!known.empty()) kept_known.push_back(known[n]);
  }
  maximise_from_states(rows_of(features, kept), kept_states, kept_known, options.label_weight, global, run.threads,
                       mixture);
  for (Component& component : mixture.components) component.degrees = options.degrees.value_or(first_degrees);
  return std::move(start.clusters.states);
}

}  // namespace motet::temporal
