#include "motet/discover/questions/propagate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/discover/answers.h"
#include "motet/discover/discovery.h"
#include "motet/discover/questions/choose.h"
#include "motet/temporal/field/conditional.h"
#include "motet/temporal/field/icm.h"
#include "motet/temporal/mixture/densities.h"
#include "motet/temporal/mixture/mixture_step.h"

namespace motet::discover {

Propagation propagate(const Features& features, const Discovery& discovery, const RunContext& run) {
  const std::size_t rows = features.rows();
  const std::vector<Component>& components = discovery.mixture.components;
  std::vector<double> table = discovery.densities;
  if (table.size() != components.size() * rows) {
    table.resize(components.size() * rows);
    temporal::log_densities(temporal::DensityFactors(components, features.dimensions()), features, run.threads, table);
  }
  temporal::TimeField field = field_of(discovery.options);
  if (field.radius > 0 && discovery.options.propagation_coupling > 0.0) {
    field = temporal::with_total_weight(field, discovery.options.propagation_coupling);
  } else {
    field.radius = 0;
    for (std::size_t k = 0; k < components.size(); ++k) {
      const double log_share = std::log(std::max(components[k].share, std::numeric_limits<double>::min()));
      for (std::size_t n = 0; n < rows; ++n) table[k * rows + n] += log_share;
    }
  }
  const RowLabels labels = row_labels(discovery, rows);
  const std::vector<std::int32_t> of_class = temporal::classes_of(components);
  const temporal::FieldProblem problem{features.starts, table, components.size(), labels, of_class};
  std::vector<std::uint8_t> states = discovery.states;
  icm(problem, field, states);
  std::vector<double> responsibilities(table.size());
  temporal::conditional_responsibilities(problem, field, states, run.threads, responsibilities);

  Propagation result{std::vector<std::int32_t>(rows), std::vector<double>(rows)};
  std::vector<double> probability(discovery.mixture.classes.size());
  for (std::size_t n = 0; n < rows; ++n) {
    std::fill(probability.begin(), probability.end(), 0.0);
    for (std::size_t k = 0; k < components.size(); ++k) {
      // A component that no class has claimed yet (interleave) counts as background.
      probability[static_cast<std::size_t>(std::max(0, of_class[k]))] += responsibilities[k * rows + n];
    }
    const auto best = std::max_element(probability.begin(), probability.end());
    result.of_class[n] = static_cast<std::int32_t>(best - probability.begin());
    result.probability[n] = std::min(1.0, *best);
  }
  return result;
}

}  // namespace motet::discover
