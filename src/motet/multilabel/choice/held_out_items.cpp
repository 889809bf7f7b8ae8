#include "motet/multilabel/choice/held_out_items.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <tuple>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/data/views.h"
#include "motet/engine/cross_fit.h"
#include "motet/multilabel/linear/linear_fit.h"
#include "motet/multilabel/linear/open_sets.h"
#include "motet/multilabel/model.h"
#include "motet/multilabel/set_prior.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/multilabel/sources/gaussian_problem.h"

namespace motet::multilabel {
namespace {

// Trials need no more digits than decisions have.
constexpr double trial_tolerance = 1e-6;
constexpr std::size_t trial_iterations = 500;
constexpr std::size_t asked_together = 4096;  // items; a whole number of what log_densities takes together
// Bytes that a fit may copy while others run beside it; the data of larger ones must not be there several times.
constexpr double small_copy = 8e6;

// Whether the statistics of label sets are all that this training needs of the items.
bool is_from_statistics(const TrainOptions& way) {
  if (!has_sources(way.method)) return false;
  return way.method == Training::deconvolution ? is_closed_form(way.source, way.combine)
                                               : way.method != Training::ignore;
}

bool same_features(const TrainOptions& a, const TrainOptions& b) {
  return a.standardize == b.standardize && a.kernel == b.kernel && a.kernel_width == b.kernel_width &&
         (a.pca > 0) == (b.pca > 0);
}

// Numbers of ways with the same preparation up to the number of components. Kernels take longest and come first, or
// last where time may run out; then those without sources, which are the fastest, come first.
std::vector<std::vector<std::size_t>> groups_of(std::span<const TrainOptions> ways, bool is_limited) {
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
  if (!is_limited) return groups;
  const auto has_fast = [&](const std::vector<std::size_t>& group) {
    return ways[group[0]].kernel == 0 && ways[group[0]].pca == 0 &&
           std::any_of(group.begin(), group.end(), [&](std::size_t w) { return !has_sources(ways[w].method); });
  };
  for (auto& group : groups) {
    std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
      return has_sources(ways[a].method) < has_sources(ways[b].method);
    });
  }
  std::stable_sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
    return std::make_pair(ways[a[0]].kernel, !has_fast(a)) < std::make_pair(ways[b[0]].kernel, !has_fast(b));
  });
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

// One part as its models see it.
struct Fold {
  BitMatrix learnt_truth;                   // unseen items x labels of the index
  std::vector<std::uint8_t> is_learnt;      // an unseen item has no other labels
  std::vector<std::uint32_t> seen, unseen;  // rows of the items
  LabelSetIndex index;                      // of the seen, labels that they have
  LabelSetPrior prior;
  std::vector<std::uint32_t> labels;  // of all labels, those that the index has
  std::vector<double> labels_of;      // unseen items x all labels: 1 where it is there
  std::vector<std::size_t> truth;     // number of an unseen item's set among the index, or no_set
};

Fold make_fold(const LabelledItems& items, Rows rows, const HeldOutPart& part) {
  Fold fold;
  fold.seen = rows.at(part.seen);
  fold.unseen = rows.at(part.unseen);
  fold.index = index_label_sets(items.sets, fold.seen);
  for (const std::uint32_t n : fold.unseen) fold.truth.push_back(find_set(fold.index.sets, items.sets.row(n)));
  const BitMatrix by_label = fold.index.sets.transposed();
  for (std::uint32_t k = 0; k < by_label.rows(); ++k) {
    if (by_label.count(k) > 0) fold.labels.push_back(k);
  }
  fold.labels_of.assign(fold.unseen.size() * by_label.rows(), 0.0);
  for (std::size_t i = 0; i < fold.unseen.size(); ++i) {
    for_each_bit(items.sets.row(fold.unseen[i]), [&](std::size_t k) { fold.labels_of[i * by_label.rows() + k] = 1.0; });
  }
  fold.index.sets = fold.index.sets.columns_of(fold.labels);
  const BitMatrix asked = items.sets.rows_of(fold.unseen);
  fold.learnt_truth = asked.columns_of(fold.labels);
  for (std::size_t i = 0; i < asked.rows(); ++i) {
    fold.is_learnt.push_back(asked.count(i) == fold.learnt_truth.count(i) ? 1 : 0);
  }
  fold.prior = learn_set_prior(fold.index);
  return fold;
}

