#include "motet/discover/model_update.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "motet/base/error.h"
#include "motet/discover/answers.h"
#include "motet/discover/published_seed.h"
#include "motet/temporal/field/field_problem.h"
#include "motet/temporal/mixture/densities.h"
#include "motet/temporal/mixture/warm.h"

namespace motet::discover {
namespace {

constexpr std::size_t published_iterations = 100;
constexpr double published_rise = 1e-6;  // of the objective per row

void bring_densities(const Features& features, Discovery& discovery, Threads threads) {
  const std::size_t size = discovery.mixture.components.size() * features.rows();
  if (discovery.densities.size() == size) return;
  discovery.densities.resize(size);
  temporal::log_densities(temporal::DensityFactors(discovery.mixture.components, features.dimensions()), features,
                          threads, discovery.densities);
}

// The parts of the search that the mixture's own functions work on, lent to them.
class Lent {
 public:
  explicit Lent(Discovery& discovery) : discovery_(discovery) {
    state.mixture = std::move(discovery.mixture);
    state.states = std::move(discovery.states);
    state.densities = std::move(discovery.densities);
  }
  ~Lent() {
    discovery_.mixture = std::move(state.mixture);
    discovery_.states = std::move(state.states);
    discovery_.densities = std::move(state.densities);
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  temporal::WarmState state;

 private:
  Discovery& discovery_;
};

// x_n and the h of its neighbours in time that are nearest to it and not known to be something else
// (erratum E12): in units of the columns' standard deviations, or by Euclidean distance, as published.
std::vector<std::size_t> seed_rows(const Features& features, const Discovery& discovery, std::size_t row) {
  const std::size_t h = discovery.options.radius;
  const auto [begin, end] = rows_around(features.starts, row, h);
  const HeldAnswers held = held_answers(discovery);
  const std::size_t dimensions = features.dimensions();
  const bool is_euclidean = is_as_published(discovery.options.strategy);
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t n = begin; n < end; ++n) {
    const auto known = held.find(n);
    if (n == row || (known != held.end() && known->second >= 0)) continue;
    double distance = 0.0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const double difference = features.row(n)[d] - features.row(row)[d];
      const double unit = is_euclidean ? 1.0 : discovery.global.covariance[d * dimensions + d];
      distance += difference * difference / unit;
    }
    near.emplace_back(distance, n);
  }
  std::sort(near.begin(), near.end());
  near.resize(std::min(near.size(), h));
  std::vector<std::size_t> rows{row};
  for (const auto& [distance, n] : near) rows.push_back(n);
  return rows;
}

// Interleave has its components from the beginning: the one without a class under which the row is most likely.
std::size_t spare_component(const Discovery& discovery, std::size_t rows, std::size_t row) {
  const std::vector<Component>& components = discovery.mixture.components;
  std::size_t best = components.size();
  for (std::size_t k = 0; k < components.size(); ++k) {
    if (components[k].of_class >= 0) continue;
    if (best == components.size() || discovery.densities[k * rows + row] > discovery.densities[best * rows + row]) {
      best = k;
    }
  }
  return best;
}

// Rows of a component that is no more take the state of a neighbour in time.
void remove_component(const Features& features, Discovery& discovery, std::size_t gone) {
  const std::size_t rows = features.rows();
  std::vector<std::uint8_t>& states = discovery.states;
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    const std::size_t begin = features.starts[s];
    const std::size_t end = features.starts[s + 1];
    std::size_t other = begin;
    while (other < end && states[other] == gone) ++other;
    std::uint8_t state = other < end ? states[other] : std::uint8_t{0};
    for (std::size_t n = begin; n < end; ++n) {
      if (states[n] == gone) states[n] = state;
      state = states[n];
    }
  }
  for (std::uint8_t& state : states) state = static_cast<std::uint8_t>(state - (state > gone ? 1 : 0));
  for (Nomination& nomination : discovery.queue) {
    const auto k = static_cast<std::int32_t>(gone);
    if (nomination.component == k) nomination = {nomination.row, -1, std::numeric_limits<double>::quiet_NaN()};
    if (nomination.component > k) --nomination.component;
  }
  discovery.mixture.components.erase(discovery.mixture.components.begin() + static_cast<std::ptrdiff_t>(gone));
  if (!discovery.densities.empty()) {
    const auto begin = discovery.densities.begin() + static_cast<std::ptrdiff_t>(gone * rows);
    discovery.densities.erase(begin, begin + static_cast<std::ptrdiff_t>(rows));
  }
}

}  // namespace

