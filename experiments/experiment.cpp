#include "experiments/experiment.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "experiments/audio/figures.h"
#include "experiments/discover/figures.h"
#include "experiments/judges/figures.h"
#include "experiments/multilabel/figures.h"
#include "experiments/roles/figures.h"
#include "experiments/temporal/figures.h"
#include "motet/base/error.h"
#include "motet/report/text_table.h"

namespace motet {

namespace superset {
std::vector<Experiment> experiments();  // all in one file
}

namespace {

struct ReproduceOptions {
  std::string data;
  std::size_t repeats = 0;
  bool quick = false;
};

template <class V>
void visit_fields(V& v, ReproduceOptions& o) {
  v("data", o.data, Text{"FOLDER"}, "public data sets; default: MOTET_DATA, else ../shared/data");
  v("repeats", o.repeats, Range<std::size_t>{0, 100'000},
    "data sets, seeds or splits of each setting of an experiment that has them; 0: its own number");
  v("quick", o.quick, "small data and few settings where an experiment has them, to see that it runs");
}

std::string find_data(const std::string& given) {
  if (!given.empty()) return given;
  if (const char* from_environment = std::getenv("MOTET_DATA")) return from_environment;
  const std::string beside = "../shared/data";
  return std::filesystem::is_directory(beside) ? beside : "";
}

Outcome list_experiments() {
  Outcome outcome;
  Value::List list;
  for (const Experiment& experiment : all_experiments()) {
    outcome.text += fmt::format("{:<24} {}\n", experiment.name, experiment.purpose);
    list.push_back(Value::object({{"name", experiment.name}, {"purpose", experiment.purpose}}));
  }
  outcome.text += "\nmotet reproduce NAME runs one; --report FILE.html draws it.\n";
  outcome.json = std::move(list);
  return outcome;
}

Outcome run_experiment(const Experiment& experiment, const ReproduceOptions& options, const RunContext& run) {
  if (experiment.has_one_size && (options.repeats > 0 || options.quick)) {
    fail(ErrorKind::usage,
         fmt::format("{} has one size; --repeats and --quick are for those of other tasks", experiment.name));
  }
  Outcome outcome = experiment.run({run, find_data(options.data), options.repeats, options.quick});
  if (options.quick) outcome.text += "note: --quick has small data; its figures are not to be compared\n";
  return outcome;
}

Outcome run_reproduce(const ReproduceOptions& options, VerbContext& context) {
  if (context.files.empty()) return list_experiments();
  for (const Experiment& experiment : all_experiments()) {
    if (experiment.name == context.files[0]) return run_experiment(experiment, options, context.run);
  }
  fail(ErrorKind::usage, fmt::format("no experiment '{}'; motet reproduce lists them", context.files[0]));
}

Value cell_value(const Cell& cell) {
  return std::visit([](const auto& plain) { return Value(plain); }, cell);
}

}  // namespace

std::vector<Experiment> all_experiments() {
  std::vector<Experiment> all = judges::experiments();
  for (const auto& of_task : {multilabel::experiments(), roles::experiments(), superset::experiments(),
                              temporal::experiments(), audio::experiments(), discover::experiments()}) {
    all.insert(all.end(), of_task.begin(), of_task.end());
  }
  return all;
}

Verb reproduce_verb() {
  return make_verb("", "reproduce",
                   "run a published experiment and print our figure beside the reference; without a name, "
                   "list them",
                   {{"NAME", "of the experiment", 0, 1, false}}, {}, run_reproduce);
}

ExperimentWriter::ExperimentWriter(std::string name, std::string title) : name_(std::move(name)), text_(title + "\n") {
  page_.title = std::move(title);
  page_.subtitle = "motet reproduce " + name_;
  json_.set("experiment", name_);
}

void ExperimentWriter::section(std::string title, std::string lead) {
  text_ += fmt::format("\n{}\n{}\n", title, lead);
  Section added;
  added.title = std::move(title);
  added.lead = std::move(lead);
  page_.sections.push_back(std::move(added));
}

void ExperimentWriter::table(std::string title, Table table) {
  text_ += fmt::format("\n{}\n{}", title, to_text(table, {1000, 60}));
  Value::List rows;
  for (const auto& row : table.rows) {
    Value object;
    for (std::size_t c = 0; c < row.size(); ++c) object.set(table.columns[c].name, cell_value(row[c]));
    rows.push_back(std::move(object));
  }
  json_.set(title, std::move(rows));
  page_.sections.back().tables.push_back({std::move(title), std::move(table)});
}

void ExperimentWriter::plot(Plot plot) { page_.sections.back().plots.push_back(std::move(plot)); }

void ExperimentWriter::note(std::string text) {
  text_ += "note: " + text + "\n";
  page_.sections.back().notes.push_back(std::move(text));
}

Outcome ExperimentWriter::finish(std::string last_note) {
  if (!last_note.empty()) note(std::move(last_note));
  return {std::move(text_), std::move(json_), std::move(page_)};
}

std::string data_folder(const ExperimentContext& context, const std::string& name) {
  std::string folder = context.data + "/" + name;
  if (context.data.empty() || !std::filesystem::is_directory(folder)) {
    fail(ErrorKind::bad_data,
         fmt::format("the public data '{}' are not here; name their folder with --data or MOTET_DATA", name));
  }
  return folder;
}

std::string with_error(double value, double error, int digits) {
  return fmt::format("{:.{}f} ± {:.{}f}", value, digits, error, digits);
}

}  // namespace motet