// The same index for rows that were copied in the order of the view.
LabelSetIndex by_places(LabelSetIndex index) {
  std::vector<std::size_t> next(index.starts.begin(), index.starts.end() - 1);
  for (std::size_t n = 0; n < index.of_row.size(); ++n) {
    index.rows[next[index.of_row[n]]++] = static_cast<std::uint32_t>(n);
  }
  return index;
}

// What a way says about unseen items from `first` on: whether the likeliest set is right, its posterior, log posterior
// of the true set, log p(x). `counts`, of all labels: how often each is given; may be null.
void decide(const Fold& fold, std::span<const double> log_prior, std::size_t first, std::span<const double> densities,
            std::vector<double>& numbers, ThresholdCounts* counts) {
  const std::size_t sets = fold.index.size();
  std::vector<double> joint(sets);
  for (std::size_t n = 0; n < densities.size() / sets; ++n) {
    bool possible = false;
    for (std::size_t j = 0; j < sets; ++j) possible = possible || std::isfinite(densities[n * sets + j]);
    for (std::size_t j = 0; j < sets; ++j) {
      joint[j] = log_prior[j] + (possible ? densities[n * sets + j] : 0.0);
    }
    const double total = log_sum_exp(joint);
    const auto best = static_cast<std::size_t>(std::max_element(joint.begin(), joint.end()) - joint.begin());
    const std::size_t truth = fold.truth[first + n];
    numbers.insert(numbers.end(), {best == truth ? 1.0 : 0.0, std::exp(joint[best] - total),
                                   truth == no_set ? -infinity : joint[truth] - total, possible ? total : -infinity});
    if (counts == nullptr) continue;
    std::vector<double> marginal(counts->labels, 0.0);
    for (std::size_t j = 0; j < sets; ++j) {
      const double p = std::exp(joint[j] - total);
      for_each_bit(fold.index.sets.row(j), [&](std::size_t k) { marginal[fold.labels[k]] += p; });
    }
    counts->add(marginal, std::span(fold.labels_of).subspan((first + n) * counts->labels, counts->labels));
  }
}

// The same of a log-linear way, among all sets: its lines z say what the sets of training items do not.
void decide_open(const Fold& fold, const OpenSets& open, std::size_t first, std::span<const double> z,
                 std::vector<double>& numbers, ThresholdCounts* counts) {
  const std::size_t labels = fold.index.sets.columns();
  for (std::size_t n = 0; n < z.size() / labels; ++n) {
    const std::span<const double> own = z.subspan(n * labels, labels);
    const OpenItem item = open.of(own);
    const std::span<const std::uint64_t> truth = fold.learnt_truth.row(first + n);
    const auto best_seen = std::max_element(item.observed.begin(), item.observed.end());
    const auto best_new = std::max_element(item.log_joint.begin(), item.log_joint.end());
    const bool is_new = best_new != item.log_joint.end() && *best_new > *best_seen;
    const auto chosen = is_new ? item.unseen.row(static_cast<std::size_t>(best_new - item.log_joint.begin()))
                               : fold.index.sets.row(static_cast<std::size_t>(best_seen - item.observed.begin()));
    const bool can_be = fold.is_learnt[first + n] != 0;  // with labels that the training items have
    const bool is_right = can_be && std::equal(truth.begin(), truth.end(), chosen.begin());
    const double joint = is_new ? *best_new : *best_seen;
    numbers.insert(numbers.end(), {is_right ? 1.0 : 0.0, std::exp(joint - item.log_sum),
                                   can_be ? open.log_joint(own, truth) - item.log_sum : -infinity, item.log_sum});
    if (counts == nullptr) continue;
    const std::vector<double> told = open.marginals(own, item);
    std::vector<double> marginal(counts->labels, 0.0);
    for (std::size_t k = 0; k < labels; ++k) marginal[fold.labels[k]] = told[k];
    counts->add(marginal, std::span(fold.labels_of).subspan((first + n) * counts->labels, counts->labels));
  }
}

