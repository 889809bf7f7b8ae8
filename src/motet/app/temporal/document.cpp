#include "motet/app/temporal/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/report/heat_map.h"
#include "motet/report/timeline_plot.h"
#include "motet/temporal/run_lengths.h"

namespace motet::temporal {

std::string component_name(const Mixture& mixture, std::size_t component) {
  const std::int32_t of_class = mixture.components[component].of_class;
  if (of_class < 0) return std::to_string(component + 1);
  return fmt::format("{} ({})", component + 1, mixture.classes[static_cast<std::size_t>(of_class)]);
}

namespace {

constexpr std::size_t most_columns_in_text = 6;
constexpr std::size_t most_transitions_in_text = 12;
constexpr std::size_t most_stripes = 3000;
constexpr std::size_t most_sequences = 60;
constexpr std::size_t most_mapped_columns = 60;

// Lengths of runs as people read them: in seconds where rows have a clock.
double in_time(const Features& features, double rows) {
  return features.clock.has_time() ? rows * features.clock.hop : rows;
}

Table component_table(const TemporalReport& report, const std::vector<RunLengths>& runs) {
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

// Of a chain: how long components stay and which come next.
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

std::string head_of(const TemporalReport& report) {
  const TemporalFit& fit = report.fit;
  const Features& features = report.features;
  const std::size_t sequences = features.sequences.size();
  std::string text = fmt::format("{} rows, {} columns, {} sequence{}", features.rows(), features.dimensions(),
                                 sequences, sequences == 1 ? "" : "s");
  if (report.labelled > 0) text += fmt::format(", {} rows labelled", report.labelled);
  text += fmt::format(
      "\n{} {}components, {} covariance; {} after {}, objective {:.6f} per row\n", fit.mixture.components.size(),
      fit.mixture.emission == ComponentLaw::student_t ? "student-t " : "", name_of(fit.mixture.covariance),
      name_of(fit.summary.stop), counted(fit.summary.iterations(), "iteration"),
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
  return text;
}

Value json_of(const TemporalReport& report, const std::vector<RunLengths>& runs,
              const std::vector<std::string>& warnings) {
  const TemporalFit& fit = report.fit;
  const Mixture& mixture = fit.mixture;
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
                     {"warnings", Value::list_of(warnings)}});
  result.set("method", mixture.has_chain() ? "hmm" : "field");
  if (mixture.has_chain()) {
    result.set("start", Value::list_of(mixture.chain.start));
    result.set("transition", matrix_value(mixture.chain.transition, mixture.components.size()));
  }
  if (field.shape == WeightShape::custom) result.set("weight_values", Value::list_of(weights_of(field)));
  return result;
}

void add_timeline(Document& document, const TemporalReport& report) {
  const Features& features = report.features;
  const Mixture& mixture = report.fit.mixture;
  const bool has_time = features.clock.has_time();
  const std::size_t shown = std::min(features.sequences.size(), most_sequences);
  Timeline timeline;
  timeline.time_title = has_time ? "seconds" : "rows";
  timeline.kind_title = "component";
  for (std::size_t k = 0; k < mixture.components.size(); ++k) timeline.kinds.push_back(component_name(mixture, k));
  bool is_coarse = false;
  for (std::size_t s = 0; s < shown; ++s) {
    const std::string& name = features.sequences[s];
    timeline.sequences.push_back(name.empty() ? "all rows" : name);
    std::vector<std::size_t> kinds(report.fit.states.begin() + static_cast<std::ptrdiff_t>(features.starts[s]),
                                   report.fit.states.begin() + static_cast<std::ptrdiff_t>(features.starts[s + 1]));
    const std::vector<Stripe> every = stripes_of(kinds, s, std::numeric_limits<std::size_t>::max());
    std::vector<Stripe> stripes = stripes_of(kinds, s, std::max<std::size_t>(most_stripes / shown, 50));
    is_coarse = is_coarse || stripes.size() < every.size();
    for (Stripe& stripe : stripes) {
      if (has_time) {
        stripe.begin *= features.clock.hop;
        stripe.end *= features.clock.hop;
      }
      timeline.stripes.push_back(stripe);
    }
  }
  Section& section = document.section(
      "Which component when?",
      mixture.has_chain()         ? "Each row has its most probable component, given all rows of its sequence."
      : mixture.field.radius == 0 ? "Each row has its most probable component; neighbours in time do not matter to it."
                                  : "Each row has a component that fits its numbers and its neighbours in time.");
  if (is_coarse)
    section.lead += " Stretches are too many to draw; each block shows the component most of its rows have.";
  if (shown < features.sequences.size()) {
    section.lead += fmt::format(" Shown are the first {} of {} sequences.", shown, features.sequences.size());
  }
  section.plots.push_back(timeline_plot({"Timeline", "The component of each stretch of rows."}, timeline));
}

// Means in units of the spread of all components, so that columns of any scale can be compared.
Plot mean_map(const Mixture& mixture) {
  const std::size_t columns = std::min(mixture.dimensions(), most_mapped_columns);
  HeatMap map{{}, {}, {}, "component", "column", "standard deviations from the mean", 1};
  map.columns.assign(mixture.columns.begin(), mixture.columns.begin() + static_cast<std::ptrdiff_t>(columns));
  const auto [mean, deviation] = spread_of(mixture);
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    map.rows.push_back(component_name(mixture, k));
    for (std::size_t d = 0; d < columns; ++d) {
      map.values.push_back(deviation[d] > 0.0 ? (mixture.components[k].mean[d] - mean[d]) / deviation[d] : 0.0);
    }
  }
  return heat_map({"Means", "Mean of each component, in standard deviations of all rows from their mean."}, map);
}

void add_components(Document& document, const TemporalReport& report, const std::vector<RunLengths>& lengths) {
  const Mixture& mixture = report.fit.mixture;
  const Features& features = report.features;
  Section& section = document.section(
      "The components",
      fmt::format("{} components with {} covariance. A share is the part of the rows a component explains.",
                  mixture.components.size(), name_of(mixture.covariance)));
  if (mixture.emission == ComponentLaw::student_t) {
    section.lead += " Components are Student's t; few degrees of freedom mean that many rows lie far out. Degrees:";
    for (const Component& component : mixture.components) section.lead += fmt::format(" {:.1f},", component.degrees);
    section.lead.back() = '.';
  }
  Bars shares;
  shares.name_title = "component";
  shares.value_title = "share";
  const bool has_time = features.clock.has_time();
  const double unit = has_time ? features.clock.hop : 1.0;
  const std::string of_unit = has_time ? " (s)" : " (rows)";
  Listing runs{{{"component"},
                {"rows"},
                {"runs"},
                {"mean run" + of_unit, "", 2},
                {"median run" + of_unit, "", 2},
                {"longest run" + of_unit, "", 2}}};
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    shares.names.push_back(component_name(mixture, k));
    shares.values.push_back(mixture.components[k].share);
    runs.rows.push_back({component_name(mixture, k), lengths[k].rows, lengths[k].runs, lengths[k].mean * unit,
                         static_cast<double>(lengths[k].median) * unit,
                         static_cast<double>(lengths[k].longest) * unit});
  }
  section.plots.push_back(bar_plot({"Shares", "Share of the rows in each component."}, shares));
  section.plots.push_back(mean_map(mixture));
  if (mixture.dimensions() > most_mapped_columns) {
    section.lead +=
        fmt::format(" The map shows the first {} of {} columns.", most_mapped_columns, mixture.dimensions());
  }
  section.tables.push_back({"How long components last", runs.table()});
  if (mixture.has_chain()) section.tables.push_back({"Which component comes next", transition_table(mixture)});
}

