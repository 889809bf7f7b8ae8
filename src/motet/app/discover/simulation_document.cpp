#include "motet/app/discover/simulation_document.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/app/discover/findings.h"
#include "motet/base/fields.h"
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

// Over all runs.
SegmentQuality all_segments(const DiscoveryComparison& comparison) {
  SegmentQuality sum;
  for (const DiscoveryRun& run : comparison.runs) {
    if (run.segments) add(sum, *run.segments);
  }
  return sum;
}

std::string share_text(double share) { return std::isnan(share) ? "none" : fmt::format("{:.0f} %", 100.0 * share); }

std::string segments_text(const SegmentQuality& quality, std::size_t runs) {
  const auto mean = [&](std::size_t sum) { return static_cast<double>(sum) / static_cast<double>(runs); };
  std::string text = fmt::format(
      "segments after {:.0f} answers, with a chance of {} at least: {:.1f}, {:.1f} of them hold an answer; {} touch an "
      "event of their class, {} of {:.1f} events are touched\n",
      mean(quality.answers), to_text(quality.threshold), mean(quality.segments), mean(quality.answered),
      share_text(quality.precision()), share_text(quality.recall()), mean(quality.events));
  for (const SegmentQuality::Band& band : quality.bands) {
    if (band.segments == 0) continue;
    text +=
        fmt::format("  of {:.1f} without an answer and with a chance of {} to {}, {:.0f} % on average, {:.0f} % do\n",
                    mean(band.segments), to_text(band.from), to_text(band.to),
                    100.0 * band.promised / static_cast<double>(band.segments),
                    100.0 * static_cast<double>(band.right) / static_cast<double>(band.segments));
  }
  return text;
}

Value quality_value(const SegmentQuality& quality) {
  Value::List bands;
  for (const SegmentQuality::Band& band : quality.bands) {
    bands.push_back(Value::object({{"from", band.from},
                                   {"to", band.to},
                                   {"segments", band.segments},
                                   {"right", band.right},
                                   {"promised", band.promised}}));
  }
  return Value::object({{"answers", quality.answers},
                        {"threshold", quality.threshold},
                        {"segments", quality.segments},
                        {"answered", quality.answered},
                        {"right", quality.right},
                        {"precision", quality.segments > 0 ? Value(quality.precision()) : Value()},
                        {"events", quality.events},
                        {"touched", quality.touched},
                        {"recall", quality.events > 0 ? Value(quality.recall()) : Value()},
                        {"bands", std::move(bands)}});
}

// "9.0 (1.5) questions", "mean and standard deviation of 2 runs".
struct TextOfRuns {
  std::string questions;
  std::string of_runs;
};

TextOfRuns text_of_runs(const DiscoveryComparison& comparison) {
  const std::size_t runs = comparison.runs.size();
  return {fmt::format("{:.1f}{} questions", comparison.requests_mean,
                      runs > 1 ? fmt::format(" ({:.1f})", comparison.requests_sd) : ""),
          fmt::format("mean{} of {}", runs > 1 ? " and standard deviation" : "", counted(runs, "run"))};
}

// "1 of 2 runs ended without all: 1 had nothing left to ask".
std::string ends_text(const DiscoveryComparison& comparison) {
  std::size_t limited = 0;
  for (const DiscoveryRun& run : comparison.runs) limited += run.end == RunEnd::limit ? 1U : 0U;
  const std::size_t empty = comparison.capped - limited;
  std::string why;
  if (limited > 0) why = fmt::format("{} hit the limit of questions", limited);
  if (empty > 0) why += fmt::format("{}{} had nothing left to ask", why.empty() ? "" : ", ", empty);
  return fmt::format("{} of {} ended without all: {}", comparison.capped, counted(comparison.runs.size(), "run"), why);
}

// "regret: 1.2 questions more than distance, the best of its ways by itself (distance 11.0, farthest-first 14.5)"
std::string regret_text(const DiscoveryComparison& comparison) {
  if (comparison.alone.empty()) return "";
  const WayAlone* best = &comparison.alone.front();
  std::string ways;
  for (const WayAlone& way : comparison.alone) {
    if (way.requests_mean < best->requests_mean) best = &way;
    ways += fmt::format("{}{} {:.1f}", ways.empty() ? "" : ", ", name_of(way.strategy), way.requests_mean);
  }
  const double regret = comparison.regret();
  return fmt::format("regret: {:.1f} questions {} than {}, the best of its ways by itself ({})\n", std::abs(regret),
                     regret < 0.0 ? "fewer" : "more", name_of(best->strategy), ways);
}

