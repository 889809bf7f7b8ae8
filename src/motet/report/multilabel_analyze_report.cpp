#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/report/multilabel_report.h"
#include "motet/report/plots.h"
#include "motet/report/text_table.h"
#include "motet/sources/family.h"

namespace motet {
namespace {

constexpr std::size_t most_intervals = 40;
constexpr std::array<const char*, 5> methods = {"deconvolution", "ignore", "new", "cross", "probabilistic"};

// What is analysed are sources of labels, also when the model has a source a label set (method `new`).
std::size_t source_count(const MultilabelModel& model) {
  return model.labels.size() + (model.options.background ? 1 : 0);
}

std::string label_source(const MultilabelModel& model, std::size_t source) {
  if (source < model.labels.size()) return model.labels[source];
  return source < source_count(model) ? "background" : "all sources";
}

// Root mean square over the dimensions of a source, NaN when there is none.
struct SourceErrors {
  std::array<double, 5> standard_error{};
  std::array<double, 5> bias{};
  std::size_t dimensions = 0;
};

std::vector<SourceErrors> by_source(const MultilabelAnalyzeReport& report) {
  std::vector<SourceErrors> sources(source_count(report.model));
  for (const ParameterError& parameter : report.analysis.parameters) {
    SourceErrors& source = sources[parameter.source];
    ++source.dimensions;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      source.standard_error[m] += parameter.standard_error[m] * parameter.standard_error[m];
      source.bias[m] += parameter.bias[m] * parameter.bias[m];
    }
  }
  for (SourceErrors& source : sources) {
    const double count = static_cast<double>(source.dimensions);  // 0: NaN
    for (std::size_t m = 0; m < methods.size(); ++m) {
      source.standard_error[m] = std::sqrt(source.standard_error[m] / count);
      source.bias[m] = std::sqrt(source.bias[m] / count);
    }
  }
  return sources;
}

Table error_table(const MultilabelAnalyzeReport& report) {
  Table table{{{"source"}}, {}};
  for (const char* method : methods) table.columns.push_back({std::string("+- ") + method});
  table.columns.push_back({"bias cross"});
  table.columns.push_back({"bias probabilistic"});
  const std::vector<SourceErrors> sources = by_source(report);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    std::vector<Cell> row = {label_source(report.model, k)};
    for (std::size_t m = 0; m < methods.size(); ++m) row.emplace_back(sources[k].standard_error[m]);
    row.emplace_back(sources[k].bias[3]);
    row.emplace_back(sources[k].bias[4]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table test_table(const Analysis& analysis) {
  Table table{{{"label set"}, {"items"}, {"shift", 3}, {"statistic", 2}, {"degrees", 0}, {"p", 4}}, {}};
  std::vector<const SetFitTest*> tests;
  for (const SetFitTest& test : analysis.sets) tests.push_back(&test);
  std::stable_sort(tests.begin(), tests.end(),
                   [](const SetFitTest* a, const SetFitTest* b) { return a->p_value < b->p_value; });
  for (const SetFitTest* test : tests) {
    table.rows.push_back({test->set, static_cast<std::int64_t>(test->items), test->shift, test->statistic,
                          test->degrees, test->p_value});
  }
  return table;
}

std::vector<std::string> all_warnings(const MultilabelAnalyzeReport& report) {
  std::vector<std::string> warnings = report.warnings;
  warnings.insert(warnings.end(), report.analysis.warnings.begin(), report.analysis.warnings.end());
  return warnings;
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

// Spherical sources have one variance for all features.
std::string spread_feature(const MultilabelAnalyzeReport& report, const ParameterError& spread) {
  const bool one = is_gaussian(report.model.options.source) && report.model.options.covariance == Covariance::spherical;
  return one ? "all features" : model_columns(report.model.preparation)[spread.dimension];
}

std::string location_feature(const MultilabelAnalyzeReport& report, const ParameterError& location) {
  return model_columns(report.model.preparation)[location.dimension];
}

std::string_view spread_word(const MultilabelModel& model) {
  return is_gaussian(model.options.source) ? "variances" : family_of(model.options.source).shared_words;
}

std::string spread_title(const MultilabelModel& model) {
  std::string title = fmt::format("{} and their uncertainty", spread_word(model));
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

using FeatureName = std::string (*)(const MultilabelAnalyzeReport&, const ParameterError&);

Section interval_section(const MultilabelAnalyzeReport& report, const std::vector<ParameterError>& parameters,
                         const std::string& title, FeatureName feature) {
  std::vector<const ParameterError*> order;
  for (const ParameterError& parameter : parameters) order.push_back(&parameter);
  std::stable_sort(order.begin(), order.end(), [](const ParameterError* a, const ParameterError* b) {
    return a->standard_error[0] > b->standard_error[0];
  });
  Section section;
  section.title = title;
  section.lead = fmt::format("Intervals hold the true value with probability {:.0f} %, if the model is right.",
                             100.0 * report.confidence);
  if (order.size() > most_intervals) {
    section.lead += fmt::format(" Shown are the {} least certain of {} parameters.", most_intervals, order.size());
    order.resize(most_intervals);
  }
  Intervals plot;
  plot.name_title = "parameter";
  plot.value_title = "value";
  for (const ParameterError* parameter : order) {
    plot.names.push_back(
        fmt::format("{}, {}", label_source(report.model, parameter->source), feature(report, *parameter)));
    plot.value.push_back(parameter->value);
    plot.low.push_back(parameter->low);
    plot.high.push_back(parameter->high);
  }
  section.plots.push_back(interval_plot({"Intervals", "From the Fisher information of the label sets present."}, plot));
  return section;
}

Section method_section(const MultilabelAnalyzeReport& report) {
  Section section;
  section.title = "What each way of training would give";
  section.lead =
      "Predicted standard error of a source's parameters, root mean square over features, if the fitted model is the "
      "truth. "
      "Cross and probabilistic training are also biased, and more items do not mend that.";
  Bars bars;
  bars.name_title = "source";
  bars.value_title = "standard error";
  const std::vector<SourceErrors> sources = by_source(report);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    for (std::size_t m = 0; m < methods.size(); ++m) {
      bars.names.push_back(label_source(report.model, k));
      bars.groups.emplace_back(methods[m]);
      bars.values.push_back(sources[k].standard_error[m]);
    }
  }
  if (sources.size() <= 20) {
    section.plots.push_back(
        bar_plot({"Predicted standard error", "Missing bars: the method cannot estimate the source."}, bars));
  }
  section.tables.push_back({"Errors and bias", error_table(report)});
  return section;
}

Value parameters_value(const MultilabelAnalyzeReport& report, const std::vector<ParameterError>& parameters,
                       FeatureName feature) {
  const auto number = [](double value) { return std::isnan(value) ? Value() : Value(value); };
  Value::List list;
  for (const ParameterError& parameter : parameters) {
    Value errors;
    Value bias;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      errors.set(methods[m], number(parameter.standard_error[m]));
      bias.set(methods[m], number(parameter.bias[m]));
    }
    list.push_back(Value::object({{"source", label_source(report.model, parameter.source)},
                                  {"feature", feature(report, parameter)},
                                  {"value", parameter.value},
                                  {"interval", Value::list({number(parameter.low), number(parameter.high)})},
                                  {"standard_error", std::move(errors)},
                                  {"bias", std::move(bias)}}));
  }
  return list;
}

}  // namespace

std::string multilabel_analyze_text(const MultilabelAnalyzeReport& report) {
  std::string text = fmt::format("{} items; {}\n", report.analysis.items, describe(report.model.options));
  text += identifiable_sentence(report) + "\n";
  for (const std::string& advice : report.analysis.identifiability.advice) text += "  " + advice + "\n";
  if (!report.analysis.parameters.empty()) {
    text += "\npredicted standard errors and biases, root mean square over features\n" + to_text(error_table(report));
  }
  if (!report.analysis.spreads.empty()) {
    text += fmt::format("standard errors and intervals of {} {} are in --json and --report\n",
                        report.analysis.spreads.size(), spread_word(report.model));
  }
  if (report.distance) {
    text +=
        fmt::format("distance from the true locations: a_1 {:.4f}, a_2 {:.4f}, mean square error {:.5f}, root {:.4f}",
                    report.distance->a_1, report.distance->a_2, report.distance->mean_squared_error,
                    report.distance->root_mean_square);
    if (const double predicted = report.distance->predicted_root_mean_square; !std::isnan(predicted)) {
      text += fmt::format(" (standard errors: {:.4f})", predicted);
    }
    text += "\n";
  }
  text += "\n" + test_sentence(report.analysis) + "\n";
  if (!report.analysis.sets.empty()) text += to_text(test_table(report.analysis), {.max_rows = 15});
  return text + warning_lines(all_warnings(report));
}

Value multilabel_analyze_json(const MultilabelAnalyzeReport& report) {
  const Analysis& analysis = report.analysis;
  Value::List groups;
  for (const std::vector<std::uint32_t>& group : analysis.identifiability.confounded) {
    Value::List names;
    for (const std::uint32_t k : group) names.emplace_back(label_source(report.model, k));
    groups.emplace_back(std::move(names));
  }
  Value::List tests;
  for (const SetFitTest& test : analysis.sets) {
    tests.push_back(Value::object({{"set", test.set},
                                   {"items", test.items},
                                   {"statistic", test.statistic},
                                   {"degrees", test.degrees},
                                   {"p", test.p_value},
                                   {"shift", test.shift}}));
  }
  Value result = Value::object({{"items", analysis.items},
                                {"identifiable", analysis.identifiability.identifiable},
                                {"rank", analysis.identifiability.rank},
                                {"confounded", std::move(groups)},
                                {"advice", Value::list_of(analysis.identifiability.advice)},
                                {"confidence", report.confidence},
                                {"parameters", parameters_value(report, analysis.parameters, location_feature)},
                                {"spreads", parameters_value(report, analysis.spreads, spread_feature)},
                                {"combination_tests", std::move(tests)},
                                {"combination_p", analysis.tested == 0 ? Value() : Value(analysis.overall_p)},
                                {"warnings", Value::list_of(all_warnings(report))}});
  if (report.distance) {
    const TruthDistance& distance = *report.distance;
    const double predicted = distance.predicted_root_mean_square;
    result.set("truth",
               Value::object({{"a_1", distance.a_1},
                              {"a_2", distance.a_2},
                              {"mean_squared_error", distance.mean_squared_error},
                              {"root_mean_square", distance.root_mean_square},
                              {"predicted_root_mean_square", std::isnan(predicted) ? Value() : Value(predicted)}}));
  }
  return result;
}

Page multilabel_analyze_page(const MultilabelAnalyzeReport& report) {
  Page page;
  page.title = "What these items can tell";
  page.subtitle = report.source;
  page.facts = {{"items", std::to_string(report.analysis.items)},
                {"sources", std::to_string(source_count(report.model))},
                {"sources told apart", std::to_string(report.analysis.identifiability.rank)},
                {"combination, p",
                 report.analysis.tested == 0 ? "not tested" : fmt::format("{:.4f}", report.analysis.overall_p)}};
  Section first;
  first.title = "Can the sources be told apart?";
  first.lead = identifiable_sentence(report) + ".";
  first.lead.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(first.lead.front())));
  first.notes = report.analysis.identifiability.advice;
  for (const std::string& warning : all_warnings(report)) first.notes.push_back(warning);
  page.sections.push_back(std::move(first));
  if (!report.analysis.parameters.empty()) {
    page.sections.push_back(
        interval_section(report, report.analysis.parameters, "Parameters and their uncertainty", location_feature));
    page.sections.push_back(method_section(report));
  }
  if (!report.analysis.spreads.empty()) {
    const std::string title = spread_title(report.model);
    page.sections.push_back(interval_section(report, report.analysis.spreads, title, spread_feature));
  }
  Section tests;
  tests.title = "Do labels that come together behave as the combination says?";
  tests.lead =
      test_sentence(report.analysis) +
      ". The shift is the distance between the mean of a set's items and what its sources predict, in standard "
      "deviations of an item.";
  tests.lead.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(tests.lead.front())));
  if (!report.analysis.sets.empty()) tests.tables.push_back({"Tests", test_table(report.analysis)});
  page.sections.push_back(std::move(tests));
  return page;
}

}  // namespace motet
