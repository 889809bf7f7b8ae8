#include "motet/app/superset/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "motet/app/answers.h"
#include "motet/app/checkpoint.h"
#include "motet/app/csv_output.h"
#include "motet/app/superset/evaluate.h"
#include "motet/app/superset/files.h"
#include "motet/app/superset/train_document.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/names.h"
#include "motet/io/record_file.h"
#include "motet/report/text_table.h"
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
  v("model", o.model, Text{"MODEL.json"}, "write the model here");
  v("disambiguated", o.disambiguated, Text{"OUT.csv"},
    "write the likeliest candidate of each item, with its probability; '-' is standard output");
  visit_fields(v, o.checkpoint);
}

Outcome run_train(const TrainVerbOptions& options, VerbContext& context) {
  require_given("train", context, {"model"});
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

// --- predict ----------------------------------------------------------------------

struct PredictVerbOptions {
  CandidateFileOptions data;
  SupersetPredictOptions predict;
  std::string model;
  std::string out;
};

template <class V>
void visit_fields(V& v, PredictVerbOptions& o) {
  v("model", o.model, Text{"MODEL.json"}, "written by `superset train`");
  visit_fields(v, o.predict);
  v("out", o.out, Text{"PRED.csv"},
    "write the label of each item and the probability of every class; '-' is standard output");
  v("item_column", o.data.item_column, Text{"NAME"}, "column that names the items; a column called item is one");
  v("delimiter", o.data.delimiter, Text{"CHARACTER"}, "between the fields of a csv; 'tab' is possible");
}

std::string joined_classes(const std::vector<std::uint32_t>& set, const std::vector<std::string>& classes) {
  std::string text;
  for (const std::uint32_t l : set) text += (text.empty() ? "" : "|") + classes[l];
  return text;
}

Outcome run_predict(const PredictVerbOptions& options, VerbContext& context) {
  require_given("predict", context, {"model", "out"});
  const std::string& file = context.files[0];
  const SupersetModel model = read_superset_model(options.model);
  const CandidateFile read = read_items_for(model, file, options.data, false, context.run);
  const NumberTable& features = read.items.features;
  const SupersetPrediction found =
      with_frame(file, [&] { return predict(model, features, options.predict, context.run.threads); });
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
  if (!found.sets.empty()) outcome.text += fmt::format("; {:.2f} labels a set on average", set_size / rows);
  outcome.text += "\n\n" + to_text(table) + warning_lines(read.warnings);
  outcome.json = Value::object({{"items", features.rows()},
                                {"labels", std::move(counts)},
                                {"abstained", items_of[classes]},
                                {"set_size", found.sets.empty() ? Value() : Value(set_size / rows)},
                                {"warnings", Value::list_of(read.warnings)}});
  return outcome;
}

// --- disambiguate -----------------------------------------------------------------

struct DisambiguateVerbOptions {
  CandidateFileOptions data;
  std::string model;
  std::string out;
};

template <class V>
void visit_fields(V& v, DisambiguateVerbOptions& o) {
  v("model", o.model, Text{"MODEL.json"}, "written by `superset train`");
  v("out", o.out, Text{"OUT.csv"}, "write the likeliest candidate of each item; '-' is standard output");
  v("candidates_column", o.data.candidates_column, Text{"NAME"}, "column of the candidates");
  v("truth_column", o.data.truth_column, Text{"NAME"}, "column of true labels, to be written beside");
  v("item_column", o.data.item_column, Text{"NAME"}, "column that names the items; a column called item is one");
  v("delimiter", o.data.delimiter, Text{"CHARACTER"}, "between the fields of a csv; 'tab' is possible");
}

Outcome run_disambiguate(const DisambiguateVerbOptions& options, VerbContext& context) {
  require_given("disambiguate", context, {"model", "out"});
  const std::string& file = context.files[0];
  const SupersetModel model = read_superset_model(options.model);
  const CandidateFile read = read_items_for(model, file, options.data, true, context.run);
  const std::vector<double> probability =
      with_frame(file, [&] { return disambiguate(read.items, model, context.run.threads); });
  const std::size_t classes = read.items.classes.size();
  require_answers(options.model, probability, classes);
  double sure = 0.0;
  for (std::size_t n = 0; n < read.items.rows(); ++n) {
    const auto begin = probability.begin() + static_cast<std::ptrdiff_t>(n * classes);
    sure += *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(classes));
  }
  const double mean = read.items.rows() == 0 ? 0.0 : sure / static_cast<double>(read.items.rows());
  write_disambiguated(options.out, read.items, probability);
  Outcome outcome;
  outcome.text = fmt::format("{} items; mean probability of the likeliest candidate {:.3f}\n{}", read.items.rows(),
                             mean, warning_lines(read.warnings));
  outcome.json = Value::object(
      {{"items", read.items.rows()}, {"mean_probability", mean}, {"warnings", Value::list_of(read.warnings)}});
  return outcome;
}

