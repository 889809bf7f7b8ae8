#include "motet/app/multilabel/comparison.h"

#include <fmt/format.h>

#include <cmath>

namespace motet::multilabel {
namespace {

// What the others are compared with, in words.
std::string first_name(const MultilabelEvaluateReport& report) {
  const std::string& name = report.comparison[report.first].name;
  return name == "this model" ? "ours" : name;
}

std::string with_error(double value, double error, int digits = 4) {
  return fmt::format("{:.{}f} +- {:.{}f}", value, digits, error, digits);
}

Table comparison_table(const MultilabelEvaluateReport& report) {
  Listing listing{
      {{"method"}, {"error rate"}, {"more than " + first_name(report)}, {"balanced error"}, {"Hamming loss"}}};
  for (std::size_t i = 0; i < report.comparison.size(); ++i) {
    const ClassifierScore& score = report.comparison[i];
    const LabelSetQuality& q = score.quality;
    if (!score.failure.empty()) {
      listing.rows.push_back({score.name, "not trained", "", "", ""});
      continue;
    }
    listing.rows.push_back({score.name, with_error(q.error_rate, q.error_rate_error),
                            i == report.first ? "" : with_error(score.error_difference, score.difference_error),
                            with_error(q.balanced_error_rate, q.balanced_error_rate_error),
                            with_error(q.hamming_loss, q.hamming_loss_error)});
  }
  return listing.table();
}

// Means over labels are those of the documents.
Table label_means_table(const std::vector<ClassifierScore>& scores) {
  Listing listing{{{"means over labels"}, {"precision"}, {"recall"}, {"F1"}, {"micro F1"}}};
  for (const ClassifierScore& score : scores) {
    const LabelSetQuality& q = score.quality;
    if (!score.failure.empty()) continue;
    listing.rows.push_back({score.name, with_error(q.macro_precision, q.macro_precision_error, 3),
                            with_error(q.macro_recall, q.macro_recall_error, 3),
                            with_error(q.macro_f1, q.macro_f1_error, 3), with_error(q.micro_f1, q.micro_f1_error, 3)});
  }
  return listing.table();
}

Table item_means_table(const std::vector<ClassifierScore>& scores) {
  Listing listing{{{"means over items"}, {"precision"}, {"recall"}, {"F1"}}};
  for (const ClassifierScore& score : scores) {
    const LabelSetQuality& q = score.quality;
    if (!score.failure.empty()) continue;
    listing.rows.push_back({score.name, with_error(q.precision, q.precision_error, 3),
                            with_error(q.recall, q.recall_error, 3), with_error(q.f1, q.f1_error, 3)});
  }
  return listing.table();
}

// Says so when something else does better.
std::string comparison_sentence(const MultilabelEvaluateReport& report) {
  const ClassifierScore* best = nullptr;
  for (std::size_t i = 0; i < report.comparison.size(); ++i) {
    const ClassifierScore& score = report.comparison[i];
    if (i == report.first || !score.failure.empty()) continue;
    if (best == nullptr || score.quality.error_rate < best->quality.error_rate) best = &score;
  }
  const std::string first = first_name(report);
  if (best == nullptr) return first + " has nothing to be compared with";
  const double difference = best->error_difference;
  const std::string of = with_error(std::abs(difference), best->difference_error);
  if (difference < -best->difference_error) return fmt::format("{} has the smaller error here, by {}", best->name, of);
  if (difference > best->difference_error) {
    return fmt::format("{} has the smallest error, by {} before {}", first, of, best->name);
  }
  return fmt::format("{} and {} are within a standard error of each other ({})", first, best->name, of);
}

std::vector<std::string> failure_sentences(const std::vector<ClassifierScore>& scores) {
  std::vector<std::string> sentences;
  for (const ClassifierScore& score : scores) {
    if (!score.failure.empty()) sentences.push_back(fmt::format("{} was not trained: {}", score.name, score.failure));
  }
  return sentences;
}

std::vector<Plot> comparison_plots(const std::vector<ClassifierScore>& scores) {
  Bars bars;
  bars.name_title = "method";
  bars.value_title = "exact-match error";
  Bars labels;
  labels.name_title = "method";
  labels.value_title = "mean over labels";
  labels.digits = 3;
  for (const ClassifierScore& score : scores) {
    const LabelSetQuality& q = score.quality;
    if (!score.failure.empty()) continue;
    add(bars, score.name, q.error_rate, q.error_rate_error);
    labels.groups.insert(labels.groups.end(), {"precision", "recall", "F1"});
    add(labels, score.name, q.macro_precision, q.macro_precision_error);
    add(labels, score.name, q.macro_recall, q.macro_recall_error);
    add(labels, score.name, q.macro_f1, q.macro_f1_error);
  }
  return {bar_plot({"Exact-match error", "One standard error to each side."}, bars),
          bar_plot({"Precision, recall and F1", "Of each label, averaged over labels; one standard error."}, labels)};
}

}  // namespace

void add_comparison(Document& document, const MultilabelEvaluateReport& report) {
  const std::string sentence = comparison_sentence(report);
  Section& section = document.section(report.is_comparison ? "Trainings side by side" : "Against the usual methods",
                                      fmt::format("On the same items: {}. Differences are paired.", sentence));
  section.notes = failure_sentences(report.comparison);
  section.plots = comparison_plots(report.comparison);
  section.tables = {{"Sets", comparison_table(report)},
                    {"Labels", label_means_table(report.comparison)},
                    {"Items", item_means_table(report.comparison)}};
  for (const NamedTable& named : section.tables) document.show(named.table, {.max_width = 60});
  document.text += sentence + "\n";
  for (const std::string& failure : section.notes) document.text += one_line(failure) + "\n";
}

}  // namespace motet::multilabel
