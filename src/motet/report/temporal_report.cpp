#include "motet/report/temporal_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/report/text_table.h"

namespace motet {
namespace {

constexpr std::size_t most_columns_in_text = 6;
constexpr std::size_t most_transitions_in_text = 12;

// Lengths of runs as people read them: in seconds where rows have a clock.
double in_time(const Features& features, double rows) {
  return features.clock.has_time() ? rows * features.clock.hop : rows;
}

Table component_table(const TemporalReport& report) {
  const Mixture& mixture = report.fit.mixture;
  const bool has_classes = !mixture.classes.empty();
  const bool has_time = report.features.clock.has_time();
  const std::string unit = has_time ? " (s)" : "";
  Table table{{{"component"}}, {}};
  if (has_classes) table.columns.push_back({"class"});
  table.columns.insert(
      table.columns.end(),
      {{"share"}, {"rows"}, {"runs"}, {"mean run" + unit, has_time ? 2 : 1}, {"longest run" + unit, has_time ? 2 : 0}});
  const bool has_degrees = mixture.emission == ComponentLaw::student_t;
  if (has_degrees) table.columns.push_back({"degrees", 1});
  const std::size_t columns = mixture.dimensions() / (2 * mixture.stack + 1);
  const std::size_t first = mixture.stack * columns;  // the columns of the row itself
  const std::size_t shown = first + std::min(columns, most_columns_in_text);
  for (std::size_t d = first; d < shown; ++d) table.columns.push_back({"mean " + mixture.columns[d], 3});
  const std::vector<RunLengths> runs = run_lengths(report.features, report.fit.states, mixture.components.size());
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    const Component& component = mixture.components[k];
    std::vector<Cell> row = {static_cast<std::int64_t>(k + 1)};
    if (has_classes) {
      const auto of_class = static_cast<std::size_t>(component.of_class);
      std::string name = component.of_class < 0 ? "" : mixture.classes[of_class];
      if (mixture.has_soft_classes()) name += fmt::format(" {:.2f}", component.class_shares[of_class]);
      row.emplace_back(std::move(name));
    }
    row.insert(row.end(), {component.share, static_cast<std::int64_t>(runs[k].rows),
                           static_cast<std::int64_t>(runs[k].runs), in_time(report.features, runs[k].mean),
                           in_time(report.features, static_cast<double>(runs[k].longest))});
    if (has_degrees) row.emplace_back(component.degrees);
    for (std::size_t d = first; d < shown; ++d) row.emplace_back(component.mean[d]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> all_warnings(const TemporalReport& report) {
  std::vector<std::string> warnings = report.warnings;
  const auto& more = report.fit.summary.warnings;
  warnings.insert(warnings.end(), more.begin(), more.end());
  return warnings;
}

// What the objective is, and what may be compared between models.
std::string likelihood_line(const Likelihood& likelihood) {
  if (!likelihood.a_row)
    return fmt::format("the objective is a {}, to be compared only with its like\n", name_of(likelihood.kind));
  const bool is_bound = likelihood.kind == ObjectiveKind::lower_bound;
  return fmt::format("log-likelihood {}{:.6f} per row, BIC {}{:.1f} with {} parameters\n", is_bound ? "at least " : "",
                     *likelihood.a_row, is_bound ? "at most " : "", *likelihood.bic, likelihood.parameters);
}

Value matrix_value(const std::vector<double>& values, std::size_t columns) {
  Value::List rows;
  for (std::size_t i = 0; i < values.size(); i += columns) {
    rows.push_back(Value::list_of(std::span(values).subspan(i, columns)));
  }
  return rows;
}

}  // namespace

std::vector<RunLengths> run_lengths(const Features& features, const std::vector<std::uint8_t>& states,
                                    std::size_t components) {
  std::vector<std::vector<std::size_t>> lengths(components);
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    std::size_t first = features.starts[s];
    for (std::size_t n = first; n < features.starts[s + 1]; ++n) {
      if (n + 1 < features.starts[s + 1] && states[n + 1] == states[n]) continue;
      lengths[states[n]].push_back(n + 1 - first);
      first = n + 1;
    }
  }
  std::vector<RunLengths> result(components);
  for (std::size_t k = 0; k < components; ++k) {
    std::vector<std::size_t>& of = lengths[k];
    if (of.empty()) continue;
    std::sort(of.begin(), of.end());
    for (const std::size_t length : of) result[k].rows += length;
    result[k].runs = of.size();
    result[k].mean = static_cast<double>(result[k].rows) / static_cast<double>(of.size());
    result[k].median = of[of.size() / 2];
    result[k].longest = of.back();
  }
  return result;
}

std::string component_name(const Mixture& mixture, std::size_t component) {
  const std::int32_t of_class = mixture.components[component].of_class;
  if (of_class < 0) return std::to_string(component + 1);
  return fmt::format("{} ({})", component + 1, mixture.classes[static_cast<std::size_t>(of_class)]);
}

Table transition_table(const Mixture& mixture) {
  const std::size_t components = mixture.components.size();
  const std::size_t shown = std::min(components, most_transitions_in_text);
  Table table{{{"from component"}, {"mean stay (rows)", 1}}, {}};
  for (std::size_t k = 0; k < shown; ++k) table.columns.push_back({"to " + std::to_string(k + 1), 4});
  for (std::size_t j = 0; j < components; ++j) {
    const double* const line = mixture.chain.transition.data() + j * components;
    const double leaves = 1.0 - line[j];  // 0 for a component that is alone: its stay has no end
    std::vector<Cell> row = {component_name(mixture, j), leaves > 0.0 ? 1.0 / leaves : std::nan("")};
    for (std::size_t k = 0; k < shown; ++k) row.emplace_back(line[k]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string temporal_text(const TemporalReport& report) {
  const TemporalFit& fit = report.fit;
  const Features& features = report.features;
  const std::size_t sequences = features.sequences.size();
  std::string text = fmt::format("{} rows, {} columns, {} sequence{}", features.rows(), features.dimensions(),
                                 sequences, sequences == 1 ? "" : "s");
  if (report.labelled > 0) text += fmt::format(", {} rows labelled", report.labelled);
  text +=
      fmt::format("\n{} {}components, {} covariance; {} after {} iterations, objective {:.6f} per row\n",
                  fit.mixture.components.size(), fit.mixture.emission == ComponentLaw::student_t ? "student-t " : "",
                  name_of(fit.mixture.covariance), name_of(fit.summary.stop), fit.summary.iterations(),
                  fit.summary.objective.empty() ? 0.0 : fit.summary.objective.back());
  text += likelihood_line(fit.likelihood);
  if (fit.mixture.stack > 0) {
    text += fmt::format("each row with the {} before and the {} after it: {} columns\n", fit.mixture.stack,
                        fit.mixture.stack, fit.mixture.dimensions());
  }
  const TimeField& field = fit.mixture.field;
  if (fit.mixture.has_chain()) {
    text += "a hidden Markov chain: components follow one another as in the second table\n";
  } else if (field.radius == 0) {
    text += "time is not looked at (radius 0)\n";
  } else {
    text += fmt::format("neighbours up to {} rows away count, together at most {:.4g} nats\n", field.radius,
                        total_weight(field));
  }
  text += "\n" + to_text(component_table(report));
  if (fit.mixture.has_chain()) text += "\n" + to_text(transition_table(fit.mixture));
  return text + warning_lines(all_warnings(report));
}

Value temporal_json(const TemporalReport& report) {
  const TemporalFit& fit = report.fit;
  const Mixture& mixture = fit.mixture;
  const std::vector<RunLengths> runs = run_lengths(report.features, fit.states, mixture.components.size());
  Value::List components;
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    const Component& component = mixture.components[k];
    Value value = Value::object({{"mean", Value::list_of(component.mean)},
                                 {"covariance", matrix_value(component.covariance, mixture.dimensions())},
                                 {"share", component.share},
                                 {"class", Value()},
                                 {"rows", runs[k].rows},
                                 {"runs", runs[k].runs},
                                 {"mean_run", runs[k].mean},
                                 {"median_run", runs[k].median},
                                 {"longest_run", runs[k].longest}});
    if (mixture.emission == ComponentLaw::student_t) value.set("degrees", component.degrees);
    if (mixture.has_soft_classes()) value.set("class_probabilities", Value::list_of(component.class_shares));
    if (component.of_class >= 0) value.set("class", mixture.classes[static_cast<std::size_t>(component.of_class)]);
    components.push_back(std::move(value));
  }
  const TimeField& field = mixture.field;
  Value result =
      Value::object({{"rows", report.features.rows()},
                     {"sequences", report.features.sequences.size()},
                     {"columns", Value::list_of(mixture.columns)},
                     {"classes", Value::list_of(mixture.classes)},
                     {"components", std::move(components)},
                     {"covariance", name_of(mixture.covariance)},
                     {"emission", name_of(mixture.emission)},
                     {"objective", fit.summary.objective.empty() ? Value() : Value(fit.summary.objective.back())},
                     {"objective_kind", name_of(fit.likelihood.kind)},
                     {"log_likelihood", fit.likelihood.a_row ? Value(*fit.likelihood.a_row) : Value()},
                     {"parameters", fit.likelihood.parameters},
                     {"bic", fit.likelihood.bic ? Value(*fit.likelihood.bic) : Value()},
                     {"objective_trace", Value::list_of(fit.summary.objective)},
                     {"iterations", fit.summary.iterations()},
                     {"converged", fit.summary.stop == Stop::converged},
                     {"stop", name_of(fit.summary.stop)},
                     {"radius", field.radius},
                     {"stack", mixture.stack},
                     {"weights", name_of(field.shape)},
                     {"coupling", field.radius == 0 ? 0.0 : total_weight(field)},
                     {"warnings", Value::list_of(all_warnings(report))}});
  result.set("method", mixture.has_chain() ? "hmm" : "field");
  if (mixture.has_chain()) {
    result.set("start", Value::list_of(mixture.chain.start));
    result.set("transition", matrix_value(mixture.chain.transition, mixture.components.size()));
  }
  if (field.shape == WeightShape::custom) result.set("weight_values", Value::list_of(weights_of(field)));
  return result;
}

}  // namespace motet
