// A search played through with known truth in place of a person, to compare strategies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/discover/options.h"
#include "motet/discover/study/row_truth.h"
#include "motet/discover/study/segment_quality.h"

namespace motet::discover {

enum class RunEnd : std::uint8_t {
  found_all,
  nothing_to_ask,  // all is covered by answers, and classes are missing
  limit,           // of questions
};

struct DiscoveryRun {
  struct Found {
    std::size_t of_class = 0;  // number in DiscoveryComparison::classes
    std::size_t request = 0;   // the first is 1
  };
  std::size_t requests = 0;  // until the last class was found, or the end
  bool found_all = false;
  std::vector<Found> discoveries;  // in order
  RunEnd end = RunEnd::found_all;
  std::optional<SegmentQuality> segments = {};  // after so many answers as were asked for
};

// Segments to be judged after this many answers, to which a search goes on when it has found every class before.
struct JudgedSegments {
  std::size_t answers = 0;  // 0: none are judged
  double threshold = usual_threshold;
};

// A way of asking that a strategy mixes, played through by itself.
struct WayAlone {
  Strategy strategy = Strategy::distance;
  double requests_mean = 0.0;
};

struct DiscoveryComparison {
  Strategy strategy = Strategy::temporal;
  std::vector<std::string> classes;  // to be found, the background not among them
  std::vector<DiscoveryRun> runs;    // with seeds run.seed, its children ...
  double requests_mean = 0.0;        // a run that ended without all classes counts with its last question
  double requests_sd = 0.0;
  double found_mean = 0.0;        // classes per run
  std::size_t capped = 0;         // runs that ended without all classes
  std::size_t most_requests = 0;  // what the certificate promises; 0 without exclusion
  double random_requests = 0.0;   // expected if rows were asked at random (random_requests.h)
  std::vector<double> curve;      // mean share of classes found after 1, 2, ... requests
  std::vector<WayAlone> alone;    // of its ways, when they were played through

  // Questions more than the best of its ways asked by itself, which nobody knows beforehand; below 0: fewer.
  double regret() const;
};

// With max_requests = 0 a run ends when all classes are found or every row was asked.
DiscoveryComparison simulate_discovery(const Features& features, const RowTruth& truth, const DiscoverOptions& options,
                                       std::size_t repeats, std::size_t max_requests, const RunContext& run,
                                       const JudgedSegments& judged = {});

// The ways of a strategy that mixes several, on the same data with the same seeds. Nothing for the others.
std::vector<WayAlone> ways_alone(const Features& features, const RowTruth& truth, const DiscoverOptions& options,
                                 std::size_t repeats, std::size_t max_requests, const RunContext& run);

}  // namespace motet::discover
