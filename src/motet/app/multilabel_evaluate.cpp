// `motet multilabel evaluate`: a model on items with known labels, or a way of training by
// cross-validation, beside the usual methods on the same items.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "motet/app/comma_names.h"
#include "motet/app/multilabel_files.h"
#include "motet/app/multilabel_folds.h"
#include "motet/app/multilabel_learning.h"
#include "motet/app/multilabel_verbs.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/multilabel/compare.h"
#include "motet/report/multilabel_report.h"

namespace motet {
namespace {

struct EvaluateVerbOptions {
  ItemsFileOptions data;
  std::string model;
  std::size_t cross_validate = 0;
  TrainOptions train;
  bool no_calibration = false;
  DecisionOptions decide;
  double reject_below = 0.0;
  std::string compare;
  bool learning_curve = false;
  std::size_t repeats = 5;
  std::string training;
};

template <class V>
void visit_fields(V& v, EvaluateVerbOptions& o) {
  v("model", o.model, Text{"MODEL.json"},
    "written by `multilabel train`; the data should be others than it was trained on");
  v("cross_validate", o.cross_validate, Range<std::size_t>{0, 1000},
    "instead of a model: train on all folds but one, N times, with the training options below");
  v("compare", o.compare, Text{"WORD,...|all"},
    "also run these on the same items: lp-lda, lp-logistic, lp-svm, ovr-lda, ovr-logistic, ovr-svm, ml-knn");
  v("learning_curve", o.learning_curve, "also the error against the number of training items");
  v("repeats", o.repeats, Range<std::size_t>{1, 1000}, "subsets of each size of the learning curve, with --model");
  v("train", o.training, Text{"TRAIN"},
    "the items the model was trained on: --compare and --learning-curve need them with --model");
  visit_fields(v, o.decide);
  v("reject_below", o.reject_below, Range<double>{0.0, 1.0},
    "also tell how many items `predict` would leave without labels at this probability, and the error of the others");
  visit_fields(v, o.data);
  visit_fields(v, o.train);
  v("no_calibration", o.no_calibration, "leave out the calibration of probabilities");
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> known;
  for (const Baseline& baseline : baselines()) known.push_back(baseline.word);
  if (text == "all") return known;
  std::vector<std::string> words = comma_names(text);
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      fail(ErrorKind::usage, fmt::format("compare: '{}' is not one of {{all, {}}}", word, fmt::join(known, ", ")));
    }
  }
  return words;
}

void check_options(const EvaluateVerbOptions& options, const VerbContext& context) {
  const bool has_model = !options.model.empty();
  if (has_model == (options.cross_validate != 0)) {
    fail(ErrorKind::usage, has_model ? "evaluate: --model and --cross-validate exclude each other"
                                     : "evaluate: needs --model or --cross-validate");
  }
  if (options.cross_validate == 1) fail(ErrorKind::usage, "cross-validate = 1 is too few; 2 folds or more are needed");
  const bool needs_training = !options.compare.empty() || options.learning_curve;
  if (has_model && needs_training && options.training.empty()) {
    fail(ErrorKind::usage, fmt::format("{}: needs --train, the items the model was trained on",
                                       options.compare.empty() ? "learning-curve" : "compare"));
  }
  if (!has_model && !options.training.empty()) {
    fail(ErrorKind::usage, "train: goes with --model; a cross-validation trains on its own folds");
  }
  if (!has_model) return;
  EvaluateVerbOptions copy = options;
  std::vector<std::string> names{"no_calibration"};
  for (const Field& field : fields_of(copy.train)) names.push_back(field.name);
  for (const std::string& name : names) {
    if (!is_given(context, name)) continue;
    fail(ErrorKind::usage, fmt::format("{}: goes with --cross-validate; the model of --model is trained already",
                                       flag_of(name).substr(2)));
  }
}

