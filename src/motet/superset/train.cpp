#include "motet/superset/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/split.h"
#include "motet/superset/calibrate.h"
#include "motet/superset/companions.h"
#include "motet/superset/predict.h"

namespace motet::superset {
namespace {

// Rows enough to calibrate by; of more a part is drawn.
constexpr std::size_t most_judged_rows = 50'000;

void require_answerable(const CandidateItems& items, const SupersetOptions& options) {
  check_candidates(items);
  check_ranges(options);
  if (items.features.dimensions() == 0) fail(ErrorKind::bad_data, "there are no features");
  if (items.rows() < options.folds) {
    fail(ErrorKind::unanswerable,
         fmt::format("{} items cannot be cut into --folds {} parts; fewer --folds or more items are needed",
                     items.rows(), options.folds));
  }
  bool says_something = false;
  bool differs = false;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    says_something = says_something || items.candidates(n).size() < items.classes.size() || !items.weighs_alike(n);
    differs = differs || !std::ranges::equal(items.features.row(n), items.features.row(0));
  }
  if (!says_something) {
    fail(ErrorKind::unanswerable, "no item says anything of its label; some need fewer candidates than all classes");
  }
  if (!differs) {
    fail(ErrorKind::unanswerable, "all features are the same for every item, so nothing tells the classes apart");
  }
}

SupersetCalibration calibrate_by_some(std::span<const MemberPlan> plans, const CandidateItems& items,
                                      const SupersetOptions& options, const RunContext& run) {
  if (items.rows() <= most_judged_rows) return calibrate(plans, items, options, run);
  const std::vector<std::uint32_t> rows =
      sample_by_lot(items.rows(), most_judged_rows, stream(run.seed, Stream::superset_judged_rows));
  return calibrate(plans, rows_of(items, rows), options, run);
}

// Whether mixtures can be fitted from the candidates as they are, in batches: nothing then needs a matrix of evidence.
bool is_by_candidates(const SupersetModel& model) {
  const SupersetOptions& options = model.options;
  return options.method == SupersetMethod::lsb_cmm && options.batch > 0 && options.batch < model.items &&
         options.outside_probability == 0.0 && !model.is_weighed();
}

// Distances and curvatures are squares, and what is learnt from them squares again.
void require_workable(const NumberTable& features) {
  constexpr double largest = 1e70;
  for (std::size_t i = 0; i < features.values.size(); ++i) {
    if (std::abs(features.values[i]) <= largest) continue;
    fail(ErrorKind::bad_data, fmt::format("feature '{}' = {} is too large to be taken as it is; leave out "
                                          "--no-standardize, or divide it by a large number",
                                          features.columns[i % features.dimensions()], to_text(features.values[i])));
  }
}

}  // namespace

TrainedSuperset train_superset(CandidateItems items, const SupersetOptions& options, const RunContext& run) {
  require_answerable(items, options);
  TrainedSuperset result;
  SupersetModel& model = result.model;
  model.classes = items.classes;
  for (const std::uint32_t l : never_candidates(items)) model.never.push_back(items.classes[l]);
  model.items = items.rows();
  model.options = options;
  model.preparation = learn_preparation(items.features, {options.standardize, 0}, run.threads);
  prepare_in_place(model.preparation, items.features.values, run.threads);
  require_workable(items.features);
  const std::span<const double> x = items.features.values;

  const std::vector<MemberPlan> plans = options.method == SupersetMethod::automatic
                                            ? plans_of_auto(options, items.rows())
                                            : std::vector<MemberPlan>{plan_of(options)};
  SupersetCalibration calibration = calibrate_by_some(plans, items, options, run);
  model.credit = std::move(calibration.credit);
  model.sharpness = calibration.average_sharpness;
  model.scores = std::move(calibration.scores);
  model.companions = std::move(calibration.companions);
  model.sets = std::move(calibration.sets);

  const bool by_candidates = is_by_candidates(model);
  const EvidenceMatrix evidence =
      by_candidates ? EvidenceMatrix{} : credited(evidence_of(items, options.outside_probability), model.credit);
  const std::vector<double>& weight = calibration.weight;
  RunContext quiet = run;
  quiet.save = nullptr;
  quiet.resume = nullptr;
  std::size_t heaviest = 0;
  for (std::size_t m = 0; m < plans.size(); ++m) {
    if (weight[m] == 0.0) continue;
    if (run.observer) {
      run.observer(
          {"fitting " + name_of(plans[m]), static_cast<double>(m), static_cast<double>(plans.size()), "methods"});
    }
    MemberFit fit = by_candidates ? fit_mixtures(plans[m], items, x, options, quiet)
                                  : fit_member(plans[m], evidence, x, model.dimensions(), options, quiet);
    fit.member.sharpness = calibration.sharpness[m];
    if (model.members.empty() || weight[m] > weight[heaviest]) {
      heaviest = m;
      result.summary = std::move(fit.summary);
    }
    model.members.push_back(std::move(fit.member));
    model.weights.push_back(weight[m]);
  }
  result.probability = disambiguate_prepared(items, model, run.threads);
  result.items = std::move(items);
  return result;
}

}  // namespace motet::superset
