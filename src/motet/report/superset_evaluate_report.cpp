#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/report/plots.h"
#include "motet/report/reliability.h"
#include "motet/report/superset_report.h"
#include "motet/report/text_table.h"

namespace motet {
namespace {

constexpr std::size_t most_classes_in_map = 40;
constexpr std::size_t most_confusions_in_text = 10;

Table fold_table(const SupersetEvaluation& evaluation) {
  Table table{{{"fold"}, {"items"}, {"accuracy"}, {"disambiguated"}}, {}};
  for (std::size_t f = 0; f < evaluation.folds.size(); ++f) {
    const SupersetFold& fold = evaluation.folds[f];
    table.rows.push_back(
        {static_cast<std::int64_t>(f + 1), static_cast<std::int64_t>(fold.items), fold.inductive, fold.transductive});
  }
  return table;
}

Table score_table(const std::string& what, const std::vector<SupersetScore>& scores) {
  Table table{{{what}, {"accuracy"}, {"+-"}, {"disambiguated"}, {"+-"}, {"calibration error", 3}}, {}};
  for (const SupersetScore& score : scores) {
    table.rows.push_back({score.name, score.inductive.mean, score.inductive.error, score.transductive.mean,
                          score.transductive.error, score.calibration_error});
  }
  return table;
}

// Wrong labels, most frequent first.
Table confusion_table(const SupersetEvaluateReport& report) {
  const std::size_t classes = report.classes.size();
  std::vector<std::pair<std::size_t, std::size_t>> order;  // items, cell
  for (std::size_t cell = 0; cell < classes * classes; ++cell) {
    const std::size_t items = report.evaluation.confusion[cell];
    if (items > 0 && cell / classes != cell % classes) order.emplace_back(items, cell);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  Table table{{{"true class"}, {"given class"}, {"items"}}, {}};
  for (const auto& [items, cell] : order) {
    table.rows.push_back(
        {report.classes[cell / classes], report.classes[cell % classes], static_cast<std::int64_t>(items)});
  }
  return table;
}

std::string accuracy_sentence(const SupersetEvaluation& evaluation) {
  return fmt::format(
      "accuracy on items not seen {:.4f} +- {:.4f}; of the training items' disambiguated labels {:.4f} +- {:.4f}",
      evaluation.inductive.mean, evaluation.inductive.error, evaluation.transductive.mean,
      evaluation.transductive.error);
}

std::string coverage_sentence(const SupersetEvaluation& evaluation) {
  if (evaluation.coverage <= 0.0) return "";
  return fmt::format(
      "label sets for a coverage of {:.3f} held the truth for {:.3f} of the items, with {:.2f} labels on average",
      evaluation.coverage, evaluation.covered, evaluation.set_size);
}

// Says so when another method does better.
std::string comparison_sentence(const std::vector<SupersetScore>& scores) {
  if (scores.size() < 2) return "";
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

Plot score_plot(PlotText text, const std::string& what, const std::vector<SupersetScore>& scores) {
  Bars bars;
  bars.name_title = what;
  bars.value_title = "accuracy on items not seen";
  for (const SupersetScore& score : scores) {
    bars.names.push_back(score.name);
    bars.values.push_back(score.inductive.mean);
    bars.low.push_back(score.inductive.mean - score.inductive.error);
    bars.high.push_back(score.inductive.mean + score.inductive.error);
  }
  return bar_plot(std::move(text), bars);
}

Value scores_value(const char* what, const std::vector<SupersetScore>& scores) {
  Value::List list;
  for (const SupersetScore& score : scores) {
    list.push_back(Value::object({{what, score.name},
                                  {"accuracy", score.inductive.mean},
                                  {"accuracy_sd", score.inductive.sd},
                                  {"accuracy_standard_error", score.inductive.error},
                                  {"transductive_accuracy", score.transductive.mean},
                                  {"expected_calibration_error", score.calibration_error}}));
  }
  return list;
}

}  // namespace

std::string superset_evaluate_text(const SupersetEvaluateReport& report) {
  const SupersetEvaluation& evaluation = report.evaluation;
  std::string text = fmt::format("{}-fold cross-validation, method {}\n{}\n", evaluation.folds.size(), report.method,
                                 accuracy_sentence(evaluation));
  text += fmt::format("expected calibration error {:.4f}\n", evaluation.reliability.expected_calibration_error);
  if (const std::string coverage = coverage_sentence(evaluation); !coverage.empty()) text += coverage + "\n";
  text += "\n" + to_text(fold_table(evaluation));
  text += "\n" + to_text(confusion_table(report), {.max_rows = most_confusions_in_text});
  if (report.comparison.size() > 1) {
    text += "\n" + to_text(score_table("method", report.comparison)) + comparison_sentence(report.comparison) + "\n";
  }
  if (!report.study.empty()) text += "\n" + to_text(score_table("candidates added", report.study), {.max_width = 60});
  return text + warning_lines(report.warnings);
}

Value superset_evaluate_json(const SupersetEvaluateReport& report) {
  const SupersetEvaluation& evaluation = report.evaluation;
  Value::List folds;
  for (const SupersetFold& fold : evaluation.folds) {
    folds.push_back(Value::object(
        {{"items", fold.items}, {"accuracy", fold.inductive}, {"transductive_accuracy", fold.transductive}}));
  }
  Value::List confusion;
  const std::size_t classes = report.classes.size();
  for (std::size_t l = 0; l < classes; ++l) {
    confusion.push_back(Value::list_of(std::span(evaluation.confusion).subspan(l * classes, classes)));
  }
  Value value = Value::object({{"accuracy", evaluation.inductive.mean},
                               {"accuracy_sd", evaluation.inductive.sd},
                               {"accuracy_standard_error", evaluation.inductive.error},
                               {"transductive_accuracy", evaluation.transductive.mean},
                               {"transductive_accuracy_sd", evaluation.transductive.sd},
                               {"folds", std::move(folds)},
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
  value.set("comparison", scores_value("method", report.comparison));
  value.set("study", scores_value("candidates", report.study));
  value.set("warnings", Value::list_of(report.warnings));
  return value;
}

Page superset_evaluate_page(const SupersetEvaluateReport& report) {
  const SupersetEvaluation& evaluation = report.evaluation;
  Page page;
  page.title = "How well the right candidates are found";
  page.subtitle = report.source;
  page.facts = {
      {"accuracy, not seen", fmt::format("{:.3f} ± {:.3f}", evaluation.inductive.mean, evaluation.inductive.error)},
      {"accuracy, disambiguated",
       fmt::format("{:.3f} ± {:.3f}", evaluation.transductive.mean, evaluation.transductive.error)},
      {"folds", std::to_string(evaluation.folds.size())},
      {"method", report.method}};
  Section first;
  first.title = "Accuracy";
  first.lead =
      "Items not seen are labelled from their features alone; disambiguated are the training items, candidates known.";
  first.notes = report.warnings;
  first.tables.push_back({"Folds", fold_table(evaluation)});
  page.sections.push_back(std::move(first));
  if (report.comparison.size() > 1) {
    Section section;
    section.title = "Against other methods";
    section.lead = comparison_sentence(report.comparison) + ". The same folds for all.";
    section.plots.push_back(score_plot({"Accuracy", "One standard error to each side."}, "method", report.comparison));
    section.tables.push_back({"Methods", score_table("method", report.comparison)});
    page.sections.push_back(std::move(section));
  }
  if (!report.study.empty()) {
    Section section;
    section.title = "How much ambiguity do the data bear?";
    section.lead = "Candidates were added around the truth by lot, and the whole was trained and tested again.";
    section.plots.push_back(
        score_plot({"Accuracy", "One standard error to each side."}, "candidates added", report.study));
    section.tables.push_back({"Settings", score_table("candidates added", report.study)});
    page.sections.push_back(std::move(section));
  }
  Section calibration;
  calibration.title = "How far probabilities can be trusted";
  calibration.lead = fmt::format("The expected calibration error is {:.3f}. {}",
                                 evaluation.reliability.expected_calibration_error, coverage_sentence(evaluation));
  calibration.plots.push_back(reliability_plot(
      {"Reliability", "Share of right labels against the stated probability; bands are one standard error."},
      evaluation.reliability));
  page.sections.push_back(std::move(calibration));
  Section confusion;
  confusion.title = "What is taken for what";
  const std::size_t classes = report.classes.size();
  if (classes <= most_classes_in_map) {
    HeatMap map{report.classes, report.classes, {}, "true class", "given class", "items", 0};
    for (const std::size_t items : evaluation.confusion) {
      map.values.push_back(items == 0 ? std::nan("") : static_cast<double>(items));
    }
    confusion.plots.push_back(heat_map({"Confusions", "Items by their true and their given class."}, map));
  }
  confusion.tables.push_back({"Wrong labels, most frequent first", confusion_table(report)});
  page.sections.push_back(std::move(confusion));
  return page;
}

}  // namespace motet
