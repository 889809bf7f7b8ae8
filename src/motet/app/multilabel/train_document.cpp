#include "motet/app/multilabel/train_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/multilabel/linear/weight_summary.h"
#include "motet/multilabel/naming.h"
#include "motet/multilabel/source_summary.h"
#include "motet/report/heat_map.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t most_told_columns = 6;
constexpr std::size_t most_strongest = 5;
constexpr std::size_t most_mapped = 60;  // columns and sources
constexpr std::size_t most_trace_points = 40;

const char* source_title(const MultilabelModel& model) {
  if (model.linear) return model.options.method == Training::powerset ? "label set" : "label";
  return model.per_set() ? "label set" : "source";
}

// Of a training without sources.
Listing weight_listing(const MultilabelModel& model, bool with_lists) {
  const std::vector<std::string> columns = model_columns(model.preparation);
  Listing listing{{{source_title(model), "name"}, {"items"}, {"", "items"}, {"strongest features"}, {"", "intercept"}}};
  listing.columns.push_back({"", "weights"});
  for (const WeightRow& row : weight_rows(model, most_strongest)) {
    std::vector<std::string> words;
    for (const std::size_t d : row.strongest) words.push_back(fmt::format("{} {:+.2f}", columns[d], row.weights[d]));
    listing.rows.push_back({row.name, std::llround(row.items), row.items, fmt::format("{}", fmt::join(words, ", ")),
                            row.intercept, with_lists ? Value::list_of(row.weights) : Value()});
  }
  return listing;
}

// Machines get all locations and variances, people the first few locations and one figure for the variances.
Listing source_listing(const MultilabelModel& model, bool with_lists) {
  const Sources& sources = model.sources;
  const std::vector<std::string> columns = model_columns(model.preparation);
  const std::string location(location_word(sources.family));
  const bool has_spread = is_gaussian(sources.family);
  Listing listing{{{source_title(model), "name"}, {"items"}, {"", "items"}}};
  if (has_spread) listing.columns.push_back({"spread", "", 3});
  const std::size_t told = std::min(sources.dimensions, most_told_columns);
  for (std::size_t d = 0; d < told; ++d) listing.columns.push_back({location + " " + columns[d], "", 3});
  listing.columns.push_back({"", location});
  listing.columns.push_back({"", "variance"});
  for (std::size_t k = 0; k < sources.count; ++k) {
    const double items = items_of_source(model, k);
    std::vector<Value>& row = listing.rows.emplace_back();
    row = {source_name(model, k), std::llround(items), items};
    if (has_spread) row.emplace_back(typical_spread(sources, k));
    for (std::size_t d = 0; d < told; ++d) row.emplace_back(sources.location_of(k)[d]);
    if (!with_lists) continue;
    row.push_back(Value::list_of(sources.location_of(k)));
    if (has_spread) row.push_back(Value::list_of(variances_of(sources, k)));
  }
  return listing;
}

// Of the column of what was optimised, where no other column has it.
std::string optimized_title(const std::vector<Trial>& trials) {
  const Optimize optimize = trials.empty() ? Optimize::exact_match : trials.front().options.optimize;
  switch (optimize) {
    case Optimize::hamming: return "Hamming loss";
    case Optimize::micro_f1: return "1 - micro F1";
    case Optimize::macro_f1: return "1 - macro F1";
    default: return "";
  }
}

Listing trial_listing(const std::vector<Trial>& trials) {
  Listing listing{{{"way", "way"},
                   {"error", "error_rate"},
                   {"", "standard_error"},
                   {"behind", "behind"},
                   {"+-", "behind_error"},
                   {"log loss", "log_loss", 3},
                   {optimized_title(trials), "loss", 4}}};
  for (const Trial& trial : trials) {
    listing.rows.push_back({describe(trial.options), trial.error, trial.standard_error, trial.behind,
                            trial.behind_error, trial.log_loss, trial.loss});
  }
  return listing;
}

