#include "motet/discover/spread/carry.h"

#include <algorithm>

namespace motet::discover {

Carried carried_answers(const Features& features, const Discovery& discovery, const std::string& project,
                        const RunContext& run) {
  const std::size_t radius = discovery.options.radius;
  Carried carried{project, discovery.carried.examples};
  const WhitenedRows whitened = whitened_rows(features, radius, run.threads);
  for (const Example& example : examples_of(whitened, features, held_answers(discovery), radius)) {
    CarriedExample one;
    if (example.of_class > 0) one.class_name = discovery.mixture.classes[static_cast<std::size_t>(example.of_class)];
    one.values.assign(features.dimensions(), 0.0);
    for (const std::size_t n : example.rows) {
      const std::vector<double> smoothed = smoothed_row(features, n, radius);
      for (std::size_t d = 0; d < smoothed.size(); ++d) one.values[d] += smoothed[d] / example.length;
    }
    one.length = example.length;
    carried.examples.push_back(std::move(one));
  }
  return carried;
}

std::vector<std::string> with_carried(std::vector<std::string> classes, const Carried& carried) {
  for (const CarriedExample& example : carried.examples) {
    if (example.class_name.empty()) continue;
    if (std::find(classes.begin(), classes.end(), example.class_name) == classes.end()) {
      classes.push_back(example.class_name);
    }
  }
  return classes;
}

void add_carried(const WhitenedRows& whitened, const Carried& carried, std::span<const std::string> names,
                 std::vector<Example>& examples) {
  for (const CarriedExample& one : carried.examples) {
    const auto found = std::find(names.begin(), names.end(), one.class_name);
    const std::int32_t of_class = one.class_name.empty() ? 0 : static_cast<std::int32_t>(found - names.begin());
    examples.push_back({of_class, {}, whitened.whitened(one.values), one.length});
  }
}

}  // namespace motet::discover
