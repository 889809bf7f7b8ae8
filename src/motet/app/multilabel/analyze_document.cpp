#include "motet/app/multilabel/analyze_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/multilabel/naming.h"
#include "motet/report/interval_text.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t most_intervals = 40;
constexpr std::size_t most_compared_sources = 20;
constexpr std::size_t most_tests_in_text = 15;
constexpr std::array<const char*, 5> training_ways = {"deconvolution", "ignore", "new", "cross", "probabilistic"};

// What is analysed are sources of labels, also when the model has a source per label set (method `new`).
std::size_t source_count(const MultilabelModel& model) {
  return model.labels.size() + (model.options.background ? 1 : 0);
}

std::string label_source(const MultilabelModel& model, std::size_t source) {
  if (source < model.labels.size()) return model.labels[source];
  return source < source_count(model) ? "background" : "all sources";
}

Table error_table(const MultilabelModel& model, const std::vector<SourceErrors>& sources) {
  Listing listing{{{"source"}}};
  for (const char* method : training_ways) listing.columns.push_back({std::string("+- ") + method});
  listing.columns.push_back({"bias cross"});
  listing.columns.push_back({"bias probabilistic"});
  for (std::size_t k = 0; k < sources.size(); ++k) {
    std::vector<Value>& row = listing.rows.emplace_back();
    row = {label_source(model, k)};
    for (const double error : sources[k].standard_error) row.emplace_back(error);
    row.emplace_back(sources[k].bias[3]);
    row.emplace_back(sources[k].bias[4]);
  }
  return listing.table();
}

Listing test_listing(const std::vector<SetFitTest>& tests) {
  Listing listing{{{"label set", "set"},
                   {"items", "items"},
                   {"shift", "", 3},
                   {"statistic", "statistic", 2},
                   {"degrees", "degrees", 0},
                   {"p", "p"},
                   {"", "shift"}}};
  for (const SetFitTest& test : tests) {
    listing.rows.push_back({test.set, test.items, test.shift, test.statistic, test.degrees, test.p_value, test.shift});
  }
  return listing;
}

// People see the least probable first.
Table test_table(std::vector<SetFitTest> tests) {
  std::stable_sort(tests.begin(), tests.end(),
                   [](const SetFitTest& a, const SetFitTest& b) { return a.p_value < b.p_value; });
  return test_listing(tests).table();
}

std::string identifiable_sentence(const MultilabelAnalyzeReport& report) {
  const SourceIdentifiability& found = report.analysis.identifiability;
  if (found.identifiable) {
    return fmt::format("the label sets present tell all {} sources apart", source_count(report.model));
  }
  std::string text =
      fmt::format("the label sets present tell only {} of {} sources apart", found.rank, source_count(report.model));
  for (const std::vector<std::uint32_t>& group : found.confounded) {
    text += "; not told apart:";
    for (const std::uint32_t k : group) text += " " + label_source(report.model, k);
  }
  return text;
}

std::string test_sentence(const Analysis& analysis) {
  if (analysis.tested == 0) {
    return "no label set can be tested against the combination: " + analysis.untested;
  }
  return fmt::format("{} (smallest p, allowing for {} tests: {:.4f})",
                     analysis.overall_p < 0.05 ? "some label sets do not behave as the combination says"
                                               : "nothing speaks against the combination",
                     analysis.tested, analysis.overall_p);
}

std::string distance_sentence(const TruthDistance& distance) {
  std::string text =
      fmt::format("distance from the true locations: a_1 {:.4f}, a_2 {:.4f}, mean square error {:.5f}, root {:.4f}",
                  distance.a_1, distance.a_2, distance.mean_squared_error, distance.root_mean_square);
  if (const double predicted = distance.predicted_root_mean_square; !std::isnan(predicted)) {
    text += fmt::format(" (standard errors: {:.4f})", predicted);
  }
  return text;
}

