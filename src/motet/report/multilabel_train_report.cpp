#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/report/multilabel_report.h"
#include "motet/report/plots.h"
#include "motet/report/text_table.h"
#include "motet/sources/family.h"

namespace motet {
namespace {

constexpr std::size_t most_columns_in_text = 6;
constexpr std::size_t most_mapped_columns = 60;
constexpr std::size_t most_mapped_sources = 60;
constexpr std::size_t most_trials_in_text = 6;

// Items that have the source.
double items_of(const MultilabelModel& model, std::size_t source) {
  double items = 0.0;
  for (std::size_t s = 0; s < model.prior.sets.rows(); ++s) {
    const bool has = model.per_set() ? s == source : source >= model.labels.size() || model.prior.sets(s, source);
    if (has) items += model.prior.counts[s];
  }
  return items;
}

// Square root of the mean variance over dimensions; NaN where the family has no spread of its own.
double typical_spread(const Sources& sources, std::size_t source) {
  if (!is_gaussian(sources.family)) return std::nan("");
  const std::vector<double> covariance = covariance_of(sources, source);
  double sum = 0.0;
  for (std::size_t d = 0; d < sources.dimensions; ++d) sum += covariance[d * sources.dimensions + d];
  return std::sqrt(sum / static_cast<double>(sources.dimensions));
}

Table source_table(const MultilabelModel& model) {
  const Sources& sources = model.sources;
  const std::vector<std::string> columns = model_columns(model.preparation);
  Table table{{{model.per_set() ? "label set" : "source"}, {"items"}}, {}};
  if (is_gaussian(sources.family)) table.columns.push_back({"spread", 3});
  const std::size_t shown = std::min(sources.dimensions, most_columns_in_text);
  for (std::size_t d = 0; d < shown; ++d) {
    table.columns.push_back({fmt::format("{} {}", location_word(sources.family), columns[d]), 3});
  }
  for (std::size_t k = 0; k < sources.count; ++k) {
    std::vector<Cell> row = {source_name(model, k), static_cast<std::int64_t>(std::llround(items_of(model, k)))};
    if (is_gaussian(sources.family)) row.emplace_back(typical_spread(sources, k));
    for (std::size_t d = 0; d < shown; ++d) row.emplace_back(sources.location_of(k)[d]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table trial_table(const std::vector<Trial>& trials) {
  Table table{{{"way"}, {"error", 4}, {"behind", 4}, {"+-", 4}, {"log loss", 3}}, {}};
  for (const Trial& trial : trials) {
    table.rows.push_back({describe(trial.options), trial.error, trial.behind, trial.behind_error, trial.log_loss});
  }
  return table;
}

std::vector<std::string> all_warnings(const MultilabelTrainReport& report) {
  std::vector<std::string> warnings = report.warnings;
  for (const auto* more : {&report.fit.warnings, &report.fit.summary.warnings}) {
    warnings.insert(warnings.end(), more->begin(), more->end());
  }
  return warnings;
}

// The objective is told where it is something else: with shrinkage or a prior, and for methods that weigh items.
std::string likelihood_text(const MultilabelFit& fit) {
  constexpr double rounding = 1e-9;  // relative, of two sums over all items
  const double objective = fit.summary.objective.back();
  if (!fit.log_likelihood) {
    return fmt::format("objective {:.6f} an item", objective / static_cast<double>(fit.items));
  }
  std::string text =
      fmt::format("log-likelihood {:.6f} an item", *fit.log_likelihood / static_cast<double>(fit.explained));
  if (std::abs(*fit.log_likelihood - objective) > rounding * std::max(1.0, std::abs(objective))) {
    text += fmt::format(" (objective {:.6f})", objective / static_cast<double>(fit.items));
  }
  return text;
}

std::string counts_sentence(const MultilabelFit& fit) {
  const MultilabelModel& model = fit.model;
  return fmt::format("{} items, {} features, {} labels in {} different sets", fit.items, model.preparation.inputs(),
                     model.labels.size(), fit.label_sets);
}

constexpr std::string_view choice_rule =
    "the least log loss of the ways within a standard error of the least exact-match error";

// What `auto` chose, by what rule, and by how much. The next may have a smaller error: the rule is another.
std::string choice_sentence(const std::vector<Trial>& trials) {
  if (trials.empty()) return "";
  std::string text = fmt::format("chosen by cross-validation among {} ways: exact-match error {:.4f} +- {:.4f}",
                                 trials.size(), trials[0].error, trials[0].standard_error);
  if (trials.size() == 1) return text;
  const Trial& next = trials[1];
  text += fmt::format("; the next by error has {:.4f}, on the same items {:.4f} +- {:.4f} {}", next.error,
                      std::abs(next.behind), next.behind_error, next.behind < 0.0 ? "less" : "more");
  return text;
}

Section sources_section(const MultilabelModel& model) {
  const Sources& sources = model.sources;
  const std::vector<std::string> names = model_columns(model.preparation);
  const std::size_t columns = std::min(sources.dimensions, most_mapped_columns);
  const std::size_t rows = std::min(sources.count, most_mapped_sources);
  Section section;
  section.title = model.per_set() ? "The label sets" : "The sources";
  section.lead = model.per_set() ? "Each label set has a distribution of its own; nothing is shared between sets."
                                 : "What each source emits by itself, learnt from all items that contain it.";
  HeatMap map{
      {}, {}, {}, model.per_set() ? "label set" : "source", "feature", std::string(location_word(sources.family)), 2};
  map.columns.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(columns));
  for (std::size_t k = 0; k < rows; ++k) {
    map.rows.push_back(source_name(model, k));
    for (std::size_t d = 0; d < columns; ++d) map.values.push_back(sources.location_of(k)[d]);
  }
  if (columns < sources.dimensions || rows < sources.count) {
    section.lead += fmt::format(" The map shows {} of {} features and {} of {} rows.", columns, sources.dimensions,
                                rows, sources.count);
  }
  section.plots.push_back(
      heat_map({"Locations", fmt::format("The {} of each feature.", location_word(sources.family))}, map));
  if (is_gaussian(sources.family) && sources.covariance != Covariance::point) {
    Bars spread;
    spread.name_title = model.per_set() ? "label set" : "source";
    spread.value_title = "typical standard deviation";
    for (std::size_t k = 0; k < rows; ++k) {
      spread.names.push_back(source_name(model, k));
      spread.values.push_back(typical_spread(sources, k));
    }
    section.plots.push_back(
        bar_plot({"Spread", "Square root of the mean variance over the features of the model."}, spread));
  }
  section.tables.push_back({"Items and locations", source_table(model)});
  return section;
}

Section sets_section(const MultilabelModel& model) {
  std::vector<std::size_t> order(model.prior.sets.rows());
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return model.prior.counts[a] > model.prior.counts[b]; });
  Table table{{{"labels"}, {"items"}}, {}};
  for (const std::size_t s : order) {
    const std::string name = joined_labels(model.prior.sets.row(s), model.labels);
    table.rows.push_back(
        {name.empty() ? "(none)" : name, static_cast<std::int64_t>(std::llround(model.prior.counts[s]))});
  }
  Section section;
  section.title = "Which labels come together";
  section.lead = fmt::format(
      "A new item has a set that was never seen with probability {:.3f}, estimated from the sets that were seen once.",
      model.prior.novel);
  section.tables.push_back({"Label sets of the training items", std::move(table)});
  return section;
}

Section choice_section(const std::vector<Trial>& trials) {
  Section section;
  section.title = "Ways that were tried";
  section.lead = fmt::format(
      "{}. The rule: {}. Errors are of items that the model had not seen, inside the training items; standard errors "
      "are over items.",
      choice_sentence(trials), choice_rule);
  section.lead.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(section.lead.front())));
  Bars bars;
  bars.name_title = "way";
  bars.value_title = "exact-match error";
  for (const Trial& trial : trials) {
    bars.names.push_back(describe(trial.options));
    bars.values.push_back(trial.error);
    bars.low.push_back(trial.error - trial.standard_error);
    bars.high.push_back(trial.error + trial.standard_error);
  }
  section.plots.push_back(bar_plot({"Error of each way", "One standard error to each side."}, bars));
  return section;
}

