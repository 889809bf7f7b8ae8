#include "motet/app/multilabel/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "motet/app/multilabel/compare.h"
#include "motet/app/multilabel/evaluate_document.h"
#include "motet/app/multilabel/files.h"
#include "motet/app/multilabel/folds.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/multilabel/choice/inner_run.h"
#include "motet/multilabel/naming.h"

namespace motet::multilabel {
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
  v("model", o.model, Reads{"MODEL.json"},
    "written by `multilabel train`; the data should be other than those it was trained on");
  v("cross_validate", o.cross_validate, Range<std::size_t>{0, 1000},
    "instead of a model: train on all folds but one, N times, with the training options below; where only trainings "
    "are compared, 10 unless said otherwise");
  v("compare", o.compare, Text{"WORD,...|all"},
    "also run these on the same items: the trainings new, cross, probabilistic, ignore, deconvolution, log-linear, "
    "logistic, svm, chain, powerset (or with their decision, as in cross/one-against-all), and lp-lda, lp-logistic, "
    "lp-svm, ovr-lda, ovr-logistic, ovr-svm, ml-knn; "
    "all: these seven");
  v("learning_curve", o.learning_curve, "also the error against the number of training items");
  v("repeats", o.repeats, Range<std::size_t>{1, 1000}, "subsets of each size of the learning curve, with --model");
  v("train", o.training, Reads{"TRAIN"},
    "the items the model was trained on: --compare and --learning-curve need them with --model; or those that the "
    "trainings of --compare learn from, instead of a cross-validation");
  visit_fields(v, o.decide);
  v("reject_below", o.reject_below, Range<double>{0.0, 1.0},
    "also tell how many items `predict` would leave without labels at this probability, and the error of the others");
  visit_fields(v, o.data);
  visit_fields(v, o.train);
  v("no_calibration", o.no_calibration, "leave out the calibration of probabilities");
}

constexpr std::size_t usual_folds = 10;  // of a comparison of trainings

// Trainings that --compare names are all there is, unless a model or a --method is to be beside them.
bool only_trainings(const EvaluateVerbOptions& options, const VerbContext& context) {
  return options.model.empty() && !is_given(context, "method") && names_training(rivals_of(options.compare, {}));
}

void check_model_options(const EvaluateVerbOptions& options, const VerbContext& context) {
  EvaluateVerbOptions copy = options;
  std::vector<std::string> names{"no_calibration"};
  for (const Field& field : fields_of(copy.train)) names.push_back(field.name);
  for (const std::string& name : names) {
    if (!is_given(context, name)) continue;
    fail(ErrorKind::usage,
         fmt::format("{}: goes with --cross-validate; the model of --model is trained already", flag_of(name)));
  }
}