// What a way said about the unseen items, from the front of the numbers of a task: whether it was fitted, four numbers
// per item, and where labels count the counts of thresholds. False when it was not.
bool take_way(std::span<const double>& numbers, Rows unseen, HeldOutItems& said, std::mutex& adding) {
  const bool fitted = !numbers.empty() && numbers[0] != 0.0;
  const std::size_t labels = said.counts.labels;
  const std::size_t cells = labels * threshold_steps;
  const std::size_t size = 1 + (fitted ? 4 * unseen.size() + 2 * cells + labels : 0);
  if (numbers.size() < size) fail(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume");
  for (std::size_t i = 0; fitted && i < unseen.size(); ++i) {
    const std::size_t n = unseen[i];
    said.right[n] = numbers[1 + 4 * i] != 0.0 ? 1 : 0;
    said.posterior[n] = numbers[2 + 4 * i];
    said.log_true[n] = numbers[3 + 4 * i];
    said.log_evidence[n] = numbers[4 + 4 * i];
  }
  if (fitted) {
    const std::lock_guard<std::mutex> lock(adding);
    ThresholdCounts own(labels);
    const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(1 + 4 * unseen.size());
    std::copy_n(from, cells, own.given.begin());
    std::copy_n(from + static_cast<std::ptrdiff_t>(cells), cells, own.right.begin());
    std::copy_n(from + static_cast<std::ptrdiff_t>(2 * cells), labels, own.there.begin());
    said.counts.add(own);
  }
  numbers = numbers.subspan(size);
  return fitted;
}

// Fits of one part and preparation. Rows are copied only where they are prepared, or where a training goes through
// them again and again; statistics are gathered when first asked for.
class FoldFits {
 public:
  FoldFits(const LabelledItems& items, Fold fold, const TrainOptions& largest, const RunContext& run)
      : items_(items), fold_(std::move(fold)), run_(run) {
    preparation_ = learn_preparation(items.features, fold_.seen, preparation_options(largest), run.threads);
    columns_ = preparation_.outputs();
    if (!leaves_features(preparation_)) {
      copy_seen();
      unseen_ = prepare(preparation_, items.features, fold_.unseen, run.threads);
    }
  }

  void run_way(TrainOptions way, std::vector<double>& numbers) {
    if (fold_.labels.empty()) return say_nothing(is_by_label(way.optimize) ? items_.labels.size() : 0, numbers);
    ThresholdCounts counts(is_by_label(way.optimize) ? items_.labels.size() : 0);
    const std::size_t dimensions = way.pca > 0 ? std::min(way.pca, columns_) : columns_;
    way.tolerance = std::max(way.tolerance, trial_tolerance);
    way.max_iterations = std::min(way.max_iterations, trial_iterations);
    MultilabelModel model;
    model.options = way;
    model.prior = fold_.prior;
    if (has_sources(way.method)) {
      model.sources = backed_off_sources(way, dimensions);
    } else {
      if (seen_.empty()) copy_seen();
      model.linear = fit_linear(fold_.index, seen(dimensions), dimensions, way, run_).weights;
    }
    const std::vector<double> log_prior = log_observed_priors(model);
    std::optional<OpenSets> open;
    if (way.method == Training::log_linear) open.emplace(model.prior, no_set);
    for (std::size_t begin = 0; begin < fold_.unseen.size(); begin += asked_together) {
      const std::vector<double> asked = unseen(begin, dimensions);
      if (open) {
        decide_open(fold_, *open, begin, line_scores(*model.linear, asked, run_.threads), numbers,
                    counts.labels > 0 ? &counts : nullptr);
        continue;
      }
      decide(fold_, log_prior, begin, log_densities(model, fold_.index.sets, asked, run_.threads), numbers,
             counts.labels > 0 ? &counts : nullptr);
    }
    for (const std::vector<double>* part : {&counts.given, &counts.right, &counts.there}) {
      numbers.insert(numbers.end(), part->begin(), part->end());
    }
  }

 private:
  // No seen item has a label: none is given to any other.
  void say_nothing(std::size_t counted_labels, std::vector<double>& numbers) const {
    for (const std::uint8_t has_none : fold_.is_learnt) {
      numbers.insert(numbers.end(), {has_none != 0 ? 1.0 : 0.0, 1.0, has_none != 0 ? 0.0 : -infinity, -infinity});
    }
    ThresholdCounts counts(counted_labels);
    const std::vector<double> nothing(counted_labels, 0.0);
    for (std::size_t n = 0; counted_labels > 0 && n < fold_.unseen.size(); ++n) {
      counts.add(nothing, std::span(fold_.labels_of).subspan(n * counted_labels, counted_labels));
    }
    for (const std::vector<double>* part : {&counts.given, &counts.right, &counts.there}) {
      numbers.insert(numbers.end(), part->begin(), part->end());
    }
  }

  void copy_seen() {
    seen_ = prepare(preparation_, items_.features, fold_.seen, run_.threads);
    fold_.index = by_places(std::move(fold_.index));
  }

  // What all items tell apart a part of them may not: there the prior decides, as it does in train.h.
  Sources backed_off_sources(TrainOptions way, std::size_t dimensions) {
    try {
      return sources(way, dimensions);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unanswerable || way.prior_strength > 0.0 || way.shrinkage == 0.0) throw;
    }
    way.prior_strength = least_prior;
    return sources(way, dimensions);
  }

  Sources sources(const TrainOptions& way, std::size_t dimensions) {
    if (is_from_statistics(way)) return fit_sources(statistics(way, dimensions), way, run_).sources;
    if (seen_.empty()) copy_seen();
    return fit_sources(fold_.index, seen(dimensions), dimensions, way, run_).sources;
  }

  const SetStatistics& statistics(const TrainOptions& way, std::size_t dimensions) {
    const bool full = is_gaussian(way.source) && needs_matrices(way);
    const auto key = std::make_tuple(dimensions, way.source, full);
    if (!statistics_ || key != key_) {  // ways come by number of components: one at a time is enough
      statistics_ = gather(fold_.index, seen(dimensions), dimensions, way.source, full, run_.threads);
      key_ = key;
    }
    return *statistics_;
  }

  // As the index numbers them: the items themselves where nothing was copied.
  std::span<const double> seen(std::size_t dimensions) {
    if (seen_.empty()) return items_.features.values;
    if (dimensions == columns_) return seen_;
    const std::size_t rows = fold_.seen.size();
    if (seen_cut_.size() != rows * dimensions) seen_cut_ = first_columns(seen_, columns_, dimensions);
    return seen_cut_;
  }

  std::vector<double> unseen(std::size_t begin, std::size_t dimensions) const {
    const std::size_t end = std::min(fold_.unseen.size(), begin + asked_together);
    std::vector<double> some((end - begin) * dimensions);
    for (std::size_t n = begin; n < end; ++n) {
      const double* const row =
          unseen_.empty() ? items_.features.row(fold_.unseen[n]).data() : unseen_.data() + n * columns_;
      std::copy_n(row, dimensions, some.data() + (n - begin) * dimensions);
    }
    return some;
  }

  const LabelledItems& items_;
  Fold fold_;
  const RunContext& run_;
  Preparation preparation_;
  std::size_t columns_ = 0;
  std::vector<double> seen_, seen_cut_, unseen_;
  std::optional<SetStatistics> statistics_;
  std::tuple<std::size_t, Family, bool> key_;
};