// The objective is told where it is something else: with shrinkage or a prior, and for methods that weigh items.
std::string likelihood_text(const MultilabelFit& fit) {
  constexpr double rounding = 1e-9;  // relative, of two sums over all items
  const double objective = fit.summary.objective.back();
  if (!fit.log_likelihood) {
    return fmt::format("objective {:.6f} per item", objective / static_cast<double>(fit.items));
  }
  if (fit.model.linear) {
    return fmt::format("log-likelihood of the sets, given the items, {:.6f} per item",
                       *fit.log_likelihood / static_cast<double>(fit.explained));
  }
  std::string text =
      fmt::format("log-likelihood {:.6f} per item", *fit.log_likelihood / static_cast<double>(fit.explained));
  if (std::abs(*fit.log_likelihood - objective) > rounding * std::max(1.0, std::abs(objective))) {
    text += fmt::format(" (objective {:.6f})", objective / static_cast<double>(fit.items));
  }
  return text;
}

std::string choice_rule(const std::vector<Trial>& trials) {
  const Optimize optimize = trials.front().options.optimize;
  if (optimize == Optimize::exact_match) {
    return "the least log loss of the ways within a standard error of the least exact-match error";
  }
  return optimize == Optimize::log_loss ? "the least log loss" : "the least " + optimized_title(trials);
}

// What `auto` chose, by what rule, and by how much. The next may have a smaller error: the rule is another.
std::string choice_sentence(const std::vector<Trial>& trials) {
  std::string text = fmt::format("chosen by cross-validation among {} ways: exact-match error {:.4f} +- {:.4f}",
                                 trials.size(), trials[0].error, trials[0].standard_error);
  if (trials.size() == 1) return text;
  const Trial& next = trials[1];
  text += fmt::format("; the next by error has {:.4f}, on the same items {:.4f} +- {:.4f} {}", next.error,
                      std::abs(next.behind), next.behind_error, next.behind < 0.0 ? "less" : "more");
  return text;
}

void say_fit(Document& document, const MultilabelFit& fit, const Table& sources, const Table& trials) {
  const MultilabelModel& model = fit.model;
  document.text =
      fmt::format("{} items, {} features, {} labels in {} different sets\n{}\n", fit.items, model.preparation.inputs(),
                  model.all_labels().size(), fit.label_sets, describe(model.options));
  if (!model.trials.empty()) {
    document.text += fmt::format("{}\nrule: {}\n", choice_sentence(model.trials), choice_rule(model.trials));
  }
  if (!fit.summary.objective.empty()) {
    document.text += fmt::format("{} after {}, {}\n", name_of(fit.summary.stop),
                                 counted(fit.summary.iterations(), "iteration"), likelihood_text(fit));
  }
  document.show(sources);
  if (trials.rows.size() > 1) document.show(trials, {.max_rows = 6, .max_width = 100});
}

Value json_of(const MultilabelTrainReport& report, const Listing& sources, const Listing& trials,
              const std::vector<std::string>& warnings) {
  const MultilabelFit& fit = report.fit;
  const MultilabelModel& model = fit.model;
  Value options;
  for (const auto& [what, value] : report.options) options.set(what, value);
  return Value::object({{"items", fit.items},
                        {"features", model.preparation.inputs()},
                        {"labels", Value::list_of(model.all_labels())},
                        {"label_sets", fit.label_sets},
                        {"columns", Value::list_of(model_columns(model.preparation))},
                        {"method", describe(model.options)},
                        {"options", std::move(options)},
                        {model.linear ? "linear" : "sources", sources.json()},
                        {"trials", trials.json()},
                        {"choice_rule", model.trials.empty() ? Value() : Value(choice_rule(model.trials))},
                        {"log_likelihood", fit.log_likelihood ? Value(*fit.log_likelihood) : Value()},
                        {"objective", fit.summary.objective.empty() ? Value() : Value(fit.summary.objective.back())},
                        {"iterations", fit.summary.iterations()},
                        {"converged", fit.summary.objective.empty() || fit.summary.stop == Stop::converged},
                        {"warnings", Value::list_of(warnings)}});
}

