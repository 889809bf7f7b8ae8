#include "motet/multilabel/held_out_items.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/engine/kept_tasks.h"
#include "motet/multilabel/fit_parts.h"
#include "motet/multilabel/gaussian_problem.h"
#include "motet/multilabel/model.h"
#include "motet/multilabel/set_prior.h"
#include "motet/multilabel/train.h"

namespace motet {
namespace {

// Trials need no more digits than decisions have.
constexpr double trial_tolerance = 1e-6;
constexpr std::size_t trial_iterations = 500;

bool same_features(const TrainOptions& a, const TrainOptions& b) {
  return a.standardize == b.standardize && a.kernel == b.kernel && a.kernel_width == b.kernel_width &&
         (a.pca > 0) == (b.pca > 0);
}

// Numbers of ways with the same preparation up to the number of components. Kernels take longest and come first.
std::vector<std::vector<std::size_t>> groups_of(std::span<const TrainOptions> ways) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& group) { return same_features(ways[group[0]], ways[w]); });
    if (found == groups.end()) {
      groups.push_back({w});
    } else {
      found->push_back(w);
    }
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const auto& a, const auto& b) { return ways[a[0]].kernel > ways[b[0]].kernel; });
  return groups;
}

std::vector<double> first_columns(std::span<const double> x, std::size_t columns, std::size_t wanted) {
  const std::size_t rows = x.size() / columns;
  std::vector<double> result(rows * wanted);
  for (std::size_t n = 0; n < rows; ++n) {
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(n * columns), wanted,
                result.begin() + static_cast<std::ptrdiff_t>(n * wanted));
  }
  return result;
}

// One fold as its models see it.
struct Fold {
  std::vector<std::uint32_t> seen, unseen;  // rows
  LabelledItems train, test;
  LabelSetIndex index;  // of the training items, labels that they have
  LabelSetPrior prior;
  std::vector<double> log_share;
  std::vector<std::size_t> truth;  // number of a test item's set among the index, or no_set
};

Fold make_fold(const LabelledItems& items, std::span<const std::uint32_t> fold_of, std::uint32_t which) {
  Fold fold;
  for (std::uint32_t n = 0; n < fold_of.size(); ++n) (fold_of[n] == which ? fold.unseen : fold.seen).push_back(n);
  fold.train = rows_of(items, fold.seen);
  fold.test = rows_of(items, fold.unseen);
  std::vector<std::size_t> count(items.labels.size(), 0);
  for (std::size_t n = 0; n < fold.train.rows(); ++n) {
    for_each_bit(fold.train.sets.row(n), [&](std::size_t k) { ++count[k]; });
  }
  std::vector<std::uint32_t> labels;
  for (std::uint32_t k = 0; k < count.size(); ++k) {
    if (count[k] > 0) labels.push_back(k);
  }
  fold.index = index_label_sets(fold.train.sets.columns_of(labels));
  fold.prior = learn_set_prior(fold.index);
  fold.log_share = log_shares(fold.prior);
  const BitMatrix known = fold.test.sets.columns_of(labels);
  for (std::size_t n = 0; n < fold.test.rows(); ++n) {
    const bool all_known = known.count(n) == fold.test.sets.count(n);
    fold.truth.push_back(all_known ? find_set(fold.index.sets, known.row(n)) : no_set);
  }
  return fold;
}

void decide(const Fold& fold, std::span<const double> densities, HeldOutItems& out) {
  const std::size_t sets = fold.index.size();
  std::vector<double> joint(sets);
  for (std::size_t n = 0; n < fold.unseen.size(); ++n) {
    bool possible = false;
    for (std::size_t j = 0; j < sets; ++j) possible = possible || std::isfinite(densities[n * sets + j]);
    for (std::size_t j = 0; j < sets; ++j) {
      joint[j] = fold.log_share[j] + (possible ? densities[n * sets + j] : 0.0);
    }
    const double total = log_sum_exp(joint);
    const auto best = static_cast<std::size_t>(std::max_element(joint.begin(), joint.end()) - joint.begin());
    const std::size_t row = fold.unseen[n];
    out.right[row] = best == fold.truth[n] ? 1 : 0;
    out.posterior[row] = std::exp(joint[best] - total);
    out.log_true[row] =
        fold.truth[n] == no_set ? -std::numeric_limits<double>::infinity() : joint[fold.truth[n]] - total;
    out.log_evidence[row] = possible ? total : -std::numeric_limits<double>::infinity();
  }
}

// What a way said about the items of a fold, as numbers of a checkpoint: whether it was fitted, and four an item.
void add_way(bool fitted, const Fold& fold, const HeldOutItems& said, std::vector<double>& numbers) {
  numbers.push_back(fitted ? 1.0 : 0.0);
  if (!fitted) return;
  for (const std::uint32_t n : fold.unseen) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(said.right[n]), said.posterior[n], said.log_true[n], said.log_evidence[n]});
  }
}