void add_fit(Document& document, const TemporalReport& report) {
  const FitSummary& summary = report.fit.summary;
  const TimeField& field = report.fit.mixture.field;
  Section& section = document.section(
      "The fit", fmt::format("{} after {}.", name_of(summary.stop), counted(summary.iterations(), "iteration")));
  section.lead.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(section.lead.front())));
  const Likelihood& likelihood = report.fit.likelihood;
  section.lead += fmt::format(" The objective is a {} per row, with the priors.", name_of(likelihood.kind));
  if (field.radius > 0) {
    section.lead += fmt::format(" Neighbours up to {} rows away can together give a component {:.4g} nats.",
                                field.radius, total_weight(field));
  }
  if (likelihood.bic) {
    const bool is_bound = likelihood.kind == ObjectiveKind::lower_bound;
    section.lead +=
        fmt::format(" Without priors the log-likelihood is {}{:.4f} per row, and BIC {}{:.1f}.",
                    is_bound ? "at least " : "", *likelihood.a_row, is_bound ? "at most " : "", *likelihood.bic);
  }
  section.plots =
      trace_plot("Objective", "The objective after each iteration.", "objective per row", summary.objective);
  if (!report.options.empty()) section.tables.push_back(options_table("Options", report.options));
}

}  // namespace

Document temporal_document(const TemporalReport& report) {
  const TemporalFit& fit = report.fit;
  const std::vector<RunLengths> runs = run_lengths(report.features, fit.states, fit.mixture.components.size());
  const std::vector<std::string> warnings = joined(report.warnings, fit.summary.warnings);
  Document document{{"Components over time", report.source, {}, {}}, {}, {}};
  document.text = head_of(report);
  document.show(component_table(report, runs));
  if (fit.mixture.has_chain()) document.show(transition_table(fit.mixture));
  document.text += warning_lines(warnings);
  document.json = json_of(report, runs, warnings);
  document.facts = {{"rows", std::to_string(report.features.rows())},
                    {"columns", std::to_string(report.features.dimensions())},
                    {"sequences", std::to_string(report.features.sequences.size())},
                    {"components", std::to_string(fit.mixture.components.size())},
                    {"radius", std::to_string(fit.mixture.field.radius)}};
  if (report.labelled > 0) document.facts.emplace_back("labelled rows", std::to_string(report.labelled));
  if (!fit.summary.objective.empty()) {
    document.facts.emplace_back("objective per row", fmt::format("{:.4f}", fit.summary.objective.back()));
  }
  document.warn_first(warnings);
  add_timeline(document, report);
  add_components(document, report, runs);
  add_fit(document, report);
  return document;
}

}  // namespace motet::temporal
