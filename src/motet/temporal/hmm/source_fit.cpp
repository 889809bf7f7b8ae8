#include "motet/temporal/hmm/source_fit.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/temporal/chain/hidden_chain.h"
#include "motet/temporal/mixture/kmeans.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::temporal {
namespace {

constexpr double least_state_weight = 1e-9;  // of a state, in frames
constexpr double first_stay = 0.9;           // probability of staying in a state, where a fit begins
constexpr std::size_t kmeans_starts = 5;
constexpr double steps_a_number = 16.0;  // of an E-step, with a few joint states

std::span<const double> frames_of(const Features& features, std::size_t clip) {
  const std::size_t begin = features.starts[clip];
  return std::span(features.values)
      .subspan(begin * features.dimensions(), (features.starts[clip + 1] - begin) * features.dimensions());
}

// The statistics of one source: counts of its chain, then of each state its weight, and the first and second moments of
// its expected emissions about its present mean.
struct Layout {
  std::size_t states;
  std::size_t dimensions;

  std::size_t counts() const { return chain_count(states); }
  std::size_t size() const { return counts() + states * (1 + 2 * dimensions); }
  std::size_t state(std::size_t k) const { return counts() + k * (1 + 2 * dimensions); }
};

void add_chain(const SourceMix& mix, std::size_t source, const Layout& layout, double weight,
               std::span<const double> counts, std::span<double> own) {
  const std::vector<std::uint8_t>& state = mix.state_of[source];
  for (std::size_t j = 0; j < mix.joint; ++j) {
    own[state[j]] += weight * counts[j];
    for (std::size_t k = 0; k < mix.joint; ++k) {
      own[layout.states + state[j] * layout.states + state[k]] += weight * counts[mix.joint + j * mix.joint + k];
    }
  }
}

// Sums of the frames under one joint state: their weight, and their moments about its mean.
struct JointMoments {
  double weight = 0.0;
  std::vector<double> first;
  std::vector<double> second;
};

JointMoments joint_moments(const SourceMix& mix, std::size_t j, std::span<const double> rows,
                           std::span<const double> responsibilities) {
  JointMoments moments{0.0, std::vector<double>(mix.dimensions), std::vector<double>(mix.dimensions)};
  const std::size_t frames = rows.size() / mix.dimensions;
  const double* const mean = mix.means.data() + j * mix.dimensions;
  for (std::size_t n = 0; n < frames; ++n) {
    const double r = responsibilities[j * frames + n];
    moments.weight += r;
    for (std::size_t d = 0; d < mix.dimensions; ++d) {
      const double apart = rows[n * mix.dimensions + d] - mean[d];
      moments.first[d] += r * apart;
      moments.second[d] += r * apart * apart;
    }
  }
  return moments;
}

// E[xi] - mu = c (x - mean_j), E[(xi - mu)^2] = c^2 (x - mean_j)^2 + r.
void add_emissions(const SourceMix& mix, std::size_t source, std::size_t j, double weight, const JointMoments& moments,
                   std::span<double> state) {
  state[0] += weight * moments.weight;
  for (std::size_t d = 0; d < mix.dimensions; ++d) {
    const double c = mix.share[source][j * mix.dimensions + d];
    const double r = mix.residual_variance[source][j * mix.dimensions + d];
    state[1 + d] += weight * c * moments.first[d];
    state[1 + mix.dimensions + d] += weight * (c * c * moments.second[d] + moments.weight * r);
  }
}

struct SourceData {
  const Features& features;
  const ClipSources& clips;
  SourceFitOptions options;
  Layout layout;
  std::vector<double> floor;
  std::vector<std::size_t> leaves;
};

SourceHmm source_number(const SourceData& data, std::span<const double> parameters, std::size_t source) {
  const std::size_t size = parameter_count(data.layout.states, data.layout.dimensions);
  return source_at(parameters.subspan(source * size, size), data.layout.states, data.layout.dimensions);
}

void accumulate_clip(const SourceData& data, std::span<const double> parameters, std::size_t clip,
                     std::span<double> statistics) {
  const std::vector<std::size_t>& numbers = data.clips.of_clip[clip];
  const std::span<const double> rows = frames_of(data.features, clip);
  if (numbers.empty() || rows.empty()) return;
  std::vector<SourceHmm> sources;
  std::vector<const SourceHmm*> pointers;
  sources.reserve(numbers.size());
  pointers.reserve(numbers.size());
  for (const std::size_t number : numbers) sources.push_back(source_number(data, parameters, number));
  for (const SourceHmm& source : sources) pointers.push_back(&source);
  const SourceMix mix(pointers, data.options.combination);
  const MixPosterior posterior = mix_posterior(mix, rows);
  const double weight = data.clips.weights.empty() ? 1.0 : data.clips.weights[clip];
  statistics[0] += weight * posterior.log_likelihood;
  const auto own = [&](std::size_t a) {
    return statistics.subspan(1 + numbers[a] * data.layout.size(), data.layout.size());
  };
  for (std::size_t a = 0; a < numbers.size(); ++a) add_chain(mix, a, data.layout, weight, posterior.counts, own(a));
  for (std::size_t j = 0; j < mix.joint; ++j) {
    const JointMoments moments = joint_moments(mix, j, rows, posterior.responsibilities);
    for (std::size_t a = 0; a < numbers.size(); ++a) {
      add_emissions(mix, a, j, weight, moments, own(a).subspan(data.layout.state(mix.state_of[a][j])));
    }
  }
}

void maximise_source(const SourceData& data, std::span<const double> statistics, SourceHmm& source) {
  const Layout& layout = data.layout;
  double heard = 0.0;
  for (std::size_t k = 0; k < layout.states; ++k) heard += statistics[layout.state(k)];
  if (!(heard > least_state_weight)) return;  // no clip has it
  source.chain = chain_from_counts(statistics.first(layout.counts()), layout.states);
  for (std::size_t k = 0; k < layout.states; ++k) {
    const std::span<const double> state = statistics.subspan(layout.state(k), 1 + 2 * layout.dimensions);
    const double weight = state[0];
    if (!(weight > least_state_weight)) continue;
    for (std::size_t d = 0; d < layout.dimensions; ++d) {
      const double shift = state[1 + d] / weight;
      const double spread = std::max(0.0, state[1 + layout.dimensions + d] - state[1 + d] * shift);
      source.means[k * layout.dimensions + d] += shift;
      source.variances[k * layout.dimensions + d] = (spread + data.floor[d]) / weight;
    }
  }
}

double log_prior_of(const SourceData& data, std::span<const double> parameters) {
  double sum = 0.0;
  for (std::size_t source = 0; source < data.clips.sources; ++source) {
    const SourceHmm own = source_number(data, parameters, source);
    sum += log_chain_prior(own.chain);
    for (std::size_t i = 0; i < own.variances.size(); ++i) {
      sum -= 0.5 * data.floor[i % data.layout.dimensions] / own.variances[i];
    }
  }
  return sum;
}

void check_clips(const Features& features, const ClipSources& clips) {
  if (clips.of_clip.size() + 1 != features.starts.size() ||
      (!clips.weights.empty() && clips.weights.size() != clips.of_clip.size())) {
    fail(ErrorKind::internal, "sources of " + std::to_string(clips.of_clip.size()) + " clips do not fit " +
                                  std::to_string(features.starts.size() - 1) + " sequences");
  }
}

std::vector<std::size_t> source_leaves(const Features& features) {
  constexpr double most_work = 4e9;  // a day of sound has more numbers than fit
  const double cells = static_cast<double>(features.values.size()) * steps_a_number;
  const double unit = steps_a_number * std::min(1.0, most_work / std::max(1.0, cells));
  std::vector<std::uint32_t> work;
  for (const std::size_t row : features.starts) {
    work.push_back(static_cast<std::uint32_t>(static_cast<double>(row * features.dimensions()) * unit));
  }
  return cut_leaves(work);
}

// Means and variances of the frames of each state.
SourceHmm source_of_states(const Features& features, std::span<const std::uint8_t> states, const GlobalShape& global,
                           std::size_t count) {
  const std::size_t dimensions = features.dimensions();
  SourceHmm source;
  source.chain.start.assign(count, 1.0 / static_cast<double>(count));
  const double other = count > 1 ? (1.0 - first_stay) / static_cast<double>(count - 1) : 1.0;
  source.chain.transition.assign(count * count, other);
  for (std::size_t k = 0; k < count && count > 1; ++k) source.chain.transition[k * count + k] = first_stay;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      double weight = 0.0;
      double sum = 0.0;
      double squares = 0.0;
      for (std::size_t n = 0; n < features.rows(); ++n) {
        if (states[n] != k) continue;
        const double x = features.row(n)[d] - global.mean[d];
        weight += 1.0;
        sum += x;
        squares += x * x;
      }
      const double mean = weight > 0.0 ? sum / weight : 0.0;
      const double spread = weight > 0.0 ? std::max(0.0, squares / weight - mean * mean) : 0.0;
      source.means.push_back(global.mean[d] + mean);
      source.variances.push_back(weight > 0.0 ? spread + global.floor[d] : global.covariance[d * dimensions + d]);
    }
  }
  return source;
}

