#include "motet/app/multilabel/separate.h"

#include <fmt/format.h>

#include "motet/app/csv_output.h"
#include "motet/app/multilabel/files.h"
#include "motet/base/error.h"
#include "motet/multilabel/naming.h"
#include "motet/multilabel/separate.h"
#include "motet/report/text_table.h"

namespace motet::multilabel {
namespace {

struct SeparateVerbOptions {
  ItemsFileOptions data;
  std::string model;
  DecisionOptions decide;
  bool predicted = false;
  bool spread = false;
  std::string out;
};

template <class V>
void visit_fields(V& v, SeparateVerbOptions& o) {
  v("model", o.model, Reads{"MODEL.json"}, "written by `multilabel train`");
  v("out", o.out, Writes{"SOURCES.csv"}, "write what each source is expected to have emitted; '-' is standard output");
  v("spread", o.spread, "also columns with the standard deviation of each emission");
  v("predicted", o.predicted, "take the predicted labels, also where the data have labels");
  visit_fields(v, o.decide);
  visit_fields(v, o.data);
}

// Returns how many emissions there are.
std::size_t write_emissions(const SeparateVerbOptions& options, const MultilabelModel& model,
                            const NumberTable& features, const BitMatrix& sets, const RunContext& run) {
  CsvOutput out(options.out);
  CsvWriter& csv = out.csv();
  csv.text("item").text("source");
  const std::vector<std::string> columns = model_columns(model.preparation);
  for (const std::string& name : columns) csv.text(name);
  if (options.spread) {
    for (const std::string& name : columns) csv.text(name + "_sd");
  }
  csv.end_row();
  std::size_t written = 0;
  separate(model, features, sets, run, [&](std::size_t item, const Emission& emission) {
    csv.text(item_name(features, item)).text(source_name(model, emission.source));
    for (const double mean : emission.mean) csv.number(mean);
    if (options.spread) {
      for (const double sd : emission.sd) csv.number(sd);
    }
    csv.end_row();
    ++written;
  });
  out.finish();
  return written;
}

Outcome run_separate(const SeparateVerbOptions& options, VerbContext& context) {
  const ItemsFileOptions data = for_files(options.data, context);
  const std::string& file = context.files[0];
  const PredictOptions decide = predict_options(options.decide);
  const MultilabelModel model = read_multilabel_model(options.model);
  if (model.per_set()) {
    fail(ErrorKind::unanswerable, options.model +
                                      ": a model of --method new has one source per label set, which cannot be taken "
                                      "apart; train with deconvolution");
  }
  if (model.linear) {
    fail(ErrorKind::unanswerable,
         fmt::format("{}: a model of --method {} has no sources that items could be taken apart into; train with "
                     "deconvolution",
                     options.model, training_words[static_cast<std::size_t>(model.options.method)]));
  }
  const LabelledFile read = read_items_for(model, file, data, false, context.run);
  const bool is_predicted = options.predicted || !read.items.has_sets();
  const BitMatrix sets =
      is_predicted ? about(file, [&] { return predict(model, read.items.features, decide, context.run).sets; })
                   : read.items.sets;
  const std::size_t written = about(file, [&] {
    return write_emissions(options, model, read.items.features, learnt_sets(model, sets), context.run);
  });
  const bool projects = !model.preparation.components.empty();
  Outcome outcome;
  outcome.text = fmt::format("{} items, {} emissions of their sources; label sets {}\n", read.items.rows(), written,
                             is_predicted ? "as predicted" : "as in the data");
  if (projects) outcome.text += "emissions are in the model's space: pc1, pc2, ... are its components\n";
  outcome.text += warning_lines(read.warnings);
  outcome.json = Value::object({{"items", read.items.rows()},
                                {"emissions", written},
                                {"predicted_labels", is_predicted},
                                {"units", projects ? "components" : "features"},
                                {"warnings", Value::list_of(read.warnings)}});
  return outcome;
}

}  // namespace

Verb multilabel_separate_verb() {
  return make_verb("multilabel", "separate", "what each source contributed to each item", {any_data},
                   {{"model"}, {"out"}}, run_separate, without_page);
}

}  // namespace motet::multilabel