std::vector<std::uint8_t> right_of(const BitMatrix& truth, const BitMatrix& sets) {
  std::vector<std::uint8_t> right(truth.rows());
  for (std::size_t n = 0; n < truth.rows(); ++n) {
    right[n] = std::equal(truth.row(n).begin(), truth.row(n).end(), sets.row(n).begin()) ? 1 : 0;
  }
  return right;
}

// Marginals of all labels of all items against whether the label is there.
Reliability label_reliability(const BitMatrix& truth, const std::vector<double>& marginal) {
  std::vector<std::uint8_t> there(marginal.size());
  for (std::size_t n = 0; n < truth.rows(); ++n) {
    for_each_bit(truth.row(n), [&](std::size_t k) { there[n * truth.columns() + k] = 1; });
  }
  return reliability(marginal, there);
}

std::vector<SetScore> set_scores(const LabelledItems& items, const Decided& decided,
                                 const std::vector<std::uint8_t>& right) {
  const LabelSetIndex index = index_label_sets(items.sets);
  std::vector<SetScore> scores(index.size());
  for (std::size_t s = 0; s < index.size(); ++s) {
    SetScore& score = scores[s];
    score.set = joined_labels(index.sets.row(s), items.labels);
    if (score.set.empty()) score.set = "(none)";
    score.items = index.count(s);
    score.known = false;
    for (std::size_t i = index.starts[s]; i < index.starts[s + 1]; ++i) {
      score.wrong += right[index.rows[i]] != 0 ? 0 : 1;
      score.known = score.known || decided.known[index.rows[i]] != 0;
    }
  }
  std::stable_sort(scores.begin(), scores.end(),
                   [](const SetScore& a, const SetScore& b) { return a.items > b.items; });
  return scores;
}

// What rejection would leave. All other measures are of all items, so that they can be compared.
void fill_rejected(MultilabelEvaluateReport& report, const Decided& decided, const std::vector<std::uint8_t>& right) {
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < right.size(); ++n) {
    const bool rejected = decided.probability[n] < report.reject_below;
    report.rejected += rejected ? 1 : 0;
    wrong += rejected || right[n] != 0 ? 0 : 1;
  }
  const double kept = static_cast<double>(right.size() - report.rejected);  // 0: NaN
  report.kept_error = static_cast<double>(wrong) / kept;
  report.kept_error_se = std::sqrt(report.kept_error * (1.0 - report.kept_error) / kept);
}

void fill_measures(MultilabelEvaluateReport& report, const LabelledItems& items, const Decided& decided) {
  const std::vector<std::uint8_t> right = right_of(items.sets, decided.sets);
  report.labels = items.labels;
  report.quality = label_set_quality(items.sets, decided.sets);
  report.set_reliability = reliability(decided.probability, right);
  report.label_reliability = label_reliability(items.sets, decided.marginal);
  report.reject = reject_curve(decided.probability, right);
  report.confused = most_confused(items.sets, decided.sets, items.rows());
  report.sets = set_scores(items, decided, right);
  fill_rejected(report, decided, right);
  report.outliers = static_cast<std::size_t>(std::count(decided.outlier.begin(), decided.outlier.end(), 1));
  if (decided.unproved > 0) {
    report.warnings.push_back(fmt::format("{} decisions are not proved best; raise --node-limit", decided.unproved));
  }
}

void warn_of_calibration(const DecisionOptions& decide, std::vector<std::string>& warnings) {
  if (std::string warning = calibration_warning(decide); !warning.empty()) warnings.push_back(std::move(warning));
}

