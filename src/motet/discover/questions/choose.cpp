#include "motet/discover/questions/choose.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/discover/model_update.h"
#include "motet/temporal/field/coupling.h"
#include "motet/temporal/fit.h"
#include "motet/temporal/mixture/densities.h"

namespace motet::discover {
namespace {

using temporal::DensityFactors;
using temporal::fit_temporal;
using temporal::log_densities;
using temporal::MixtureCovariance;
using temporal::pseudo_likelihood_strength;
using temporal::TemporalFit;
using temporal::TemporalOptions;
using temporal::TimeField;
using temporal::total_weight;
using temporal::with_total_weight;

constexpr std::size_t least_chosen_components = 2;
constexpr std::size_t most_chosen_components = 6;
constexpr std::size_t rows_a_column = 10;  // that a component needs, or it is an event rather than background
constexpr double least_gain = 0.25;        // nats a row that one more component must bring
constexpr std::size_t sample_rows = 5000;
constexpr double published_label_weight = 0.1;
constexpr double apart_label_weight = 0.02;
constexpr double event_seconds = 3.7;  // 2h + 1 frames of 0.1 s at h = 18, the radius of the published experiments
constexpr std::size_t least_radius = 2;
constexpr std::size_t most_radius = 18;
constexpr double most_nomination_coupling = 4.0;  // nats; stronger fields drown rare classes (erratum E19)
constexpr std::size_t start_iterations = 50;
constexpr double start_rise = 1e-5;

std::size_t longest_sequence(const Features& features) {
  std::size_t longest = 0;
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    longest = std::max(longest, features.starts[s + 1] - features.starts[s]);
  }
  return longest;
}

// Every so many rows of all, as one sequence.
Features thinned(const Features& features, std::size_t most) {
  const std::size_t step = (features.rows() + most - 1) / most;
  if (step <= 1) return features;
  Features sample;
  sample.columns = features.columns;
  for (std::size_t n = 0; n < features.rows(); n += step) {
    sample.values.insert(sample.values.end(), features.row(n).begin(), features.row(n).end());
  }
  sample.starts = {0, (features.rows() + step - 1) / step};
  sample.sequences = {""};
  return sample;
}

TemporalOptions fit_options(const DiscoverOptions& options, MixtureCovariance covariance) {
  TemporalOptions fit;
  fit.floor = options.floor;
  fit.covariance = covariance;
  fit.max_iterations = start_iterations;
  fit.tolerance = start_rise;
  return fit;
}

// Nothing when there are fewer distinct rows than components.
std::optional<TemporalFit> static_fit(const Features& features, std::size_t components, const DiscoverOptions& options,
                                      MixtureCovariance covariance, const RunContext& run) {
  try {
    return fit_temporal(features, components, {}, {}, fit_options(options, covariance), run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unanswerable) throw;
    return std::nullopt;
  }
}

// Integrated completed likelihood: BIC less the entropy of the responsibilities. BIC alone splits
// backgrounds that are merely not Gaussian, and every split part nominates its own harmless rim; with
// one covariance for all there is also no wide component that swallows whatever is odd.
double completed_likelihood(const TemporalFit& fit, const Features& features, Threads threads) {
  const std::vector<Component>& components = fit.mixture.components;
  const std::size_t rows = features.rows();
  std::vector<double> table(components.size() * rows);
  log_densities(DensityFactors(components, features.dimensions()), features, threads, table);
  double log_likelihood = 0.0;
  double entropy = 0.0;
  std::vector<double> joint(components.size());
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < joint.size(); ++k) joint[k] = table[k * rows + n] + std::log(components[k].share);
    const double sum = log_sum_exp(joint);
    log_likelihood += sum;
    for (const double value : joint) {
      const double log_share = value - sum;
      if (log_share > -700.0) entropy -= std::exp(log_share) * log_share;
    }
  }
  const auto d = static_cast<double>(features.dimensions());
  const auto k = static_cast<double>(components.size());
  const double parameters = k - 1.0 + k * d + d * (d + 1.0) / 2.0;
  return log_likelihood - parameters / 2.0 * std::log(static_cast<double>(rows)) - entropy;
}

