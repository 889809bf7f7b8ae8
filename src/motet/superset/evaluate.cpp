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
  std::vector<double> inductive, transductive, confidence;
  std::vector<std::uint8_t> right;
  double covered = 0.0, size = 0.0;
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
    double hits = 0.0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::copy_n(said.probability.begin() + static_cast<std::ptrdiff_t>(i * classes), classes,
                  result.probability.begin() + static_cast<std::ptrdiff_t>(out[i] * classes));
      const std::int32_t t = items.truth[out[i]];
      if (t < 0) continue;
      ++one.items;
      const bool hit = said.label[i] == t;
      hits += hit ? 1.0 : 0.0;
      ++result.confusion[static_cast<std::size_t>(t) * classes + static_cast<std::size_t>(said.label[i])];
      confidence.push_back(said.confidence[i]);
      right.push_back(hit ? 1 : 0);
      if (coverage > 0.0) {
        const std::vector<std::uint32_t>& set = said.sets[i];
        covered += std::binary_search(set.begin(), set.end(), static_cast<std::uint32_t>(t)) ? 1.0 : 0.0;
        size += static_cast<double>(set.size());
      }
    }
    double known = 0.0, solved = 0.0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (truth[i] < 0) continue;
      known += 1.0;
      solved += likeliest(trained.probability, i, classes) == static_cast<std::size_t>(truth[i]) ? 1.0 : 0.0;
    }
    if (one.items > 0) inductive.push_back(one.inductive = hits / static_cast<double>(one.items));
    if (known > 0.0) transductive.push_back(one.transductive = solved / known);
    result.folds.push_back(std::move(one));
  });
  result.inductive = mean_sd(inductive);
  result.transductive = mean_sd(transductive);
  result.reliability = reliability(confidence, right);
  if (coverage > 0.0) {
    result.covered = covered / static_cast<double>(right.size());
    result.set_size = size / static_cast<double>(right.size());
  }
  result.log_likelihood = log_likelihoods(evidence_of(items, options.outside_probability), result.probability);
  return result;
}

}  // namespace motet::superset