void check_options(const EvaluateVerbOptions& options, const VerbContext& context) {
  const bool has_model = !options.model.empty();
  const bool has_folds = options.cross_validate != 0;
  const bool alone = only_trainings(options, context);
  if (has_model && has_folds) fail(ErrorKind::usage, "evaluate: --model and --cross-validate exclude each other");
  if (!has_model && !has_folds && !alone) {
    fail(ErrorKind::usage, "evaluate: needs --model, --cross-validate, or trainings to --compare without --method");
  }
  if (options.cross_validate == 1) fail(ErrorKind::usage, "--cross-validate 1 is too few; 2 folds or more are needed");
  const bool needs_training = !options.compare.empty() || options.learning_curve;
  if (has_model && needs_training && options.training.empty()) {
    fail(ErrorKind::usage, fmt::format("{}: needs --train, the items the model was trained on",
                                       options.compare.empty() ? "--learning-curve" : "--compare"));
  }
  if (has_folds && !options.training.empty()) {
    fail(ErrorKind::usage, "--train: goes with --model; a cross-validation trains on its own folds");
  }
  if (has_folds && !alone && options.decide.decision == Decision::one_against_all &&
      !has_one_against_all(options.train.method)) {
    fail(ErrorKind::usage, "--decision one-against-all needs --method cross or probabilistic");
  }
  if (has_model) check_model_options(options, context);
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
    score.set = set_name(index.sets.row(s), items.labels);
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

void fill_measures(MultilabelEvaluateReport& report, const LabelledItems& items, const Decided& decided) {
  const std::vector<std::uint8_t> right = right_of(items.sets, decided.sets);
  report.labels = items.labels;
  report.quality = label_set_quality(items.sets, decided.sets);
  report.set_reliability = reliability(decided.probability, right);
  report.label_reliability = label_reliability(items.sets, decided.marginal);
  report.reject = reject_curve(decided.probability, right);
  report.confused = most_confused(items.sets, decided.sets, items.rows());
  report.sets = set_scores(items, decided, right);
  // All other measures are of all items, so that they can be compared.
  report.rejection = rejection_below(report.reject_below, decided.probability, right);
  report.outliers = static_cast<std::size_t>(std::count(decided.outlier.begin(), decided.outlier.end(), 1));
  if (decided.unproved > 0) {
    report.warnings.push_back(fmt::format("{} decisions are not proved best; raise --node-limit", decided.unproved));
  }
}

void warn_of_calibration(const DecisionOptions& decide, Training method, std::vector<std::string>& warnings) {
  if (std::string warning = calibration_warning(decide, method); !warning.empty())
    warnings.push_back(std::move(warning));
}

Attempt this_model(const BitMatrix& sets) {
  Attempt own{"this model", {}, ""};
  own.decided.sets = sets;
  return own;
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
  const BitMatrix observed = model.groups ? model.groups->widened(model.prior.sets) : model.prior.sets;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    decided.known[n] = find_set(observed, items.sets.row(n)) == no_set ? 0 : 1;
  }
  fill_measures(report, items, decided);
  if (model.calibration.known()) warn_of_calibration(options.decide, model.options.method, report.warnings);
  if (options.reject_below > 0.0 && !model.calibration.known()) {
    report.warnings.push_back(uncalibrated_warning(options.model));
  }
  if (options.compare.empty() && !options.learning_curve) return report;
  const LabelledFile training = read_items_for(model, options.training, options.data, true, run);
  report.warnings.insert(report.warnings.end(), training.warnings.begin(), training.warnings.end());
  const FoldOptions own{model.options, false, decide};
  std::vector<Rival> rivals = rivals_of(options.compare, own);
  if (!rivals.empty()) report.comparison.push_back(score_of(this_model(decided.sets), items, decided.sets));
  for (std::size_t w = 0; w < rivals.size(); ++w) {
    const RunContext inner = inner_run(run, rivals[w].name, w);
    report.comparison.push_back(score_of(try_rival(rivals[w], training.items, items, inner), items, decided.sets));
  }
  if (options.learning_curve) {
    rivals.insert(rivals.begin(), {"", "this model", own});
    report.learning =
        learning_curve(training.items, items, {curve_methods(rivals), options.repeats}, run, report.warnings);
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

void require_folds(std::size_t folds, const LabelledItems& items, const std::string& file) {
  if (folds <= items.rows()) return;
  fail(ErrorKind::usage, fmt::format("--cross-validate {} is more than the {} items of {}", folds, items.rows(), file));
}

void fill_folds(MultilabelEvaluateReport& report, const LabelledItems& items, const Parts& parts,
                const BitMatrix& sets) {
  for (std::size_t f = 0; f < parts.count; ++f) {
    const std::vector<std::uint32_t> test = parts.rows_of(f);
    if (test.empty()) continue;
    report.by_fold.push_back(label_set_quality(items.sets.rows_of(test), sets.rows_of(test)));
  }
}

MultilabelEvaluateReport cross_validate(const EvaluateVerbOptions& options, const PredictOptions& decide,
                                        const VerbContext& context) {
  const std::string& file = context.files[0];
  const RunContext& run = context.run;
  const LabelledFile read = read_items(file, options.data, run);
  const LabelledItems& items = read.items;
  const std::size_t folds = options.cross_validate;
  require_folds(folds, items, file);
  MultilabelEvaluateReport report;
  report.source = file;
  report.reject_below = options.reject_below;
  report.warnings = read.warnings;
  report.folds = folds;
  const FoldOptions fold{options.train, !options.no_calibration, decide};
  const Parts parts = stratified_parts(items.sets, folds, whole_seed(run.seed, Stream::multilabel_evaluation_folds));
  std::vector<Rival> rivals = rivals_of(options.compare, fold);
  if (fold.calibrate) warn_of_calibration(options.decide, options.train.method, report.warnings);
  about(file, [&] {
    Decided decided(items.rows(), items.labels.size());
    decide_by_folds(items, parts, fold, run, decided, report.warnings);
    report.model_name = decided.chosen.empty() ? describe(options.train) : chosen_text(decided.chosen);
    fill_measures(report, items, decided);
    fill_folds(report, items, parts, decided.sets);
    if (!rivals.empty()) report.comparison.push_back(score_of(this_model(decided.sets), items, decided.sets));
    for (const Rival& rival : rivals) {
      report.comparison.push_back(score_of(try_rival(rival, items, parts, run), items, decided.sets));
    }
  });
  if (options.learning_curve) {
    rivals.insert(rivals.begin(), {"", "this model", FoldOptions{options.train, false, decide}});
    about(file, [&] {
      report.learning = learning_curve(items, parts, {curve_methods(rivals), 1}, run, report.warnings);
    });
  }
  return report;
}

// --- trainings side by side -----------------------------------------------------

// The first training that could be trained is what the others are compared with, and told in full.
void fill_comparison(MultilabelEvaluateReport& report, const std::vector<Rival>& rivals,
                     const std::vector<Attempt>& attempts, const LabelledItems& items) {
  std::size_t first = 0;
  while (first < rivals.size() && (!rivals[first].training || !attempts[first].failure.empty())) ++first;
  if (first == rivals.size()) {
    const auto tried =
        std::find_if(rivals.begin(), rivals.end(), [](const Rival& r) { return r.training.has_value(); });
    fail(ErrorKind::unanswerable, fmt::format("compare: no training suits these items; {}: {}", tried->name,
                                              attempts[static_cast<std::size_t>(tried - rivals.begin())].failure));
  }
  report.is_comparison = true;
  report.first = first;
  report.model_name = describe(rivals[first].training->train);
  fill_measures(report, items, attempts[first].decided);
  report.warnings.insert(report.warnings.end(), attempts[first].warnings.begin(), attempts[first].warnings.end());
  for (const Attempt& attempt : attempts) {
    report.comparison.push_back(score_of(attempt, items, attempts[first].decided.sets));
  }
}

MultilabelEvaluateReport compare_trainings(const EvaluateVerbOptions& options, const PredictOptions& decide,
                                           const VerbContext& context) {
  const std::string& file = context.files[0];
  const RunContext& run = context.run;
  const std::vector<Rival> rivals = rivals_of(options.compare, {options.train, false, decide});
  MultilabelEvaluateReport report;
  report.source = file;
  report.reject_below = options.reject_below;
  std::vector<Attempt> attempts;
  if (!options.training.empty()) {
    const LabelledFile training = read_items(options.training, options.data, run);
    const LabelledFile read = read_items_for(training.items, file, options.data, run);
    report.warnings = training.warnings;
    report.warnings.insert(report.warnings.end(), read.warnings.begin(), read.warnings.end());
    for (std::size_t r = 0; r < rivals.size(); ++r) {
      attempts.push_back(try_rival(rivals[r], training.items, read.items, inner_run(run, rivals[r].name, r)));
    }
    about(options.training, [&] { fill_comparison(report, rivals, attempts, read.items); });
    if (options.learning_curve) {
      report.learning =
          learning_curve(training.items, read.items, {curve_methods(rivals), options.repeats}, run, report.warnings);
    }
    return report;
  }
  const LabelledFile read = read_items(file, options.data, run);
  report.warnings = read.warnings;
  report.folds = options.cross_validate != 0 ? options.cross_validate : usual_folds;
  require_folds(report.folds, read.items, file);
  const Parts parts =
      stratified_parts(read.items.sets, report.folds, whole_seed(run.seed, Stream::multilabel_evaluation_folds));
  about(file, [&] {
    for (const Rival& rival : rivals) attempts.push_back(try_rival(rival, read.items, parts, run));
    fill_comparison(report, rivals, attempts, read.items);
    fill_folds(report, read.items, parts, attempts[report.first].decided.sets);
    if (options.learning_curve) {
      report.learning = learning_curve(read.items, parts, {curve_methods(rivals), 1}, run, report.warnings);
    }
  });
  return report;
}

Outcome run_evaluate(const EvaluateVerbOptions& chosen, VerbContext& context) {
  EvaluateVerbOptions options = chosen;
  check_options(options, context);  // also of a misspelt word, before the work
  options.train.given = given_options(context);
  options.data = for_files(options.data, context);
  const PredictOptions decide = predict_options(options.decide);
  const auto evaluate = !options.model.empty()             ? evaluate_model
                        : only_trainings(options, context) ? compare_trainings
                                                           : cross_validate;
  return told(multilabel_evaluate_document(evaluate(options, decide, context)));
}

}  // namespace

Verb multilabel_evaluate_verb() {
  return make_verb("multilabel", "evaluate", "how good a model or ways of training are, beside the usual methods",
                   {labelled_data},
                   {{"model", "this, --cross-validate, or trainings to --compare"},
                    {"cross_validate", "this, --model, or trainings to --compare"}},
                   run_evaluate);
}

}  // namespace motet::multilabel