Value distance_value(const TruthDistance& distance) {
  return Value::object({{"a_1", distance.a_1},
                        {"a_2", distance.a_2},
                        {"mean_squared_error", distance.mean_squared_error},
                        {"root_mean_square", distance.root_mean_square},
                        {"predicted_root_mean_square", distance.predicted_root_mean_square}});
}

// Spherical sources have one variance for all features.
std::string spread_feature(const MultilabelModel& model, const ParameterError& spread) {
  const bool one = is_gaussian(model.options.source) && model.options.covariance == Covariance::spherical;
  return one ? "all features" : model_columns(model.preparation)[spread.dimension];
}

std::string location_feature(const MultilabelModel& model, const ParameterError& location) {
  return model_columns(model.preparation)[location.dimension];
}

std::string_view spread_word(const MultilabelModel& model) {
  return is_gaussian(model.options.source) ? "variances" : family_of(model.options.source).shared.words;
}

using FeatureName = std::string (*)(const MultilabelModel&, const ParameterError&);

void add_intervals(Document& document, const MultilabelAnalyzeReport& report, std::vector<ParameterError> parameters,
                   std::string_view what, FeatureName feature) {
  if (parameters.empty()) return;
  std::stable_sort(parameters.begin(), parameters.end(), [](const ParameterError& a, const ParameterError& b) {
    return a.standard_error[0] > b.standard_error[0];
  });
  Section& section =
      document.section(capitalized(fmt::format("{} and their uncertainty", what)),
                       fmt::format("Intervals hold the true value with probability {:.0f} %, if the model is right.",
                                   100.0 * report.confidence));
  if (parameters.size() > most_intervals) {
    section.lead += fmt::format(" Shown are the {} least certain of {} parameters.", most_intervals, parameters.size());
    parameters.resize(most_intervals);
  }
  Intervals plot;
  plot.name_title = "parameter";
  plot.value_title = "value";
  for (const ParameterError& parameter : parameters) {
    add(plot, fmt::format("{}, {}", label_source(report.model, parameter.source), feature(report.model, parameter)),
        parameter.value, {parameter.low, parameter.high});
  }
  section.plots.push_back(interval_plot({"Intervals", "From the Fisher information of the label sets present."}, plot));
}

void add_methods(Document& document, const MultilabelModel& model, const std::vector<SourceErrors>& sources,
                 const Table& errors) {
  Section& section = document.section(
      "What each way of training would give",
      "Predicted standard error of a source's parameters, root mean square over features, if the fitted model is the "
      "truth. Cross and probabilistic training are also biased, and more items do not mend that.");
  Bars bars;
  bars.name_title = "source";
  bars.value_title = "standard error";
  for (std::size_t k = 0; k < sources.size(); ++k) {
    for (std::size_t m = 0; m < training_ways.size(); ++m) {
      bars.names.push_back(label_source(model, k));
      bars.groups.emplace_back(training_ways[m]);
      bars.values.push_back(sources[k].standard_error[m]);
    }
  }
  if (sources.size() <= most_compared_sources) {
    section.plots.push_back(
        bar_plot({"Predicted standard error", "Missing bars: the method cannot estimate the source."}, bars));
  }
  section.tables.push_back({"Errors and bias", errors});
}

Value parameters_value(const MultilabelModel& model, const std::vector<ParameterError>& parameters,
                       FeatureName feature) {
  Value::List list;
  for (const ParameterError& parameter : parameters) {
    Value errors;
    Value bias;
    for (std::size_t m = 0; m < training_ways.size(); ++m) {
      errors.set(training_ways[m], parameter.standard_error[m]);
      bias.set(training_ways[m], parameter.bias[m]);
    }
    list.push_back(Value::object({{"source", label_source(model, parameter.source)},
                                  {"feature", feature(model, parameter)},
                                  {"value", parameter.value},
                                  {"interval", interval_value({parameter.low, parameter.high})},
                                  {"standard_error", std::move(errors)},
                                  {"bias", std::move(bias)}}));
  }
  return list;
}