Section fit_section(const MultilabelTrainReport& report) {
  const FitSummary& summary = report.fit.summary;
  Section section;
  section.title = "The fit";
  section.lead = summary.objective.empty()
                     ? "The estimate has a closed form."
                     : fmt::format("The fit {} after {} iterations.",
                                   summary.stop == Stop::converged ? "converged" : "stopped", summary.iterations());
  if (summary.objective.size() > 1) {
    Series trace{"objective", {}, summary.objective, {}, {}};
    for (std::size_t i = 0; i < summary.objective.size(); ++i) trace.x.push_back(static_cast<double>(i + 1));
    Lines lines{{std::move(trace)}, "iteration", "objective"};
    lines.has_points = summary.objective.size() <= 40;
    section.plots.push_back(line_plot({"Objective", "It never falls."}, lines));
  }
  if (!report.options.empty()) {
    Table table{{{"option"}, {"value"}}, {}};
    for (const auto& [what, value] : report.options) table.rows.push_back({what, value});
    section.tables.push_back({"Options", std::move(table)});
  }
  return section;
}

}  // namespace

std::string describe(const TrainOptions& options) {
  const auto word = [](const auto& words, auto value) { return words[static_cast<std::size_t>(value)]; };
  std::string text = fmt::format("{}, {} {}", word(training_words, options.method), family_word(options.source),
                                 word(combination_words, options.combine));
  if (is_gaussian(options.source)) text += fmt::format(", {} covariance", word(covariance_words, options.covariance));
  if (options.background) text += ", background";
  if (options.noise) text += ", noise";
  if (options.standardize) text += ", standardized";
  if (options.pca > 0) {
    text += options.kernel > 0
                ? fmt::format(", {} components of a kernel of width {:.3g}", options.pca, options.kernel_width)
                : fmt::format(", {} components", options.pca);
  }
  return text;
}