std::string text_of(const DiscoveryComparison& comparison) {
  const std::size_t classes = comparison.classes.size();
  const auto [questions, of_runs] = text_of_runs(comparison);
  std::string text = fmt::format("strategy {}: ", name_of(comparison.strategy));
  if (comparison.capped == 0) {
    text += fmt::format("{} until {} found, {}\n", questions,
                        classes == 1 ? "the class was" : fmt::format("all {} classes were", classes), of_runs);
  } else {
    text += fmt::format("{} of {} found; {}\n", to_text(std::round(10.0 * comparison.found_mean) / 10.0),
                        classes == 1 ? "1 class was" : fmt::format("{} classes were", classes), ends_text(comparison));
    text += fmt::format("{} until all were found or the run ended, {}\n", questions, of_runs);
  }
  if (comparison.most_requests > 0) {
    text += fmt::format("the guarantee: {} at most, for classes that last long enough\n",
                        counted(comparison.most_requests, "question"));
  }
  text += fmt::format("asked at random: {:.1f} expected\n", comparison.random_requests);
  const SegmentQuality segments = all_segments(comparison);
  if (!segments.bands.empty()) text += segments_text(segments, comparison.runs.size());
  return text + regret_text(comparison);
}

// Runs without all classes make the mean smaller than it is.
std::vector<std::string> with_missed(std::vector<std::string> warnings,
                                     std::span<const DiscoveryComparison> comparisons) {
  for (const DiscoveryComparison& comparison : comparisons) {
    if (comparison.capped == 0) continue;
    warnings.push_back(
        fmt::format("strategy {}: {}; they count with their last question, so that finding all takes more questions "
                    "than the mean says",
                    name_of(comparison.strategy), ends_text(comparison)));
  }
  return warnings;
}

std::string_view word_of(RunEnd end) {
  switch (end) {
    case RunEnd::found_all: return "found all";
    case RunEnd::nothing_to_ask: return "nothing to ask";
    case RunEnd::limit: return "limit";
  }
  return "";
}

Value json_of(const DiscoveryComparison& comparison, const std::vector<std::string>& warnings) {
  Value::List runs;
  for (const DiscoveryRun& run : comparison.runs) {
    Value::List discoveries;
    for (const DiscoveryRun::Found& found : run.discoveries) {
      discoveries.push_back(Value::object({{"class", comparison.classes[found.of_class]}, {"request", found.request}}));
    }
    runs.push_back(Value::object({{"requests", run.requests},
                                  {"discoveries", std::move(discoveries)},
                                  {"found_all", run.found_all},
                                  {"ended", word_of(run.end)}}));
    if (run.segments) runs.back().set("segments", quality_value(*run.segments));
  }
  Value result = Value::object({{"strategy", name_of(comparison.strategy)},
                                {"classes", Value::list_of(comparison.classes)},
                                {"requests_mean", comparison.requests_mean},
                                {"requests_sd", comparison.requests_sd},
                                {"runs", std::move(runs)},
                                {"classes_found", comparison.found_mean},
                                {"capped", comparison.capped},
                                {"most_requests", comparison.most_requests},
                                {"random_requests", comparison.random_requests},
                                {"curve", Value::list_of(comparison.curve)},
                                {"warnings", Value::list_of(warnings)}});
  const SegmentQuality segments = all_segments(comparison);
  if (!segments.bands.empty()) result.set("segments", quality_value(segments));
  if (comparison.alone.empty()) return result;
  Value::List ways;
  for (const WayAlone& way : comparison.alone) {
    ways.push_back(Value::object({{"strategy", name_of(way.strategy)}, {"requests_mean", way.requests_mean}}));
  }
  result.set("alone", std::move(ways));
  result.set("regret", comparison.regret());
  return result;
}

}  // namespace

Document simulation_document(std::span<const DiscoveryComparison> comparisons, const std::string& source,
                             const std::vector<std::string>& told) {
  const std::vector<std::string> warnings = with_missed(told, comparisons);
  const DiscoveryComparison& asked = comparisons.front();
  const Table by_class = request_table(asked);
  Document document{
      {"A search played through",
       fmt::format("{}: {} classes to be found, {} runs", source, asked.classes.size(), asked.runs.size()),
       {{"strategy", std::string(name_of(asked.strategy))},
        {"questions", fmt::format("{:.1f} (sd {:.1f})", asked.requests_mean, asked.requests_sd)},
        {"asked at random", fmt::format("{:.1f} expected", asked.random_requests)},
        {"runs without all classes", std::to_string(asked.capped)}},
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
  section.plots.push_back(
      line_plot({"Share of the classes found", "By the number of questions asked; mean over the runs."}, lines));
  section.tables.push_back({"Questions until every class was found", listing.table()});
  section.tables.push_back({"By class, " + std::string(name_of(asked.strategy)), by_class});
  return document;
}

}  // namespace motet::discover