Value json_of(const MultilabelAnalyzeReport& report, const std::vector<std::string>& warnings) {
  const Analysis& analysis = report.analysis;
  Value::List groups;
  for (const std::vector<std::uint32_t>& group : analysis.identifiability.confounded) {
    Value::List names;
    for (const std::uint32_t k : group) names.emplace_back(label_source(report.model, k));
    groups.emplace_back(std::move(names));
  }
  Value json = Value::object({{"items", analysis.items},
                              {"identifiable", analysis.identifiability.identifiable},
                              {"rank", analysis.identifiability.rank},
                              {"confounded", std::move(groups)},
                              {"advice", Value::list_of(analysis.identifiability.advice)},
                              {"confidence", report.confidence},
                              {"parameters", parameters_value(report.model, analysis.parameters, location_feature)},
                              {"spreads", parameters_value(report.model, analysis.spreads, spread_feature)},
                              {"combination_tests", test_listing(analysis.sets).json()},
                              {"combination_p", analysis.tested == 0 ? Value() : Value(analysis.overall_p)},
                              {"warnings", Value::list_of(warnings)}});
  if (report.distance) json.set("truth", distance_value(*report.distance));
  return json;
}

void say_analysis(Document& document, const MultilabelAnalyzeReport& report, const Table& errors, const Table& tests) {
  const Analysis& analysis = report.analysis;
  document.text =
      fmt::format("{} items; {}\n{}\n", analysis.items, describe(report.model.options), identifiable_sentence(report));
  for (const std::string& advice : analysis.identifiability.advice) document.text += "  " + advice + "\n";
  if (!analysis.parameters.empty()) {
    document.text += "\npredicted standard errors and biases, root mean square over features\n" + to_text(errors);
  }
  if (!analysis.spreads.empty()) {
    document.text += fmt::format("standard errors and intervals of {} {} are in --json and --report\n",
                                 analysis.spreads.size(), spread_word(report.model));
  }
  if (report.distance) document.text += distance_sentence(*report.distance) + "\n";
  document.text += "\n" + test_sentence(analysis) + "\n";
  if (!tests.rows.empty()) document.text += to_text(tests, {.max_rows = most_tests_in_text});
}

}  // namespace

Document multilabel_analyze_document(const MultilabelAnalyzeReport& report, Wanted wanted) {
  const Analysis& analysis = report.analysis;
  const std::vector<SourceErrors> sources = errors_by_source(analysis.parameters, source_count(report.model));
  const Table errors = error_table(report.model, sources);
  const Table tests = test_table(analysis.sets);
  const std::vector<std::string> warnings = joined(report.warnings, analysis.warnings);
  Document document{{"What these items can tell", report.source, {}, {}}, {}, {}};
  say_analysis(document, report, errors, tests);
  document.text += warning_lines(warnings);
  if (wanted.json) document.json = json_of(report, warnings);

  document.facts = {
      {"items", std::to_string(analysis.items)},
      {"sources", std::to_string(source_count(report.model))},
      {"sources told apart", std::to_string(analysis.identifiability.rank)},
      {"combination, p", analysis.tested == 0 ? "not tested" : fmt::format("{:.4f}", analysis.overall_p)}};
  document.section("Can the sources be told apart?", capitalized(identifiable_sentence(report)) + ".").notes =
      joined(analysis.identifiability.advice, warnings);
  add_intervals(document, report, analysis.parameters, "parameters", location_feature);
  if (!analysis.parameters.empty()) add_methods(document, report.model, sources, errors);
  add_intervals(document, report, analysis.spreads, spread_word(report.model), spread_feature);
  Section& section = document.section(
      "Do labels that come together behave as the combination says?",
      capitalized(test_sentence(analysis)) +
          ". The shift is the distance between the mean of a set's items and what its sources predict, in standard "
          "deviations of an item.");
  if (!tests.rows.empty()) section.tables.push_back({"Tests", tests});
  return document;
}

}  // namespace motet::multilabel
