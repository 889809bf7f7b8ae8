#include "motet/app/discover/simulation_document.h"

#include <fmt/format.h>

#include "motet/app/discover/findings.h"
#include "motet/discover/study/request_summary.h"
#include "motet/report/line_plot.h"

namespace motet::discover {
namespace {

Table request_table(const DiscoveryComparison& comparison) {
  Listing listing{{{"class"}, {"found in"}, {"mean request", "", 1}, {"first", "", 0}, {"last", "", 0}}};
  const std::vector<ClassRequests> requests = requests_by_class(comparison);
  for (std::size_t c = 0; c < requests.size(); ++c) {
    listing.rows.push_back({comparison.classes[c], fmt::format("{} of {}", requests[c].runs, comparison.runs.size()),
                            requests[c].mean, requests[c].first, requests[c].last});
  }
  return listing.table();
}

std::string text_of(const DiscoveryComparison& comparison) {
  const std::size_t runs = comparison.runs.size();
  std::string text = fmt::format("strategy {}: {:.1f}{} questions until all {} class{} were found, mean{} of {}\n",
                                 name_of(comparison.strategy), comparison.requests_mean,
                                 runs > 1 ? fmt::format(" ({:.1f})", comparison.requests_sd) : "",
                                 comparison.classes.size(), comparison.classes.size() == 1 ? "" : "es",
                                 runs > 1 ? " and standard deviation" : "", counted(runs, "run"));
  if (comparison.capped > 0) {
    text += fmt::format("{} of {} ended before all classes were found and count with their last question\n",
                        comparison.capped, counted(runs, "run"));
  }
  if (comparison.most_requests > 0) {
    text += fmt::format("the guarantee: {} at most, for classes that last long enough\n",
                        counted(comparison.most_requests, "question"));
  }
  return text;
}

Value json_of(const DiscoveryComparison& comparison, const std::vector<std::string>& warnings) {
  Value::List runs;
  for (const DiscoveryRun& run : comparison.runs) {
    Value::List discoveries;
    for (const DiscoveryRun::Found& found : run.discoveries) {
      discoveries.push_back(Value::object({{"class", comparison.classes[found.of_class]}, {"request", found.request}}));
    }
    runs.push_back(Value::object(
        {{"requests", run.requests}, {"discoveries", std::move(discoveries)}, {"found_all", run.found_all}}));
  }
  return Value::object({{"strategy", name_of(comparison.strategy)},
                        {"classes", Value::list_of(comparison.classes)},
                        {"requests_mean", comparison.requests_mean},
                        {"requests_sd", comparison.requests_sd},
                        {"runs", std::move(runs)},
                        {"capped", comparison.capped},
                        {"most_requests", comparison.most_requests},
                        {"curve", Value::list_of(comparison.curve)},
                        {"warnings", Value::list_of(warnings)}});
}

}  // namespace

Document simulation_document(std::span<const DiscoveryComparison> comparisons, const std::string& source,
                             const std::vector<std::string>& warnings) {
  const DiscoveryComparison& asked = comparisons.front();
  const Table by_class = request_table(asked);
  Document document{
      {"A search played through",
       fmt::format("{}: {} classes to be found, {} runs", source, asked.classes.size(), asked.runs.size()),
       {{"strategy", std::string(name_of(asked.strategy))},
        {"questions", fmt::format("{:.1f} (sd {:.1f})", asked.requests_mean, asked.requests_sd)},
        {"runs that hit the limit", std::to_string(asked.capped)}},
       {}},
      warning_lines(warnings) + text_of(asked),
      json_of(asked, warnings)};
  document.show(by_class);
  if (asked.most_requests > 0) document.facts.emplace_back("guaranteed", std::to_string(asked.most_requests));
  Section& section = document.section("Classes found by questions asked");
  Lines lines;
  lines.x_title = "questions";
  lines.y_title = "share of classes found";
  lines.has_points = false;
  Listing listing{
      {{"strategy"}, {"mean", "", 1}, {"sd", "", 1}, {"least", "", 0}, {"most", "", 0}, {"capped"}, {"guaranteed"}}};
  for (const DiscoveryComparison& comparison : comparisons) {
    const std::string strategy(name_of(comparison.strategy));
    const auto [least, most] = request_range(comparison.runs);
    lines.series.push_back({strategy, counting(comparison.curve.size()), comparison.curve, {}, {}});
    listing.rows.push_back({strategy, comparison.requests_mean, comparison.requests_sd, least, most, comparison.capped,
                            comparison.most_requests == 0 ? Value("-") : Value(comparison.most_requests)});
  }
  section.plots.push_back(line_plot({"Learning curve", "Mean over the runs."}, lines));
  section.tables.push_back({"Questions until every class was found", listing.table()});
  section.tables.push_back({"By class, " + std::string(name_of(asked.strategy)), by_class});
  return document;
}

}  // namespace motet::discover
