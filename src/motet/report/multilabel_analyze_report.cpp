#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/report/multilabel_report.h"
#include "motet/report/plots.h"
#include "motet/report/text_table.h"

namespace motet {
namespace {

constexpr std::size_t most_intervals = 40;
constexpr std::array<const char*, 5> methods = {"deconvolution", "ignore", "new", "cross", "probabilistic"};

// Root mean square over the dimensions of a source, NaN when there is none.
struct SourceErrors {
  std::array<double, 5> standard_error{};
  std::array<double, 5> bias{};
  std::size_t dimensions = 0;
};

std::vector<SourceErrors> by_source(const MultilabelAnalyzeReport& report) {
  std::vector<SourceErrors> sources(report.model.sources.count);
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
    std::vector<Cell> row = {source_name(report.model, k)};
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
    return fmt::format("the label sets present tell all {} sources apart", report.model.sources.count);
  }
  std::string text =
      fmt::format("the label sets present tell only {} of {} sources apart", found.rank, report.model.sources.count);
  for (const std::vector<std::uint32_t>& group : found.confounded) {
    text += "; not told apart:";
    for (const std::uint32_t k : group) text += " " + source_name(report.model, k);
  }
  return text;
}

std::string test_sentence(const Analysis& analysis) {
  if (analysis.sets.empty()) return "no label set of several labels has enough items to test the combination";
  return fmt::format("{} (smallest p, allowing for {} tests: {:.4f})",
                     analysis.overall_p < 0.05 ? "some label sets do not behave as the combination says"
                                               : "nothing speaks against the combination",
                     analysis.sets.size(), analysis.overall_p);
}

Section interval_section(const MultilabelAnalyzeReport& report) {
  const std::vector<std::string> columns = model_columns(report.model.preparation);
  std::vector<const ParameterError*> order;
  for (const ParameterError& parameter : report.analysis.parameters) order.push_back(&parameter);
  std::stable_sort(order.begin(), order.end(), [](const ParameterError* a, const ParameterError* b) {
    return a->standard_error[0] > b->standard_error[0];
  });
  Section section;
  section.title = "Parameters and their uncertainty";
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
        fmt::format("{}, {}", source_name(report.model, parameter->source), columns[parameter->dimension]));
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
      bars.names.push_back(source_name(report.model, k));
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

}  // namespace

std::string multilabel_analyze_text(const MultilabelAnalyzeReport& report) {
  std::string text = fmt::format("{} items; {}\n", report.analysis.items, describe(report.model.options));
  text += identifiable_sentence(report) + "\n";
  for (const std::string& advice : report.analysis.identifiability.advice) text += "  " + advice + "\n";
  if (!report.analysis.parameters.empty()) {
    text += "\npredicted standard errors and biases, root mean square over features\n" + to_text(error_table(report));
  }
  text += "\n" + test_sentence(report.analysis) + "\n";
  if (!report.analysis.sets.empty()) text += to_text(test_table(report.analysis), {.max_rows = 15});
  return text + warning_lines(all_warnings(report));
}

Value multilabel_analyze_json(const MultilabelAnalyzeReport& report) {
  const Analysis& analysis = report.analysis;
  const std::vector<std::string> columns = model_columns(report.model.preparation);
  Value::List groups;
  for (const std::vector<std::uint32_t>& group : analysis.identifiability.confounded) {
    Value::List names;
    for (const std::uint32_t k : group) names.emplace_back(source_name(report.model, k));
    groups.emplace_back(std::move(names));
  }
  Value::List parameters;
  for (const ParameterError& parameter : analysis.parameters) {
    Value errors;
    Value bias;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      errors.set(methods[m], std::isnan(parameter.standard_error[m]) ? Value() : Value(parameter.standard_error[m]));
      bias.set(methods[m], std::isnan(parameter.bias[m]) ? Value() : Value(parameter.bias[m]));
    }
    parameters.push_back(Value::object({{"source", source_name(report.model, parameter.source)},
                                        {"feature", columns[parameter.dimension]},
                                        {"value", parameter.value},
                                        {"interval", Value::list({parameter.low, parameter.high})},
                                        {"standard_error", std::move(errors)},
                                        {"bias", std::move(bias)}}));
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
  return Value::object({{"items", analysis.items},
                        {"identifiable", analysis.identifiability.identifiable},
                        {"rank", analysis.identifiability.rank},
                        {"confounded", std::move(groups)},
                        {"advice", Value::list_of(analysis.identifiability.advice)},
                        {"confidence", report.confidence},
                        {"parameters", std::move(parameters)},
                        {"combination_tests", std::move(tests)},
                        {"combination_p", analysis.overall_p},
                        {"warnings", Value::list_of(all_warnings(report))}});
}

Page multilabel_analyze_page(const MultilabelAnalyzeReport& report) {
  Page page;
  page.title = "What these items can tell";
  page.subtitle = report.source;
  page.facts = {{"items", std::to_string(report.analysis.items)},
                {"sources", std::to_string(report.model.sources.count)},
                {"sources told apart", std::to_string(report.analysis.identifiability.rank)},
                {"combination, p", fmt::format("{:.4f}", report.analysis.overall_p)}};
  Section first;
  first.title = "Can the sources be told apart?";
  first.lead = identifiable_sentence(report) + ".";
  first.lead.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(first.lead.front())));
  first.notes = report.analysis.identifiability.advice;
  for (const std::string& warning : all_warnings(report)) first.notes.push_back(warning);
  page.sections.push_back(std::move(first));
  if (!report.analysis.parameters.empty()) {
    page.sections.push_back(interval_section(report));
    page.sections.push_back(method_section(report));
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