// The paired difference: over the items on which one is right and the other is not.
ClassifierScore score_of(const std::string& name, const LabelledItems& items, const BitMatrix& sets,
                         const BitMatrix& ours) {
  ClassifierScore score{name, label_set_quality(items.sets, sets), 0.0, 0.0};
  const std::vector<std::uint8_t> right = right_of(items.sets, sets);
  const std::vector<std::uint8_t> ours_right = right_of(items.sets, ours);
  std::vector<double> difference(items.rows());
  for (std::size_t n = 0; n < items.rows(); ++n)
    difference[n] = static_cast<double>(ours_right[n]) - static_cast<double>(right[n]);
  const MeanSd over = mean_sd(difference);
  score.error_difference = over.mean;
  score.difference_error = over.error;
  return score;
}

const std::string& name_of_baseline(const std::string& word) {
  return std::find_if(baselines().begin(), baselines().end(), [&](const Baseline& b) { return b.word == word; })->name;
}

// --- a model ----------------------------------------------------------------------

MultilabelEvaluateReport evaluate_model(const EvaluateVerbOptions& options, const PredictOptions& decide,
                                        const VerbContext& context) {
  const std::string& file = context.files[0];
  const RunContext& run = context.run;
  const MultilabelModel model = read_multilabel_model(options.model);
  const LabelledFile read = read_items_for(model, file, options.data, true, run);
  const LabelledItems& items = read.items;
  MultilabelEvaluateReport report;
  report.source = file;
  report.reject_below = options.reject_below;
  report.model_name = describe(model.options);
  report.warnings = read.warnings;
  const SetPredictions found = about(file, [&] { return predict(model, items.features, decide, run); });
  Decided decided(items.rows(), items.labels.size());
  decided.sets = found.sets;
  decided.probability = found.probability;
  decided.marginal = found.marginal;
  decided.outlier = found.outlier;
  decided.unproved = found.unproved;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    decided.known[n] = find_set(model.prior.sets, items.sets.row(n)) == no_set ? 0 : 1;
  }
  fill_measures(report, items, decided);
  if (model.calibration.known()) warn_of_calibration(options.decide, report.warnings);
  if (options.reject_below > 0.0 && !model.calibration.known()) {
    report.warnings.push_back(uncalibrated_warning(options.model));
  }
  if (options.compare.empty() && !options.learning_curve) return report;
  const LabelledFile training = read_items_for(model, options.training, options.data, true, run);
  report.warnings.insert(report.warnings.end(), training.warnings.begin(), training.warnings.end());
  const std::vector<std::string> words = words_of(options.compare);
  if (!words.empty()) report.comparison.push_back(score_of("this model", items, decided.sets, decided.sets));
  for (std::size_t w = 0; w < words.size(); ++w) {
    const RunContext inner = inner_run(run, name_of_baseline(words[w]), w);
    const BitMatrix sets =
        about(options.training, [&] { return baseline_about(words[w], training.items, items.features, inner); });
    report.comparison.push_back(score_of(name_of_baseline(words[w]), items, sets, decided.sets));
  }
  if (options.learning_curve) {
    const LearningCurveOptions curve{{model.options, false, decide}, "this model", words, options.repeats};
    report.learning = learning_curve(training.items, items, curve, run, report.warnings);
  }
  return report;
}

// --- cross-validation -------------------------------------------------------------

std::string chosen_text(const std::vector<std::string>& chosen) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& name : chosen) ++counts[name];
  std::string text;
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{} ({} of {} folds)", text.empty() ? "auto: " : "; ", name, count, chosen.size());
  }
  return text;
}

void compare_by_folds(MultilabelEvaluateReport& report, const LabelledItems& items,
                      const std::vector<std::uint32_t>& fold_of, const std::vector<std::string>& words,
                      const BitMatrix& ours, const RunContext& run) {
  if (words.empty()) return;
  report.comparison.push_back(score_of("this model", items, ours, ours));
  for (const std::string& word : words) {
    BitMatrix sets(items.rows(), items.labels.size());
    for (std::size_t f = 0; f < report.folds; ++f) {
      const std::vector<std::uint32_t> test = rows_in(fold_of, f, true);
      if (test.empty()) continue;
      const RunContext inner =
          inner_run(run, fmt::format("{}, fold {} of {}", name_of_baseline(word), f + 1, report.folds), f);
      const BitMatrix part =
          baseline_about(word, rows_of(items, rows_in(fold_of, f, false)), rows_of(items, test).features, inner);
      for (std::size_t i = 0; i < test.size(); ++i) {
        std::copy(part.row(i).begin(), part.row(i).end(), sets.row(test[i]).begin());
      }
    }
    report.comparison.push_back(score_of(name_of_baseline(word), items, sets, ours));
  }
}

