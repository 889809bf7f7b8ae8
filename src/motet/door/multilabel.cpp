#include <algorithm>
#include <utility>

#include "motet/base/error.h"
#include "motet/data/dataset.h"
#include "motet/data/names.h"
#include "motet/door/inside.h"
#include "motet/io/record_text.h"
#include "motet/multilabel/decision_options.h"
#include "motet/multilabel/naming.h"
#include "motet/multilabel/predict.h"
#include "motet/multilabel/separate.h"
#include "motet/multilabel/simulate.h"
#include "motet/multilabel/train.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/multilabel.h"

namespace motet::multilabel {
namespace {

Dataset inside(const Items& items) {
  Dataset data{door::numbers_of(items.features), {}, {}};
  data.evidence.classes = items.labels;
  door::require_size("items: sets", items.sets.size(), data.features.rows());
  for (LabelSet set : items.sets) {
    std::sort(set.begin(), set.end());
    if (!set.empty() && set.back() >= items.labels.size()) {
      fail(ErrorKind::usage, "items: a label has a number beyond the list of names");
    }
    add_known(data.evidence, set);
  }
  return data;
}

TrainingChoice inside(const Options& options) {
  TrainingChoice choice = door::inside_options<TrainingChoice>(options);
  const auto given = [&](std::string_view name) { return door::is_given(options, name); };
  choice.train.given = {given("source"), given("combine"),      given("covariance"), given("background"),
                        given("noise"),  given("kernel_width"), given("penalty")};
  return choice;
}

}  // namespace

const std::vector<std::string>& Model::labels() const { return inside().all_labels(); }
const std::vector<std::string>& Model::columns() const { return inside().preparation.columns; }

std::string to_text(const Model& model) { return record_text(to_record(model.inside())); }

Model model_from_text(std::string_view text) { return door::model_of<Model>(text, multilabel_from_record); }

Trained train(const Items& items, const Options& options, const Run& run) {
  const TrainingChoice choice = inside(options);
  MultilabelFit fit =
      train_multilabel(labelled_items(inside(items)), choice.train, !choice.no_calibration, door::inside(run));
  return {door::outside<Model>(std::move(fit.model)), std::move(fit.summary), fit.label_sets, fit.log_likelihood,
          std::move(fit.warnings)};
}

OptionList train_options() { return door::list_of_options<TrainingChoice>(); }

Predictions predict(const Model& model, const FeatureTable& features, const Options& options, const Run& run) {
  const PredictOptions decide = multilabel::predict_options(door::inside_options<PredictionChoice>(options));
  SetPredictions found =
      multilabel::predict(model.inside(), door::in_columns(features, model.columns()), decide, door::inside(run));
  Predictions result{{},
                     std::move(found.probability),
                     std::move(found.log_likelihood),
                     std::move(found.marginal),
                     std::move(found.outlier),
                     std::move(found.rejected)};
  for (std::size_t n = 0; n < found.sets.rows(); ++n) {
    LabelSet& set = result.sets.emplace_back();
    for_each_bit(found.sets.row(n), [&](std::size_t k) { set.push_back(static_cast<std::uint32_t>(k)); });
  }
  return result;
}

Emissions separate(const Model& model, const Items& items, const Run& run) {
  const MultilabelModel& inner = model.inside();
  if (inner.per_set()) {
    fail(ErrorKind::unanswerable,
         "model: of --method new, has one source per label set, which cannot be taken apart; train with deconvolution");
  }
  if (inner.linear) {
    fail(ErrorKind::unanswerable,
         std::string("model: of --method ") + training_words[static_cast<std::size_t>(inner.options.method)] +
             ", has no sources that items could be taken apart into; train with deconvolution");
  }
  const Features features = door::in_columns(items.features, model.columns());
  door::require_size("items: sets", items.sets.size(), features.rows());
  const NameTable sources{NameList(inner.all_labels())};
  BitMatrix sets(features.rows(), inner.all_labels().size());
  for (std::size_t n = 0; n < items.sets.size(); ++n) {
    for (const std::uint32_t label : items.sets[n]) {
      if (label >= items.labels.size()) fail(ErrorKind::usage, "items: a label has a number beyond the list of names");
      const std::uint32_t source = sources.find(items.labels[label]);
      if (source == NameTable::absent) {
        fail(ErrorKind::bad_data, "items: label '" + items.labels[label] + "' has no source in the model");
      }
      sets.set(n, source);
    }
  }
  Emissions all{model_columns(inner.preparation), inner.labels, {}, {}, {}, {}};
  if (inner.options.background) all.sources.emplace_back("background");
  separate(inner, features, learnt_sets(inner, sets), door::inside(run),
           [&](std::size_t item, const Emission& emission) {
             all.item.push_back(static_cast<std::uint32_t>(item));
             all.source.push_back(static_cast<std::uint32_t>(emission.source));
             all.mean.insert(all.mean.end(), emission.mean.begin(), emission.mean.end());
             all.standard_deviation.insert(all.standard_deviation.end(), emission.sd.begin(), emission.sd.end());
           });
  return all;
}

Items simulate(const Options& options, const Run& run) {
  LabelledItems made = simulate_items(door::inside_options<SimulateItemsOptions>(options), Seed{run.seed}).items;
  Items items{{std::move(made.features.columns), std::move(made.features.values)}, std::move(made.labels), {}};
  for (std::size_t n = 0; n < made.sets.rows(); ++n) {
    LabelSet& set = items.sets.emplace_back();
    for_each_bit(made.sets.row(n), [&](std::size_t k) { set.push_back(static_cast<std::uint32_t>(k)); });
  }
  return items;
}

OptionList simulate_options() { return door::list_of_options<SimulateItemsOptions>(); }

OptionList predict_options() { return door::list_of_options<PredictionChoice>(); }

}  // namespace motet::multilabel
