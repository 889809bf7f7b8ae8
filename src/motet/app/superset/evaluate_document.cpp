#include "motet/app/superset/evaluate_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/app/reliability.h"
#include "motet/report/heat_map.h"

namespace motet::superset {
namespace {

constexpr std::size_t most_classes_in_map = 40;
constexpr std::size_t most_confusions_in_text = 10;

Listing fold_listing(const SupersetEvaluation& evaluation) {
  Listing folds{{{"fold"}, {"items", "items"}, {"accuracy", "accuracy"}, {"disambiguated", "transductive_accuracy"}}};
  for (const SupersetFold& fold : evaluation.folds) {
    folds.rows.push_back({folds.rows.size() + 1, fold.items, fold.inductive, fold.transductive});
  }
  return folds;
}

Listing score_listing(const char* heading, const char* key, const std::vector<SupersetScore>& scores) {
  Listing listing{{{heading, key},
                   {"accuracy", "accuracy"},
                   {"", "accuracy_sd"},
                   {"+-", "accuracy_standard_error"},
                   {"disambiguated", "transductive_accuracy"},
                   {"+-"},
                   {"calibration error", "expected_calibration_error", 3}}};
  for (const SupersetScore& score : scores) {
    listing.rows.push_back({score.name, score.inductive.mean, score.inductive.sd, score.inductive.error,
                            score.transductive.mean, score.transductive.error, score.calibration_error});
  }
  return listing;
}

// Wrong labels, most frequent first.
Table confusion_table(const SupersetEvaluateReport& report) {
  const std::size_t classes = report.classes.size();
  Listing listing{{{"true class"}, {"given class"}, {"items"}}};
  for (std::size_t cell = 0; cell < classes * classes; ++cell) {
    const std::size_t items = report.evaluation.confusion[cell];
    if (items == 0 || cell / classes == cell % classes) continue;
    listing.rows.push_back({report.classes[cell / classes], report.classes[cell % classes], items});
  }
  std::stable_sort(listing.rows.begin(), listing.rows.end(),
                   [](const auto& a, const auto& b) { return a[2].as_whole() > b[2].as_whole(); });
  return listing.table();
}

std::string coverage_sentence(const SupersetEvaluation& evaluation) {
  if (evaluation.coverage <= 0.0) return "";
  return fmt::format(
      "label sets for a coverage of {:.3f} held the truth for {:.3f} of the items, with {:.2f} labels on average",
      evaluation.coverage, evaluation.covered, evaluation.set_size);
}

// Says so when another method does better.
std::string comparison_sentence(const std::vector<SupersetScore>& scores) {
  const auto best = std::max_element(
      scores.begin() + 1, scores.end(),
      [](const SupersetScore& a, const SupersetScore& b) { return a.inductive.mean < b.inductive.mean; });
  const double lead = scores[0].inductive.mean - best->inductive.mean;
  const double error = std::hypot(scores[0].inductive.error, best->inductive.error);
  if (lead > error)
    return fmt::format("{} is the most accurate, by {:.4f} before {}", scores[0].name, lead, best->name);
  if (lead < -error)
    return fmt::format("{} is more accurate than {} here, by {:.4f}", best->name, scores[0].name, -lead);
  return fmt::format("{} and {} are equally accurate within the standard error", scores[0].name, best->name);
}

Plot score_plot(const char* what, const std::vector<SupersetScore>& scores) {
  Bars bars;
  bars.name_title = what;
  bars.value_title = "accuracy on items not seen";
  for (const SupersetScore& score : scores) add(bars, score.name, score.inductive.mean, score.inductive.error);
  return bar_plot({"Accuracy", "One standard error to each side."}, bars);
}

Value json_of(const SupersetEvaluateReport& report, const Listing& folds, const Listing& methods,
              const Listing& study) {
  const SupersetEvaluation& evaluation = report.evaluation;
  const std::size_t classes = report.classes.size();
  Value::List confusion;
  for (std::size_t l = 0; l < classes; ++l) {
    confusion.push_back(Value::list_of(std::span(evaluation.confusion).subspan(l * classes, classes)));
  }
  Value value = Value::object({{"accuracy", evaluation.inductive.mean},
                               {"accuracy_sd", evaluation.inductive.sd},
                               {"accuracy_standard_error", evaluation.inductive.error},
                               {"transductive_accuracy", evaluation.transductive.mean},
                               {"transductive_accuracy_sd", evaluation.transductive.sd},
                               {"folds", folds.json()},
                               {"method", report.method},
                               {"classes", Value::list_of(report.classes)},
                               {"confusion", std::move(confusion)},
                               {"expected_calibration_error", evaluation.reliability.expected_calibration_error},
                               {"reliability", reliability_bins(evaluation.reliability)}});
  if (evaluation.coverage > 0.0) {
    value.set("coverage", Value::object({{"wanted", evaluation.coverage},
                                         {"reached", evaluation.covered},
                                         {"labels_mean", evaluation.set_size}}));
  }
  value.set("comparison", methods.json());
  value.set("study", study.json());
  value.set("warnings", Value::list_of(report.warnings));
  return value;
}

void add_confusion(Document& document, const SupersetEvaluateReport& report, const Table& wrong) {
  Section& section = document.section("What is taken for what");
  if (report.classes.size() <= most_classes_in_map) {
    HeatMap map{report.classes, report.classes, {}, "true class", "given class", "items", 0};
    for (const std::size_t items : report.evaluation.confusion) {
      map.values.push_back(items == 0 ? std::nan("") : static_cast<double>(items));
    }
    section.plots.push_back(heat_map({"Confusions", "Items by their true and their given class."}, map));
  }
  section.tables.push_back({"Wrong labels, most frequent first", wrong});
}

}  // namespace

Document superset_evaluate_document(const SupersetEvaluateReport& report) {
  const SupersetEvaluation& found = report.evaluation;
  const double calibration_error = found.reliability.expected_calibration_error;
  const std::string coverage = coverage_sentence(found);
  const Listing folds = fold_listing(found);
  const Listing methods = score_listing("method", "method", report.comparison);
  const Listing study = score_listing("candidates added", "candidates", report.study);
  const Table wrong = confusion_table(report);
  Document document{{"How well the right candidates are found", report.source, {}, {}}, {}, {}};
  document.facts = {{"accuracy, not seen", plus_minus(found.inductive.mean, found.inductive.error)},
                    {"accuracy, disambiguated", plus_minus(found.transductive.mean, found.transductive.error)},
                    {"folds", std::to_string(found.folds.size())},
                    {"method", report.method}};
  document.text = fmt::format(
      "{}-fold cross-validation, method {}\naccuracy on items not seen {:.4f} +- {:.4f}; of the training items' "
      "disambiguated labels {:.4f} +- {:.4f}\nexpected calibration error {:.4f}\n{}{}",
      found.folds.size(), report.method, found.inductive.mean, found.inductive.error, found.transductive.mean,
      found.transductive.error, calibration_error, coverage, coverage.empty() ? "" : "\n");
  Section& first = document.section(
      "Accuracy",
      "Items not seen are labelled from their features alone; disambiguated are the training items, candidates known.");
  first.notes = report.warnings;
  first.tables.push_back({"Folds", folds.table()});
  document.show(folds.table());
  document.show(wrong, {.max_rows = most_confusions_in_text});
  if (report.comparison.size() > 1) {
    const std::string sentence = comparison_sentence(report.comparison);
    Section& section = document.section("Against other methods", sentence + ". The same folds for all.");
    section.plots.push_back(score_plot("method", report.comparison));
    section.tables.push_back({"Methods", methods.table()});
    document.show(methods.table());
    document.text += sentence + "\n";
  }
  if (!report.study.empty()) {
    Section& section =
        document.section("How much ambiguity do the data bear?",
                         "Candidates were added around the truth by lot, and the whole was trained and tested again.");
    section.plots.push_back(score_plot("candidates added", report.study));
    section.tables.push_back({"Settings", study.table()});
    document.show(study.table(), {.max_width = 60});
  }
  document
      .section("How far probabilities can be trusted",
               fmt::format("The expected calibration error is {:.3f}. {}", calibration_error, coverage))
      .plots.push_back(reliability_plot(
          {"Reliability", "Share of right labels against the stated probability; bands are one standard error."},
          found.reliability));
  add_confusion(document, report, wrong);
  document.text += warning_lines(report.warnings);
  document.json = json_of(report, folds, methods, study);
  return document;
}

}  // namespace motet::superset