// Many while a fit copies little, else one after the other.
std::size_t fits_at_a_time(const LabelledItems& items, Rows rows, std::span<const TrainOptions> ways) {
  double cells = 0.0;
  for (const TrainOptions& way : ways) {
    const bool is_prepared = way.standardize || way.pca > 0 || way.kernel > 0;
    if (!is_prepared && is_from_statistics(way)) continue;
    const std::size_t columns = way.pca > 0 ? way.pca : items.features.dimensions();
    cells = std::max(cells, static_cast<double>(rows.size()) * static_cast<double>(columns));
  }
  return cells * sizeof(double) <= small_copy ? std::numeric_limits<std::size_t>::max() : 1;
}

// The pass over parts and groups of ways.
class HeldOutPass {
 public:
  HeldOutPass(const LabelledItems& items, Rows rows, std::span<const TrainOptions> ways, std::size_t parts,
              std::string_view stage, const Deadline& deadline)
      : items_(items),
        rows_(rows),
        ways_(ways),
        stage_(stage),
        deadline_(deadline),
        result_(ways.size()),
        failed_(ways.size()) {
    for (HeldOutItems& out : result_) {
      if (!ways.empty() && is_by_label(ways[0].optimize)) out.counts = ThresholdCounts(items.labels.size());
      out.right.resize(rows.size());
      for (std::vector<double>* numbers : {&out.posterior, &out.log_true, &out.log_evidence}) {
        numbers->resize(rows.size());
      }
    }
    for (auto& reasons : failed_) reasons.resize(parts);
    for (auto& group : groups_) {
      std::stable_sort(group.begin(), group.end(),
                       [&](std::size_t a, std::size_t b) { return ways[a].pca > ways[b].pca; });
    }
  }

