#include "experiments/discover/strategies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/agreement.h"
#include "experiments/panel.h"
#include "motet/base/numeric.h"
#include "motet/discover/study/generate.h"
#include "motet/report/line_plot.h"

namespace motet::discover {
namespace {

constexpr std::size_t most_points = 200;  // of a learning curve

std::string mean_and_sd(double mean, double sd) {
  if (std::isnan(mean)) return "";
  return std::isnan(sd) ? fmt::format("{:.1f}", mean) : fmt::format("{:.1f} ({:.1f})", mean, sd);
}

// Every component of the documents' mixtures has a covariance of its own.
DiscoverOptions as_in_documents(DiscoverOptions options) {
  if (options.covariance == CovarianceChoice::chosen) options.covariance = CovarianceChoice::full;
  return options;
}

}  // namespace

std::vector<SearchResult> play_settings(const ExperimentContext& context, const std::vector<SearchSetting>& settings,
                                        std::size_t repeats, std::size_t limit,
                                        const std::function<LabelledFeatures(std::size_t)>& data_of) {
  std::vector<SearchResult> results(settings.size());
  for (SearchResult& result : results) result.runs.resize(repeats);
  std::vector<std::vector<std::size_t>> most(settings.size(), std::vector<std::size_t>(repeats, 0));
  run_grid(context, "searching", settings.size(), repeats,
           [&](std::size_t level, std::size_t repeat, const RunContext& run) {
             const LabelledFeatures data = data_of(repeat);
             const DiscoveryComparison found =
                 simulate_discovery(data.features, data.truth, as_in_documents(settings[level].options), 1, limit, run);
             results[level].runs[repeat] = found.runs[0];
             most[level][repeat] = found.most_requests;
           });
  for (std::size_t s = 0; s < settings.size(); ++s) {
    results[s].most_requests = *std::max_element(most[s].begin(), most[s].end());
  }
  return results;
}

std::vector<double> requests_of(const SearchResult& result) {
  std::vector<double> requests;
  for (const DiscoveryRun& run : result.runs) requests.push_back(static_cast<double>(run.requests));
  return requests;
}

void write_settings(ExperimentWriter& writer, const std::string& title, const std::vector<SearchSetting>& settings,
                    const std::vector<SearchResult>& results, const std::string& published_title) {
  const bool has_reference = std::any_of(settings.begin(), settings.end(),
                                         [](const SearchSetting& setting) { return !std::isnan(setting.reference); });
  const bool has_published = std::any_of(settings.begin(), settings.end(),
                                         [](const SearchSetting& setting) { return !setting.published.empty(); });
  Table table{{{"strategy"}, {"requests, mean (sd)"}, {"median", 1}, {"least", 0}, {"most", 0}, {"not all found"}}, {}};
  ReferenceAgreement agreement;
  if (has_reference) table.columns.push_back({"reference, mean (sd)"});
  if (has_published) table.columns.push_back({published_title});
  for (std::size_t s = 0; s < settings.size(); ++s) {
    std::vector<double> requests = requests_of(results[s]);
    const MeanSd summary = mean_sd(requests);
    std::sort(requests.begin(), requests.end());
    const std::size_t middle = requests.size() / 2;
    const double median = requests.size() % 2 == 1 ? requests[middle] : (requests[middle - 1] + requests[middle]) / 2.0;
    const auto missed = std::count_if(results[s].runs.begin(), results[s].runs.end(),
                                      [](const DiscoveryRun& run) { return !run.found_all; });
    const double sd = requests.size() > 1 ? summary.sd : std::numeric_limits<double>::quiet_NaN();
    std::vector<Cell> row{settings[s].name, mean_and_sd(summary.mean, sd),
                          median,           requests.front(),
                          requests.back(),  fmt::format("{} of {}", missed, requests.size())};
    if (has_reference) row.emplace_back(mean_and_sd(settings[s].reference, settings[s].reference_sd));
    if (!std::isnan(settings[s].reference) && requests.size() > 1) {
      // The reference has as many runs as ours; where it tells no spread, ours stands for it.
      const double runs = std::sqrt(static_cast<double>(requests.size()));
      const double other = std::isnan(settings[s].reference_sd) ? sd : settings[s].reference_sd;
      const double error = std::hypot(sd, other) / runs;
      const double apart = summary.mean - settings[s].reference;
      agreement.add(settings[s].name, mean_and_sd(summary.mean, sd),
                    mean_and_sd(settings[s].reference, settings[s].reference_sd), apart == 0.0 ? 0.0 : apart / error);
    }
    if (has_published) row.emplace_back(settings[s].published);
    table.rows.push_back(std::move(row));
  }
  writer.table(title, std::move(table));
  if (has_reference) agreement.note(writer);
}

void plot_learning(ExperimentWriter& writer, const std::string& title, const std::vector<SearchSetting>& settings,
                   const std::vector<SearchResult>& results, std::size_t classes) {
  std::size_t longest = 1;
  for (const SearchResult& result : results) {
    for (const DiscoveryRun& run : result.runs) longest = std::max(longest, run.requests);
  }
  Lines lines;
  lines.x_title = "requests";
  lines.y_title = "share of the classes found";
  lines.has_points = false;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    std::vector<double> share(longest + 1, 0.0);
    for (const DiscoveryRun& run : results[s].runs) {
      for (const DiscoveryRun::Found& found : run.discoveries) share[found.request] += 1.0;
    }
    Series series;
    series.name = settings[s].name;
    double sum = 0.0;
    for (std::size_t i = 0; i <= longest; ++i) {
      sum += share[i];
      if (i % std::max<std::size_t>(1, longest / most_points) != 0 && i != longest) continue;
      series.x.push_back(static_cast<double>(i));
      series.y.push_back(sum / static_cast<double>(classes * results[s].runs.size()));
    }
    lines.series.push_back(std::move(series));
  }
  writer.plot(line_plot({title, "mean over the data sets"}, lines));
}

}  // namespace motet::discover
