#include "motet/app/superset/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "motet/app/answers.h"
#include "motet/app/checkpoint.h"
#include "motet/app/csv_output.h"
#include "motet/app/superset/disambiguate_document.h"
#include "motet/app/superset/evaluate.h"
#include "motet/app/superset/files.h"
#include "motet/app/superset/train_document.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/names.h"
#include "motet/io/record_file.h"
#include "motet/report/text_table.h"
#include "motet/superset/ambiguity.h"
#include "motet/superset/predict.h"
#include "motet/superset/simulate.h"
#include "motet/superset/train.h"
#include "motet/superset/update.h"

namespace motet::superset {
namespace {

// --- train ------------------------------------------------------------------------

struct TrainVerbOptions {
  CandidateFileOptions data;
  SupersetOptions train;
  std::string model;
  std::string disambiguated;
  CheckpointOptions checkpoint;
};

template <class V>
void visit_fields(V& v, TrainVerbOptions& o) {
  visit_fields(v, o.data);
  visit_fields(v, o.train);
  v("model", o.model, Writes{"MODEL.json"}, "write the model here");
  v("disambiguated", o.disambiguated, Writes{"OUT.csv"},
    "write the likeliest candidate of each item, with its probability; '-' is standard output");
  visit_fields(v, o.checkpoint);
}

Outcome run_train(const TrainVerbOptions& options, VerbContext& context) {
  require_heeded(options.train, context);
  const std::string& file = context.files[0];
  CandidateFile read = read_training_items(file, options.data, context.run);
  const auto checkpoint = keep_checkpoints(options.checkpoint, context.run, [&](Fingerprint& shaping) {
    const CandidateItems& items = read.items;
    shaping.add(items.features.values).add(items.starts).add(items.label).add(items.weight).add(items.outside);
    shaping.add(items.classes).add_options(options.train);
  });
  const TrainedSuperset trained = fit_with(*checkpoint, [&] {
    return with_frame(file, [&] { return train_superset(std::move(read.items), options.train, context.run); });
  });
  write_record(options.model, to_record(trained.model));
  if (!options.disambiguated.empty()) {
    write_disambiguated(options.disambiguated, trained.items, trained.probability);
  }
  Outcome outcome =
      told(superset_train_document({trained, trained.items, file, told_options(options.train), read.warnings}));
  outcome.finish = [checkpoint] { checkpoint->remove(); };
  return outcome;
}

// A model that is used on items, and where what comes of it goes.
struct ModelUse {
  CandidateFileOptions data;
  std::string model;
  std::string out;
};

struct Used {
  SupersetModel model;
  CandidateFile read;
};

Used read_used(const ModelUse& options, bool needs_candidates, const VerbContext& context) {
  SupersetModel model = read_superset_model(options.model);
  CandidateFile read = read_items_for(model, context.files[0], options.data, needs_candidates, context.run);
  return {std::move(model), std::move(read)};
}

// --- predict ----------------------------------------------------------------------

struct PredictVerbOptions : ModelUse {
  SupersetPredictOptions predict;
};

template <class V>
void visit_fields(V& v, PredictVerbOptions& o) {
  v("model", o.model, Reads{"MODEL.json"}, "written by `superset train`");
  visit_fields(v, o.predict);
  v("out", o.out, Writes{"PRED.csv"},
    "write the label of each item and the probability of every class; '-' is standard output");
  visit_item_columns(v, o.data);
}

std::string joined_classes(const std::vector<std::uint32_t>& set, const std::vector<std::string>& classes) {
  std::string text;
  for (const std::uint32_t l : set) text += (text.empty() ? "" : "|") + classes[l];
  return text;
}

Outcome run_predict(const PredictVerbOptions& options, VerbContext& context) {
  const std::string& file = context.files[0];
  const SupersetModel model = read_superset_model(options.model);
  const CandidateFile read = read_items_for(model, file, options.data, false, context.run);
  const NumberTable& features = read.items.features;
  const SupersetPrediction found =
      with_frame(context.files[0], [&] { return predict(model, features, options.predict, context.run.threads); });
  const std::size_t classes = model.classes.size();
  require_answers(options.model, found.probability, classes);
  CsvOutput out(options.out);
  CsvWriter& csv = out.csv();
  csv.text("item").text("label").text("probability");
  if (!found.sets.empty()) csv.text("set");
  csv.row(model.classes);
  std::vector<std::size_t> items_of(classes + 1);
  double set_size = 0.0;
  for (std::size_t n = 0; n < features.rows(); ++n) {
    const std::int32_t label = found.label[n];
    ++items_of[label < 0 ? classes : static_cast<std::size_t>(label)];
    csv.text(item_name(features, n)).text(label < 0 ? "" : model.classes[static_cast<std::size_t>(label)]);
    csv.number(found.confidence[n]);
    if (!found.sets.empty()) {
      csv.text(joined_classes(found.sets[n], model.classes));
      set_size += static_cast<double>(found.sets[n].size());
    }
    for (std::size_t l = 0; l < classes; ++l) csv.number(found.probability[n * classes + l]);
    csv.end_row();
  }
  out.finish();
  Table table{{{"label"}, {"items"}}, {}};
  Value counts;
  for (std::size_t l = 0; l < classes; ++l) {
    table.rows.push_back({model.classes[l], static_cast<std::int64_t>(items_of[l])});
    counts.set(model.classes[l], items_of[l]);
  }
  if (items_of[classes] > 0) table.rows.push_back({"(none given)", static_cast<std::int64_t>(items_of[classes])});
  const double rows = static_cast<double>(std::max<std::size_t>(features.rows(), 1));
  Outcome outcome;
  outcome.text = fmt::format("{} items", features.rows());
  if (!found.sets.empty()) outcome.text += fmt::format("; {:.2f} labels per set on average", set_size / rows);
  outcome.text += "\n\n" + to_text(table) + warning_lines(read.warnings);
  outcome.json = Value::object({{"items", features.rows()},
                                {"labels", std::move(counts)},
                                {"abstained", items_of[classes]},
                                {"set_size", found.sets.empty() ? Value() : Value(set_size / rows)},
                                {"warnings", Value::list_of(read.warnings)}});
  return outcome;
}

// --- disambiguate -----------------------------------------------------------------

struct DisambiguateVerbOptions : ModelUse {};

template <class V>
void visit_fields(V& v, DisambiguateVerbOptions& o) {
  v("model", o.model, Reads{"MODEL.json"}, "written by `superset train`");
  v("out", o.out, Writes{"OUT.csv"}, "write the likeliest candidate of each item; '-' is standard output");
  v("candidates_column", o.data.candidates_column, Text{"NAME"}, "column of the candidates");
  v("truth_column", o.data.truth_column, Text{"NAME"}, "column of true labels, to be written beside");
  visit_item_columns(v, o.data);
}

Outcome run_disambiguate(const DisambiguateVerbOptions& options, VerbContext& context) {
  const Used used = read_used(options, true, context);
  const CandidateFile& read = used.read;
  const std::vector<double> probability =
      with_frame(context.files[0], [&] { return disambiguate(read.items, used.model, context.run.threads); });
  const std::size_t classes = read.items.classes.size();
  require_answers(options.model, probability, classes);
  write_disambiguated(options.out, read.items, probability);
  return told(disambiguate_document({read.items.rows(), mean_confidence(probability, classes), read.warnings}));
}

// --- update -----------------------------------------------------------------------

struct UpdateVerbOptions : ModelUse {};

template <class V>
void visit_fields(V& v, UpdateVerbOptions& o) {
  v("model", o.model, Reads{"MODEL.json"}, "written by `superset train --method lsb-cmm`");
  v("new_model", o.out, Writes{"NEW.json"}, "write the updated model here");
  v("candidates_column", o.data.candidates_column, Text{"NAME"}, "column of the candidates");
  visit_item_columns(v, o.data);
}

Outcome run_update(const UpdateVerbOptions& options, VerbContext& context) {
  const Used used = read_used(options, true, context);
  const CandidateFile& read = used.read;
  const SupersetModel updated =
      with_frame(context.files[0], [&] { return update_superset(used.model, read.items, context.run); });
  write_record(options.out, to_record(updated));
  return {
      fmt::format("{} items more, {} in all\n{}", read.items.rows(), updated.items, warning_lines(read.warnings)),
      Value::object(
          {{"new_items", read.items.rows()}, {"items", updated.items}, {"warnings", Value::list_of(read.warnings)}})};
}

// --- simulate ---------------------------------------------------------------------

struct SimulateVerbOptions {
  BlobOptions blobs;
  AmbiguityOptions ambiguity;
  std::string out;
};

template <class V>
void visit_fields(V& v, SimulateVerbOptions& o) {
  visit_fields(v, o.blobs);
  visit_fields(v, o.ambiguity);
  v("out", o.out, Writes{"DATA.csv"}, "features, candidates and truth; '-' is standard output");
}

Outcome run_simulate(const SimulateVerbOptions& options, VerbContext& context) {
  const Seed seed = context.run.seed;
  const CandidateItems items = simulate_candidates(simulate_blobs(options.blobs, stream(seed, Stream::superset_blobs)),
                                                   options.ambiguity, stream(seed, Stream::superset_candidates));
  CsvOutput out(options.out);
  write_candidate_csv(out.csv(), items);
  out.finish();
  const double mean = static_cast<double>(items.label.size()) / static_cast<double>(items.rows());
  return {fmt::format("{} items of {} classes, {:.2f} candidates per item\n", items.rows(), items.classes.size(), mean),
          Value::object({{"items", items.rows()}, {"classes", items.classes.size()}, {"candidates_mean", mean}})};
}

}  // namespace

std::vector<Verb> superset_verbs() {
  const Argument data{"DATA", "items with candidates: .csv, .mat, or libsvm rows; '-' is standard input (csv)"};
  const Argument items{"DATA", "items: .csv, .mat, or libsvm rows; '-' is standard input (csv)"};
  return {
      make_verb("superset", "train", "learn to label from items of which only candidates are known", {data},
                {{"model"}}, run_train),
      make_verb("superset", "predict", "the labels of new items", {items}, {{"model"}, {"out"}}, run_predict,
                without_page),
      superset_evaluate_verb(),
      make_verb("superset", "disambiguate", "which candidate of each item is right", {data}, {{"model"}, {"out"}},
                run_disambiguate, without_page),
      make_verb("superset", "update", "a model after further items, without the old ones", {data},
                {{"model"}, {"new_model"}}, run_update, without_page),
      make_verb("superset", "simulate", "items with candidates and known truth, to try things with", {}, {{"out"}},
                run_simulate, without_page),
  };
}

}  // namespace motet::superset