std::string source_name(const MultilabelModel& model, std::size_t source) {
  if (model.per_set()) {
    const std::string name = joined_labels(model.prior.sets.row(source), model.labels);
    return name.empty() ? "(none)" : name;
  }
  return source < model.labels.size() ? model.labels[source] : "background";
}

std::string_view location_word(Family family) { return family_of(family).location_word; }

std::vector<std::string> model_columns(const Preparation& preparation) {
  if (preparation.components.empty()) return preparation.columns;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < preparation.outputs(); ++i) names.push_back(fmt::format("pc{}", i + 1));
  return names;
}

std::string multilabel_train_text(const MultilabelTrainReport& report) {
  const MultilabelFit& fit = report.fit;
  const MultilabelModel& model = fit.model;
  std::string text = counts_sentence(fit) + "\n" + describe(model.options) + "\n";
  if (const std::string choice = choice_sentence(model.trials); !choice.empty()) {
    text += fmt::format("{}\nrule: {}\n", choice, choice_rule);
  }
  if (!fit.summary.objective.empty()) {
    text += fmt::format("{} after {} iterations, {}\n", name_of(fit.summary.stop), fit.summary.iterations(),
                        likelihood_text(fit));
  }
  text += "\n" + to_text(source_table(model));
  if (model.trials.size() > 1) {
    text += "\n" + to_text(trial_table(model.trials), {.max_rows = most_trials_in_text, .max_width = 100});
  }
  return text + warning_lines(all_warnings(report));
}

Value multilabel_train_json(const MultilabelTrainReport& report) {
  const MultilabelFit& fit = report.fit;
  const MultilabelModel& model = fit.model;
  const std::size_t dimensions = model.sources.dimensions;
  Value::List sources;
  for (std::size_t k = 0; k < model.sources.count; ++k) {
    Value source = Value::object(
        {{"name", source_name(model, k)},
         {"items", items_of(model, k)},
         {std::string(location_word(model.sources.family)), Value::list_of(model.sources.location_of(k))}});
    if (is_gaussian(model.sources.family)) {
      const std::vector<double> covariance = covariance_of(model.sources, k);
      Value::List variance;
      for (std::size_t d = 0; d < dimensions; ++d) variance.emplace_back(covariance[d * dimensions + d]);
      source.set("variance", std::move(variance));
    }
    sources.push_back(std::move(source));
  }
  Value::List trials;
  for (const Trial& trial : model.trials) {
    trials.push_back(Value::object({{"way", describe(trial.options)},
                                    {"error_rate", trial.error},
                                    {"standard_error", trial.standard_error},
                                    {"behind", trial.behind},
                                    {"behind_error", trial.behind_error},
                                    {"log_loss", trial.log_loss}}));
  }
  Value options;
  for (const auto& [what, value] : report.options) options.set(what, value);
  return Value::object({{"items", fit.items},
                        {"features", model.preparation.inputs()},
                        {"labels", Value::list_of(model.labels)},
                        {"label_sets", fit.label_sets},
                        {"columns", Value::list_of(model_columns(model.preparation))},
                        {"method", describe(model.options)},
                        {"options", std::move(options)},
                        {"sources", std::move(sources)},
                        {"trials", std::move(trials)},
                        {"choice_rule", model.trials.empty() ? Value() : Value(std::string(choice_rule))},
                        {"log_likelihood", fit.log_likelihood ? Value(*fit.log_likelihood) : Value()},
                        {"objective", fit.summary.objective.empty() ? Value() : Value(fit.summary.objective.back())},
                        {"iterations", fit.summary.iterations()},
                        {"converged", fit.summary.objective.empty() || fit.summary.stop == Stop::converged},
                        {"warnings", Value::list_of(all_warnings(report))}});
}

Page multilabel_train_page(const MultilabelTrainReport& report) {
  const MultilabelFit& fit = report.fit;
  const MultilabelModel& model = fit.model;
  Page page;
  page.title = "Sources behind label sets";
  page.subtitle = report.source;
  page.facts = {{"items", std::to_string(fit.items)},
                {"features", std::to_string(model.preparation.inputs())},
                {"labels", std::to_string(model.labels.size())},
                {"label sets", std::to_string(fit.label_sets)},
                {"method", describe(model.options)}};
  if (const std::vector<std::string> warnings = all_warnings(report); !warnings.empty()) {
    Section section;
    section.title = "What to know first";
    section.notes = warnings;
    page.sections.push_back(std::move(section));
  }
  page.sections.push_back(sources_section(model));
  if (model.trials.size() > 1) page.sections.push_back(choice_section(model.trials));
  page.sections.push_back(sets_section(model));
  page.sections.push_back(fit_section(report));
  return page;
}

}  // namespace motet