std::vector<std::uint8_t> stretches(const Features& features, std::size_t count) {
  std::vector<std::uint8_t> states(features.rows());
  for (std::size_t clip = 0; clip + 1 < features.starts.size(); ++clip) {
    const std::size_t begin = features.starts[clip];
    const std::size_t rows = features.starts[clip + 1] - begin;
    for (std::size_t i = 0; i < rows; ++i) states[begin + i] = static_cast<std::uint8_t>(i * count / rows);
  }
  return states;
}

// Too few distinct frames for clusters: stretches alone.
std::vector<std::vector<std::uint8_t>> first_states(const Features& features, std::size_t count,
                                                    const RunContext& run) {
  std::vector<std::vector<std::uint8_t>> found{stretches(features, count)};
  if (count == 1) return found;
  try {
    found.push_back(kmeans(features, count, kmeans_starts, ColumnUnits::deviations, run).states);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unanswerable) throw;
  }
  return found;
}

}  // namespace

EmProblem source_problem(const Features& features, const ClipSources& clips, const SourceFitOptions& options) {
  check_clips(features, clips);
  const Layout layout{options.states, features.dimensions()};
  const GlobalShape global = global_shape(features, options.floor, {1});
  const auto data = std::make_shared<const SourceData>(
      SourceData{features, clips, options, layout, global.floor, source_leaves(features)});
  EmProblem problem;
  problem.leaf_count = data->leaves.size() - 1;
  problem.statistic_count = 1 + clips.sources * layout.size();
  problem.accumulate = [data](std::span<const double> parameters, std::size_t leaf, double, std::span<double> to) {
    for (std::size_t clip = data->leaves[leaf]; clip < data->leaves[leaf + 1]; ++clip) {
      accumulate_clip(*data, parameters, clip, to);
    }
  };
  problem.maximise = [data](std::span<const double> statistics, std::span<const double> parameters) {
    std::vector<double> next;
    for (std::size_t source = 0; source < data->clips.sources; ++source) {
      SourceHmm own = source_number(*data, parameters, source);
      maximise_source(*data, statistics.subspan(1 + source * data->layout.size(), data->layout.size()), own);
      write_parameters(own, next);
    }
    return next;
  };
  problem.log_prior = [data](std::span<const double> parameters) { return log_prior_of(*data, parameters); };
  return problem;
}