std::size_t components_by_likelihood(const Features& features, const DiscoverOptions& options, const RunContext& run) {
  const Features sample = thinned(features, sample_rows);
  std::size_t best = 1;
  double greatest = -std::numeric_limits<double>::infinity();
  const std::size_t supported = features.rows() / (rows_a_column * features.dimensions());
  const std::size_t most = std::clamp(supported, least_chosen_components, most_chosen_components);
  for (std::size_t k = least_chosen_components; k <= most; ++k) {
    const std::optional<TemporalFit> fit = static_fit(sample, k, options, MixtureCovariance::tied, run);
    if (!fit) break;
    const double value = completed_likelihood(*fit, sample, run.threads);
    if (value < greatest + least_gain * static_cast<double>(sample.rows())) break;
    greatest = value;
    best = k;
  }
  return best;
}

// Length of the stretch of one component that the middle row lies in, when rows are sorted by it. Unlike the
// median of the stretches, it is not that of short flickers.
std::size_t typical_stretch(const Features& features, std::span<const std::uint8_t> states) {
  std::vector<std::size_t> stretches;
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    std::size_t begin = features.starts[s];
    for (std::size_t n = begin + 1; n <= features.starts[s + 1]; ++n) {
      if (n < features.starts[s + 1] && states[n] == states[begin]) continue;
      stretches.push_back(n - begin);
      begin = n;
    }
  }
  std::sort(stretches.begin(), stretches.end());
  std::size_t rows = 0;
  for (const std::size_t stretch : stretches) {
    rows += stretch;
    if (2 * rows >= features.rows()) return stretch;
  }
  return 1;
}

class Chooser {
 public:
  Chooser(const Features& features, Discovery& discovery, const RunContext& run)
      : features_(features), discovery_(discovery), options_(discovery.options), run_(run) {}

  void components() {
    if (options_.components > 0) return;
    if (options_.strategy == Strategy::literal) {
      options_.components = 2;
      tell("components", "2", "as published");
    } else {
      options_.components = components_by_likelihood(features_, options_, run_);
      tell("components", std::to_string(options_.components),
           "one more raises the completed likelihood by less than " + to_text(least_gain) + " nats a row (2 to " +
               std::to_string(most_chosen_components) + ", " + std::to_string(rows_a_column) + " rows a column each)");
    }
  }

  void radius() {
    if (options_.radius > 0) return;
    const std::size_t longest = longest_sequence(features_) - 1;
    if (features_.clock.has_time()) {
      const double frames = event_seconds / features_.clock.hop;
      options_.radius = std::max<std::size_t>(1, static_cast<std::size_t>(std::max(0.0, (frames - 1.0) / 2.0 + 1e-9)));
      options_.radius = std::min(options_.radius, longest);
      tell("radius", std::to_string(options_.radius),
           std::to_string(2 * options_.radius + 1) + " frames last " + to_text(event_seconds) +
               " s, the length of the published events");
      return;
    }
    const std::optional<TemporalFit> fit =
        static_fit(features_, std::max<std::size_t>(2, options_.components), options_, MixtureCovariance::full, run_);
    const std::size_t run_length = fit ? typical_stretch(features_, fit->states) : 1;
    options_.radius = std::min(std::clamp(run_length / 2, least_radius, most_radius), longest);
    tell("radius", std::to_string(options_.radius),
         "half the length of the stretches of one component of a static mixture in which half of the rows lie (" +
             std::to_string(run_length) + "), between " + std::to_string(least_radius) + " and " +
             std::to_string(most_radius));
  }

  void label_weight() {
    if (options_.strategy == Strategy::interleave) {
      options_.label_weight = 0.0;
    } else if (options_.label_weight < 0.0) {
      const bool is_apart = options_.exclusion > 0;
      options_.label_weight = is_apart ? apart_label_weight : published_label_weight;
      tell("label_weight", to_text(options_.label_weight),
           is_apart ? "exclusion keeps questions apart, so answers need not push the model away" : "as published");
    }
  }