MultilabelEvaluateReport cross_validate(const EvaluateVerbOptions& options, const PredictOptions& decide,
                                        const VerbContext& context) {
  const std::string& file = context.files[0];
  const RunContext& run = context.run;
  const LabelledFile read = read_items(file, options.data, run);
  const LabelledItems& items = read.items;
  const std::size_t folds = options.cross_validate;
  if (folds > items.rows()) {
    fail(ErrorKind::usage,
         fmt::format("cross-validate = {} is more than the {} items of {}", folds, items.rows(), file));
  }
  MultilabelEvaluateReport report;
  report.source = file;
  report.reject_below = options.reject_below;
  report.warnings = read.warnings;
  report.folds = folds;
  const FoldOptions fold{options.train, !options.no_calibration, decide};
  const std::vector<std::uint32_t> fold_of = equal_folds(items.sets, folds, run.seed);
  const std::vector<std::string> words = words_of(options.compare);
  if (fold.calibrate) warn_of_calibration(options.decide, report.warnings);
  about(file, [&] {
    Decided decided(items.rows(), items.labels.size());
    decide_by_folds(items, fold_of, folds, fold, run, decided, report.warnings);
    report.model_name = decided.chosen.empty() ? describe(options.train) : chosen_text(decided.chosen);
    fill_measures(report, items, decided);
    for (std::size_t f = 0; f < folds; ++f) {
      const std::vector<std::uint32_t> test = rows_in(fold_of, f, true);
      if (!test.empty()) {
        report.by_fold.push_back(label_set_quality(items.sets.rows_of(test), decided.sets.rows_of(test)));
      }
    }
    compare_by_folds(report, items, fold_of, words, decided.sets, run);
  });
  if (options.learning_curve) {
    const LearningCurveOptions curve{{options.train, false, decide}, "this model", words, 1};
    about(file, [&] { report.learning = learning_curve(items, fold_of, folds, curve, run, report.warnings); });
  }
  return report;
}

Outcome run_evaluate(EvaluateVerbOptions options, VerbContext& context) {
  check_options(options, context);
  options.train.given = given_options(context);
  words_of(options.compare);  // a misspelt word is told before the work
  std::vector<std::string> inputs = inputs_of(context.files[0], options.data);
  inputs.push_back(options.model);
  inputs.push_back(options.training);
  check_outputs(inputs, {context.common.report}, {context.common.json});
  const PredictOptions decide = predict_options(options.decide);
  const MultilabelEvaluateReport report =
      options.model.empty() ? cross_validate(options, decide, context) : evaluate_model(options, decide, context);
  Outcome outcome;
  outcome.text = multilabel_evaluate_text(report);
  if (context.wants_json()) outcome.json = multilabel_evaluate_json(report);
  if (context.wants_page()) outcome.page = multilabel_evaluate_page(report);
  return outcome;
}

}  // namespace

Verb multilabel_evaluate_verb() {
  const Argument data{"DATA", "items with their labels: .arff (MULAN, MEKA), .csv or libsvm; '-' is standard input"};
  Verb verb = make_verb<EvaluateVerbOptions>("multilabel", "evaluate",
                                             "how good a model or a way of training is, beside the usual methods",
                                             {data}, run_evaluate);
  verb.required = {{"model", "this or --cross-validate"}, {"cross_validate", "this or --model"}};
  return verb;
}

}  // namespace motet
