// A search played through with known truth in place of a person, to compare strategies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/discover/options.h"
#include "motet/discover/study/row_truth.h"

namespace motet::discover {

struct DiscoveryRun {
  struct Found {
    std::size_t of_class = 0;  // number in DiscoveryComparison::classes
    std::size_t request = 0;   // the first is 1
  };
  std::size_t requests = 0;  // until the last class was found, or the limit
  bool found_all = false;
  std::vector<Found> discoveries;  // in order
};

struct DiscoveryComparison {
  Strategy strategy = Strategy::temporal;
  std::vector<std::string> classes;  // to be found, the background not among them
  std::vector<DiscoveryRun> runs;    // with seeds run.seed, its children ...
  double requests_mean = 0.0;        // a capped run counts with the limit
  double requests_sd = 0.0;
  std::size_t capped = 0;
  std::size_t most_requests = 0;  // what the certificate promises; 0 without exclusion
  std::vector<double> curve;      // mean share of classes found after 1, 2, ... requests
};

// With max_requests = 0 a run ends when all classes are found or every row was asked.
DiscoveryComparison simulate_discovery(const Features& features, const RowTruth& truth, const DiscoverOptions& options,
                                       std::size_t repeats, std::size_t max_requests, const RunContext& run);

}  // namespace motet::discover
