#include "motet/app/audio/learn.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "motet/app/audio/clips.h"
#include "motet/app/audio/scene_model.h"
#include "motet/app/audio/study_document.h"
#include "motet/app/told.h"
#include "motet/audio/scenes/calibration.h"
#include "motet/report/text_table.h"

namespace motet::audio {
namespace {

struct TrainOptions {
  ClipListOptions list;
  ClipOptions clips;
  LearnOptions learn;
  bool strict = false;
  std::string model;
};

template <class V>
void visit_fields(V& v, TrainOptions& o) {
  visit_fields(v, o.list);
  visit_fields(v, o.clips);
  visit_fields(v, o.learn);
  v("strict", o.strict, "stop at the first clip that cannot be heard; else it is told and left out");
  v("model", o.model, Writes{"MODEL.json"}, "write the model here");
}

struct EvaluateClipsOptions {
  ClipListOptions list;
  ClipOptions clips;
  StudyOptions study;
  bool strict = false;
};

template <class V>
void visit_fields(V& v, EvaluateClipsOptions& o) {
  visit_fields(v, o.list);
  visit_fields(v, o.clips);
  visit_fields(v, o.study);
  v("strict", o.strict, "stop at the first clip that cannot be heard; else it is told and left out");
}

// New recordings have other sources, and where responses are known, come from other rooms.
Groupings calibration_groups(const Clips& clips) {
  const bool is_alone = std::set<std::uint32_t>(clips.source.begin(), clips.source.end()).size() == clips.source.size();
  if (clips.response.empty()) return {clips.source};
  if (is_alone) return {clips.response};
  return {clips.source, clips.response};
}

std::string trained_text(const Clips& clips, const Learned& learned, const std::string& target, double error) {
  const bool is_class = clips.target.is_class();
  std::string text =
      fmt::format("{} clips, {} features, {}\n{} on the clips themselves {:.4f}; `audio evaluate` tells it of others\n",
                  clips.rows.rows(), clips.columns.size(),
                  is_class ? fmt::format("{} classes", clips.target.classes.size()) : target + " as a number",
                  is_class ? "balanced error" : "mean |residual|", error);
  if (learned.cost > 0.0) text += fmt::format("cost {:.4g}", learned.cost);
  if (learned.method == LearnMethod::svm_rbf) text += fmt::format(", gamma {:.4g}", learned.gamma);
  if (learned.cost > 0.0) text += "\n";
  return text;
}

Outcome run_train(const TrainOptions& options, VerbContext& context) {
  const HeardClips heard = read_clips(context.files[0], options.list, {options.clips, options.strict}, context.run);
  const Clips& clips = heard.clips;
  SceneModel model{{}, options.clips, heard.features.shape.sample_rate, options.list.target};
  model.learned = learn(clips.rows, clips.target, clips.source, options.learn, context.run);
  model.learned.columns = clips.columns;
  calibrate(model.learned, clips.rows, clips.target, calibration_groups(clips), options.learn, context.run);
  std::vector<std::string> warnings = warnings_of(heard.features);
  if (model.learned.calibration.offsets.empty() && model.learned.calibration.residuals.empty()) {
    warnings.emplace_back(
        "too few groups to hold out some of each class or response: the model will tell no probabilities or intervals");
  }
  write_scene_model(options.model, model);
  const double error = error_of_said(clips.target, model.learned.say(clips.rows));
  Outcome outcome;
  outcome.text = trained_text(clips, model.learned, options.list.target, error) + warning_lines(warnings);
  outcome.json = Value::object({{"clips", clips.rows.rows()},
                                {"features", clips.columns.size()},
                                {"classes", Value::list_of(clips.target.classes)},
                                {"training_error", error},
                                {"cost", model.learned.cost},
                                {"gamma", model.learned.gamma},
                                {"left_out", left_out_value(heard.features, heard.files)},
                                {"warnings", Value::list_of(warnings)}});
  return outcome;
}

Outcome run_evaluate(const EvaluateClipsOptions& options, VerbContext& context) {
  const HeardClips heard = read_clips(context.files[0], options.list, {options.clips, options.strict}, context.run);
  const std::vector<std::string> warnings = warnings_of(heard.features);
  Document document = study_document(study(heard.clips, options.study, context.run), heard.clips, options.list.target,
                                     told_options(options));
  document.text += warning_lines(warnings);
  document.warn_first(warnings);
  document.json.set("left_out", left_out_value(heard.features, heard.files));
  document.json.set("warnings", Value::list_of(warnings));
  return told(std::move(document));
}

}  // namespace

std::vector<Verb> learn_verbs() {
  const Argument list{"CLIPS.csv", "columns recording, what is to be learned, and perhaps source and response"};
  return {
      make_verb("audio", "train", "learn a class or a number from clips", {list}, {{"model"}}, run_train, without_page),
      make_verb("audio", "evaluate", "how well it is learned, on clips that are held out", {list}, {}, run_evaluate)};
}

}  // namespace motet::audio
