#include "motet/discover/questions/choose.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/discover/model_update.h"
#include "motet/temporal/field/coupling.h"
#include "motet/temporal/field/field_choice.h"
#include "motet/temporal/fit.h"
#include "motet/temporal/mixture/densities.h"

namespace motet::discover {
namespace {

using temporal::MixtureCovariance;
using temporal::TemporalFit;

constexpr std::size_t least_chosen_components = 2;
constexpr std::size_t most_chosen_components = 6;
constexpr std::size_t rows_per_column = 10;  // that a component needs, or it is an event rather than background
constexpr double least_gain = 0.25;          // nats per row that one more component must bring
constexpr std::size_t sample_rows = 5000;
constexpr double published_label_weight = 0.1;
constexpr double apart_label_weight = 0.02;
constexpr double event_seconds = 3.7;  // 2h + 1 frames of 0.1 s at h = 18, the radius of the published experiments
constexpr std::size_t least_radius = 2;
constexpr std::size_t most_radius = 18;
constexpr double most_nomination_coupling = 4.0;  // nats; stronger fields drown rare classes (erratum E19)
// Of squared differences, neighbouring rows to any two: an autocorrelation of 0.3.
constexpr double unordered_ratio = 0.7;
constexpr std::size_t density_components = 16;
constexpr std::size_t start_iterations = 50;
constexpr double start_rise = 1e-5;
constexpr std::size_t first_published_iterations = 500;
constexpr double first_published_rise = 1e-8;

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

temporal::TemporalOptions fit_options(const DiscoverOptions& options, MixtureCovariance covariance) {
  temporal::TemporalOptions fit;
  fit.floor = options.floor.value();
  fit.covariance = covariance;
  const bool to_the_end = is_as_published(options.strategy);
  fit.max_iterations = to_the_end ? first_published_iterations : start_iterations;
  fit.tolerance = to_the_end ? first_published_rise : start_rise;
  return fit;
}

// Nothing when there are fewer distinct rows than components.
std::optional<TemporalFit> static_fit(const Features& features, std::size_t components, const DiscoverOptions& options,
                                      MixtureCovariance covariance, const RunContext& run) {
  try {
    return temporal::fit_temporal(features, components, {}, {}, fit_options(options, covariance), run);
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
  temporal::log_densities(temporal::DensityFactors(components, features.dimensions()), features, threads, table);
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
  const std::size_t supported = features.rows() / (rows_per_column * features.dimensions());
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

// Half the mean squared difference of neighbouring rows in units of the column's variance, of the column where it is
// least: about 1 where rows are in no order, near 0 where one changes slowly (von Neumann's ratio). Columns that do not
// vary say nothing.
double neighbour_difference(const Features& features, const temporal::GlobalShape& global) {
  const std::size_t d = features.dimensions();
  std::vector<double> sum(d, 0.0);
  std::size_t count = 0;
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    for (std::size_t n = features.starts[s] + 1; n < features.starts[s + 1]; ++n, ++count) {
      for (std::size_t i = 0; i < d; ++i) {
        const double difference = features.row(n)[i] - features.row(n - 1)[i];
        sum[i] += difference * difference / (2.0 * global.covariance[i * d + i]);
      }
    }
  }
  std::erase(sum, 0.0);
  return sum.empty() ? 0.0 : *std::min_element(sum.begin(), sum.end()) / static_cast<double>(count);
}

class Chooser {
 public:
  Chooser(const Features& features, Discovery& discovery, const RunContext& run)
      : features_(features), discovery_(discovery), options_(discovery.options), run_(run) {}

  // Whether rows come in time: said, or seen where nothing else says it.
  void order() {
    if (!options_.unordered) {
      const bool is_said = features_.clock.has_time() || features_.starts.size() > 2 || options_.radius > 0 ||
                           options_.exclusion > 0 || !options_.weight_values.empty();
      if (is_said || is_as_published(options_.strategy)) return;
      const double ratio = neighbour_difference(features_, discovery_.global);
      options_.unordered = ratio > unordered_ratio;
      if (!options_.unordered) return;
      tell("unordered", "yes",
           "in every column neighbouring rows differ at least " + to_text(std::round(ratio * 100.0) / 100.0) +
               " times as much as any two, so they are in no order of time; if they are, say --radius");
    }
    options_.radius = 0;
    if (options_.exclusion < 0) options_.exclusion = 0;
  }

  void components() {
    if (options_.components > 0) return;
    if (options_.strategy == Strategy::density) {
      const std::size_t supported = features_.rows() / (rows_per_column * features_.dimensions());
      options_.components = std::clamp(supported, least_chosen_components, density_components);
      tell("components", std::to_string(options_.components),
           "at most " + std::to_string(density_components) + ", each with " + std::to_string(rows_per_column) +
               " rows per column");
      return;
    }
    if (options_.strategy == Strategy::literal || options_.strategy == Strategy::static_gmm) {
      options_.components = 2;
      tell("components", "2", "as published");
    } else {
      options_.components = components_by_likelihood(features_, options_, run_);
      tell("components", std::to_string(options_.components),
           "one more raises the completed likelihood by less than " + to_text(least_gain) + " nats per row (2 to " +
               std::to_string(most_chosen_components) + ", each with " + std::to_string(rows_per_column) +
               " rows per column)");
    }
  }

  void radius() {
    if (options_.unordered) return;
    options_.radius = field_of(options_).radius;  // custom weights say it
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
      if (options_.strategy > Strategy::static_gmm) return;  // no mixture is fitted to the answers
      tell("label_weight", to_text(options_.label_weight),
           is_apart ? "exclusion keeps questions apart, so answers need not push the model away" : "as published");
    }
  }

  void exclusion() {
    if (options_.exclusion >= 0) return;
    const bool is_ours = asks_by_mixture(options_.strategy) ? !is_as_published(options_.strategy)
                                                            : options_.strategy > Strategy::static_gmm;
    options_.exclusion = is_ours ? static_cast<int>(options_.radius) : 0;
    tell("exclusion", std::to_string(options_.exclusion), is_ours ? "the radius" : "as published");
  }

  void isolation() {
    const bool is_ours = options_.strategy == Strategy::temporal || options_.strategy == Strategy::static_mixture;
    if (!is_ours) options_.isolation = 0;
  }

  // One covariance for all: a component with its own becomes a wide one that swallows whatever is odd.
  void covariance() {
    if (options_.covariance != CovarianceChoice::chosen) return;
    const bool is_ours = options_.strategy == Strategy::temporal || options_.strategy == Strategy::static_mixture;
    options_.covariance = is_ours ? CovarianceChoice::tied : CovarianceChoice::full;
    if (is_ours) tell("covariance", "tied", "a component with a covariance of its own swallows whatever is odd");
  }

  // Of the static states; a single component says nothing of it.
  void coupling() {
    temporal::TimeField field = field_of(options_);
    if (options_.nomination_coupling < 0.0) {
      options_.nomination_coupling = most_nomination_coupling;
      if (options_.components > 1 && options_.radius > 0) {
        field.strength = temporal::pseudo_likelihood_strength(features_.starts, options_.components, field,
                                                              discovery_.states, most_nomination_coupling);
        options_.nomination_coupling = temporal::total_weight(field);
      }
      tell("nomination_coupling", to_text(std::round(options_.nomination_coupling * 100.0) / 100.0),
           options_.components > 1
               ? "nats, by maximum pseudo-likelihood of a static mixture, at most " + to_text(most_nomination_coupling)
               : "nats, the most: one component says nothing of it");
    }
    if (options_.radius > 0) field = temporal::with_total_weight(field, options_.nomination_coupling);
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

temporal::TimeField field_of(const DiscoverOptions& options) {
  temporal::TemporalOptions fit;
  fit.radius = options.radius;
  fit.weights = options.weights;
  fit.weight_values = options.weight_values;
  return temporal::field_of(fit);
}

void check_discover_options(const Features& features, const DiscoverOptions& options) {
  check_ranges(options);
  const temporal::TimeField field = field_of(options);
  if (features.rows() == 0) fail(ErrorKind::unanswerable, "there are no rows to ask about");
  const std::size_t longest = longest_sequence(features);
  if (field.radius >= longest && field.radius > 0) {
    fail(ErrorKind::usage, "--radius " + std::to_string(field.radius) +
                               " is not shorter than the longest sequence; it has " + std::to_string(longest) +
                               " rows");
  }
}

void choose_and_fit(const Features& features, Discovery& discovery, const RunContext& run) {
  Chooser choose(features, discovery, run);
  DiscoverOptions& options = discovery.options;
  choose.order();
  choose.components();
  choose.radius();
  choose.exclusion();
  choose.label_weight();
  choose.isolation();
  choose.covariance();
  temporal::TemporalOptions fit = fit_options(options, static_cast<MixtureCovariance>(options.covariance));
  if (options.strategy == Strategy::literal) {
    fit.radius = options.radius;
    fit.weights = options.weights;
    fit.weight_values = options.weight_values;
    fit.coupling = "literal";
  }
  TemporalFit background = temporal::fit_temporal(features, options.components, {}, {}, fit, run);
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
