#include "motet/app/multilabel/predict.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/answers.h"
#include "motet/app/csv_output.h"
#include "motet/app/multilabel/files.h"
#include "motet/base/error.h"
#include "motet/multilabel/naming.h"
#include "motet/report/text_table.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t most_told_sets = 15;

struct PredictVerbOptions {
  ItemsFileOptions data;
  std::string model;
  PredictionChoice choice;
  std::string out;
  std::string marginals;
};

template <class V>
void visit_fields(V& v, PredictVerbOptions& o) {
  v("model", o.model, Reads{"MODEL.json"}, "written by `multilabel train`");
  visit_fields(v, o.choice);
  v("out", o.out, Writes{"PRED.csv"}, "write the labels of each item here; '-' is standard output");
  v("marginals", o.marginals, Writes{"FILE.csv"}, "write the probability of each label in each item; '-' as above");
  visit_fields(v, o.data);
}

std::string ranked_labels(const SetPredictions& predictions, std::size_t n, std::size_t rank) {
  return joined_labels(predictions.candidates.row(predictions.ranked[n][rank].set), predictions.labels);
}

void write_predictions(const std::string& path, const NumberTable& features, const SetPredictions& predictions,
                       std::size_t best) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  for (const char* name : {"item", "labels", "probability", "log_likelihood", "outlier", "rejected"}) csv.text(name);
  for (std::size_t i = 2; i <= best; ++i) csv.text(fmt::format("labels_{}", i)).text(fmt::format("posterior_{}", i));
  csv.end_row();
  for (std::size_t n = 0; n < features.rows(); ++n) {
    csv.text(item_name(features, n)).text(joined_labels(predictions.sets.row(n), predictions.labels));
    csv.number(predictions.probability[n]).number(predictions.log_likelihood[n]);
    csv.whole(predictions.outlier[n]).whole(predictions.rejected[n]);
    for (std::size_t i = 1; i < best; ++i) {
      if (i < predictions.ranked[n].size()) {
        csv.text(ranked_labels(predictions, n, i)).number(predictions.ranked[n][i].posterior);
      } else {
        csv.text("").text("");
      }
    }
    csv.end_row();
  }
  out.finish();
}

void write_marginals(const std::string& path, const NumberTable& features, const SetPredictions& predictions) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  csv.text("item");
  csv.row(predictions.labels);
  const std::size_t labels = predictions.labels.size();
  for (std::size_t n = 0; n < features.rows(); ++n) {
    csv.text(item_name(features, n));
    for (std::size_t k = 0; k < labels; ++k) csv.number(predictions.marginal[n * labels + k]);
    csv.end_row();
  }
  out.finish();
}

std::size_t ones(const std::vector<std::uint8_t>& flags) {
  return static_cast<std::size_t>(std::count_if(flags.begin(), flags.end(), [](std::uint8_t f) { return f != 0; }));
}

std::string predict_text(const SetPredictions& predictions, const std::vector<std::string>& warnings) {
  const std::size_t items = predictions.sets.rows();
  double sum = 0.0;
  for (const double p : predictions.probability) sum += p;
  std::string text = fmt::format("{} items; mean probability of the labels {:.3f}", items,
                                 items == 0 ? 0.0 : sum / static_cast<double>(items));
  if (const std::size_t rejected = ones(predictions.rejected); rejected > 0) {
    text += fmt::format("; {} left without labels", rejected);
  }
  if (const std::size_t outliers = ones(predictions.outlier); outliers > 0) {
    text += fmt::format("; {} unlike the training items", outliers);
  }
  if (const std::size_t novel = ones(predictions.novel); novel > 0) {
    text += fmt::format("; {} with a label set that no training item has", novel);
  }
  if (predictions.unproved > 0) {
    text += fmt::format("; {} not proved best (largest gap {:.3g})", predictions.unproved,
                        *std::max_element(predictions.gap.begin(), predictions.gap.end()));
  }
  std::vector<std::uint32_t> kept;
  for (std::size_t n = 0; n < items; ++n) {
    if (predictions.rejected[n] == 0) kept.push_back(static_cast<std::uint32_t>(n));
  }
  const LabelSetIndex index = index_label_sets(predictions.sets.rows_of(kept));
  std::vector<std::size_t> order(index.size());
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return index.count(a) > index.count(b); });
  Table table{{{"labels"}, {"items"}}, {}};
  for (std::size_t i = 0; i < std::min(order.size(), most_told_sets); ++i) {
    table.rows.push_back(
        {set_name(index.sets.row(order[i]), predictions.labels), static_cast<std::int64_t>(index.count(order[i]))});
  }
  text += "\n\n" + to_text(table);
  if (order.size() > most_told_sets) text += fmt::format("and {} sets more\n", order.size() - most_told_sets);
  return text + warning_lines(warnings);
}

