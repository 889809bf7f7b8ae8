#include "motet/discover/study/simulate.h"

#include <algorithm>
#include <limits>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/streams.h"
#include "motet/discover/certificate.h"
#include "motet/discover/discovery.h"
#include "motet/discover/questions/asking.h"
#include "motet/discover/study/random_requests.h"

namespace motet::discover {
namespace {

std::size_t background_of(const RowTruth& truth) {
  std::vector<std::size_t> sizes(truth.classes.size(), 0);
  for (const std::uint32_t of_class : truth.of_row) ++sizes[of_class];
  return static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
}

std::size_t classes_present(const RowTruth& truth) {
  std::vector<std::uint8_t> present(truth.classes.size(), 0);
  for (const std::uint32_t of_class : truth.of_row) present[of_class] = 1;
  return static_cast<std::size_t>(std::count(present.begin(), present.end(), std::uint8_t{1}));
}

struct Played {
  DiscoveryRun run;
  std::size_t most_requests = 0;
};

// A name of our own, so that no class is taken for the background because of its name.
std::string played_name(std::size_t of_class) { return "class " + std::to_string(of_class); }

Answer played_answer(std::size_t row, std::size_t of_class, std::size_t background) {
  if (of_class == background) return {row, AnswerKind::nothing, ""};
  return {row, AnswerKind::of_class, played_name(of_class)};
}

SegmentQuality judge_segments(const Features& features, const RowTruth& truth, std::size_t background,
                              const Discovery& discovery, double threshold, const RunContext& run) {
  const Spread spread = spread_answers(features, discovery, run);
  std::vector<std::size_t> of_class(spread.classes.size(), background);
  for (std::size_t c = 0; c < truth.classes.size(); ++c) {
    for (std::size_t i = 1; i < of_class.size(); ++i) {
      if (spread.classes[i] == played_name(c)) of_class[i] = c;
    }
  }
  SegmentQuality quality = segment_quality(features, truth, background, spread, of_class, threshold);
  quality.answers = discovery.answers.size();
  return quality;
}

Played play(const Features& features, const RowTruth& truth, const DiscoverOptions& options, std::size_t max_requests,
            const JudgedSegments& judged, const RunContext& run) {
  const std::size_t background = background_of(truth);
  const std::size_t wanted = classes_present(truth) - 1;
  std::vector<std::uint8_t> is_found(truth.classes.size(), 0);
  Discovery discovery = start_discovery(features, options, run);
  Played played;
  DiscoveryRun& result = played.run;
  if (discovery.options.exclusion > 0) played.most_requests = certificate(features, discovery).most_requests;
  while (result.discoveries.size() < wanted && !discovery.queue.empty() &&
         (max_requests == 0 || result.requests < max_requests) && !run.cancelled()) {
    const std::size_t row = discovery.queue.front().row;
    const std::size_t of_class = truth.of_row[row];
    ++result.requests;
    if (of_class != background && is_found[of_class] == 0) {
      is_found[of_class] = 1;
      const std::size_t among_wanted = of_class - (of_class > background ? 1U : 0U);
      result.discoveries.push_back({among_wanted, result.requests});
      if (result.discoveries.size() == wanted) break;
    }
    take_answer(features, discovery, played_answer(row, of_class, background), run);
    if (discovery.answers.size() == judged.answers) {
      result.segments = judge_segments(features, truth, background, discovery, judged.threshold, run);
    }
  }
  result.found_all = result.discoveries.size() == wanted;
  if (!result.found_all) result.end = discovery.queue.empty() ? RunEnd::nothing_to_ask : RunEnd::limit;
  if (judged.answers == 0 || result.segments.has_value()) return played;
  while (discovery.answers.size() < judged.answers && !discovery.queue.empty() && !run.cancelled()) {
    const std::size_t row = discovery.queue.front().row;
    take_answer(features, discovery, played_answer(row, truth.of_row[row], background), run);
  }
  result.segments = judge_segments(features, truth, background, discovery, judged.threshold, run);
  return played;
}

constexpr std::size_t any_components = 2;  // of a mixture that nobody asks by

}  // namespace

double DiscoveryComparison::regret() const {
  double best = std::numeric_limits<double>::infinity();
  for (const WayAlone& way : alone) best = std::min(best, way.requests_mean);
  return requests_mean - best;
}

std::vector<WayAlone> ways_alone(const Features& features, const RowTruth& truth, const DiscoverOptions& options,
                                 std::size_t repeats, std::size_t max_requests, const RunContext& run) {
  std::vector<WayAlone> ways;
  const std::vector<Asker> askers = askers_of(options);
  if (askers.size() < 2) return ways;
  for (const Asker asker : askers) {
    DiscoverOptions own = options;
    own.strategy = alone(asker);
    if (own.components == 0) own.components = any_components;
    ways.push_back({own.strategy, simulate_discovery(features, truth, own, repeats, max_requests, run).requests_mean});
  }
  return ways;
}

DiscoveryComparison simulate_discovery(const Features& features, const RowTruth& truth, const DiscoverOptions& options,
                                       std::size_t repeats, std::size_t max_requests, const RunContext& run,
                                       const JudgedSegments& judged) {
  if (truth.of_row.size() != features.rows()) {
    fail(ErrorKind::usage, "the truth has " + std::to_string(truth.of_row.size()) + " rows; the features have " +
                               std::to_string(features.rows()));
  }
  check_ranges(options);
  DiscoverOptions chosen = options;
  // Interleave is told the number of classes, as published.
  if (chosen.strategy == Strategy::interleave && chosen.components == 0) chosen.components = classes_present(truth);

  DiscoveryComparison comparison;
  comparison.strategy = options.strategy;
  comparison.random_requests = random_requests(truth);
  const std::size_t background = background_of(truth);
  for (std::size_t c = 0; c < truth.classes.size(); ++c) {
    if (c != background) comparison.classes.push_back(truth.classes[c]);
  }
  std::vector<Played> played(repeats);
  for_each_task(repeats, run.threads, [&](std::size_t i) {
    RunContext own = run;
    own.observer = nullptr;
    if (repeats > 1) own.threads = {1};
    if (i > 0) own.seed = drawn_seed(run.seed, Stream::discover_repeat, i);
    played[i] = play(features, truth, chosen, max_requests, judged, own);
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "the simulation was stopped");

  std::vector<double> requests;
  std::size_t longest = 0;
  for (const Played& one : played) {
    comparison.runs.push_back(one.run);
    comparison.most_requests = std::max(comparison.most_requests, one.most_requests);
    comparison.capped += one.run.found_all ? 0 : 1;
    comparison.found_mean += static_cast<double>(one.run.discoveries.size()) / static_cast<double>(repeats);
    requests.push_back(static_cast<double>(one.run.requests));
    longest = std::max(longest, one.run.requests);
  }
  const MeanSd summary = mean_sd(requests);
  comparison.requests_mean = summary.mean;
  comparison.requests_sd = summary.sd;
  comparison.curve.assign(longest, 0.0);
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, comparison.classes.size() * repeats));
  for (const DiscoveryRun& one : comparison.runs) {
    for (const DiscoveryRun::Found& found : one.discoveries) {
      for (std::size_t i = found.request - 1; i < longest; ++i) comparison.curve[i] += share;
    }
  }
  return comparison;
}

}  // namespace motet::discover
