#include <algorithm>
#include <utility>

#include "motet/base/error.h"
#include "motet/data/candidate_items.h"
#include "motet/door/inside.h"
#include "motet/io/record_text.h"
#include "motet/superset/predict.h"
#include "motet/superset/train.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/superset.h"

namespace motet::superset {
namespace {

void add_candidates(CandidateItems& items, std::vector<Candidate> candidates) {
  const std::size_t classes = items.classes.size();
  for (std::uint32_t l = 0; candidates.empty() && l < classes; ++l) candidates.push_back({l});
  std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.label < b.label; });
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& one = candidates[i];
    if (one.label >= classes) fail(ErrorKind::usage, "items: a candidate has a number beyond the list of classes");
    if (!(one.weight > 0.0)) fail(ErrorKind::usage, "items: the weight of a candidate is not above 0");
    if (i > 0 && candidates[i - 1].label == one.label) {
      fail(ErrorKind::bad_data, "items: candidate '" + items.classes[one.label] + "' is named twice");
    }
    items.label.push_back(one.label);
    items.weight.push_back(one.weight);
  }
  items.starts.push_back(items.label.size());
}

CandidateItems inside(const Items& items, Features features) {
  CandidateItems result;
  result.features = std::move(features);
  result.classes = items.classes;
  door::require_size("items: candidates", items.candidates.size(), result.features.rows());
  for (const std::vector<Candidate>& candidates : items.candidates) add_candidates(result, candidates);
  if (std::all_of(result.weight.begin(), result.weight.end(), [](double w) { return w == 1.0; })) {
    result.weight.clear();
  }
  return result;
}

Model outside(SupersetModel model) { return Model(std::make_shared<const SupersetModel>(std::move(model))); }

}  // namespace

const std::vector<std::string>& Model::classes() const { return inside_->classes; }
const std::vector<std::string>& Model::columns() const { return inside_->preparation.columns; }

std::string to_text(const Model& model) { return record_text(to_record(model.inside())); }

Model model_from_text(std::string_view text) { return outside(superset_from_record(parse_record(text, "model"))); }

Trained train(const Items& items, const Options& options, const Run& run) {
  TrainedSuperset trained = train_superset(inside(items, door::inside(items.features)),
                                           door::inside_options<SupersetOptions>(options), door::inside(run));
  return {outside(std::move(trained.model)), std::move(trained.summary), std::move(trained.probability)};
}

OptionList train_options() { return door::list_of_options<SupersetOptions>(); }

Predictions predict(const Model& model, const FeatureTable& features, const Options& options, const Run& run) {
  SupersetPrediction found =
      superset::predict(model.inside(), door::in_columns(features, model.columns()),
                        door::inside_options<SupersetPredictOptions>(options), door::inside(run).threads);
  return {std::move(found.label), std::move(found.confidence), std::move(found.probability), std::move(found.sets)};
}

OptionList predict_options() { return door::list_of_options<SupersetPredictOptions>(); }

std::vector<double> disambiguate(const Model& model, const Items& items, const Run& run) {
  return superset::disambiguate(inside(items, door::in_columns(items.features, model.columns())), model.inside(),
                                door::inside(run).threads);
}

}  // namespace motet::superset
