#include "motet/report/discover_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "motet/discover/answers.h"
#include "motet/report/event_lanes.h"
#include "motet/report/text_table.h"

namespace motet {
namespace {

constexpr std::size_t most_timelines = 12;
constexpr std::size_t most_listed = 500;

const char* time_title(const FrameClock& clock) { return clock.has_time() ? "seconds" : "rows"; }

double time_of(const FrameClock& clock, std::size_t row) {
  return clock.has_time() ? 0.5 * (clock.begin(row) + clock.end(row)) : static_cast<double>(row) + 0.5;
}

double length_of(const Features& features, std::size_t sequence) {
  const std::size_t rows = features.starts[sequence + 1] - features.starts[sequence];
  if (rows == 0) return 0.0;
  return features.clock.has_time() ? features.clock.end(rows - 1) : static_cast<double>(rows);
}

class Lanes {
 public:
  explicit Lanes(const Discovery& discovery) {
    const std::vector<std::string>& classes = discovery.mixture.classes;
    for (std::size_t c = 1; c < classes.size(); ++c) names_.push_back(classes[c]);
    names_.emplace_back("nothing here");
    names_.emplace_back("not sure");
    names_.emplace_back("to be asked");
  }
  std::size_t of_class(const std::string& name) const {
    const auto place = std::find(names_.begin(), names_.end() - 3, name);
    return static_cast<std::size_t>(place - names_.begin());
  }
  std::size_t of(const Answer& answer) const {
    if (answer.kind == AnswerKind::of_class) return of_class(answer.class_name);
    return names_.size() - (answer.kind == AnswerKind::nothing ? 3U : 2U);
  }
  std::size_t asked() const { return names_.size() - 1; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

Plot sequence_timeline(const DiscoverReport& report, std::size_t sequence) {
  const Features& features = report.features;
  const Lanes lanes(report.discovery);
  EventLanes data;
  data.lanes = lanes.names();
  data.kinds = {"answer", "question"};
  data.end = length_of(features, sequence);
  data.time_title = time_title(features.clock);
  data.value_title = "probability";
  for (const Segment& segment : report.segments) {
    if (segment.sequence != features.sequences[sequence]) continue;
    const double sure = std::isnan(segment.probability) ? 1.0 : segment.probability;
    data.bars.push_back({lanes.of_class(segment.label), segment.begin, segment.end, sure});
  }
  const std::size_t first = features.starts[sequence];
  const std::size_t end = features.starts[sequence + 1];
  for (const auto& [row, answer] : standing_answers(report.discovery)) {
    if (row < first || row >= end) continue;
    data.marks.push_back({lanes.of(*answer), time_of(features.clock, row - first), 0, item_name(features, row)});
  }
  for (const Nomination& nomination : report.discovery.queue) {
    if (nomination.row < first || nomination.row >= end) continue;
    data.marks.push_back(
        {lanes.asked(), time_of(features.clock, nomination.row - first), 1, item_name(features, nomination.row)});
  }
  return lanes_plot({features.sequences[sequence], "Segments, answers and questions along the time."}, data);
}

Section timeline_section(const DiscoverReport& report) {
  Section section;
  section.title = "Over time";
  section.lead =
      "Bars are stretches the model gives to a class, stronger where it is surer; dots are answers, triangles the "
      "questions to come. Drag to move; shift and wheel to zoom.";
  const std::size_t count = report.features.sequences.size();
  if (count > most_timelines) {
    section.lead +=
        fmt::format(" Shown are the first {} of {} recordings; the tables have them all.", most_timelines, count);
  }
  for (std::size_t s = 0; s < std::min(count, most_timelines); ++s) {
    section.plots.push_back(sequence_timeline(report, s));
  }
  return section;
}

Table class_table(const DiscoverReport& report) {
  std::map<std::string, std::pair<std::int64_t, double>> segments;
  for (const Segment& segment : report.segments) {
    ++segments[segment.label].first;
    segments[segment.label].second += segment.end - segment.begin;
  }
  Table table = classes_table(report.status);
  table.columns.push_back({"segments"});
  table.columns.push_back({time_title(report.features.clock), 1});
  for (std::vector<Cell>& row : table.rows) {
    const auto found = segments.find(std::get<std::string>(row[0]));
    const bool has = found != segments.end();
    row.emplace_back(has ? Cell(found->second.first) : Cell(std::nan("")));
    row.emplace_back(has ? found->second.second : std::nan(""));
  }
  return table;
}

Section classes_section(const DiscoverReport& report) {
  Section section;
  section.title = "What was found";
  section.lead = certificate_sentence(report.status);
  section.notes = report.status.warnings;
  section.tables.push_back({"Classes", class_table(report)});
  if (!report.status.labelers.empty()) section.tables.push_back({"Who answered", labelers_table(report.status)});
  if (!report.status.next.empty()) section.tables.push_back({"To be looked at next", next_table(report.status)});
  Table segments{{{"recording"}, {"begin", 2}, {"end", 2}, {"class"}, {"probability", 3}}, {}};
  for (const Segment& segment : report.segments) {
    if (segments.rows.size() == most_listed) break;
    segments.rows.push_back({segment.sequence, segment.begin, segment.end, segment.label, segment.probability});
  }
  if (report.segments.size() > most_listed) {
    section.notes.push_back(
        fmt::format("The first {} of {} segments are listed; motet discover export writes them all.", most_listed,
                    report.segments.size()));
  }
  if (!segments.rows.empty()) section.tables.push_back({"Segments", std::move(segments)});
  return section;
}

std::vector<double> counting(std::size_t count) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<double>(i + 1);
  return x;
}

Section curve_section(const DiscoverReport& report) {
  Section section;
  section.title = "How the search went";
  section.small_plots = true;
  const std::vector<double> x = counting(report.curve.classes.size());
  section.plots.push_back(line_plot(
      {"Classes found", "Classes known after each answer, beside what rows asked at random would have found of them."},
      {{{"asked", x, report.curve.classes, {}, {}}, {"at random", x, report.curve.at_random, {}, {}}},
       "answers",
       "classes",
       false,
       false,
       false,
       2}));
  const auto reach =
      static_cast<double>(report.status.certificate.exclusion + 1) / static_cast<double>(report.features.rows());
  std::vector<double> promised;
  for (const double r : x) promised.push_back(std::min(1.0, r * reach));
  section.plots.push_back(line_plot({"How far the guarantee reaches",
                                     "Share of the rows that lie within the exclusion radius of an answer. At 1 no "
                                     "event of the guaranteed length can be "
                                     "left; it is reached with the promised number of answers at the latest."},
                                    {{{"covered", x, report.curve.covered, {}, {}}, {"at least", x, promised, {}, {}}},
                                     "answers",
                                     "share of rows",
                                     false,
                                     false,
                                     false,
                                     3}));
  return section;
}

Section model_section(const DiscoverReport& report) {
  const Mixture& mixture = report.discovery.mixture;
  Section section;
  section.title = "The model";
  section.lead =
      "Each component is a bell-shaped cloud of rows that belongs to a class. Means are in standard deviations of all "
      "rows, "
      "from their mean.";
  const std::size_t dimensions = mixture.dimensions();
  const std::vector<double>& mean = report.discovery.global.mean;
  const auto sd = [&](std::size_t d) { return std::sqrt(report.discovery.global.covariance[d * dimensions + d]); };
  std::vector<double> owned(mixture.components.size(), 0.0);
  for (const std::uint8_t k : report.discovery.states) owned[k] += 1.0;
  HeatMap map;
  map.columns = mixture.columns;
  map.row_title = "component";
  map.value_title = "mean";
  Table table{{{"component"}, {"class"}, {"rows"}, {"share", 4}}, {}};
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    const Component& component = mixture.components[k];
    const std::string of = component.of_class < 0 ? "" : mixture.classes[static_cast<std::size_t>(component.of_class)];
    map.rows.push_back(fmt::format("{} {}", k + 1, of));
    for (std::size_t d = 0; d < dimensions; ++d) {
      map.values.push_back((component.mean[d] - mean[d]) / sd(d));
    }
    table.rows.push_back({static_cast<std::int64_t>(k + 1), of, static_cast<std::int64_t>(owned[k]), component.share});
  }
  section.plots.push_back(heat_map({"Means of the components", "Where each component lies, column by column."}, map));
  section.tables.push_back({"Components", std::move(table)});
  if (!report.status.choices.empty()) section.tables.push_back({"What was chosen", choices_table(report.status)});
  return section;
}

Section history_section(const DiscoverReport& report) {
  Section section;
  section.title = "Answers";
  Table table{{{"number"}, {"item"}, {"recording"}, {"answer"}, {"by"}, {"undone"}}, {}};
  for (auto entry = report.history.rbegin(); entry != report.history.rend() && table.rows.size() < most_listed;
       ++entry) {
    const Answer& answer = entry->answer;
    table.rows.push_back({entry->number, item_name(report.features, answer.row),
                          report.features.sequences[sequence_of(report.features, answer.row)],
                          answer.kind == AnswerKind::of_class  ? answer.class_name
                          : answer.kind == AnswerKind::nothing ? std::string("nothing here")
                                                               : std::string("not sure"),
                          entry->by, std::string(entry->is_undone ? "yes" : "")});
  }
  section.tables.push_back({"Latest first", std::move(table)});
  return section;
}

}  // namespace

Page discover_page(const DiscoverReport& report) {
  const Features& features = report.features;
  Page page;
  page.title = "Search for rare classes";
  page.subtitle = fmt::format("{}: {} rows in {} recording{}", report.status.project, features.rows(),
                              features.sequences.size(), features.sequences.size() == 1 ? "" : "s");
  const std::size_t classes = report.status.classes.size();
  page.facts = {{"classes found", std::to_string(classes == 0 ? 0 : classes - 1)},
                {"answers", std::to_string(report.discovery.answers.size())},
                {"covered", fmt::format("{:.0f} %", std::floor(100.0 * report.status.certificate.covered))},
                {"questions left at most", std::to_string(report.status.certificate.most_left)},
                {"strategy", report.status.strategy}};
  page.sections.push_back(classes_section(report));
  page.sections.push_back(timeline_section(report));
  if (!report.curve.classes.empty()) page.sections.push_back(curve_section(report));
  page.sections.push_back(model_section(report));
  if (!report.history.empty()) page.sections.push_back(history_section(report));
  return page;
}

Page simulation_page(std::span<const DiscoveryComparison> comparisons, const std::string& source) {
  const DiscoveryComparison& asked = comparisons.front();
  Page page;
  page.title = "A search played through";
  page.subtitle = fmt::format("{}: {} classes to be found, {} runs", source, asked.classes.size(), asked.runs.size());
  page.facts = {{"strategy", std::string(name_of(asked.strategy))},
                {"questions", fmt::format("{:.1f} (sd {:.1f})", asked.requests_mean, asked.requests_sd)},
                {"runs that hit the limit", std::to_string(asked.capped)}};
  if (asked.most_requests > 0) page.facts.emplace_back("guaranteed", std::to_string(asked.most_requests));
  Section section;
  section.title = "Classes found by questions asked";
  Lines lines;
  lines.x_title = "questions";
  lines.y_title = "share of classes found";
  lines.has_points = false;
  Table table{{{"strategy"}, {"mean", 1}, {"sd", 1}, {"least", 0}, {"most", 0}, {"capped"}, {"guaranteed"}}, {}};
  for (const DiscoveryComparison& comparison : comparisons) {
    lines.series.push_back(
        {std::string(name_of(comparison.strategy)), counting(comparison.curve.size()), comparison.curve, {}, {}});
    double least = INFINITY;
    double most = 0.0;
    for (const DiscoveryRun& run : comparison.runs) {
      least = std::min(least, static_cast<double>(run.requests));
      most = std::max(most, static_cast<double>(run.requests));
    }
    table.rows.push_back({std::string(name_of(comparison.strategy)), comparison.requests_mean, comparison.requests_sd,
                          least, most, static_cast<std::int64_t>(comparison.capped),
                          comparison.most_requests == 0 ? Cell(std::string("-"))
                                                        : Cell(static_cast<std::int64_t>(comparison.most_requests))});
  }
  section.plots.push_back(line_plot({"Learning curve", "Mean over the runs."}, lines));
  section.tables.push_back({"Questions until every class was found", std::move(table)});
  section.tables.push_back({"By class, " + std::string(name_of(asked.strategy)), simulate_table(asked)});
  page.sections.push_back(std::move(section));
  return page;
}

}  // namespace motet
