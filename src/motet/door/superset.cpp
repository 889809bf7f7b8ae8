#include <algorithm>
#include <utility>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/dataset.h"
#include "motet/door/inside.h"
#include "motet/io/record_text.h"
#include "motet/superset/predict.h"
#include "motet/superset/simulate.h"
#include "motet/superset/train.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/superset.h"

namespace motet::superset {
namespace {

void add_item(Evidence& evidence, std::vector<Candidate> candidates) {
  if (candidates.empty()) return add_nothing(evidence);
  std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.label < b.label; });
  std::vector<std::uint32_t> labels;
  std::vector<double> weights;
  for (const Candidate& one : candidates) {
    if (one.label >= evidence.classes.size()) {
      fail(ErrorKind::usage, "items: a candidate has a number beyond the list of classes");
    }
    if (!(one.weight > 0.0)) fail(ErrorKind::usage, "items: the weight of a candidate is not above 0");
    if (!labels.empty() && labels.back() == one.label) {
      fail(ErrorKind::bad_data, "items: candidate '" + evidence.classes[one.label] + "' is named twice");
    }
    labels.push_back(one.label);
    weights.push_back(one.weight);
  }
  add_candidates(evidence, labels, weights);
}

CandidateItems inside(const Items& items, NumberTable features) {
  Dataset data{std::move(features), {}, {}};
  data.evidence.classes = items.classes;
  door::require_size("items: candidates", items.candidates.size(), data.features.rows());
  for (const std::vector<Candidate>& candidates : items.candidates) add_item(data.evidence, candidates);
  return candidate_items(std::move(data));
}

struct SimulateOptions {
  BlobOptions blobs;
  AmbiguityOptions ambiguity;
};

template <class V>
void visit_fields(V& v, SimulateOptions& o) {
  visit_fields(v, o.blobs);
  visit_fields(v, o.ambiguity);
}

}  // namespace

const std::vector<std::string>& Model::classes() const { return inside().classes; }
const std::vector<std::string>& Model::columns() const { return inside().preparation.columns; }

std::string to_text(const Model& model) { return record_text(to_record(model.inside())); }

Model model_from_text(std::string_view text) { return door::model_of<Model>(text, superset_from_record); }

OptionList train_options() { return door::list_of_options<SupersetOptions>(); }

Trained train(const Items& items, const Options& options, const Run& run) {
  TrainedSuperset trained = train_superset(inside(items, door::numbers_of(items.features)),
                                           door::inside_options<SupersetOptions>(options), door::inside(run));
  return {door::outside<Model>(std::move(trained.model)), std::move(trained.summary), std::move(trained.probability)};
}

Predictions predict(const Model& model, const FeatureTable& features, const Options& options, const Run& run) {
  SupersetPrediction found =
      superset::predict(model.inside(), door::in_columns(features, model.columns()),
                        door::inside_options<SupersetPredictOptions>(options), door::inside(run).threads);
  return {std::move(found.label), std::move(found.confidence), std::move(found.probability), std::move(found.sets)};
}

OptionList predict_options() { return door::list_of_options<SupersetPredictOptions>(); }

Simulated simulate(const Options& options, const Run& run) {
  const auto chosen = door::inside_options<SimulateOptions>(options);
  const Seed seed{run.seed};
  CandidateItems made = simulate_candidates(simulate_blobs(chosen.blobs, stream(seed, Stream::superset_blobs)),
                                            chosen.ambiguity, stream(seed, Stream::superset_candidates));
  Simulated result{{{std::move(made.features.columns), std::move(made.features.values)}, std::move(made.classes), {}},
                   std::move(made.truth)};
  for (std::size_t n = 0; n < made.rows(); ++n) {
    std::vector<Candidate>& candidates = result.items.candidates.emplace_back();
    for (const std::uint32_t label : made.candidates(n)) candidates.push_back({label, 1.0});
  }
  return result;
}

OptionList simulate_options() { return door::list_of_options<SimulateOptions>(); }

std::vector<double> disambiguate(const Model& model, const Items& items, const Run& run) {
  Features features = door::in_columns(items.features, model.columns());
  return superset::disambiguate(inside(items, static_cast<NumberTable&&>(features)), model.inside(),
                                door::inside(run).threads);
}

}  // namespace motet::superset
