#include "motet/app/discover/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/discover/answers.h"
#include "motet/discover/certificate.h"
#include "motet/discover/component_summary.h"
#include "motet/discover/segments.h"
#include "motet/discover/spread/carry.h"
#include "motet/report/event_lanes.h"
#include "motet/report/heat_map.h"
#include "motet/report/line_plot.h"

namespace motet::discover {
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
    const std::vector<std::string> classes = with_carried(discovery.mixture.classes, discovery.carried);
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

Plot sequence_timeline(const DiscoverFindings& findings, std::size_t sequence) {
  const Features& features = findings.features;
  const Lanes lanes(findings.discovery);
  EventLanes data;
  data.lanes = lanes.names();
  data.kinds = {"answer", "question"};
  data.end = length_of(features, sequence);
  data.time_title = time_title(features.clock);
  data.value_title = "probability";
  for (const Segment& segment : findings.segments) {
    if (segment.sequence != features.sequences[sequence]) continue;
    const double sure = std::isnan(segment.probability) ? 1.0 : segment.probability;
    data.bars.push_back({lanes.of_class(segment.label), segment.begin, segment.end, sure});
  }
  const std::size_t first = features.starts[sequence];
  const std::size_t end = features.starts[sequence + 1];
  for (const auto& [row, answer] : standing_answers(findings.discovery)) {
    if (row < first || row >= end) continue;
    data.marks.push_back({lanes.of(*answer), time_of(features.clock, row - first), 0, item_name(features, row)});
  }
  for (const Nomination& nomination : findings.discovery.queue) {
    if (nomination.row < first || nomination.row >= end) continue;
    data.marks.push_back(
        {lanes.asked(), time_of(features.clock, nomination.row - first), 1, item_name(features, nomination.row)});
  }
  return lanes_plot({features.sequences[sequence], "Segments, answers and questions along the time."}, data);
}

void add_timelines(Document& document, const DiscoverFindings& findings) {
  Section& section = document.section(
      "Over time",
      "Bars are stretches the model gives to a class, stronger where it is surer; dots are answers, triangles the "
      "questions to come. Drag to move; shift and wheel to zoom.");
  const std::size_t count = findings.features.sequences.size();
  if (count > most_timelines) {
    section.lead +=
        fmt::format(" Shown are the first {} of {} recordings; the tables have them all.", most_timelines, count);
  }
  for (std::size_t s = 0; s < std::min(count, most_timelines); ++s) {
    section.plots.push_back(sequence_timeline(findings, s));
  }
}

void add_curves(Document& document, const DiscoverFindings& findings, const SearchCertificate& certificate) {
  const LearningCurve& curve = findings.curve;
  Section& section = document.section("How the search went");
  section.small_plots = true;
  const auto add_plot = [&](PlotText text, const Series& first, const Series& second, const char* y_title, int digits) {
    section.plots.push_back(
        line_plot(std::move(text), {{first, second}, "answers", y_title, false, false, false, digits}));
  };
  const std::vector<double> x = counting(curve.classes.size());
  add_plot({"Classes found",
            "Classes known after each answer, beside what rows asked at random would have found of "
            "them."},
           {"asked", x, curve.classes, {}, {}}, {"at random", x, curve.at_random, {}, {}}, "classes", 2);
  add_plot({"How far the guarantee reaches",
            "Share of the rows that lie within the exclusion radius of an answer. At 1 no event of the guaranteed "
            "length can be left; it is reached with the promised number of answers at the latest."},
           {"covered", x, curve.covered, {}, {}},
           {"at least", x, promised_cover(certificate, findings.features.rows(), x.size()), {}, {}}, "share of rows",
           3);
}

void add_model(Document& document, const Discovery& discovery, const Table& choices) {
  Section& section = document.section(
      "The model",
      "Each component is a bell-shaped cloud of rows that belongs to a class. Means are in standard deviations of all "
      "rows, from their mean.");
  HeatMap map;
  map.columns = discovery.mixture.columns;
  map.row_title = "component";
  map.value_title = "mean";
  Listing listing{{{"component"}, {"class"}, {"rows"}, {"share"}}};
  for (const ComponentSummary& component : component_summaries(discovery)) {
    const std::size_t number = listing.rows.size() + 1;
    map.rows.push_back(fmt::format("{} {}", number, component.of_class));
    map.values.insert(map.values.end(), component.mean.begin(), component.mean.end());
    listing.rows.push_back({number, component.of_class, component.rows, component.share});
  }
  section.plots.push_back(heat_map({"Means of the components", "Where each component lies, column by column."}, map));
  section.tables.push_back({"Components", listing.table()});
  if (!choices.rows.empty()) section.tables.push_back({"What was chosen", choices});
}

std::string said_in(const AnswerEntry& entry) {
  if (entry.change) {
    return fmt::format("{} {} {}", entry.change->from, entry.change->is_merge ? "merged into" : "renamed to",
                       entry.change->into);
  }
  if (entry.answer.kind == AnswerKind::of_class) return entry.answer.class_name;
  return entry.answer.kind == AnswerKind::nothing ? "nothing here" : "not sure";
}

void add_history(Document& document, const DiscoverFindings& findings) {
  Listing listing{{{"number"}, {"item"}, {"recording"}, {"answer"}, {"by"}, {"undone"}}};
  for (auto entry = findings.history.rbegin(); entry != findings.history.rend(); ++entry) {
    if (listing.rows.size() == most_listed) break;
    const Answer& answer = entry->answer;
    Value item;
    Value recording;
    if (!entry->change) {
      item = item_name(findings.features, answer.row);
      recording = findings.features.sequences[sequence_of(findings.features, answer.row)];
    }
    listing.rows.push_back({entry->number, item, recording, said_in(*entry), entry->by, entry->is_undone ? "yes" : ""});
  }
  document.section("Answers").tables.push_back({"Latest first", listing.table()});
}

}  // namespace

std::vector<double> counting(std::size_t count) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<double>(i + 1);
  return x;
}

Table with_segments(Table classes, const DiscoverFindings& findings) {
  const std::map<std::string, ClassSegments> of_class = segments_by_class(findings.segments);
  classes.columns.push_back({"segments"});
  classes.columns.push_back({time_title(findings.features.clock), 1});
  for (std::vector<Cell>& row : classes.rows) {
    const auto found = of_class.find(std::get<std::string>(row[0]));
    const bool has = found != of_class.end();
    row.emplace_back(has ? Cell(static_cast<std::int64_t>(found->second.count)) : Cell(std::nan("")));
    row.emplace_back(has ? found->second.length : std::nan(""));
  }
  return classes;
}

void list_segments(Section& section, const std::vector<Segment>& segments) {
  Listing listing{{{"recording"}, {"begin", "", 2}, {"end", "", 2}, {"class"}, {"probability", "", 3}}};
  for (const Segment& segment : segments) {
    if (listing.rows.size() == most_listed) break;
    listing.rows.push_back({segment.sequence, segment.begin, segment.end, segment.label, segment.probability});
  }
  if (segments.size() > most_listed) {
    section.notes.push_back(
        fmt::format("The first {} of {} segments are listed; motet discover export writes them all.", most_listed,
                    segments.size()));
  }
  if (!listing.rows.empty()) section.tables.push_back({"Segments", listing.table()});
}

void add_findings(Document& document, const DiscoverFindings& findings, const SearchCertificate& certificate,
                  const Table& choices) {
  add_timelines(document, findings);
  if (!findings.curve.classes.empty()) add_curves(document, findings, certificate);
  add_model(document, findings.discovery, choices);
  if (!findings.history.empty()) add_history(document, findings);
}

}  // namespace motet::discover
