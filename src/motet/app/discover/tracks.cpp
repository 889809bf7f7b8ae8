#include "motet/app/discover/tracks.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/discover/told.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/discover/answers.h"
#include "motet/discover/questions/propagate.h"
#include "motet/discover/segments.h"
#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/io/label_track.h"

namespace motet::discover {
namespace {

// --- export -----------------------------------------------------------------------

enum class ExportFormat { csv, audacity, raven, json };

struct ExportOptions {
  ExportFormat format = ExportFormat::csv;
  std::string out;
  double merge_gap = 0.0;
  double minimum_length = 0.0;
  bool answers_only = false;
  std::string recording;
};

template <class V>
void visit_fields(V& v, ExportOptions& o) {
  v("format", o.format, Choices{{"csv", "audacity", "raven", "json"}},
    "a table, a label track of Audacity, a selection table of Raven, or everything with the history of answers");
  v("out", o.out, Text{"FILE"}, "where to; '-' or nothing: standard output");
  v("merge_gap", o.merge_gap, Range<double>{0.0, 1e9},
    "close gaps up to this between segments of a class; seconds, or rows without time");
  v("minimum_length", o.minimum_length, Range<double>{0.0, 1e9},
    "leave out shorter segments unless a person labelled one of their rows; seconds, or rows without time");
  v("answers_only", o.answers_only,
    "only what people said, one segment a row, 'background' where nothing is; not what follows from it");
  v("recording", o.recording, Text{"NAME"}, "only this one; an Audacity label track holds one recording");
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
    const ToldItem item = told_item(project.features(), entry.answer.row);
    Value value = Value::object({{"number", entry.number}, {"item", item.item}, {"recording", item.recording}});
    if (item.has_time) {
      value.set("begin", item.begin);
      value.set("end", item.end);
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

std::string exported(const Project& project, const std::vector<Segment>& segments, ExportFormat format) {
  switch (format) {
    case ExportFormat::csv: return segments_csv(segments);
    case ExportFormat::audacity: return audacity_labels(segments);
    case ExportFormat::raven: return raven_table(segments);
    case ExportFormat::json:
      return to_json(Value::object({{"segments", segments_value(segments)}, {"answers", history_value(project)}}), 1) +
             "\n";
  }
  return "";
}

Outcome run_export(const ExportOptions& options, VerbContext& context) {
  const std::string& path = context.files[0];
  Project project = Project::open(path, context.run, {.use = Project::Use::reading});
  const Discovery& discovery = project.discovery();
  const Features& features = project.features();
  const bool needs_time = options.format == ExportFormat::audacity || options.format == ExportFormat::raven;
  if (needs_time && !features.clock.has_time()) {
    fail(
        ErrorKind::unanswerable,
        fmt::format("{}: its rows have no time, which this format needs; use --format csv or json, or start with --hop",
                    path));
  }
  std::vector<Segment> segments = options.answers_only
                                      ? answered_segments(features, discovery)
                                      : segments_of(features, discovery, propagate(features, discovery, context.run),
                                                    {options.merge_gap, options.minimum_length});
  if (!options.recording.empty()) {
    const std::string name =
        features.sequences[with_frame(path, [&] { return recording_of(features, options.recording); })];
    std::erase_if(segments, [&](const Segment& segment) { return segment.sequence != name; });
  }
  const std::string text = with_frame(path, [&] { return exported(project, segments, options.format); });
  write_atomically(options.out, text);
  Outcome outcome;
  outcome.text =
      fmt::format("{} segment{} written to {}\n", segments.size(), segments.size() == 1 ? "" : "s", options.out);
  outcome.json = Value::object({{"segments", segments_value(segments)}, {"answers", history_value(project)}});
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
  std::vector<Verb> verbs = {
      make_verb<ExportOptions>("discover", "export", "what was found, as segments for other programs", {project},
                               run_export),
      make_verb<ImportOptions>("discover", "import", "labels made elsewhere, as answers",
                               {project, {"LABELS", "segments with a class; 'background' where nothing is"}},
                               run_import),
  };
  for (Verb& verb : verbs) verb.has_page = false;
  verbs[0].outputs = {{"out", "-"}};
  return verbs;
}

}  // namespace motet::discover