void add_sources(Document& document, const MultilabelModel& model, const Table& table) {
  const Sources& sources = model.sources;
  const std::vector<std::string> names = model_columns(model.preparation);
  const std::size_t columns = std::min(sources.dimensions, most_mapped);
  const std::size_t rows = std::min(sources.count, most_mapped);
  Section& section =
      document.section(model.per_set() ? "The label sets" : "The sources",
                       model.per_set() ? "Each label set has a distribution of its own; nothing is shared between sets."
                                       : "What each source emits by itself, learnt from all items that contain it.");
  HeatMap map{{}, {}, {}, source_title(model), "feature", std::string(location_word(sources.family)), 2};
  Bars spread;
  spread.name_title = source_title(model);
  spread.value_title = "typical standard deviation";
  map.columns.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(columns));
  for (std::size_t k = 0; k < rows; ++k) {
    map.rows.push_back(source_name(model, k));
    spread.values.push_back(typical_spread(sources, k));
    for (std::size_t d = 0; d < columns; ++d) map.values.push_back(sources.location_of(k)[d]);
  }
  spread.names = map.rows;
  if (columns < sources.dimensions || rows < sources.count) {
    section.lead += fmt::format(" The map shows {} of {} features and {} of {} rows.", columns, sources.dimensions,
                                rows, sources.count);
  }
  section.plots.push_back(
      heat_map({"Locations", fmt::format("The {} of each feature.", location_word(sources.family))}, map));
  if (is_gaussian(sources.family) && sources.covariance != Covariance::point) {
    section.plots.push_back(
        bar_plot({"Spread", "Square root of the mean variance over the features of the model."}, spread));
  }
  section.tables.push_back({"Items and locations", table});
}

void add_weights(Document& document, const MultilabelModel& model, const Table& table) {
  document
      .section("The weights",
               fmt::format("What each feature says for (+) or against a {}, largest first.", source_title(model)))
      .tables.push_back({"Items and strongest features", table});
}

void add_choice(Document& document, const std::vector<Trial>& trials) {
  Section& section = document.section(
      "Ways that were tried",
      capitalized(fmt::format(
          "{}. The rule: {}. Errors are of items that the model had not seen, inside the training items; standard "
          "errors are over items.",
          choice_sentence(trials), choice_rule(trials))));
  Bars bars;
  bars.name_title = "way";
  bars.value_title = "exact-match error";
  for (const Trial& trial : trials) add(bars, describe(trial.options), trial.error, trial.standard_error);
  section.plots.push_back(bar_plot({"Error of each way", "One standard error to each side."}, bars));
}

void add_sets(Document& document, const MultilabelModel& model) {
  Listing listing{{{"labels"}, {"items"}}};
  for (const std::size_t s : sets_by_items(model.prior)) {
    listing.rows.push_back({set_name(model.prior.sets.row(s), model.labels), std::llround(model.prior.counts[s])});
  }
  document
      .section("Which labels come together",
               fmt::format("A new item has a set that was never seen with probability {:.3f}, estimated from the sets "
                           "that were seen once.",
                           model.prior.novel))
      .tables.push_back({"Label sets of the training items", listing.table()});
}

void add_fit(Document& document, const MultilabelTrainReport& report) {
  const FitSummary& summary = report.fit.summary;
  Section& section = document.section(
      "The fit", summary.objective.empty()
                     ? "The estimate has a closed form."
                     : fmt::format("The fit {} after {}.", summary.stop == Stop::converged ? "converged" : "stopped",
                                   counted(summary.iterations(), "iteration")));
  section.plots = trace_plot("Objective", "It never falls.", "objective", summary.objective, most_trace_points);
  if (!report.options.empty()) section.tables.push_back(options_table("Options", report.options));
}

}  // namespace

Document multilabel_train_document(const MultilabelTrainReport& report, Wanted wanted) {
  const MultilabelFit& fit = report.fit;
  const MultilabelModel& model = fit.model;
  const Listing sources = model.linear ? weight_listing(model, wanted.json) : source_listing(model, wanted.json);
  const Listing trials = trial_listing(model.trials);
  const std::vector<std::string> warnings = joined(joined(report.warnings, fit.warnings), fit.summary.warnings);
  Document document{{"Sources behind label sets", report.source, {}, {}}, {}, {}};
  say_fit(document, fit, sources.table(), trials.table());
  document.text += warning_lines(warnings);
  if (wanted.json) document.json = json_of(report, sources, trials, warnings);
  if (!wanted.page) return document;
  document.facts = {{"items", std::to_string(fit.items)},
                    {"features", std::to_string(model.preparation.inputs())},
                    {"labels", std::to_string(model.labels.size())},
                    {"label sets", std::to_string(fit.label_sets)},
                    {"method", describe(model.options)}};
  document.warn_first(warnings);
  if (model.linear) {
    add_weights(document, model, sources.table());
  } else {
    add_sources(document, model, sources.table());
  }
  if (model.trials.size() > 1) add_choice(document, model.trials);
  add_sets(document, model);
  add_fit(document, report);
  return document;
}

}  // namespace motet::multilabel
