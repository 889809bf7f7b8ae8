#include "motet/app/superset/evaluate.h"

#include <fmt/format.h>

#include "motet/app/superset/evaluate_document.h"
#include "motet/app/superset/files.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/io/parts_csv.h"
#include "motet/superset/evaluate.h"
#include "motet/superset/simulate.h"

namespace motet::superset {
namespace {

struct EvaluateVerbOptions {
  CandidateFileOptions data;
  SupersetOptions train;
  std::size_t cross_validate = 10;
  std::string parts;
  double coverage = 0.0;
  bool compare = false;
  bool study = false;
};

template <class V>
void visit_fields(V& v, EvaluateVerbOptions& o) {
  v("cross_validate", o.cross_validate, Range<std::size_t>{2, 1000}, "parts; each is held out once");
  v("parts", o.parts, Reads{"PARTS.csv"},
    "a column 'part', one row per item: which part each is held out with, in place of parts by lot");
  v("coverage", o.coverage, Range<double>{0.0, 0.999},
    "of label sets, for which it is measured how often they hold the truth; 0: no sets");
  v("compare", o.compare, "every other method on the same folds");
  v("study", o.study, "add candidates around the truth in several ways, to see how much ambiguity the data bear");
  visit_fields(v, o.data);
  visit_fields(v, o.train);
}

constexpr SupersetMethod compared_methods[] = {
    SupersetMethod::automatic, SupersetMethod::lsb_cmm, SupersetMethod::logistic, SupersetMethod::clpl,
    SupersetMethod::knn,       SupersetMethod::ipal,    SupersetMethod::svm,      SupersetMethod::naive};

SupersetScore score_of(std::string name, const SupersetEvaluation& evaluation) {
  return {std::move(name), evaluation.inductive, evaluation.transductive,
          evaluation.reliability.expected_calibration_error};
}

struct Setting {
  const char* name;
  AmbiguityOptions ambiguity;
};

// The settings of the usual controlled study.
std::vector<Setting> settings_for(std::size_t classes) {
  std::vector<Setting> settings = {
      {"none", {0.0, 0, 0.0}}, {"1 more, for 3 of 10 items", {0.3, 1, 0.0}}, {"1 more, for all", {1.0, 1, 0.0}}};
  if (classes > 3) settings.push_back({"2 more, for 7 of 10", {0.7, 2, 0.0}});
  if (classes > 4) settings.push_back({"3 more, for all", {1.0, 3, 0.0}});
  if (classes > 2) {
    settings.push_back({"1 more, 3 of 10 times the same", {1.0, 1, 0.3}});
    settings.push_back({"1 more, 7 of 10 times the same", {1.0, 1, 0.7}});
    settings.push_back({"1 more, 9 of 10 times the same", {1.0, 1, 0.9}});
  }
  return settings;
}

std::string how_to_give_truth(const std::string& file, const std::string& column) {
  switch (candidate_file_kind(file)) {
    case CandidateFileKind::mat: return "they are the matrix 'target'";
    case CandidateFileKind::libsvm: return "libsvm rows cannot hold them; use .csv or .mat";
    default:
      return column.empty() ? "name them with --truth-column" : fmt::format("column '{}' is empty all over", column);
  }
}

void require_truth(const std::string& file, const CandidateItems& items, const std::string& column) {
  for (const std::int32_t truth : items.truth) {
    if (truth >= 0) return;
  }
  fail(ErrorKind::usage,
       fmt::format("evaluate: {} has no true labels to score with; {}", file, how_to_give_truth(file, column)));
}

Outcome run_evaluate(const EvaluateVerbOptions& options, VerbContext& context) {
  if (!options.compare) require_heeded(options.train, context);
  const std::string& file = context.files[0];
  const CandidateFile read = read_training_items(file, options.data, context.run);
  require_truth(file, read.items, options.data.truth_column);
  if (options.cross_validate > read.items.rows()) {
    fail(ErrorKind::usage,
         fmt::format("--cross-validate {} is more than the {} items", options.cross_validate, read.items.rows()));
  }
  const Parts parts = options.parts.empty() ? random_parts(read.items.rows(), options.cross_validate,
                                                           stream(context.run.seed, Stream::superset_evaluation_folds))
                                            : given_parts(read_parts(options.parts, read.items.rows()));
  const auto run = [&](const CandidateItems& items, const SupersetOptions& train) {
    return with_frame(file, [&] { return cross_validate(items, train, parts, options.coverage, context.run); });
  };
  const SupersetEvaluation evaluation = run(read.items, options.train);
  const auto word = [](SupersetMethod method) { return superset_method_words[static_cast<std::size_t>(method)]; };
  SupersetEvaluateReport report{evaluation, read.items.classes, file, word(options.train.method)};
  report.warnings = read.warnings;
  if (options.compare) {
    report.comparison.push_back(score_of(report.method, evaluation));
    for (const SupersetMethod method : compared_methods) {
      if (method == options.train.method) continue;
      SupersetOptions train = options.train;
      train.method = method;
      report.comparison.push_back(score_of(word(method), run(read.items, train)));
    }
  }
  if (options.study) {
    for (const std::int32_t truth : read.items.truth) {
      if (truth < 0) {
        fail(ErrorKind::usage, "--study: every item needs a true label, around which candidates are added");
      }
    }
    for (const Setting& setting : settings_for(read.items.classes.size())) {
      const CandidateItems items =
          simulate_candidates(read.items, setting.ambiguity, stream(context.run.seed, Stream::superset_study));
      report.study.push_back(score_of(setting.name, run(items, options.train)));
    }
  }
  return told(superset_evaluate_document(report));
}

}  // namespace

Verb superset_evaluate_verb() {
  return make_verb("superset", "evaluate", "how accurate labels are, by cross-validation with known truth",
                   {{"DATA", "items with candidates and true labels: .csv with --truth-column, or .mat"}}, {},
                   run_evaluate);
}

}  // namespace motet::superset
