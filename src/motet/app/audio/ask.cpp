#include "motet/app/audio/ask.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "motet/app/audio/clips.h"
#include "motet/app/audio/inputs.h"
#include "motet/app/audio/scene_model.h"
#include "motet/app/csv_output.h"
#include "motet/app/verb_files.h"
#include "motet/audio/scenes/calibration.h"
#include "motet/base/error.h"
#include "motet/report/text_table.h"

namespace motet::audio {
namespace {

struct ClassifyOptions {
  std::string model;
  std::size_t channel = 1;
  double rate = 0.0;
  bool strict = false;
  std::string out;
};

template <class V>
void visit_fields(V& v, ClassifyOptions& o) {
  v("model", o.model, Reads{"MODEL.json"}, "the model, by `audio train`");
  v("channel", o.channel, Range<std::size_t>{0, 1024},
    "that sets of one channel hear, the first is 1; 0: the mean of all; not given: that of the model");
  v("rate", o.rate, Range<double>{0.0, 1e7},
    "samples per second that recordings are brought to; 0: as they are; not given: what the model was learned with");
  v("strict", o.strict, "stop at the first recording that cannot be heard; else it is told and left out");
  v("out", o.out, Writes{"PRED.csv"}, "write what is said of each recording here; '-' is standard output");
}

struct ReverberationOptions {
  ClassifyOptions ask;
  double confidence = 0.9;
};

template <class V>
void visit_fields(V& v, ReverberationOptions& o) {
  visit_fields(v, o.ask);
  v("confidence", o.confidence, Range<double>{0.5, 0.999}, "that the interval holds the number");
}

// What is said of the recordings that could be heard.
struct Answers {
  std::vector<std::string> names;
  std::vector<double> said;
  Rows2d scores;  // of classes
  Value left_out;
  std::vector<std::string> warnings;
};

// By the whole path where names are not enough.
std::vector<std::string> names_of_answers(const std::vector<NamedRecording>& recordings) {
  std::map<std::string, std::size_t> uses;
  for (const NamedRecording& one : recordings) ++uses[one.name];
  std::vector<std::string> names;
  names.reserve(recordings.size());
  for (const NamedRecording& one : recordings) names.push_back(uses[one.name] > 1 ? one.path : one.name);
  return names;
}

Answers ask(const SceneModel& model, const ClassifyOptions& options, VerbContext& context) {
  const std::vector<NamedRecording> recordings = found_recordings(context.files);
  std::vector<std::string> files;
  for (const NamedRecording& one : recordings) {
    keep_input(context, one.path);
    files.push_back(one.path);
  }
  HearingOptions hearing{model.clips, options.strict};
  if (is_given(context, "channel")) hearing.clips.channel = options.channel;
  if (is_given(context, "rate")) hearing.clips.rate = options.rate;
  const FeaturesOfFiles features =
      features_of_files(files, hearing, {model.learned.columns, model.sample_rate, "the model"}, context.run);
  const std::vector<std::string> names = names_of_answers(recordings);
  Answers answers;
  for (const std::size_t n : features.files) answers.names.push_back(names[n]);
  answers.said = model.learned.say(features.rows);
  if (!model.learned.classes.empty()) answers.scores = model.learned.scores(features.rows);
  answers.left_out = left_out_value(features, names);
  answers.warnings = warnings_of(features);
  return answers;
}

Outcome outcome_of(const SceneModel& model, Answers answers, const Table& table, Value::List recordings) {
  Outcome outcome;
  outcome.text = to_text(table) + warning_lines(answers.warnings);
  outcome.json = Value::object({{"target", model.target},
                                {"classes", Value::list_of(model.learned.classes)},
                                {"recordings", std::move(recordings)},
                                {"left_out", std::move(answers.left_out)},
                                {"warnings", Value::list_of(answers.warnings)}});
  return outcome;
}

Outcome told_classes(const SceneModel& model, Answers answers, const std::string& out_path) {
  const std::vector<std::string>& classes = model.learned.classes;
  Table table{{{"recording"}, {model.target}}, {}};
  std::vector<std::string> header = {"recording", model.target};
  const bool is_calibrated = !model.learned.calibration.offsets.empty();
  if (is_calibrated) {
    table.columns.push_back({"probability", 3});
    header.emplace_back("probability");
    header.insert(header.end(), classes.begin(), classes.end());
  } else {
    answers.warnings.push_back("the model tells no probabilities; one that `audio train` learns from more groups does");
  }
  std::optional<CsvOutput> out;
  if (!out_path.empty()) out.emplace(out_path).csv().row(header);
  Value::List list;
  for (std::size_t n = 0; n < answers.names.size(); ++n) {
    const auto said = static_cast<std::size_t>(answers.said[n]);
    const std::vector<double> shares = probabilities_of(model.learned.calibration, answers.scores.row(n));
    Value told = Value::object({{"recording", answers.names[n]}, {"said", classes[said]}});
    table.rows.push_back({answers.names[n], classes[said]});
    if (is_calibrated) {
      table.rows.back().emplace_back(shares[said]);
      told.set("probability", shares[said]);
      told.set("probabilities", Value::list_of(shares));
    }
    list.push_back(std::move(told));
    if (!out) continue;
    out->csv().text(answers.names[n]).text(classes[said]);
    if (is_calibrated) out->csv().number(shares[said]);
    for (const double share : shares) out->csv().number(share);
    out->csv().end_row();
  }
  if (out) out->finish();
  return outcome_of(model, std::move(answers), table, std::move(list));
}

// A number of which none was below 0, such as a time, is not said to be below 0.
double possible(const SceneModel& model, double said, const std::string& name, std::vector<std::string>& warnings) {
  const Calibration& calibration = model.learned.calibration;
  if (calibration.residuals.empty() || calibration.least < 0.0 || said >= 0.0) return said;
  warnings.push_back(
      fmt::format("{}: {} came out as {:.4g}; of the clips that were learned from none is below 0, and 0 is said", name,
                  model.target, said));
  return 0.0;
}

Outcome told_numbers(const SceneModel& model, Answers answers, double confidence, const std::string& out_path) {
  const Calibration& calibration = model.learned.calibration;
  const bool has_interval = !calibration.residuals.empty();
  const AroundSaid around = around_said(calibration, confidence);
  Table table{{{"recording"}, {model.target, 3}}, {}};
  std::vector<std::string> header = {"recording", model.target};
  if (has_interval) {
    table.columns.insert(table.columns.end(), {{"from", 3}, {"to", 3}});
    header.insert(header.end(), {"low", "high"});
    if (around.confidence < confidence) {
      answers.warnings.push_back(
          fmt::format("intervals hold the number with probability {:.3g}, not {:.3g}: the model learned from {} clips",
                      around.confidence, confidence, calibration.residuals.size()));
    }
  } else {
    answers.warnings.emplace_back("the model tells no intervals; one that `audio train` learns from more groups does");
  }
  std::optional<CsvOutput> out;
  if (!out_path.empty()) out.emplace(out_path).csv().row(header);
  Value::List list;
  for (std::size_t n = 0; n < answers.names.size(); ++n) {
    const double raw = answers.said[n];
    const double said = possible(model, raw, answers.names[n], answers.warnings);
    const double floor = calibration.least < 0.0 ? -std::numeric_limits<double>::infinity() : 0.0;
    const double low = std::max(floor, raw + around.low);
    const double high = std::max(floor, raw + around.high);
    Value told = Value::object({{"recording", answers.names[n]}, {"said", said}});
    table.rows.push_back({answers.names[n], said});
    if (has_interval) {
      table.rows.back().insert(table.rows.back().end(), {low, high});
      told.set("interval", Value::list({low, high}));
    }
    list.push_back(std::move(told));
    if (!out) continue;
    out->csv().text(answers.names[n]).number(said);
    if (has_interval) out->csv().number(low).number(high);
    out->csv().end_row();
  }
  if (out) out->finish();
  Outcome outcome = outcome_of(model, std::move(answers), table, std::move(list));
  if (has_interval) outcome.json.set("confidence", around.confidence);
  return outcome;
}

Outcome run_classify(const ClassifyOptions& options, VerbContext& context) {
  const SceneModel model = read_scene_model(options.model);
  if (model.learned.classes.empty()) {
    fail(ErrorKind::bad_data,
         options.model + ": is a model of the number '" + model.target + "'; take `audio reverberation`");
  }
  return told_classes(model, ask(model, options, context), options.out);
}

Outcome run_reverberation(const ReverberationOptions& options, VerbContext& context) {
  const SceneModel model = read_scene_model(options.ask.model);
  if (!model.learned.classes.empty()) {
    fail(ErrorKind::bad_data,
         options.ask.model + ": is a model of the classes '" + model.target + "'; take `audio classify`");
  }
  return told_numbers(model, ask(model, options.ask, context), options.confidence, options.ask.out);
}

}  // namespace

std::vector<Verb> ask_verbs() {
  const Argument recordings{"IN.wav", "recordings, or folders of them", 1, 1'000'000, false};
  return {make_verb("audio", "classify", "the class of each recording, and how probable each class is", {recordings},
                    {{"model"}}, run_classify, without_page),
          make_verb("audio", "reverberation", "the reverberation time, or another number, of each recording",
                    {recordings}, {{"model"}}, run_reverberation, without_page)};
}

}  // namespace motet::audio
