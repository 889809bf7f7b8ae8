#include "motet/app/multilabel/verbs.h"

#include <array>

#include "motet/app/checkpoint.h"
#include "motet/app/multilabel/analyze_document.h"
#include "motet/app/multilabel/clips.h"
#include "motet/app/multilabel/evaluate.h"
#include "motet/app/multilabel/files.h"
#include "motet/app/multilabel/predict.h"
#include "motet/app/multilabel/separate.h"
#include "motet/app/multilabel/simulate.h"
#include "motet/app/multilabel/train_document.h"
#include "motet/app/multilabel/truth.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/io/json.h"
#include "motet/io/record_file.h"
#include "motet/multilabel/naming.h"
#include "motet/multilabel/train.h"

namespace motet::multilabel {
namespace {

// --- train ------------------------------------------------------------------------

struct TrainVerbOptions {
  ItemsFileOptions data;
  TrainingChoice choice;
  std::string model;
  CheckpointOptions checkpoint;
};

template <class V>
void visit_fields(V& v, TrainVerbOptions& o) {
  visit_fields(v, o.data);
  visit_fields(v, o.choice);
  v("model", o.model, Writes{"MODEL.json"}, "write the model here");
  visit_fields(v, o.checkpoint);
}

Outcome run_train(const TrainVerbOptions& chosen, VerbContext& context) {
  TrainVerbOptions options = chosen;
  options.choice.train.given = given_options(context);
  options.data = for_files(options.data, context);
  const std::string& file = context.files[0];
  const LabelledFile read = read_items(file, options.data, context.run);
  const auto checkpoint = keep_checkpoints(options.checkpoint, context.run, [&](Fingerprint& shaping) {
    const GivenOptions& given = options.choice.train.given;
    shaping.add(read.items.features.values).add(read.items.sets).add_options(options.choice.train);
    shaping.add(std::array{given.source, given.combine, given.covariance, given.background, given.noise,
                           given.kernel_width, given.penalty});
  });
  const MultilabelFit fit = fit_with(*checkpoint, [&] {
    return about(file, [&] {
      return train_multilabel(read.items, options.choice.train, !options.choice.no_calibration, context.run);
    });
  });
  write_record(options.model, to_record(fit.model));
  Outcome outcome = told(
      multilabel_train_document({fit, file, told_options(options.choice.train), read.warnings}, wanted_of(context)));
  outcome.finish = [checkpoint] { checkpoint->remove(); };
  return outcome;
}

// --- analyze ----------------------------------------------------------------------

struct AnalyzeVerbOptions {
  ItemsFileOptions data;
  std::string model;
  double confidence = 0.95;
  std::string truth;
};

template <class V>
void visit_fields(V& v, AnalyzeVerbOptions& o) {
  v("model", o.model, Reads{"MODEL.json"}, "written by `multilabel train`");
  v("confidence", o.confidence, Range<double>{0.5, 0.9999}, "of the intervals of source parameters");
  v("truth", o.truth, Reads{"SOURCES.csv"},
    "of simulated items, written by `multilabel simulate --truth`: how far the sources are from the true ones");
  visit_fields(v, o.data);
}

Outcome run_analyze(const AnalyzeVerbOptions& options, VerbContext& context) {
  const ItemsFileOptions data = for_files(options.data, context);
  const std::string& file = context.files[0];
  const MultilabelModel model = read_multilabel_model(options.model);
  const LabelledFile read = read_items_for(model, file, data, true, context.run);
  const Analysis analysis = about(file, [&] { return analyze(read.items, model, options.confidence, context.run); });
  MultilabelAnalyzeReport report{analysis, model, file, options.confidence, read.warnings};
  if (!options.truth.empty()) report.distance = distance_from_truth(options.truth, model, options.model, analysis);
  return told(multilabel_analyze_document(report, wanted_of(context)));
}

}  // namespace

std::vector<Verb> multilabel_verbs() {
  std::vector<Verb> verbs = {
      make_verb("multilabel", "train", "learn the sources behind items with several labels", {labelled_data},
                {{"model"}}, run_train),
      multilabel_predict_verb(),
      multilabel_evaluate_verb(),
      multilabel_separate_verb(),
      make_verb("multilabel", "analyze",
                "what the data can tell about each source, how precisely, and whether labels "
                "combine as the model says",
                {labelled_data}, {{"model"}}, run_analyze),
      multilabel_simulate_verb(),
  };
  for (Verb& verb : multilabel_clip_verbs()) verbs.push_back(std::move(verb));
  return verbs;
}

}  // namespace motet::multilabel