Value names_of_set(std::span<const std::uint64_t> set, const std::vector<std::string>& labels) {
  Value::List names;
  for_each_bit(set, [&](std::size_t k) { names.emplace_back(labels[k]); });
  return names;
}

Value predict_json(const NumberTable& features, const SetPredictions& predictions,
                   const std::vector<std::string>& warnings) {
  Value::List items;
  for (std::size_t n = 0; n < features.rows(); ++n) {
    Value item = Value::object({{"item", item_name(features, n)},
                                {"labels", names_of_set(predictions.sets.row(n), predictions.labels)},
                                {"probability", predictions.probability[n]},
                                {"posterior", predictions.posterior[n]},
                                {"log_likelihood", predictions.log_likelihood[n]},
                                {"outlier", predictions.outlier[n] != 0},
                                {"rejected", predictions.rejected[n] != 0},
                                {"novel", predictions.novel[n] != 0},
                                {"gap", predictions.gap[n]}});
    Value::List ranked;
    for (const RankedSet& set : predictions.ranked[n]) {
      ranked.push_back(Value::object({{"labels", names_of_set(predictions.candidates.row(set.set), predictions.labels)},
                                      {"posterior", set.posterior}}));
    }
    item.set("best", std::move(ranked));
    items.push_back(std::move(item));
  }
  return Value::object({{"items", features.rows()},
                        {"labels", Value::list_of(predictions.labels)},
                        {"rejected", ones(predictions.rejected)},
                        {"outliers", ones(predictions.outlier)},
                        {"unproved", predictions.unproved},
                        {"predictions", std::move(items)},
                        {"warnings", Value::list_of(warnings)}});
}

Outcome run_predict(const PredictVerbOptions& options, VerbContext& context) {
  const ItemsFileOptions data = for_files(options.data, context);
  const std::string& file = context.files[0];
  const PredictOptions decide = predict_options(options.choice);
  const MultilabelModel model = read_multilabel_model(options.model);
  LabelledFile read = read_items_for(model, file, data, false, context.run);
  const NumberTable& features = read.items.features;
  if (options.choice.reject_below > 0.0 && !model.calibration.known()) {
    read.warnings.push_back(uncalibrated_warning(options.model));
  }
  if (options.choice.outlier_level > 0.0 && model.calibration.density.empty() && !model.linear) {
    read.warnings.push_back(options.model +
                            ": the model does not know how likely its training items are, so that no item is told as "
                            "an outlier; train it again");
  }
  if (const std::string warning = calibration_warning(options.choice.decide, model.options.method);
      model.calibration.known() && !warning.empty()) {
    read.warnings.push_back(warning);
  }
  const SetPredictions predictions = about(file, [&] { return predict(model, features, decide, context.run); });
  require_answers(options.model, predictions.probability);
  require_answers(options.model, predictions.log_likelihood);
  require_answers(options.model, predictions.marginal, predictions.labels.size());
  write_predictions(options.out, features, predictions, options.choice.best);
  if (!options.marginals.empty()) write_marginals(options.marginals, features, predictions);
  Outcome outcome;
  outcome.text = predict_text(predictions, read.warnings);
  if (context.wants_json()) outcome.json = predict_json(features, predictions, read.warnings);
  return outcome;
}

}  // namespace

Verb multilabel_predict_verb() {
  return make_verb("multilabel", "predict", "the labels of new items", {any_data}, {{"model"}, {"out"}}, run_predict,
                   without_page);
}

}  // namespace motet::multilabel
