#include "motet/judges/bootstrap.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/streams.h"

namespace motet::judges {
namespace {

// Weights of the rows when item_total items are drawn with replacement.
std::vector<double> draw_weights(const VoteTable& table, Rng rng) {
  std::vector<double> until(table.row_count());  // running total of the original weights
  double total = 0.0;
  for (std::size_t row = 0; row < until.size(); ++row) until[row] = total += table.weight(row);
  std::vector<double> weights(table.row_count(), 0.0);
  for (auto left = static_cast<std::size_t>(total); left > 0; --left) {
    const auto at = std::upper_bound(until.begin(), until.end() - 1, rng.uniform() * total);
    weights[static_cast<std::size_t>(at - until.begin())] += 1.0;
  }
  return weights;
}

VoteTable reweighted(const VoteTable& table, std::vector<double> weights) {
  VoteTable copy;
  copy.judge_count = table.judge_count;
  copy.class_count = table.class_count;
  copy.starts = table.starts;
  copy.codes = table.codes;
  copy.known = table.known;
  copy.leaves = table.leaves;
  copy.weights = std::move(weights);
  return copy;
}

// Samples that all agree, as they do about a judge never seen to err, do not make sure of anything: then the interval
// is that of a share seen in so many votes.
Interval percentiles(std::vector<double> values, double confidence, double votes) {
  std::sort(values.begin(), values.end());
  constexpr double rounding = 1e-9;
  if (values.back() - values.front() < rounding) return probability_interval(values.front(), votes, confidence);
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    const std::size_t high = std::min(low + 1, values.size() - 1);
    return values[low] + (place - std::floor(place)) * (values[high] - values[low]);
  };
  return {at(0.5 * (1.0 - confidence)), at(0.5 * (1.0 + confidence))};
}

}  // namespace

Bootstrap bootstrap_judges(const VoteTable& table, const ConfusionSpec& spec, std::span<const double> parameters,
                           const EmRule& rule, std::size_t samples, double confidence, const RunContext& run) {
  const std::size_t k = table.class_count;
  std::vector<std::vector<double>> fits(samples);
  RunContext inner;  // one thread each: the samples are the parallel work
  inner.threads.count = 1;
  inner.cancel = run.cancel;
  std::atomic<std::size_t> done{0};
  const Rng root = stream(run.seed, Stream::judges_bootstrap);
  for_each_task(samples, run.threads, [&](std::size_t b) {
    if (run.cancelled()) return;
    const VoteTable drawn = reweighted(table, draw_weights(table, root.child(b)));
    fits[b] = run_em(confusion_problem(drawn, spec), {parameters.begin(), parameters.end()}, rule, inner).parameters;
    const std::size_t count = ++done;
    if (run.observer && count % 16 == 0) {
      run.observer({"resampling", static_cast<double>(count), static_cast<double>(samples), "samples"});
    }
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while resampling");

  const auto over_samples = [&](const auto& value_of) {
    std::vector<double> values(samples);
    for (std::size_t b = 0; b < samples; ++b) values[b] = value_of(fits[b]);
    return values;
  };
  const std::vector<double> counts = vote_counts(table);
  Bootstrap result;
  for (std::size_t j = 0; j < table.judge_count; ++j) {
    double votes = 0.0;
    for (std::size_t c = 0; c < k; ++c) votes += counts[j * k + c];
    std::vector<double> values = over_samples([&](const auto& p) { return accuracy_of(p, k, j); });
    result.accuracy_sd.push_back(mean_sd(values).sd);
    result.accuracy.push_back(percentiles(std::move(values), confidence, votes));
    std::vector<Interval> cells;
    for (std::size_t y = 0; y < k; ++y) {
      for (std::size_t c = 0; c < k; ++c) {
        cells.push_back(percentiles(over_samples([&](const auto& p) { return p[k + (j * k + c) * k + y]; }), confidence,
                                    votes * parameters[y]));
      }
    }
    result.cells.push_back(std::move(cells));
  }
  for (std::size_t y = 0; y < k; ++y) {
    const double items = spec.known_prior.empty() ? table.item_total() : infinity;
    result.prior.push_back(percentiles(over_samples([&](const auto& p) { return p[y]; }), confidence, items));
  }
  return result;
}

}  // namespace motet::judges