void bring_states(const Features& features, Discovery& discovery, Threads threads) {
  const RowLabels labels = row_labels(discovery, features.rows());
  Lent lent(discovery);
  temporal::warm_states(features, labels, threads, lent.state);
}

void take_states(const Features& features, Discovery& discovery, std::size_t first_row, Threads threads) {
  bring_densities(features, discovery, threads);
  const std::size_t rows = features.rows();
  for (std::size_t n = first_row; n < rows; ++n) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < discovery.mixture.components.size(); ++k) {
      if (discovery.densities[k * rows + n] > discovery.densities[best * rows + n]) best = k;
    }
    discovery.states[n] = static_cast<std::uint8_t>(best);
  }
}

void fit_further(const Features& features, Discovery& discovery, std::size_t most, double rise, Threads threads) {
  const RowLabels labels = row_labels(discovery, features.rows());
  const double label_weight = discovery.options.label_weight;
  Lent lent(discovery);
  double before = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < most; ++i) {
    temporal::warm_iteration(features, discovery.global, labels, label_weight, threads, lent.state);
    const double objective = lent.state.objective / static_cast<double>(features.rows());
    if (objective - before < rise) break;
    before = objective;
  }
}

void update_model(const Features& features, Discovery& discovery, Threads threads) {
  if (!askers_of(discovery.options).empty()) {  // the background stays as it is
    bring_scout(features, discovery, threads);
    ++discovery.updates;
    return;
  }
  const bool to_the_end = is_as_published(discovery.options.strategy);
  fit_further(features, discovery, to_the_end ? published_iterations : 1, published_rise, threads);
  ++discovery.updates;
}

void add_class(const Features& features, Discovery& discovery, const std::string& name, std::size_t row,
               Threads threads) {
  Mixture& mixture = discovery.mixture;
  const auto number = static_cast<std::int32_t>(mixture.classes.size());
  if (discovery.options.strategy == Strategy::interleave) {
    bring_densities(features, discovery, threads);
    const std::size_t spare = spare_component(discovery, features.rows(), row);
    if (spare < mixture.components.size()) {
      mixture.components[spare].of_class = number;
      mixture.classes.push_back(name);
      discovery.states[row] = static_cast<std::uint8_t>(spare);
      return;
    }
  }
  if (mixture.components.size() >= temporal::most_components) {
    fail(ErrorKind::usage, "class '" + name + "' would be component " + std::to_string(mixture.components.size() + 1) +
                               "; there can be at most " + std::to_string(temporal::most_components));
  }
  const std::vector<std::size_t> rows = seed_rows(features, discovery, row);
  Component component = is_as_published(discovery.options.strategy)
                            ? published_seed(features, rows, discovery.global, mixture.covariance)
                            : temporal::seeded_component(features, rows, discovery.global, mixture.covariance);
  component.share = static_cast<double>(rows.size()) / static_cast<double>(features.rows());
  component.of_class = number;
  for (const std::size_t n : rows) discovery.states[n] = static_cast<std::uint8_t>(mixture.components.size());
  mixture.classes.push_back(name);
  mixture.components.push_back(component);
  if (discovery.densities.empty()) return;
  const std::size_t before = discovery.densities.size();
  discovery.densities.resize(before + features.rows());
  temporal::log_densities(temporal::DensityFactors(std::span(&component, 1), features.dimensions()), features, threads,
                          std::span(discovery.densities).subspan(before));
}

void drop_unanswered_classes(const Features& features, Discovery& discovery) {
  Mixture& mixture = discovery.mixture;
  const HeldAnswers held = held_answers(discovery);
  for (std::size_t c = mixture.classes.size() - 1; c > 0; --c) {
    const auto number = static_cast<std::int32_t>(c);
    if (std::any_of(held.begin(), held.end(), [&](const auto& entry) { return entry.second == number; })) continue;
    for (std::size_t k = mixture.components.size(); k-- > 0;) {
      if (mixture.components[k].of_class != number) continue;
      if (discovery.options.strategy == Strategy::interleave && k < discovery.options.components) {
        mixture.components[k].of_class = -1;  // one of those made beforehand
      } else {
        remove_component(features, discovery, k);
      }
    }
    for (Component& component : mixture.components) {
      if (component.of_class > number) --component.of_class;
    }
    mixture.classes.erase(mixture.classes.begin() + static_cast<std::ptrdiff_t>(c));
  }
}

}  // namespace motet::discover