SourcesFit fit_sources(const Features& features, const ClipSources& clips, const std::vector<SourceHmm>& start,
                       const SourceFitOptions& options, const RunContext& run, std::string_view stage) {
  check_ranges(options);
  std::vector<double> parameters;
  for (const SourceHmm& source : start) write_parameters(source, parameters);
  EmRule rule;
  rule.max_iterations = options.max_iterations;
  rule.tolerance = 0.0;
  rule.accelerate = false;
  rule.objective_tolerance = options.tolerance;
  rule.must_rise = options.combination == SourceCombination::mean;
  const EmResult result = run_em(source_problem(features, clips, options), std::move(parameters), rule, run, stage);
  SourcesFit fit;
  fit.summary = result.summary;
  const std::size_t size = parameter_count(options.states, features.dimensions());
  for (std::size_t source = 0; source < clips.sources; ++source) {
    fit.sources.push_back(
        source_at(std::span(result.parameters).subspan(source * size, size), options.states, features.dimensions()));
  }
  return fit;
}

SourceHmm source_start(const Features& features, std::span<const std::uint32_t> clips, const SourceFitOptions& options,
                       const RunContext& run) {
  const GlobalShape global = global_shape(features, options.floor, run.threads);
  if (clips.empty()) {
    SourceHmm source =
        source_of_states(features, std::vector<std::uint8_t>(features.rows(), 255), global, options.states);
    const std::size_t dimensions = features.dimensions();
    for (std::size_t i = 0; i < source.means.size(); ++i) {
      const std::size_t k = i / dimensions;
      const double apart = (static_cast<double>(k) - 0.5 * static_cast<double>(options.states - 1)) /
                           static_cast<double>(options.states);
      source.means[i] += apart * std::sqrt(source.variances[i]);
    }
    return source;
  }
  const Features alone = sequences_of(features, clips);
  const ClipSources of_one{std::vector<std::vector<std::size_t>>(clips.size(), {0}), {}, 1};
  SourceHmm best;
  double highest = -infinity;
  for (const std::vector<std::uint8_t>& states : first_states(alone, options.states, run)) {
    SourcesFit fit =
        fit_sources(alone, of_one, {source_of_states(alone, states, global, options.states)}, options, run, {});
    const double objective = fit.summary.objective.empty() ? -infinity : fit.summary.objective.back();
    if (best.means.empty() || objective > highest) {
      highest = objective;
      best = std::move(fit.sources[0]);
    }
  }
  return best;
}

}  // namespace motet::temporal
