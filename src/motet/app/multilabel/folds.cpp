#include "motet/app/multilabel/folds.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"
#include "motet/data/rows.h"
#include "motet/engine/cross_fit.h"
#include "motet/multilabel/baselines/compare.h"
#include "motet/multilabel/choice/inner_run.h"
#include "motet/multilabel/naming.h"

namespace motet::multilabel {
namespace {

BitMatrix spread_columns(const BitMatrix& sets, const std::vector<std::uint32_t>& columns, std::size_t width) {
  if (columns.size() == width) return sets;
  BitMatrix wide(sets.rows(), width);
  for (std::size_t n = 0; n < sets.rows(); ++n) {
    for_each_bit(sets.row(n), [&](std::size_t k) { wide.set(n, columns[k]); });
  }
  return wide;
}

void warn_of_lost_labels(const TrainingPart& part, const std::vector<std::string>& labels, std::size_t fold,
                         std::vector<std::string>& warnings) {
  for (std::uint32_t k = 0; k < labels.size(); ++k) {
    if (std::binary_search(part.labels.begin(), part.labels.end(), k)) continue;
    warnings.push_back(
        fmt::format("label '{}' is in no training item of fold {}: it is never given there", labels[k], fold + 1));
  }
}

// Trains on the part and decides about `asked`, which are so numbered in `result`.
void decide_part(const TrainingPart& part, const LabelledItems& asked, Rows rows, const FoldOptions& options,
                 const RunContext& run, Decided& result) {
  const std::size_t labels = asked.labels.size();
  const MultilabelFit fit = train_multilabel(part.items, options.train, options.calibrate, run);
  const SetPredictions found = predict(fit.model, asked.features, options.decide, run);
  const BitMatrix sets = part.widened(found.sets, labels);
  const BitMatrix trained = part.widened(index_label_sets(part.items.sets).sets, labels);
  result.unproved += found.unproved;
  if (options.train.method == Training::automatic) result.chosen.push_back(describe(fit.model.options));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t n = rows[i];
    std::copy(sets.row(i).begin(), sets.row(i).end(), result.sets.row(n).begin());
    result.probability[n] = found.probability[i];
    result.outlier[n] = found.outlier[i];
    result.known[n] = find_set(trained, asked.sets.row(i)) == no_set ? 0 : 1;
    for (std::size_t k = 0; k < part.labels.size(); ++k) {
      result.marginal[n * labels + part.labels[k]] = found.marginal[i * part.labels.size() + k];
    }
  }
}

}  // namespace

Decided::Decided(std::size_t items, std::size_t labels)
    : sets(items, labels), probability(items), marginal(items * labels), outlier(items), known(items) {}

TrainingPart::TrainingPart(LabelledItems part) : items(std::move(part)) {
  const BitMatrix by_label = items.sets.transposed();
  for (std::uint32_t k = 0; k < items.labels.size(); ++k) {
    if (by_label.count(k) != 0) labels.push_back(k);
  }
  if (labels.size() == items.labels.size()) return;
  items.sets = items.sets.columns_of(labels);
  std::vector<std::string> names;
  for (const std::uint32_t k : labels) names.push_back(items.labels[k]);
  items.labels = std::move(names);
}

BitMatrix TrainingPart::widened(const BitMatrix& sets, std::size_t labels_in_all) const {
  return spread_columns(sets, labels, labels_in_all);
}

void decide_by_folds(const LabelledItems& items, const Parts& parts, const FoldOptions& options, const RunContext& run,
                     Decided& result, std::vector<std::string>& warnings) {
  cross_fit(parts, {}, run, [&](const HeldOutPart& part, const RunContext& kept_by_none) {
    const std::string fold = fmt::format("fold {} of {}", part.part + 1, parts.count);
    const RunContext inner =
        inner_run(kept_by_none, options.name.empty() ? fold : options.name + ", " + fold, part.part);
    const TrainingPart training(rows_of(items, part.seen));
    warn_of_lost_labels(training, items.labels, part.part, warnings);
    with_frame(fold, [&] { decide_part(training, rows_of(items, part.unseen), part.unseen, options, inner, result); });
  });
}

void decide_by_folds(const std::string& word, const std::string& name, const LabelledItems& items, const Parts& parts,
                     const RunContext& run, Decided& result) {
  cross_fit(parts, {}, run, [&](const HeldOutPart& part, const RunContext& kept_by_none) {
    const RunContext inner =
        inner_run(kept_by_none, fmt::format("{}, fold {} of {}", name, part.part + 1, parts.count), part.part);
    const BitMatrix sets = baseline_about(word, rows_of(items, part.seen), rows_of(items, part.unseen).features, inner);
    for (std::size_t i = 0; i < part.unseen.size(); ++i) {
      std::copy(sets.row(i).begin(), sets.row(i).end(), result.sets.row(part.unseen[i]).begin());
    }
  });
}

Decided decide_about(const LabelledItems& train, const LabelledItems& test, const FoldOptions& options,
                     const RunContext& run) {
  Decided result(test.rows(), train.labels.size());
  decide_part(TrainingPart(train), test, Rows::all(test.rows()), options, run, result);
  return result;
}

BitMatrix baseline_about(const std::string& word, const LabelledItems& train, const NumberTable& test,
                         const RunContext& run) {
  const TrainingPart part(train);
  return part.widened(run_baseline(word, part.items, test, run), train.labels.size());
}

}  // namespace motet::multilabel
