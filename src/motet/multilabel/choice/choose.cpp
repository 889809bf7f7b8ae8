#include "motet/multilabel/choice/choose.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/split.h"
#include "motet/multilabel/choice/held_out_items.h"
#include "motet/multilabel/choice/ways.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t most_items = 5000;  // that a choice is made on

Parts equal_parts(const BitMatrix& sets, std::size_t folds, Seed seed) {
  if (sets.rows() < folds) {
    fail(ErrorKind::unanswerable, "--folds " + std::to_string(folds) + " is more than the " +
                                      std::to_string(sets.rows()) + " items; use fewer folds");
  }
  return stratified_parts(sets, folds, seed);
}

// A stratified sample of most_items at most; it may take more than one turn to come so far.
std::vector<std::uint32_t> sample_of(const BitMatrix& all, Seed seed) {
  std::vector<std::uint32_t> rows(all.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  while (rows.size() > most_items) {
    const double wanted = static_cast<double>(most_items);
    const std::vector<double> shares{wanted, static_cast<double>(rows.size()) - wanted};
    const std::vector<std::uint32_t> places = stratified_parts(all.rows_of(rows), shares, seed).rows_of(0);
    rows = Rows(rows).at(places);
  }
  return rows;
}

// Labels that are wrong at 1/2, of all labels of all items.
double hamming_loss(const ThresholdCounts& counts, double items) {
  constexpr std::size_t half = threshold_steps / 2;
  double wrong = 0.0;
  for (std::size_t k = 0; k < counts.labels; ++k) {
    const std::size_t at = k * threshold_steps + half;
    wrong += counts.given[at] + counts.there[k] - 2.0 * counts.right[at];
  }
  return wrong / (items * static_cast<double>(std::max<std::size_t>(counts.labels, 1)));
}

double loss_of(const Trial& trial, Optimize optimize, const HeldOutItems& seen) {
  switch (optimize) {
    case Optimize::exact_match: return trial.error;
    case Optimize::log_loss: return trial.log_loss;
    case Optimize::hamming: return hamming_loss(seen.counts, static_cast<double>(seen.right.size()));
    default: return f1_loss(seen.counts, optimize);
  }
}

Trial trial_of(const TrainOptions& way, const HeldOutItems& seen) {
  Trial trial;
  trial.name = name_of_way(way);
  trial.options = way;
  const double items = static_cast<double>(seen.right.size());
  double right = 0.0;
  for (const std::uint8_t r : seen.right) right += r;
  trial.error = 1.0 - right / items;
  trial.standard_error = std::sqrt(trial.error * (1.0 - trial.error) / items);
  // A set that the training items of a fold lack costs as much as one seen half a time.
  const double worst = std::log(2.0 * items);
  for (const double log_true : seen.log_true) trial.log_loss += std::min(-log_true, worst) / items;
  trial.loss = loss_of(trial, way.optimize, seen);
  return trial;
}

// Mean and standard error of (a wrong) - (b wrong) over items.
std::pair<double, double> paired(const HeldOutItems& a, const HeldOutItems& b) {
  double sum = 0.0;
  double squares = 0.0;
  const double items = static_cast<double>(a.right.size());
  for (std::size_t n = 0; n < a.right.size(); ++n) {
    const double difference = static_cast<double>(b.right[n]) - static_cast<double>(a.right[n]);
    sum += difference;
    squares += difference * difference;
  }
  const double mean = sum / items;
  return {mean, std::sqrt(std::max(0.0, squares / items - mean * mean) / items)};
}

}  // namespace

std::vector<Trial> try_ways(const LabelledItems& items, const std::vector<TrainOptions>& ways, std::size_t folds,
                            const RunContext& run, const Deadline& deadline) {
  const std::vector<std::uint32_t> sample = sample_of(items.sets, drawn_seed(run.seed, Stream::multilabel_sample));
  const Parts parts =
      equal_parts(items.sets.rows_of(sample), folds, drawn_seed(run.seed, Stream::multilabel_trial_folds));
  const std::vector<HeldOutItems> seen =
      predict_held_out(items, sample, ways, parts, "trying ways to train", run, deadline);
  std::vector<Trial> trials(ways.size());
  std::vector<std::size_t> order;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    if (!seen[w].fitted) continue;
    trials[w] = trial_of(ways[w], seen[w]);
    trials[w].way = w;
    order.push_back(w);
  }
  if (order.empty()) {
    fail(ErrorKind::unanswerable, "no way of training fits these items; the first, " + name_of_way(ways[0]) +
                                      ", fails in a part of them: " + seen[0].reason);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return trials[a].loss < trials[b].loss; });
  const std::size_t least = order.front();
  std::size_t chosen = least;
  const bool is_by_error = ways.front().optimize == Optimize::exact_match;
  for (const std::size_t w : order) {
    if (!is_by_error) break;
    const auto [behind, error] = paired(seen[w], seen[least]);
    if (behind <= error && trials[w].log_loss < trials[chosen].log_loss) chosen = w;
  }
  order.erase(std::find(order.begin(), order.end(), chosen));
  order.insert(order.begin(), chosen);
  std::vector<Trial> result;
  for (const std::size_t w : order) {
    std::tie(trials[w].behind, trials[w].behind_error) = paired(seen[w], seen[chosen]);
    result.push_back(std::move(trials[w]));
  }
  return result;
}

HeldOut held_out(const LabelledItems& items, const TrainOptions& options, std::size_t folds, const RunContext& run) {
  const Parts parts = equal_parts(items.sets, folds, drawn_seed(run.seed, Stream::multilabel_calibration_folds));
  RunContext unkept = run;  // the checkpoint is that of the fit
  unkept.save = {};
  unkept.resume = {};
  std::vector<HeldOutItems> seen =
      predict_held_out(items, Rows::all(items.rows()), {&options, 1}, parts, "calibrating", unkept);
  if (!seen[0].fitted) {
    fail(ErrorKind::unanswerable, "calibration: " + name_of_way(options) +
                                      " cannot be fitted when a part of the items is held out; leave out "
                                      "rare labels, use --prior-strength, or train without calibration");
  }
  // Without sources nothing says how likely an item itself is.
  if (!has_sources(options.method)) seen[0].log_evidence.clear();
  return {std::move(seen[0].posterior), std::move(seen[0].right), std::move(seen[0].log_evidence),
          std::move(seen[0].counts)};
}

}  // namespace motet::multilabel
