#include "motet/app/discover/tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "motet/app/discover/moments.h"
#include "motet/app/discover/recorded_files.h"
#include "motet/app/discover/told.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/discover/answers.h"
#include "motet/discover/questions/propagate.h"
#include "motet/discover/segments.h"
#include "motet/discover/spread/spread.h"
#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/io/label_track.h"

namespace motet::discover {
namespace {

// --- export -----------------------------------------------------------------------

constexpr double usual_top_hz = 22050.0;  // half the commonest sample rate

enum class ExportFormat { csv, audacity, raven, json };
enum class ExportModel { learned, mixture };

struct ExportOptions {
  ExportFormat format = ExportFormat::csv;
  std::string out;
  double merge_gap = 0.0;
  double minimum_length = 0.0;
  bool answers_only = false;
  std::string recording;
  bool clock = false;
  std::optional<double> top_hz;
  double threshold = usual_threshold;
  ExportModel propagation = ExportModel::learned;
};

template <class V>
void visit_fields(V& v, ExportOptions& o) {
  v("format", o.format, Choices{{"csv", "audacity", "raven", "json"}},
    "a table, a label track of Audacity, a selection table of Raven, or everything with the history of answers");
  v("out", o.out, Writes{"FILE", "-"}, "where to; '-' or nothing: standard output");
  v("merge_gap", o.merge_gap, Range<double>{0.0, 1e9},
    "close gaps up to this between segments of a class; seconds, or rows without time");
  v("minimum_length", o.minimum_length, Range<double>{0.0, 1e9},
    "leave out shorter segments unless a person labelled one of their rows; seconds, or rows without time");
  v("answers_only", o.answers_only,
    "only what people said, one segment per row, 'background' where nothing is; not what follows from it");
  v("recording", o.recording, Text{"NAME"}, "only this one; an Audacity label track holds one recording");
  v("clock", o.clock, "a column of the table with the time of day, where names of recordings tell when they began");
  v("top_hz", o.top_hz, Range<double>{1.0, 1e7},
    "upper frequency of Raven's selections where the sample rate of a recording is not known; auto: 22050");
  v("threshold", o.threshold, Range<double>{0.0, 1.0},
    "leave out segments that touch an event of their class with less than this chance, unless a person labelled one of "
    "their rows");
  v("propagation", o.propagation, Choices{{"learned", "mixture"}},
    "how answers spread: learned from all of them, with calibrated chances; or as the mixture with its field has the "
    "rows, which has no threshold");
}

// What the answers say of all rows.
std::vector<Segment> spread_segments(const ExportOptions& options, const Features& features, const Discovery& discovery,
                                     const RunContext& run) {
  const Propagation rows =
      options.propagation == ExportModel::mixture
          ? propagate(features, discovery, run)
          : rows_of_stretches(spread_answers(features, discovery, run), features.rows(), options.threshold);
  std::vector<Segment> segments = segments_of(features, discovery, rows, {options.merge_gap, options.minimum_length});
  keep_apart(segments);
  return segments;
}

Segment segment_of_row(const Features& features, std::size_t row, std::string label) {
  const ToldItem item = told_item(features, row);
  Segment segment;
  segment.sequence = item.recording;
  segment.begin = item.has_time ? item.begin : static_cast<double>(item.row_of_recording);
  segment.end = item.has_time ? item.end : static_cast<double>(item.row_of_recording + 1);
  segment.label = std::move(label);
  return segment;
}

// The last answer to each row, in the order of rows.
std::vector<Segment> answered_segments(const Features& features, const Discovery& discovery) {
  std::vector<Segment> segments;
  for (const auto& [row, answer] : standing_answers(discovery)) {
    if (answer->kind == AnswerKind::not_sure) continue;
    const bool is_nothing = answer->kind == AnswerKind::nothing;
    segments.push_back(segment_of_row(features, row, is_nothing ? std::string(background_name) : answer->class_name));
  }
  return segments;
}

Value history_value(const Project& project) {
  constexpr std::string_view kinds[] = {"class", "nothing", "not_sure"};
  Value::List list;
  for (const AnswerEntry& entry : project.history()) {
    if (entry.change) {
      list.push_back(Value::object({{"number", entry.number},
                                    {"answer", entry.change->is_merge ? "merge" : "rename"},
                                    {"class", entry.change->from},
                                    {"into", entry.change->into},
                                    {"by", entry.by},
                                    {"time", entry.time},
                                    {"undone", entry.is_undone}}));
      continue;
    }
    const ToldItem item = told_item(project.features(), entry.answer.row);
    Value value = Value::object({{"number", entry.number}, {"item", item.item}, {"recording", item.recording}});
    if (item.has_time) {
      value.set("begin", item.begin);
      value.set("end", item.end);
      if (!item.begin_clock.empty()) value.set("begin_clock", item.begin_clock);
    }
    value.set("answer", kinds[static_cast<std::size_t>(entry.answer.kind)]);
    if (entry.answer.kind == AnswerKind::of_class) value.set("class", entry.answer.class_name);
    value.set("by", entry.by);
    value.set("time", entry.time);
    value.set("undone", entry.is_undone);
    list.push_back(std::move(value));
  }
  return list;
}

// Where each recording lies in the sound that Raven makes of all that are opened together, one after the other.
std::vector<RavenSound> raven_sounds(Project& project, const ExportOptions& options,
                                     std::vector<std::string>& warnings) {
  const std::vector<RecordedFile> files = recorded_files(project.sources());
  std::vector<RavenSound> sounds;
  std::vector<std::string> unknown;
  double begin = 0.0;
  for (const Recording& recording : project.recordings()) {
    const auto file =
        std::find_if(files.begin(), files.end(), [&](const RecordedFile& one) { return one.name == recording.name; });
    const bool is_known = file != files.end() && file->seconds > 0.0;
    if (!is_known) unknown.push_back(recording.name);
    sounds.push_back(
        {recording.name, begin, is_known ? 0.5 * file->sample_rate : options.top_hz.value_or(usual_top_hz)});
    begin += is_known ? file->seconds : recording.seconds;
  }
  const std::string names = quoted_list(unknown, 3);
  if (!unknown.empty() && !options.top_hz) {
    warnings.push_back(
        fmt::format("the project does not know the sample rate of {}; its selections go up to {} Hz, or "
                    "to --top-hz",
                    names, to_text(usual_top_hz)));
  }
  if (!unknown.empty() && sounds.size() > 1 && options.recording.empty()) {
    warnings.push_back(
        fmt::format("the project does not know how long the sound of {} is; times in recordings behind it "
                    "may be early by less than a window",
                    names));
  }
  if (options.recording.empty()) return sounds;
  std::erase_if(sounds, [&](const RavenSound& sound) { return sound.name != options.recording; });
  for (RavenSound& sound : sounds) sound.begin = 0.0;
  return sounds;
}

// Formats between tabs cannot hold what older projects may have in their names.
void make_one_line(std::string& name, std::string_view what, std::vector<std::string>& warnings) {
  const std::string before = name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  if (name == before) return;
  const std::string warning = fmt::format(
      "the {} '{}' has a tab or a line break, which this format cannot hold; blanks stand in their place", what, name);
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
}

void make_one_line(std::vector<Segment>& segments, std::vector<std::string>& warnings) {
  for (Segment& segment : segments) {
    make_one_line(segment.label, "class", warnings);
    make_one_line(segment.sequence, "recording", warnings);
  }
}

void tell_clock(std::vector<Segment>& segments, const FrameClock& clock) {
  if (!clock.has_time()) return;
  for (Segment& segment : segments) segment.begin_clock = clock_in(segment.sequence, segment.begin);
}

std::string exported(Project& project, std::vector<Segment> segments, const ExportOptions& options,
                     std::vector<std::string>& warnings) {
  switch (options.format) {
    case ExportFormat::csv:
      if (!options.clock) {
        for (Segment& segment : segments) segment.begin_clock.clear();
      }
      return segments_csv(segments);
    case ExportFormat::audacity: make_one_line(segments, warnings); return audacity_labels(segments);
    case ExportFormat::raven: {
      std::vector<RavenSound> sounds = raven_sounds(project, options, warnings);
      make_one_line(segments, warnings);
      for (RavenSound& sound : sounds) make_one_line(sound.name, "recording", warnings);
      return raven_table(segments, sounds);
    }
    case ExportFormat::json:
      return to_json(Value::object({{"segments", segments_value(segments)}, {"answers", history_value(project)}}), 1) +
             "\n";
  }
  return "";
}

void check_export(const ExportOptions& options, const Project& project, const VerbContext& context) {
  const bool is_track = options.format == ExportFormat::audacity || options.format == ExportFormat::raven;
  if (is_track && !project.features().clock.has_time()) {
    fail(
        ErrorKind::unanswerable,
        fmt::format("{}: its rows have no time, which this format needs; use --format csv or json, or start with --hop",
                    context.files[0]));
  }
  if (options.clock && options.format != ExportFormat::csv) fail(ErrorKind::usage, "--clock: needs --format csv");
  if (options.top_hz && options.format != ExportFormat::raven) {
    fail(ErrorKind::usage, "--top-hz: needs --format raven");
  }
}

Outcome run_export(const ExportOptions& given, VerbContext& context) {
  const std::string& path = context.files[0];
  ExportOptions options = given;
  Project project = Project::open(path, context.run, {.use = Project::Use::reading});
  const Discovery& discovery = project.discovery();
  const Features& features = project.features();
  check_export(options, project, context);
  if (!options.recording.empty()) {
    options.recording = features.sequences[with_frame(path, [&] { return recording_of(features, options.recording); })];
  }
  if (options.propagation == ExportModel::mixture && is_given(context, "threshold")) {
    fail(ErrorKind::usage, "--threshold: is for --propagation learned; the mixture's probabilities are not calibrated");
  }
  std::vector<Segment> segments = options.answers_only ? answered_segments(features, discovery)
                                                       : spread_segments(options, features, discovery, context.run);
  if (!options.recording.empty()) {
    std::erase_if(segments, [&](const Segment& segment) { return segment.sequence != options.recording; });
  }
  tell_clock(segments, features.clock);
  std::vector<std::string> warnings;
  const bool knows_clock = std::any_of(features.sequences.begin(), features.sequences.end(),
                                       [](const std::string& name) { return !clock_in(name, 0.0).empty(); });
  if (options.clock && !(knows_clock && features.clock.has_time())) {
    warnings.emplace_back("--clock: no name of a recording says when it began");
  }
  const std::string text = with_frame(path, [&] { return exported(project, segments, options, warnings); });
  write_atomically(options.out, text);
  Outcome outcome{fmt::format("{}{} segment{} written to {}\n", warning_lines(warnings), segments.size(),
                              segments.size() == 1 ? "" : "s", options.out),
                  Value::object({{"segments", segments_value(segments)},
                                 {"answers", history_value(project)},
                                 {"warnings", Value::list_of(warnings)}})};
  outcome.warnings = std::move(warnings);
  return outcome;
}

// --- import -----------------------------------------------------------------------

enum class ImportFormat { csv, audacity, raven };

struct ImportOptions {
  ImportFormat format = ImportFormat::csv;
  std::string recording;
  std::string by;
};

template <class V>
void visit_fields(V& v, ImportOptions& o) {
  v("format", o.format, Choices{{"csv", "audacity", "raven"}}, "of LABELS");
  v("recording", o.recording, Text{"NAME"}, "the one that LABELS are of, when they do not say");
  v("by", o.by, Text{"NAME"}, "who made the labels");
}

std::vector<Segment> read_segments(const std::string& path, ImportFormat format) {
  switch (format) {
    case ImportFormat::csv: return read_segments_csv(path);
    case ImportFormat::audacity: return read_audacity_labels(path);
    case ImportFormat::raven: return read_raven_table(path);
  }
  return {};
}

Outcome run_import(const ImportOptions& options, VerbContext& context) {
  const std::string& path = context.files[0];
  const std::string& labels = context.files[1];
  std::vector<Segment> segments = read_segments(labels, options.format);
  if (segments.empty()) fail(ErrorKind::bad_data, fmt::format("{}: there are no labels", labels));
  Project project = Project::open(path, context.run, {});
  const Discovery& discovery = project.discovery();
  const Features& features = project.features();
  const std::vector<Answer> answers = with_frame(labels, [&] {
    for (Segment& segment : segments) {
      if (segment.label.empty()) {
        fail(ErrorKind::bad_data,
             fmt::format("the label from {} to {} has no text", to_text(segment.begin), to_text(segment.end)));
      }
      check_class_name(segment.label);
      const std::string& name = segment.sequence.empty() ? options.recording : segment.sequence;
      if (name.empty() && features.sequences.size() > 1) {
        fail(ErrorKind::usage, "does not say which recording it is of; name it with --recording");
      }
      segment.sequence = features.sequences[recording_of(features, name)];
    }
    return answers_of_segments(features, segments, static_cast<std::size_t>(std::max(0, discovery.options.exclusion)));
  });
  const std::vector<std::int64_t> numbers = project.answer(answers, options.by);
  Outcome outcome = told(next_document(status_of(path, project, 1)));
  outcome.text = fmt::format("{} became {} on the disk\n\n{}", counted(segments.size(), "label"),
                             counted(answers.size(), "answer"), outcome.text);
  outcome.json.set("labels", segments.size());
  outcome.json.set("answers", Value::list_of(numbers));
  return outcome;
}

}  // namespace

std::vector<Verb> discover_track_verbs() {
  const Argument project{"PROJECT.motet", "the project file"};
  return {
      make_verb("discover", "export", "what was found, as segments for other programs", {project}, {}, run_export,
                without_page),
      make_verb("discover", "import", "labels made elsewhere, as answers",
                {project, {"LABELS", "segments with a class; 'background' where nothing is"}}, {}, run_import,
                without_page),
  };
}

}  // namespace motet::discover
