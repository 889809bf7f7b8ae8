#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/numeric.h"
#include "motet/data/labelled_items.h"
#include "motet/report/multilabel_comparison.h"
#include "motet/report/multilabel_report.h"
#include "motet/report/plots.h"
#include "motet/report/reliability.h"
#include "motet/report/text_table.h"

namespace motet {
namespace {

constexpr std::size_t most_sets_in_text = 15;
constexpr std::size_t most_sets_in_map = 25;

Table quality_table(const LabelSetQuality& quality) {
  Table table{{{"measure"}, {"value"}, {"+-"}}, {}};
  const auto add = [&](const char* name, double value, double error = std::nan("")) {
    table.rows.push_back({std::string(name), value, error});
  };
  add("error rate (another set than the true one)", quality.error_rate, quality.error_rate_error);
  add("balanced error rate (mean over true sets)", quality.balanced_error_rate, quality.balanced_error_rate_error);
  add("Hamming loss (wrong labels a label)", quality.hamming_loss, quality.hamming_loss_error);
  add("precision, mean over items", quality.precision, quality.precision_error);
  add("recall, mean over items", quality.recall, quality.recall_error);
  add("F1, mean over items", quality.f1, quality.f1_error);
  add("micro F1 (all labels of all items)", quality.micro_f1, quality.micro_f1_error);
  add("macro precision (mean over labels)", quality.macro_precision, quality.macro_precision_error);
  add("macro recall (mean over labels)", quality.macro_recall, quality.macro_recall_error);
  add("macro F1 (mean over labels)", quality.macro_f1, quality.macro_f1_error);
  return table;
}

Table label_table(const MultilabelEvaluateReport& report) {
  Table table{
      {{"label"}, {"items"}, {"right"}, {"missed"}, {"wrongly given"}, {"precision", 3}, {"recall", 3}, {"F1", 3}}, {}};
  for (std::size_t k = 0; k < report.quality.per_label.size(); ++k) {
    const LabelCounts& counts = report.quality.per_label[k];
    table.rows.push_back(
        {report.labels[k], static_cast<std::int64_t>(counts.true_positive + counts.false_negative),
         static_cast<std::int64_t>(counts.true_positive), static_cast<std::int64_t>(counts.false_negative),
         static_cast<std::int64_t>(counts.false_positive), counts.precision(), counts.recall(), counts.f1()});
  }
  return table;
}

std::string set_name(const std::vector<std::uint64_t>& set, const std::vector<std::string>& labels) {
  const std::string name = joined_labels(set, labels);
  return name.empty() ? "(none)" : name;
}

Table confusion_table(const MultilabelEvaluateReport& report) {
  Table table{{{"true set"}, {"given set"}, {"items"}}, {}};
  for (const SetConfusion& confusion : report.confused) {
    table.rows.push_back({set_name(confusion.truth, report.labels), set_name(confusion.predicted, report.labels),
                          static_cast<std::int64_t>(confusion.items)});
  }
  return table;
}

Table set_table(const MultilabelEvaluateReport& report) {
  Table table{{{"true set"}, {"items"}, {"wrong"}, {"error", 3}, {"in training"}}, {}};
  for (const SetScore& score : report.sets) {
    table.rows.push_back({score.set, static_cast<std::int64_t>(score.items), static_cast<std::int64_t>(score.wrong),
                          static_cast<double>(score.wrong) / static_cast<double>(score.items),
                          std::string(score.known ? "yes" : "no")});
  }
  return table;
}

MeanSd over_folds(const MultilabelEvaluateReport& report) {
  std::vector<double> errors;
  for (const LabelSetQuality& quality : report.by_fold) errors.push_back(quality.error_rate);
  return mean_sd(errors);
}

std::string head_sentence(const MultilabelEvaluateReport& report) {
  const LabelSetQuality& quality = report.quality;
  std::string text =
      fmt::format("{} items, {} labels in {} different sets", quality.items, report.labels.size(), quality.label_sets);
  if (report.folds > 0) text += fmt::format("; {}-fold cross-validation", report.folds);
  return text;
}

std::string error_sentence(const MultilabelEvaluateReport& report) {
  const LabelSetQuality& quality = report.quality;
  std::string text = fmt::format("exact-match error {:.4f} +- {:.4f}", quality.error_rate, quality.error_rate_error);
  if (report.by_fold.size() > 1) text += fmt::format(" (standard error over folds {:.4f})", over_folds(report).error);
  return text;
}

std::string reject_sentence(const MultilabelEvaluateReport& report) {
  const double share = static_cast<double>(report.rejected) / static_cast<double>(report.quality.items);
  std::string text = fmt::format("reject-below = {:.4g} leaves {} of {} items ({:.1f} %) without labels",
                                 report.reject_below, report.rejected, report.quality.items, 100.0 * share);
  if (std::isnan(report.kept_error)) return text;
  return text + fmt::format("; error of the others {:.4f} +- {:.4f}", report.kept_error, report.kept_error_se);
}

Section calibration_section(const MultilabelEvaluateReport& report) {
  Section section;
  section.title = "How far probabilities can be trusted";
  section.lead = fmt::format(
      "Of items whose set was given with probability p, a share p should be right. The expected calibration error, the "
      "mean "
      "distance from that, is {:.3f} for whole sets",
      report.set_reliability.expected_calibration_error);
  if (!report.label_reliability.bins.empty()) {
    section.lead += fmt::format(" and {:.3f} for single labels", report.label_reliability.expected_calibration_error);
  }
  section.lead += ". Bands are one standard error.";
  section.small_plots = true;
  section.plots.push_back(
      reliability_plot({"Label sets", "Share of right sets against the stated probability."}, report.set_reliability));
  if (!report.label_reliability.bins.empty()) {
    section.plots.push_back(reliability_plot(
        {"Single labels", "Share of items with the label against its stated probability."}, report.label_reliability));
  }
  return section;
}

Section reject_section(const MultilabelEvaluateReport& report) {
  Section section;
  section.title = "Answering only when sure";
  section.lead =
      "When items below a probability are left to a person (--reject-below), fewer are answered and fewer of those are "
      "wrong.";
  if (report.reject_below > 0.0) section.notes.push_back(reject_sentence(report));
  Series curve{"error of the answered", {}, {}, {}, {}};
  Table table{{{"answered when at least", 3}, {"share answered", 3}, {"error among them", 4}}, {}};
  for (const RejectPoint& point : report.reject) {
    curve.x.push_back(point.coverage);
    curve.y.push_back(point.error);
    table.rows.push_back({point.threshold, point.coverage, point.error});
  }
  Lines lines{{std::move(curve)}, "share of items answered", "exact-match error"};
  section.plots.push_back(line_plot({"Error against coverage", "Least sure items are left out first."}, lines));
  section.tables.push_back({"Thresholds", std::move(table)});
  return section;
}

Section confusion_section(const MultilabelEvaluateReport& report) {
  Section section;
  section.title = "What is taken for what";
  section.lead = "True sets and the sets that were given instead, most frequent first.";
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  const auto place = [](std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.push_back(name);
    return names.size() - 1;
  };
  std::vector<std::pair<std::size_t, std::size_t>> cells;
  const std::size_t shown = std::min(report.confused.size(), most_sets_in_map);
  for (std::size_t i = 0; i < shown; ++i) {
    cells.emplace_back(place(rows, set_name(report.confused[i].truth, report.labels)),
                       place(columns, set_name(report.confused[i].predicted, report.labels)));
  }
  if (shown > 1) {
    HeatMap map{rows,       columns,     std::vector<double>(rows.size() * columns.size(), std::nan("")),
                "true set", "given set", "items",
                0};
    for (std::size_t i = 0; i < shown; ++i) {
      map.values[cells[i].first * columns.size() + cells[i].second] = static_cast<double>(report.confused[i].items);
    }
    section.plots.push_back(heat_map({"Confused sets", "Items of a true set that got another one."}, map));
  }
  section.tables.push_back({"Confused sets", confusion_table(report)});
  section.tables.push_back({"Error by true set", set_table(report)});
  return section;
}

Section labels_section(const MultilabelEvaluateReport& report) {
  Section section;
  section.title = "Label by label";
  section.lead = "0/0 counts as 0.";
  Bars bars;
  bars.name_title = "label";
  bars.value_title = "F1";
  for (std::size_t k = 0; k < report.labels.size(); ++k) {
    bars.names.push_back(report.labels[k]);
    bars.values.push_back(report.quality.per_label[k].f1());
  }
  section.plots.push_back(bar_plot({"F1 of each label", "Harmonic mean of precision and recall."}, bars));
  section.tables.push_back({"Counts", label_table(report)});
  return section;
}

Section learning_section(const MultilabelEvaluateReport& report) {
  Lines lines{{}, "training items", "exact-match error"};
  lines.log_x = true;
  for (const LearningPoint& point : report.learning) {
    auto found = std::find_if(lines.series.begin(), lines.series.end(),
                              [&](const Series& series) { return series.name == point.method; });
    if (found == lines.series.end()) found = lines.series.insert(found, {point.method, {}, {}, {}, {}});
    Series& series = *found;
    series.x.push_back(static_cast<double>(point.items));
    series.y.push_back(point.error_rate);
    series.low.push_back(point.error_rate - point.standard_error);
    series.high.push_back(point.error_rate + point.standard_error);
  }
  Section section;
  section.title = "Would more items help?";
  section.lead = "Error against the number of training items. Bands are one standard error over repeats.";
  section.plots.push_back(line_plot({"Learning curve", "Falling at the right end: more items would help."}, lines));
  return section;
}

std::string learning_text(const MultilabelEvaluateReport& report) {
  if (report.learning.empty()) return "";
  Table table{{{"method"}, {"training items"}, {"error rate"}, {"+-"}}, {}};
  for (const LearningPoint& point : report.learning) {
    table.rows.push_back(
        {point.method, static_cast<std::int64_t>(point.items), point.error_rate, point.standard_error});
  }
  return "\n" + to_text(table);
}

Value reliability_value(const Reliability& reliability) {
  return Value::object({{"expected_calibration_error", reliability.expected_calibration_error},
                        {"bins", reliability_bins(reliability)}});
}

Value quality_value(const LabelSetQuality& quality) {
  return Value::object({{"error_rate", quality.error_rate},
                        {"error_rate_standard_error", quality.error_rate_error},
                        {"balanced_error_rate", quality.balanced_error_rate},
                        {"balanced_error_rate_standard_error", quality.balanced_error_rate_error},
                        {"hamming_loss", quality.hamming_loss},
                        {"hamming_loss_standard_error", quality.hamming_loss_error},
                        {"precision", quality.precision},
                        {"precision_standard_error", quality.precision_error},
                        {"recall", quality.recall},
                        {"recall_standard_error", quality.recall_error},
                        {"f1", quality.f1},
                        {"f1_standard_error", quality.f1_error},
                        {"micro_precision", quality.micro_precision},
                        {"micro_precision_standard_error", quality.micro_precision_error},
                        {"micro_recall", quality.micro_recall},
                        {"micro_recall_standard_error", quality.micro_recall_error},
                        {"micro_f1", quality.micro_f1},
                        {"micro_f1_standard_error", quality.micro_f1_error},
                        {"macro_precision", quality.macro_precision},
                        {"macro_precision_standard_error", quality.macro_precision_error},
                        {"macro_recall", quality.macro_recall},
                        {"macro_recall_standard_error", quality.macro_recall_error},
                        {"macro_f1", quality.macro_f1},
                        {"macro_f1_standard_error", quality.macro_f1_error},
                        {"items", quality.items},
                        {"label_sets", quality.label_sets}});
}

}  // namespace

std::string multilabel_evaluate_text(const MultilabelEvaluateReport& report) {
  if (report.is_comparison) {
    std::string text = fmt::format("{}\n\n{}{}", head_sentence(report), comparison_text(report), learning_text(report));
    return text + warning_lines(report.warnings);
  }
  std::string text = head_sentence(report) + "\n" + report.model_name + "\n" + error_sentence(report) + "\n\n";
  text += to_text(quality_table(report.quality), {.max_width = 60});
  text += "\n" + to_text(label_table(report));
  if (!report.confused.empty()) {
    text += "\n" + to_text(confusion_table(report), {.max_rows = most_sets_in_text});
  }
  if (!report.set_reliability.bins.empty()) {
    text += fmt::format("\nexpected calibration error of the stated probabilities: {:.4f}\n",
                        report.set_reliability.expected_calibration_error);
  }
  if (report.outliers > 0)
    text +=
        fmt::format("{} item{} unlike the training items\n", report.outliers, report.outliers == 1 ? " is" : "s are");
  if (report.reject_below > 0.0) text += reject_sentence(report) + "; all other measures are of all items\n";
  if (report.comparison.size() > 1) text += "\n" + comparison_text(report);
  text += learning_text(report);
  return text + warning_lines(report.warnings);
}

Value multilabel_evaluate_json(const MultilabelEvaluateReport& report) {
  Value value = quality_value(report.quality);
  value.set("model", report.model_name);
  Value::List labels;
  for (std::size_t k = 0; k < report.labels.size(); ++k) {
    const LabelCounts& counts = report.quality.per_label[k];
    labels.push_back(Value::object({{"label", report.labels[k]},
                                    {"precision", counts.precision()},
                                    {"recall", counts.recall()},
                                    {"f1", counts.f1()},
                                    {"true_positive", counts.true_positive},
                                    {"false_positive", counts.false_positive},
                                    {"false_negative", counts.false_negative},
                                    {"true_negative", counts.true_negative}}));
  }
  value.set("per_label", std::move(labels));
  Value::List folds;
  for (const LabelSetQuality& quality : report.by_fold) folds.push_back(quality_value(quality));
  value.set("folds", std::move(folds));
  value.set("reliability", reliability_value(report.set_reliability));
  value.set("label_reliability", reliability_value(report.label_reliability));
  Value::List reject;
  for (const RejectPoint& point : report.reject) {
    reject.push_back(
        Value::object({{"threshold", point.threshold}, {"coverage", point.coverage}, {"error_rate", point.error}}));
  }
  value.set("reject_curve", std::move(reject));
  Value::List confused;
  for (const SetConfusion& confusion : report.confused) {
    confused.push_back(Value::object({{"truth", joined_labels(confusion.truth, report.labels)},
                                      {"predicted", joined_labels(confusion.predicted, report.labels)},
                                      {"items", confusion.items}}));
  }
  value.set("confused", std::move(confused));
  Value::List sets;
  for (const SetScore& score : report.sets) {
    sets.push_back(Value::object(
        {{"set", score.set}, {"items", score.items}, {"wrong", score.wrong}, {"in_training", score.known}}));
  }
  value.set("sets", std::move(sets));
  Value::List comparison;
  for (const ClassifierScore& score : report.comparison) {
    if (!score.failure.empty()) {
      comparison.push_back(Value::object({{"method", score.name}, {"failure", score.failure}}));
      continue;
    }
    Value entry = quality_value(score.quality);
    entry.set("method", score.name);
    entry.set("error_difference", score.error_difference);
    entry.set("difference_standard_error", score.difference_error);
    comparison.push_back(std::move(entry));
  }
  value.set("comparison", std::move(comparison));
  Value::List learning;
  for (const LearningPoint& point : report.learning) {
    learning.push_back(Value::object({{"method", point.method},
                                      {"items", point.items},
                                      {"error_rate", point.error_rate},
                                      {"standard_error", point.standard_error}}));
  }
  value.set("learning_curve", std::move(learning));
  value.set("outliers", report.outliers);
  value.set("reject_below", report.reject_below);
  value.set("rejected", report.rejected);
  if (report.reject_below > 0.0) {
    const bool none = std::isnan(report.kept_error);
    value.set("rejected_share", static_cast<double>(report.rejected) / static_cast<double>(report.quality.items));
    value.set("kept_error_rate", none ? Value() : Value(report.kept_error));
    value.set("kept_error_rate_standard_error", none ? Value() : Value(report.kept_error_se));
  }
  value.set("warnings", Value::list_of(report.warnings));
  return value;
}

Page multilabel_evaluate_page(const MultilabelEvaluateReport& report) {
  Page page;
  page.title = "How well label sets are named";
  page.subtitle = report.source;
  page.facts = {
      {"items", std::to_string(report.quality.items)},
      {"labels", std::to_string(report.labels.size())},
      {"exact-match error", fmt::format("{:.3f} ± {:.3f}", report.quality.error_rate, report.quality.error_rate_error)},
      {"Hamming loss", fmt::format("{:.4f}", report.quality.hamming_loss)},
      {"micro F1", fmt::format("{:.3f}", report.quality.micro_f1)}};
  Section quality;
  quality.title = "Quality";
  quality.lead = fmt::format("{}. {}{}.", head_sentence(report), report.model_name,
                             report.is_comparison ? ", the first of the comparison: its measures are these" : "");
  quality.notes = report.warnings;
  quality.tables.push_back({"Measures", quality_table(report.quality)});
  page.sections.push_back(std::move(quality));
  if (report.comparison.size() > 1) page.sections.push_back(comparison_section(report));
  page.sections.push_back(labels_section(report));
  page.sections.push_back(confusion_section(report));
  if (!report.set_reliability.bins.empty()) page.sections.push_back(calibration_section(report));
  if (report.reject.size() > 1) page.sections.push_back(reject_section(report));
  if (!report.learning.empty()) page.sections.push_back(learning_section(report));
  return page;
}

}  // namespace motet
