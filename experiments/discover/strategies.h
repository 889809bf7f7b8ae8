// Several ways to search, played on the same data sets.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "experiments/experiment.h"
#include "motet/discover/study/generate.h"
#include "motet/discover/study/simulate.h"

namespace motet::discover {

struct SearchSetting {
  std::string name;
  DiscoverOptions options;
  double reference = std::numeric_limits<double>::quiet_NaN();  // of an independent computation
  double reference_sd = std::numeric_limits<double>::quiet_NaN();
  std::string published{};  // what the document says, or another source
};

struct SearchResult {
  std::vector<DiscoveryRun> runs;  // one per data set
  std::size_t most_requests = 0;   // the largest promise of the certificate; 0 without exclusion
};

// data_of(repeat): a data set, the same for every setting. A search ends at `limit` requests, 0: at the last row.
std::vector<SearchResult> play_settings(const ExperimentContext& context, const std::vector<SearchSetting>& settings,
                                        std::size_t repeats, std::size_t limit,
                                        const std::function<LabelledFeatures(std::size_t)>& data_of);

// Requests with mean and standard deviation, references beside ours, and what the document says.
void write_settings(ExperimentWriter& writer, const std::string& title, const std::vector<SearchSetting>& settings,
                    const std::vector<SearchResult>& results, const std::string& published_title = "document");

// Mean share of the classes found after 1, 2, ... requests.
void plot_learning(ExperimentWriter& writer, const std::string& title, const std::vector<SearchSetting>& settings,
                   const std::vector<SearchResult>& results, std::size_t classes);

std::vector<double> requests_of(const SearchResult& result);

}  // namespace motet::discover
