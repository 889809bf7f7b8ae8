#include "motet/app/multilabel/evaluate_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/app/multilabel/comparison.h"
#include "motet/app/reliability.h"
#include "motet/base/numeric.h"
#include "motet/multilabel/naming.h"
#include "motet/report/heat_map.h"
#include "motet/report/line_plot.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t most_sets_in_text = 15;
constexpr std::size_t most_sets_in_map = 25;

struct Measure {
  const char* name;  // for people; empty: only for machines
  const char* key;
  double value, error;
};

std::vector<Measure> measures_of(const LabelSetQuality& q) {
  return {{"error rate (another set than the true one)", "error_rate", q.error_rate, q.error_rate_error},
          {"balanced error rate (mean over true sets)", "balanced_error_rate", q.balanced_error_rate,
           q.balanced_error_rate_error},
          {"Hamming loss (share of wrong labels)", "hamming_loss", q.hamming_loss, q.hamming_loss_error},
          {"precision, mean over items", "precision", q.precision, q.precision_error},
          {"recall, mean over items", "recall", q.recall, q.recall_error},
          {"F1, mean over items", "f1", q.f1, q.f1_error},
          {"", "micro_precision", q.micro_precision, q.micro_precision_error},
          {"", "micro_recall", q.micro_recall, q.micro_recall_error},
          {"micro F1 (all labels of all items)", "micro_f1", q.micro_f1, q.micro_f1_error},
          {"macro precision (mean over labels)", "macro_precision", q.macro_precision, q.macro_precision_error},
          {"macro recall (mean over labels)", "macro_recall", q.macro_recall, q.macro_recall_error},
          {"macro F1 (mean over labels)", "macro_f1", q.macro_f1, q.macro_f1_error}};
}

Table quality_table(const LabelSetQuality& quality) {
  Listing listing{{{"measure"}, {"value"}, {"+-"}}};
  for (const Measure& measure : measures_of(quality)) {
    if (*measure.name != '\0') listing.rows.push_back({measure.name, measure.value, measure.error});
  }
  return listing.table();
}

Value quality_value(const LabelSetQuality& quality) {
  Value value;
  for (const Measure& measure : measures_of(quality)) {
    value.set(measure.key, measure.value);
    value.set(std::string(measure.key) + "_standard_error", measure.error);
  }
  value.set("items", quality.items);
  value.set("label_sets", quality.label_sets);
  return value;
}

Table label_table(const MultilabelEvaluateReport& report) {
  Listing listing{{{"label"},
                   {"items"},
                   {"right"},
                   {"missed"},
                   {"wrongly given"},
                   {"precision", "", 3},
                   {"recall", "", 3},
                   {"F1", "", 3}}};
  for (std::size_t k = 0; k < report.quality.per_label.size(); ++k) {
    const LabelCounts& counts = report.quality.per_label[k];
    listing.rows.push_back({report.labels[k], counts.true_positive + counts.false_negative, counts.true_positive,
                            counts.false_negative, counts.false_positive, counts.precision(), counts.recall(),
                            counts.f1()});
  }
  return listing.table();
}

Table confusion_table(const MultilabelEvaluateReport& report) {
  Listing listing{{{"true set"}, {"given set"}, {"items"}}};
  for (const SetConfusion& confusion : report.confused) {
    listing.rows.push_back(
        {set_name(confusion.truth, report.labels), set_name(confusion.predicted, report.labels), confusion.items});
  }
  return listing.table();
}

Listing set_listing(const MultilabelEvaluateReport& report) {
  Listing listing{{{"true set", "set"},
                   {"items", "items"},
                   {"wrong", "wrong"},
                   {"error", "", 3},
                   {"in training"},
                   {"", "in_training"}}};
  for (const SetScore& score : report.sets) {
    listing.rows.push_back({score.set, score.items, score.wrong,
                            static_cast<double>(score.wrong) / static_cast<double>(score.items),
                            score.known ? "yes" : "no", score.known});
  }
  return listing;
}

Listing reject_listing(const MultilabelEvaluateReport& report) {
  Listing listing{{{"answered when at least", "threshold", 3},
                   {"share answered", "coverage", 3},
                   {"error among them", "error_rate"}}};
  for (const RejectPoint& point : report.reject) listing.rows.push_back({point.threshold, point.coverage, point.error});
  return listing;
}

Listing learning_listing(const MultilabelEvaluateReport& report) {
  Listing listing{
      {{"method", "method"}, {"training items", "items"}, {"error rate", "error_rate"}, {"+-", "standard_error"}}};
  for (const LearningPoint& point : report.learning) {
    listing.rows.push_back({point.method, point.items, point.error_rate, point.standard_error});
  }
  return listing;
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
  const double share = static_cast<double>(report.rejection.items) / static_cast<double>(report.quality.items);
  std::string text = fmt::format("--reject-below {:.4g} leaves {} of {} items ({:.1f} %) without labels",
                                 report.reject_below, report.rejection.items, report.quality.items, 100.0 * share);
  if (std::isnan(report.rejection.kept_error)) return text;
  return text + fmt::format("; error of the others {:.4f} +- {:.4f}", report.rejection.kept_error,
                            report.rejection.kept_error_se);
}

void add_calibration(Document& document, const MultilabelEvaluateReport& report) {
  Section& section = document.section("How far probabilities can be trusted");
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
}

