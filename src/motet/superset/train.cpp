#include "motet/superset/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/superset/predict.h"
#include "motet/superset/stack.h"

namespace motet {
namespace {

constexpr double least_weight = 0.01;  // of a member that is kept

struct Prepared {
  const CandidateItems& items;
  const SupersetOptions& options;
  Evidence evidence;
  std::vector<double> x;
  std::size_t dimensions;
};

// Scores of every row from fits that did not see it.
std::vector<double> unseen_scores(const MemberPlan& plan, const Prepared& data, std::span<const std::uint32_t> fold,
                                  std::size_t folds, const RunContext& run) {
  const std::size_t classes = data.evidence.classes;
  std::vector<double> g(data.evidence.values.size());
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<std::uint32_t> in, out;
    for (std::uint32_t n = 0; n < fold.size(); ++n) (fold[n] == f ? out : in).push_back(n);
    const CandidateItems part = rows_of(data.items, in);
    const std::vector<double> x = pick_rows(data.x, data.dimensions, in);
    const MemberFit fit = fit_member(plan, part, rows_of(data.evidence, in), x, data.dimensions, data.options, run);
    const std::vector<double> scores =
        member_scores(fit.member, pick_rows(data.x, data.dimensions, out), data.dimensions, run.threads);
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::copy_n(scores.begin() + static_cast<std::ptrdiff_t>(i * classes), classes,
                  g.begin() + static_cast<std::ptrdiff_t>(out[i] * classes));
    }
  }
  return g;
}

MemberScore score_of(std::string name, const Evidence& evidence, std::span<const double> p, double weight) {
  const MeanSd mean = mean_sd(log_likelihoods(evidence, p));
  return {std::move(name), mean.mean, mean.error, weight};
}

std::vector<double> logarithms(std::vector<double> p) {
  for (double& value : p) value = std::log(std::max(value, 1e-12));
  return p;
}

void require_answerable(const CandidateItems& items, const SupersetOptions& options) {
  check_candidates(items);
  check_ranges(options);
  if (items.features.dimensions() == 0) fail(ErrorKind::bad_data, "there are no features");
  if (items.rows() < options.folds) {
    fail(ErrorKind::unanswerable,
         fmt::format("{} items cannot be cut into folds = {} parts", items.rows(), options.folds));
  }
}

}  // namespace

std::vector<std::uint32_t> random_folds(std::size_t rows, std::size_t folds, Rng rng) {
  std::vector<std::uint32_t> fold(rows);
  for (std::size_t n = 0; n < rows; ++n) fold[n] = static_cast<std::uint32_t>(n % folds);
  for (std::size_t n = rows; n > 1; --n) std::swap(fold[n - 1], fold[rng.below(n)]);
  return fold;
}

TrainedSuperset train_superset(const CandidateItems& items, const SupersetOptions& options, const RunContext& run) {
  require_answerable(items, options);
  TrainedSuperset result;
  SupersetModel& model = result.model;
  model.classes = items.classes;
  for (const std::uint32_t l : never_candidates(items)) model.never.push_back(items.classes[l]);
  model.items = items.rows();
  model.options = options;
  model.preparation = learn_preparation(items.features, {options.standardize, 0}, run.threads);
  Prepared data{items, options, evidence_of(items, options.outside_probability),
                prepare(model.preparation, items.features, run.threads), model.preparation.outputs()};
  const std::size_t classes = items.classes.size();

  const std::vector<MemberPlan> plans = options.method == SupersetMethod::automatic
                                            ? plans_of_auto(options, items.rows())
                                            : std::vector<MemberPlan>{plan_of(options)};
  const std::vector<std::uint32_t> fold = random_folds(items.rows(), options.folds, Rng(run.seed).child(1));
  std::vector<double> sharpness;
  std::vector<std::vector<double>> unseen;
  for (const MemberPlan& plan : plans) {
    if (run.observer)
      run.observer({"trying " + name_of(plan), static_cast<double>(unseen.size()), static_cast<double>(plans.size()),
                    "methods"});
    const std::vector<double> g = unseen_scores(plan, data, fold, options.folds, run);
    sharpness.push_back(fit_sharpness(data.evidence, g));
    unseen.push_back(sharpened(g, classes, sharpness.back()));
  }

  Stack stack = fit_stack(data.evidence, unseen);
  double kept = 0.0;
  for (double& weight : stack.weight) kept += weight = weight < least_weight ? 0.0 : weight;
  for (double& weight : stack.weight) weight /= kept;
  for (std::size_t m = 0; m < plans.size(); ++m) {
    model.scores.push_back(score_of(name_of(plans[m]), data.evidence, unseen[m], stack.weight[m]));
  }
  std::vector<double> average = weighted_average(stack.weight, unseen);
  if (plans.size() > 1) {
    const std::vector<double> g = logarithms(average);
    model.sharpness = fit_sharpness(data.evidence, g);
    average = sharpened(g, classes, model.sharpness);
    model.scores.push_back(score_of("average", data.evidence, average, 1.0));
  }
  model.sets = calibrate_sets(data.evidence, average);

  std::size_t heaviest = 0;
  for (std::size_t m = 0; m < plans.size(); ++m) {
    if (stack.weight[m] == 0.0) continue;
    if (run.observer)
      run.observer(
          {"fitting " + name_of(plans[m]), static_cast<double>(m), static_cast<double>(plans.size()), "methods"});
    MemberFit fit = fit_member(plans[m], items, data.evidence, data.x, data.dimensions, options, run);
    fit.member.sharpness = sharpness[m];
    if (model.members.empty() || stack.weight[m] > stack.weight[heaviest]) {
      heaviest = m;
      result.summary = std::move(fit.summary);
    }
    model.members.push_back(std::move(fit.member));
    model.weights.push_back(stack.weight[m]);
  }
  result.probability = posterior(data.evidence, probabilities_of(model, data.x, run.threads));
  return result;
}

}  // namespace motet