// --- update -----------------------------------------------------------------------

struct UpdateVerbOptions {
  CandidateFileOptions data;
  std::string model;
  std::string new_model;
};

template <class V>
void visit_fields(V& v, UpdateVerbOptions& o) {
  v("model", o.model, Text{"MODEL.json"}, "written by `superset train --method lsb-cmm`");
  v("new_model", o.new_model, Text{"NEW.json"}, "write what it is after these items here");
  v("candidates_column", o.data.candidates_column, Text{"NAME"}, "column of the candidates");
  v("item_column", o.data.item_column, Text{"NAME"}, "column that names the items; a column called item is one");
  v("delimiter", o.data.delimiter, Text{"CHARACTER"}, "between the fields of a csv; 'tab' is possible");
}

Outcome run_update(const UpdateVerbOptions& options, VerbContext& context) {
  require_given("update", context, {"model", "new_model"});
  const std::string& file = context.files[0];
  const SupersetModel model = read_superset_model(options.model);
  const CandidateFile read = read_items_for(model, file, options.data, true, context.run);
  const SupersetModel updated = with_frame(file, [&] { return update_superset(model, read.items, context.run); });
  write_record(options.new_model, to_record(updated));
  Outcome outcome;
  outcome.text =
      fmt::format("{} items more, {} in all\n{}", read.items.rows(), updated.items, warning_lines(read.warnings));
  outcome.json = Value::object(
      {{"new_items", read.items.rows()}, {"items", updated.items}, {"warnings", Value::list_of(read.warnings)}});
  return outcome;
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
  v("out", o.out, Text{"DATA.csv"}, "features, candidates and truth; '-' is standard output");
}

Outcome run_simulate(const SimulateVerbOptions& options, VerbContext& context) {
  require_given("simulate", context, {"out"});
  const Seed seed = context.run.seed;
  const CandidateItems items = simulate_candidates(simulate_blobs(options.blobs, stream(seed, Stream::superset_blobs)),
                                                   options.ambiguity, stream(seed, Stream::superset_candidates));
  CsvOutput out(options.out);
  write_candidate_csv(out.csv(), items);
  out.finish();
  const double mean = static_cast<double>(items.label.size()) / static_cast<double>(items.rows());
  Outcome outcome;
  outcome.text =
      fmt::format("{} items of {} classes, {:.2f} candidates an item\n", items.rows(), items.classes.size(), mean);
  outcome.json = Value::object({{"items", items.rows()}, {"classes", items.classes.size()}, {"candidates_mean", mean}});
  return outcome;
}

}  // namespace

std::vector<Verb> superset_verbs() {
  const Argument data{"DATA", "items with candidates: .csv, .mat, or libsvm rows; '-' is standard input (csv)"};
  const Argument items{"DATA", "items: .csv, .mat, or libsvm rows; '-' is standard input (csv)"};
  std::vector<Verb> verbs = {
      make_verb<TrainVerbOptions>("superset", "train", "learn to label from items of which only candidates are known",
                                  {data}, run_train),
      make_verb<PredictVerbOptions>("superset", "predict", "the labels of new items", {items}, run_predict),
      superset_evaluate_verb(),
      make_verb<DisambiguateVerbOptions>("superset", "disambiguate", "which candidate of each item is right", {data},
                                         run_disambiguate),
      make_verb<UpdateVerbOptions>("superset", "update", "a model after further items, without the old ones", {data},
                                   run_update),
      make_verb<SimulateVerbOptions>("superset", "simulate",
                                     "items with candidates and known truth, to try things with", {}, run_simulate),
  };
  verbs[0].required = {{"model"}};
  verbs[1].required = {{"model"}, {"out"}};
  verbs[1].has_page = false;
  verbs[3].required = {{"model"}, {"out"}};
  verbs[3].has_page = false;
  verbs[4].required = {{"model"}, {"new_model"}};
  verbs[4].has_page = false;
  verbs[5].required = {{"out"}};
  verbs[5].has_page = false;
  verbs[0].inputs = {"votes", "judges"};
  verbs[0].outputs = {{"model"}, {"disambiguated"}, {"checkpoint"}};
  for (const std::size_t reader : {1U, 3U, 4U}) verbs[reader].inputs = {"model"};
  for (const std::size_t writer : {1U, 3U, 5U}) verbs[writer].outputs = {{"out"}};
  verbs[4].outputs = {{"new_model"}};
  return verbs;
}

}  // namespace motet::superset
