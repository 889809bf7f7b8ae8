#include "motet/superset/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/engine/cross_fit.h"
#include "motet/superset/predict.h"

namespace motet::superset {
namespace {

std::size_t likeliest(std::span<const double> p, std::size_t n, std::size_t classes) {
  const auto row = p.begin() + static_cast<std::ptrdiff_t>(n * classes);
  return static_cast<std::size_t>(std::max_element(row, row + static_cast<std::ptrdiff_t>(classes)) - row);
}

// What is counted over all parts.
struct Tally {
  std::vector<double> inductive, transductive;  // one per part
  std::vector<double> confidence;               // one per item whose truth is known, as `right`
  std::vector<std::uint8_t> right;
  double covered = 0.0, size = 0.0;  // of the prediction sets
};

// The share of right labels among items that were not learnt from.
double judge_unseen(const CandidateItems& items, std::span<const std::uint32_t> rows, const SupersetPrediction& said,
                    SupersetFold& fold, SupersetEvaluation& result, Tally& tally) {
  const std::size_t classes = items.classes.size();
  double hits = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(said.probability.begin() + static_cast<std::ptrdiff_t>(i * classes), classes,
                result.probability.begin() + static_cast<std::ptrdiff_t>(rows[i] * classes));
    const std::int32_t t = items.truth[rows[i]];
    if (t < 0) continue;
    ++fold.items;
    const bool hit = said.label[i] == t;
    hits += hit ? 1.0 : 0.0;
    ++result.confusion[static_cast<std::size_t>(t) * classes + static_cast<std::size_t>(said.label[i])];
    tally.confidence.push_back(said.confidence[i]);
    tally.right.push_back(hit ? 1 : 0);
    if (result.coverage > 0.0) {
      const std::vector<std::uint32_t>& set = said.sets[i];
      tally.covered += std::binary_search(set.begin(), set.end(), static_cast<std::uint32_t>(t)) ? 1.0 : 0.0;
      tally.size += static_cast<double>(set.size());
    }
  }
  return hits / static_cast<double>(fold.items);
}

}  // namespace

SupersetEvaluation cross_validate(const CandidateItems& items, const SupersetOptions& options, const Parts& parts,
                                  double coverage, const RunContext& run) {
  if (items.truth.empty() || std::all_of(items.truth.begin(), items.truth.end(), [](auto t) { return t < 0; })) {
    fail(ErrorKind::unanswerable, "no true label is known; evaluation needs some");
  }
  if (parts.of_row.size() != items.rows())
    fail(ErrorKind::usage, fmt::format("{} folds for {} items", parts.of_row.size(), items.rows()));
  const std::size_t classes = items.classes.size();
  SupersetEvaluation result;
  result.coverage = coverage;
  result.confusion.assign(classes * classes, 0);
  result.probability.assign(items.rows() * classes, 0.0);
  Tally tally;
  cross_fit(parts, {}, run, [&](const HeldOutPart& part, const RunContext& inner) {
    const auto [in, out] = std::pair(part.seen, part.unseen);
    if (run.observer) {
      run.observer({"evaluating", static_cast<double>(part.part), static_cast<double>(parts.count), "parts"});
    }
    CandidateItems training = rows_of(items, in);
    const std::vector<std::int32_t> truth = std::move(training.truth);
    training.truth.clear();  // what is not there cannot leak
    const TrainedSuperset trained = train_superset(std::move(training), options, inner);
    const SupersetPrediction said = predict(trained.model, rows_of(items, out).features, {0.0, coverage}, run.threads);
    SupersetFold one;
    one.scores = trained.model.scores;
    const double hit_share = judge_unseen(items, out, said, one, result, tally);
    double known = 0.0, solved = 0.0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (truth[i] < 0) continue;
      known += 1.0;
      solved += likeliest(trained.probability, i, classes) == static_cast<std::size_t>(truth[i]) ? 1.0 : 0.0;
    }
    if (one.items > 0) tally.inductive.push_back(one.inductive = hit_share);
    if (known > 0.0) tally.transductive.push_back(one.transductive = solved / known);
    result.folds.push_back(std::move(one));
  });
  result.inductive = mean_sd(tally.inductive);
  result.transductive = mean_sd(tally.transductive);
  result.reliability = reliability(tally.confidence, tally.right);
  if (coverage > 0.0) {
    result.covered = tally.covered / static_cast<double>(tally.right.size());
    result.set_size = tally.size / static_cast<double>(tally.right.size());
  }
  result.log_likelihood = log_likelihoods(evidence_of(items, options.outside_probability), result.probability);
  return result;
}

}  // namespace motet::superset
