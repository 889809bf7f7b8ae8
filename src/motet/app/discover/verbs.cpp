#include "motet/app/discover/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "motet/app/discover/carried.h"
#include "motet/app/discover/class_verbs.h"
#include "motet/app/discover/confirm.h"
#include "motet/app/discover/data.h"
#include "motet/app/discover/next.h"
#include "motet/app/discover/simulate.h"
#include "motet/app/discover/told.h"
#include "motet/app/discover/tracks.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/discover/segments.h"
#include "motet/discover/spread/spread.h"

namespace motet::discover {
namespace {

constexpr std::size_t whole_batch = static_cast<std::size_t>(-1);

Project open_project(const VerbContext& context, Project::Use use) {
  return Project::open(context.files[0], context.run, {.use = use});
}

std::vector<std::string> data_files(const VerbContext& context) {
  return {context.files.begin() + 1, context.files.end()};
}

void tell_carried(Project& project, const VerbContext& context, DiscoverStatus& status) {
  status.carried_from = project.discovery().carried.project;
  status.carried = carried_classes(project.features(), project.discovery(), context.run);
}

// The document of a project by its builder, with findings where a page is wanted.
template <class Builder>
Outcome told_search(Builder builder, Project& project, const DiscoverStatus& status, const VerbContext& context) {
  if (!context.wants_page()) return told(builder(status, nullptr));
  const Discovery& discovery = project.discovery();
  const Features& features = project.features();
  const Propagation rows =
      rows_of_stretches(spread_answers(features, discovery, context.run), features.rows(), usual_threshold);
  std::vector<Segment> segments = segments_of(features, discovery, rows, {});
  keep_apart(segments);
  const LearningCurve curve = learning_curve(features, discovery, rows);
  const std::vector<AnswerEntry>& history = project.history();
  const DiscoverFindings findings{features, discovery, segments, history, curve};
  return told(builder(status, &findings));
}

// --- start ------------------------------------------------------------------------

struct StrictOptions {
  bool strict = false;
};

template <class V>
void visit_fields(V& v, StrictOptions& o) {
  v("strict", o.strict, "refuse when a file cannot be read, instead of leaving it out with a warning");
}

struct StartOptions {
  StrictOptions strict;
  std::string from;
  DiscoverOptions discover;
  DiscoverDataOptions data;
};

template <class V>
void visit_fields(V& v, StartOptions& o) {
  visit_fields(v, o.strict);
  v("from", o.from, Reads{"OLD.motet"},
    "a project whose answers are taken along as examples: what is recognised need not be found again");
  visit_fields(v, o.discover);
  visit_fields(v, o.data);
}

BadFiles bad_files(const StrictOptions& options) { return options.strict ? BadFiles::refused : BadFiles::left_out; }

Outcome run_start(const StartOptions& options, VerbContext& context) {
  const std::string& path = context.files[0];
  const std::vector<std::string> files = data_files(context);
  Project::require_absent(path);
  const DiscoverData data = read_discover_data(files, options.data, context, bad_files(options.strict));
  Carried carried = options.from.empty() ? Carried{} : carried_from(options.from, data, context);
  Project project =
      Project::create(path, data.features, data.origin, options.discover, context.run, {}, std::move(carried));
  DiscoverStatus status = status_of(path, project, whole_batch);
  tell_carried(project, context, status);
  status.warnings = data.warnings;
  return told_search(start_document, project, status, context);
}

// --- label ------------------------------------------------------------------------

struct LabelOptions {
  bool nothing = false;
  bool not_sure = false;
  std::string by;
  std::size_t count = 1;
};

template <class V>
void visit_fields(V& v, LabelOptions& o) {
  v("nothing", o.nothing, "in place of CLASS: nothing here that matters, background");
  v("not_sure", o.not_sure, "in place of CLASS: cannot be told; asked again when all else is answered");
  v("by", o.by, Text{"NAME"}, "who says so");
  v("count", o.count, Range<std::size_t>{0, 1'000'000}, "of items to show next at most; 0: none");
}

std::string answer_words(const Answer& answer) {
  if (answer.kind == AnswerKind::nothing) return "nothing";
  if (answer.kind == AnswerKind::not_sure) return "not sure";
  return "'" + one_line(answer.class_name) + "'";
}

Answer answer_of(const LabelOptions& options, const VerbContext& context) {
  const std::size_t said =
      (context.files.size() > 2 ? 1U : 0U) + (options.nothing ? 1U : 0U) + (options.not_sure ? 1U : 0U);
  if (said == 0) fail(ErrorKind::usage, "label: say what it is: CLASS, --nothing or --not-sure");
  if (said > 1) fail(ErrorKind::usage, "label: only one of CLASS, --nothing and --not-sure can hold");
  Answer answer;
  if (options.not_sure) answer.kind = AnswerKind::not_sure;
  if (context.files.size() > 2) {
    answer.kind = AnswerKind::of_class;
    answer.class_name = context.files[2];
    if (answer.class_name.empty())
      fail(ErrorKind::usage, "label: the class has no name; say CLASS, --nothing or --not-sure");
  }
  return answer;
}

Outcome run_label(const LabelOptions& options, VerbContext& context) {
  Answer answer = answer_of(options, context);
  Project project = open_project(context, Project::Use::writing);
  answer.row = with_frame(context.files[0], [&] { return row_of(project.features(), context.files[1]); });
  const std::vector<std::string> before = project.discovery().mixture.classes;
  // Whoever works with reservations goes on with them; nobody else is made to.
  const bool reserves = !options.by.empty() && options.count > 0 && project.has_reservations();
  const std::int64_t number = project.answer(answer, options.by);
  const DiscoverStatus status = reserves
                                    ? reserved_status(context.files[0], project, options.by, options.count, usual_hold)
                                    : status_of(context.files[0], project, options.count);
  const ToldItem item = told_item(project.features(), answer.row);
  const bool is_new =
      answer.kind == AnswerKind::of_class && std::find(before.begin(), before.end(), answer.class_name) == before.end();
  Outcome outcome = told(next_document(status));
  const std::string next = options.count > 0 ? "\n" + outcome.text : "";
  outcome.text = fmt::format("answer {} is on the disk: item {} ({}) is {}{}\n", number, one_line(item.item),
                             place_of(item), answer_words(answer), is_new ? ", a new class" : "") +
                 next;
  outcome.json.set("answer", number);
  outcome.json.set("labelled", item.item);
  outcome.json.set("new_class", is_new);
  return outcome;
}

// --- undo -------------------------------------------------------------------------

struct UndoOptions {
  std::size_t steps = 1;
};

template <class V>
void visit_fields(V& v, UndoOptions& o) {
  v("steps", o.steps, Range<std::size_t>{1, 1'000'000'000},
    "how many answers or changes of classes to take back, the last first");
}

Outcome run_undo(const UndoOptions& options, VerbContext& context) {
  Project project = open_project(context, Project::Use::writing);
  std::string text;
  Value::List undone;
  for (const AnswerEntry& entry : project.undo(options.steps)) {
    if (entry.change) {
      text += fmt::format("change {} is undone: {}{}{}\n", entry.number, change_words(*entry.change),
                          entry.by.empty() ? "" : ", by ", one_line(entry.by));
      undone.push_back(Value::object({{"change", entry.number},
                                      {"kind", entry.change->is_merge ? "merge" : "rename"},
                                      {"class", entry.change->from},
                                      {"into", entry.change->into}}));
      continue;
    }
    const std::string item = item_name(project.features(), entry.answer.row);
    text += fmt::format("answer {} is undone: item {} was {}{}{}\n", entry.number, one_line(item),
                        answer_words(entry.answer), entry.by.empty() ? "" : ", by ", one_line(entry.by));
    undone.push_back(Value::object({{"answer", entry.number}, {"item", item}}));
  }
  Outcome outcome = told(next_document(status_of(context.files[0], project, 1)));
  outcome.text = text + "\n" + outcome.text;
  outcome.json.set("undone", std::move(undone));
  return outcome;
}

// --- status -----------------------------------------------------------------------

struct NoOptions {};
template <class V>
void visit_fields(V&, NoOptions&) {}

Outcome run_status(const NoOptions&, VerbContext& context) {
  Project project = open_project(context, Project::Use::reading);
  DiscoverStatus status = status_of(context.files[0], project, whole_batch);
  tell_carried(project, context, status);
  return told_search(status_document, project, status, context);
}

// --- add --------------------------------------------------------------------------

Outcome run_add(const StrictOptions& options, VerbContext& context) {
  const std::vector<std::string> files = data_files(context);
  Project project = open_project(context, Project::Use::writing);
  const std::size_t before = project.features().rows();
  const DiscoverData data = read_more_data(files, project.sources().front(), context, bad_files(options));
  project.add_rows(data.features, data.origin);
  DiscoverStatus status = status_of(context.files[0], project, whole_batch);
  status.warnings = data.warnings;
  const std::size_t added = project.features().rows() - before;
  Outcome outcome = told(next_document(status));
  outcome.text =
      fmt::format("{}{} row{} added: {} in all, and what was learned is kept\n\n{}", warning_lines(data.warnings),
                  added, added == 1 ? " was" : "s were", status.rows, outcome.text);
  outcome.json.set("rows_added", added);
  outcome.json.set("rows", status.rows);
  outcome.json.set("warnings", Value::list_of(data.warnings));
  return outcome;
}

}  // namespace

std::vector<Verb> discover_verbs() {
  constexpr std::size_t many = 100'000;
  const Argument project{"PROJECT.motet", "the project file"};
  const Argument data{"DATA", "a table of features in time order (.csv, .npy), or recordings (.wav, .flac, .ogg, .mp3)",
                      1, many};
  std::vector<Verb> verbs = {
      make_verb("discover", "start", "begin a search for rare classes: a new project file",
                {{"PROJECT.motet", "the project file to make"}, data}, {}, run_start),
      next_verb(),
      make_verb("discover", "label", "say what an item is; it is on the disk when that is acknowledged",
                {project,
                 {"ITEM", "the name of the item, or RECORDING@SECONDS", 1, 1, false},
                 {"CLASS", "what it is; a name that is new makes a class", 0, 1, false}},
                {}, run_label, without_page),
      rename_verb(),
      merge_verb(),
      confirm_verb(),
      make_verb("discover", "undo", "take back what was said last: answers, changes of classes", {project}, {},
                run_undo, without_page),
      make_verb("discover", "status", "what was found, what is guaranteed, how many questions are left", {project}, {},
                run_status),
      make_verb("discover", "add", "more recordings or rows, keeping what was learned", {project, data}, {}, run_add,
                without_page),
  };
  for (auto* more : {&discover_track_verbs, &discover_simulate_verbs}) {
    std::vector<Verb> others = more();
    verbs.insert(verbs.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  }
  return verbs;
}

}  // namespace motet::discover