void add_reject(Document& document, const MultilabelEvaluateReport& report) {
  Section& section = document.section("Answering only when sure");
  section.lead =
      "When items below a probability are left to a person (--reject-below), fewer are answered and fewer of those are "
      "wrong.";
  if (report.reject_below > 0.0) section.notes.push_back(reject_sentence(report));
  Series curve{"error of the answered", {}, {}, {}, {}};
  for (const RejectPoint& point : report.reject) {
    curve.x.push_back(point.coverage);
    curve.y.push_back(point.error);
  }
  Lines lines{{std::move(curve)}, "share of items answered", "exact-match error"};
  section.plots.push_back(line_plot({"Error against coverage", "Least sure items are left out first."}, lines));
  section.tables.push_back({"Thresholds", reject_listing(report).table()});
}

void add_confusion(Document& document, const MultilabelEvaluateReport& report) {
  Section& section = document.section("What is taken for what");
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
  section.tables.push_back({"Error by true set", set_listing(report).table()});
}

void add_labels(Document& document, const MultilabelEvaluateReport& report) {
  Section& section = document.section("Label by label");
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
}

void add_learning(Document& document, const MultilabelEvaluateReport& report) {
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
  Section& section = document.section("Would more items help?");
  section.lead =
      "Error against the number of training items. Bands are one standard error, of the repeats and of the items that "
      "were tested together.";
  section.plots.push_back(line_plot({"Learning curve", "Falling at the right end: more items would help."}, lines));
}

Value reliability_value(const Reliability& reliability) {
  return Value::object({{"expected_calibration_error", reliability.expected_calibration_error},
                        {"bins", reliability_bins(reliability)}});
}

Value json_of(const MultilabelEvaluateReport& report) {
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
  value.set("reject_curve", reject_listing(report).json());
  Value::List confused;
  for (const SetConfusion& confusion : report.confused) {
    confused.push_back(Value::object({{"truth", joined_labels(confusion.truth, report.labels)},
                                      {"predicted", joined_labels(confusion.predicted, report.labels)},
                                      {"items", confusion.items}}));
  }
  value.set("confused", std::move(confused));
  value.set("sets", set_listing(report).json());
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
  value.set("learning_curve", learning_listing(report).json());
  value.set("outliers", report.outliers);
  value.set("reject_below", report.reject_below);
  value.set("rejected", report.rejection.items);
  if (report.reject_below > 0.0) {
    const bool none = std::isnan(report.rejection.kept_error);
    value.set("rejected_share",
              static_cast<double>(report.rejection.items) / static_cast<double>(report.quality.items));
    value.set("kept_error_rate", none ? Value() : Value(report.rejection.kept_error));
    value.set("kept_error_rate_standard_error", none ? Value() : Value(report.rejection.kept_error_se));
  }
  value.set("warnings", Value::list_of(report.warnings));
  return value;
}

// What stands between the head and the comparison on the terminal.
void say_measures(Document& document, const MultilabelEvaluateReport& report) {
  document.text += report.model_name + "\n" + error_sentence(report) + "\n";
  document.show(quality_table(report.quality), {.max_width = 60});
  document.show(label_table(report));
  if (!report.confused.empty()) document.show(confusion_table(report), {.max_rows = most_sets_in_text});
  if (!report.set_reliability.bins.empty()) {
    document.text += fmt::format("\nexpected calibration error of the stated probabilities: {:.4f}\n",
                                 report.set_reliability.expected_calibration_error);
  }
  if (report.outliers > 0) {
    document.text +=
        fmt::format("{} item{} unlike the training items\n", report.outliers, report.outliers == 1 ? " is" : "s are");
  }
  if (report.reject_below > 0.0) document.text += reject_sentence(report) + "; all other measures are of all items\n";
}

}  // namespace

Document multilabel_evaluate_document(const MultilabelEvaluateReport& report) {
  Document document{{"How well label sets are named", report.source, {}, {}}, {}, json_of(report)};
  document.text = head_sentence(report) + "\n";
  if (!report.is_comparison) say_measures(document, report);
  document.facts = {{"items", std::to_string(report.quality.items)},
                    {"labels", std::to_string(report.labels.size())},
                    {"exact-match error", plus_minus(report.quality.error_rate, report.quality.error_rate_error)},
                    {"Hamming loss", fmt::format("{:.4f}", report.quality.hamming_loss)},
                    {"micro F1", fmt::format("{:.3f}", report.quality.micro_f1)}};
  Section& quality = document.section(
      "Quality", fmt::format("{}. {}{}.", head_sentence(report), report.model_name,
                             report.is_comparison ? ", the first of the comparison: its measures are these" : ""));
  quality.notes = report.warnings;
  quality.tables.push_back({"Measures", quality_table(report.quality)});
  if (report.comparison.size() > 1 || report.is_comparison) add_comparison(document, report);
  if (report.comparison.size() == 1 && report.is_comparison) document.sections.pop_back();  // nothing to draw
  add_labels(document, report);
  add_confusion(document, report);
  if (!report.set_reliability.bins.empty()) add_calibration(document, report);
  if (report.reject.size() > 1) add_reject(document, report);
  if (!report.learning.empty()) {
    document.show(learning_listing(report).table());
    add_learning(document, report);
  }
  document.text += warning_lines(report.warnings);
  return document;
}

}  // namespace motet::multilabel