// The same back from the front of `numbers`; false when the way was not fitted.
bool take_way(std::span<const double>& numbers, const Fold& fold, HeldOutItems& said) {
  const bool fitted = !numbers.empty() && numbers[0] != 0.0;
  const std::size_t size = 1 + (fitted ? 4 * fold.unseen.size() : 0);
  if (numbers.size() < size) fail(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume");
  for (std::size_t i = 0; fitted && i < fold.unseen.size(); ++i) {
    const std::uint32_t n = fold.unseen[i];
    said.right[n] = numbers[1 + 4 * i] != 0.0 ? 1 : 0;
    said.posterior[n] = numbers[2 + 4 * i];
    said.log_true[n] = numbers[3 + 4 * i];
    said.log_evidence[n] = numbers[4 + 4 * i];
  }
  numbers = numbers.subspan(size);
  return fitted;
}

// Statistics of one fold and preparation, each gathered when first asked for.
class FoldFits {
 public:
  FoldFits(const Fold& fold, const TrainOptions& largest, const RunContext& run) : fold_(fold), run_(run) {
    const Preparation preparation = learn_preparation(fold.train.features, preparation_options(largest), run.threads);
    columns_ = preparation.outputs();
    train_ = prepare(preparation, fold.train.features, run.threads);
    test_ = prepare(preparation, fold.test.features, run.threads);
  }

  void run_way(TrainOptions way, HeldOutItems& out) {
    const std::size_t dimensions = way.pca > 0 ? std::min(way.pca, columns_) : columns_;
    way.tolerance = std::max(way.tolerance, trial_tolerance);
    way.max_iterations = std::min(way.max_iterations, trial_iterations);
    const bool from_statistics = way.method == Training::deconvolution ? is_closed_form(way.source, way.combine)
                                                                       : way.method != Training::ignore;
    MultilabelModel model;
    model.options = way;
    model.sources = from_statistics ? fit_sources(statistics(way, dimensions), way, run_).sources
                                    : fit_sources(fold_.index, train(dimensions), dimensions, way, run_).sources;
    model.prior = fold_.prior;
    decide(fold_, log_densities(model, fold_.index.sets, test(dimensions), run_.threads), out);
  }

 private:
  const SetStatistics& statistics(const TrainOptions& way, std::size_t dimensions) {
    const bool full = is_gaussian(way.source) && needs_matrices(way);
    const auto key = std::make_tuple(dimensions, way.source, full);
    if (!statistics_ || key != key_) {  // ways come by number of components: one at a time is enough
      statistics_ = gather(fold_.index, train(dimensions), dimensions, way.source, full, run_.threads);
      key_ = key;
    }
    return *statistics_;
  }
  std::span<const double> train(std::size_t dimensions) { return cut(train_, dimensions, train_cut_); }
  std::span<const double> test(std::size_t dimensions) { return cut(test_, dimensions, test_cut_); }
  std::span<const double> cut(const std::vector<double>& x, std::size_t dimensions, std::vector<double>& place) {
    if (dimensions == columns_) return x;
    const std::size_t rows = x.size() / columns_;
    if (place.size() != rows * dimensions) place = first_columns(x, columns_, dimensions);
    return place;
  }

  const Fold& fold_;
  const RunContext& run_;
  std::size_t columns_ = 0;
  std::vector<double> train_, test_, train_cut_, test_cut_;
  std::optional<SetStatistics> statistics_;
  std::tuple<std::size_t, Family, bool> key_;
};

}  // namespace

std::vector<HeldOutItems> predict_held_out(const LabelledItems& items, std::span<const TrainOptions> ways,
                                           std::span<const std::uint32_t> fold_of, std::size_t folds,
                                           std::string_view stage, const RunContext& run) {
  const std::vector<std::vector<std::size_t>> groups = groups_of(ways);
  std::vector<Fold> parts(folds);
  for_each_task(folds, run.threads,
                [&](std::size_t f) { parts[f] = make_fold(items, fold_of, static_cast<std::uint32_t>(f)); });
  std::vector<HeldOutItems> result(ways.size());
  for (HeldOutItems& out : result) {
    out.right.resize(items.rows());
    for (std::vector<double>* numbers : {&out.posterior, &out.log_true, &out.log_evidence}) {
      numbers->resize(items.rows());
    }
  }
  std::vector<std::string> failed(ways.size() * folds);  // why; a place for each, so that threads do not meet
  RunContext single;
  single.seed = run.seed;
  single.threads = {1};
  single.cancel = run.cancel;
  const std::size_t tasks = groups.size() * folds;
  KeptTasks kept(run, stage);
  std::mutex observing;
  std::size_t done = 0;
  const auto run_task = [&](std::size_t task) {
    const std::size_t f = task % folds;
    std::vector<std::size_t> group = groups[task / folds];
    std::stable_sort(group.begin(), group.end(),
                     [&](std::size_t a, std::size_t b) { return ways[a].pca > ways[b].pca; });
    const auto require_time = [&] {
      if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while " + std::string(stage));
    };
    require_time();
    std::optional<FoldFits> fits;
    std::vector<double> numbers;
    const std::vector<double>* const before = kept.find(task);
    std::span<const double> left = before == nullptr ? std::span<const double>() : std::span(*before);
    for (const std::size_t w : group) {
      std::string& reason = failed[w * folds + f];
      if (before != nullptr) {
        if (!take_way(left, parts[f], result[w])) reason = "it did so before the interruption";
        continue;
      }
      try {
        if (!fits) fits.emplace(parts[f], ways[w], single);
        fits->run_way(ways[w], result[w]);
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::interrupted || error.kind() == ErrorKind::internal) throw;
        reason = error.what();
      }
      require_time();  // a fit that was cut short is none
      add_way(reason.empty(), parts[f], result[w], numbers);
    }
    if (before == nullptr) kept.add(task, std::move(numbers));
    const std::lock_guard<std::mutex> lock(observing);
    ++done;
    if (run.observer && before == nullptr)
      run.observer({stage, static_cast<double>(done), static_cast<double>(tasks), "fits"});
  };
  try {
    for_each_task(tasks, run.threads, run_task);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) kept.stop();
    throw;
  }
  for (std::size_t w = 0; w < ways.size(); ++w) {
    for (std::size_t f = 0; f < folds && result[w].fitted; ++f) {
      result[w].fitted = failed[w * folds + f].empty();
      result[w].reason = failed[w * folds + f];
    }
  }
  return result;
}

}  // namespace motet