  std::size_t rounds() const { return groups_.size(); }

  std::vector<double> fit(const HeldOutPart& part, RunContext run) {
    run.observer = {};
    std::optional<FoldFits> fits;
    std::vector<double> numbers;
    for (const std::size_t w : groups_[part.round]) {
      const std::size_t before = numbers.size();
      numbers.push_back(1.0);
      if (w != groups_[0][0] && deadline_.is_over()) {
        failed_[w][part.part] = "no time was left for it";
        numbers[before] = 0.0;
        continue;
      }
      try {
        if (!fits) fits.emplace(items_, make_fold(items_, rows_, part), ways_[w], run);
        fits->run_way(ways_[w], numbers);
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::interrupted || error.kind() == ErrorKind::internal) throw;
        failed_[w][part.part] = error.what();
        numbers.resize(before);
        numbers.push_back(0.0);
      }
      // A fit that was cut short is none.
      if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while " + std::string(stage_));
    }
    return numbers;
  }

  void take(const HeldOutPart& part, std::span<const double> numbers) {
    for (const std::size_t w : groups_[part.round]) {
      if (take_way(numbers, part.unseen, result_[w], adding_)) continue;
      std::string& reason = failed_[w][part.part];
      if (reason.empty()) reason = "it did so before the interruption";
    }
  }

  std::vector<HeldOutItems> result() {
    for (std::size_t w = 0; w < ways_.size(); ++w) {
      for (std::size_t f = 0; f < failed_[w].size() && result_[w].fitted; ++f) {
        result_[w].fitted = failed_[w][f].empty();
        result_[w].reason = failed_[w][f];
      }
    }
    return std::move(result_);
  }

 private:
  const LabelledItems& items_;
  Rows rows_;
  std::span<const TrainOptions> ways_;
  std::string_view stage_;
  Deadline deadline_;
  std::mutex adding_;
  std::vector<HeldOutItems> result_;
  std::vector<std::vector<std::string>> failed_;  // why, by way and part: a place for each, so that threads do not meet
  std::vector<std::vector<std::size_t>> groups_ = groups_of(ways_, deadline_.at.has_value());
};

}  // namespace

std::vector<HeldOutItems> predict_held_out(const LabelledItems& items, Rows rows, std::span<const TrainOptions> ways,
                                           const Parts& parts, std::string_view stage, const RunContext& run,
                                           const Deadline& deadline) {
  HeldOutPass pass(items, rows, ways, parts.count, stage, deadline);
  KeptTasks kept(run, stage);
  cross_fit(
      parts, {stage, "fits", pass.rounds(), fits_at_a_time(items, rows, ways)}, run, kept, 0,
      [&](const HeldOutPart& part, const RunContext& inner) { return pass.fit(part, inner); },
      [&](const HeldOutPart& part, std::span<const double> numbers) { pass.take(part, numbers); });
  return pass.result();
}

}  // namespace motet::multilabel