  void exclusion() {
    if (options_.exclusion >= 0) return;
    const bool is_ours = options_.strategy == Strategy::temporal || options_.strategy == Strategy::static_mixture;
    options_.exclusion = is_ours ? static_cast<int>(options_.radius) : 0;
    tell("exclusion", std::to_string(options_.exclusion), is_ours ? "the radius" : "as published");
  }

  void isolation() {
    const bool is_ours = options_.strategy == Strategy::temporal || options_.strategy == Strategy::static_mixture;
    if (!is_ours) options_.isolation = 0;
  }

  // Of the static states; a single component says nothing of it.
  void coupling() {
    TimeField field;
    field.radius = options_.radius;
    if (options_.nomination_coupling < 0.0) {
      options_.nomination_coupling = most_nomination_coupling;
      if (options_.components > 1 && options_.radius > 0) {
        field.strength = pseudo_likelihood_strength(features_.starts, options_.components, field, discovery_.states,
                                                    most_nomination_coupling);
        options_.nomination_coupling = total_weight(field);
      }
      tell("nomination_coupling", to_text(std::round(options_.nomination_coupling * 100.0) / 100.0),
           options_.components > 1
               ? "nats, by maximum pseudo-likelihood of a static mixture, at most " + to_text(most_nomination_coupling)
               : "nats, the most: one component says nothing of it");
    }
    if (options_.radius > 0) field = with_total_weight(field, options_.nomination_coupling);
    discovery_.mixture.field = field;
  }

 private:
  void tell(std::string name, std::string value, std::string reason) {
    discovery_.choices.push_back({std::move(name), std::move(value), std::move(reason)});
  }

  const Features& features_;
  Discovery& discovery_;
  DiscoverOptions& options_;
  const RunContext& run_;
};

// The largest component first; the others have no class yet (A7).
void give_classes_one_component(Discovery& discovery) {
  std::vector<std::size_t> sizes(discovery.mixture.components.size(), 0);
  for (const std::uint8_t state : discovery.states) ++sizes[state];
  const auto largest = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::swap(discovery.mixture.components[0], discovery.mixture.components[largest]);
  for (std::uint8_t& state : discovery.states) {
    state = state == 0 ? static_cast<std::uint8_t>(largest) : state == largest ? std::uint8_t{0} : state;
  }
  for (std::size_t k = 1; k < sizes.size(); ++k) discovery.mixture.components[k].of_class = -1;
}

}  // namespace

void check_discover_options(const Features& features, const DiscoverOptions& options) {
  check_ranges(options);
  if (features.rows() == 0) fail(ErrorKind::unanswerable, "there are no rows to ask about");
  const std::size_t longest = longest_sequence(features);
  if (options.radius >= longest && options.radius > 0) {
    fail(ErrorKind::usage, "radius = " + std::to_string(options.radius) +
                               " is not shorter than the longest sequence; it has " + std::to_string(longest) +
                               " rows");
  }
}

void choose_and_fit(const Features& features, Discovery& discovery, const RunContext& run) {
  Chooser choose(features, discovery, run);
  DiscoverOptions& options = discovery.options;
  choose.components();
  choose.radius();
  choose.exclusion();
  choose.label_weight();
  choose.isolation();
  TemporalOptions fit = fit_options(options, MixtureCovariance::full);
  if (options.strategy == Strategy::literal) {
    fit.radius = options.radius;
    fit.coupling = "literal";
  }
  TemporalFit background = fit_temporal(features, options.components, {}, {}, fit, run);
  discovery.mixture = std::move(background.mixture);
  discovery.states = std::move(background.states);
  discovery.mixture.classes = {std::string(background_name)};
  for (Component& component : discovery.mixture.components) component.of_class = 0;
  if (options.strategy == Strategy::interleave) give_classes_one_component(discovery);
  if (options.strategy == Strategy::temporal) {
    choose.coupling();
    fit_further(features, discovery, start_iterations, start_rise, run.threads);
  }
}

}  // namespace motet::discover
