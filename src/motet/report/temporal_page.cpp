#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/report/plots.h"
#include "motet/report/temporal_report.h"
#include "motet/report/timeline_plot.h"

namespace motet {
namespace {

constexpr std::size_t most_stripes = 3000;
constexpr std::size_t most_sequences = 60;
constexpr std::size_t most_mapped_columns = 60;

Section timeline_section(const TemporalReport& report) {
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
  Section section;
  section.title = "Which component when?";
  section.lead = report.fit.mixture.has_chain()
                     ? "Each row has its most probable component, given all rows of its sequence."
                 : report.fit.mixture.field.radius == 0
                     ? "Each row has its most probable component; neighbours in time do not matter to it."
                     : "Each row has a component that fits its numbers and its neighbours in time.";
  if (is_coarse)
    section.lead += " Stretches are too many to draw; each block shows the component most of its rows have.";
  if (shown < features.sequences.size()) {
    section.lead += fmt::format(" Shown are the first {} of {} sequences.", shown, features.sequences.size());
  }
  section.plots.push_back(timeline_plot({"Timeline", "The component of each stretch of rows."}, timeline));
  return section;
}

// Means in units of the spread of all components, so that columns of any scale can be compared.
Plot mean_map(const Mixture& mixture) {
  const std::size_t columns = std::min(mixture.dimensions(), most_mapped_columns);
  HeatMap map{{}, {}, {}, "component", "column", "standard deviations from the mean", 1};
  map.columns.assign(mixture.columns.begin(), mixture.columns.begin() + static_cast<std::ptrdiff_t>(columns));
  std::vector<double> mean(columns);
  std::vector<double> deviation(columns);
  double total = 0.0;
  for (const Component& component : mixture.components) total += component.share;
  for (std::size_t d = 0; d < columns; ++d) {
    for (const Component& component : mixture.components) mean[d] += component.share / total * component.mean[d];
    double variance = 0.0;
    for (const Component& component : mixture.components) {
      const double difference = component.mean[d] - mean[d];
      variance +=
          component.share / total * (component.covariance[d * mixture.dimensions() + d] + difference * difference);
    }
    deviation[d] = std::sqrt(variance);
  }
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    map.rows.push_back(component_name(mixture, k));
    for (std::size_t d = 0; d < columns; ++d) {
      map.values.push_back(deviation[d] > 0.0 ? (mixture.components[k].mean[d] - mean[d]) / deviation[d] : 0.0);
    }
  }
  return heat_map({"Means", "Mean of each component, in standard deviations of all rows from their mean."}, map);
}

Section components_section(const TemporalReport& report) {
  const Mixture& mixture = report.fit.mixture;
  const Features& features = report.features;
  Section section;
  section.title = "The components";
  section.lead = fmt::format("{} components with {} covariance. A share is the part of the rows a component explains.",
                             mixture.components.size(), name_of(mixture.covariance));
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
  Table runs{{{"component"},
              {"rows"},
              {"runs"},
              {"mean run" + of_unit, 2},
              {"median run" + of_unit, 2},
              {"longest run" + of_unit, 2}},
             {}};
  const std::vector<RunLengths> lengths = run_lengths(features, report.fit.states, mixture.components.size());
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    shares.names.push_back(component_name(mixture, k));
    shares.values.push_back(mixture.components[k].share);
    runs.rows.push_back({component_name(mixture, k), static_cast<std::int64_t>(lengths[k].rows),
                         static_cast<std::int64_t>(lengths[k].runs), lengths[k].mean * unit,
                         static_cast<double>(lengths[k].median) * unit,
                         static_cast<double>(lengths[k].longest) * unit});
  }
  section.plots.push_back(bar_plot({"Shares", "Share of the rows in each component."}, shares));
  section.plots.push_back(mean_map(mixture));
  if (mixture.dimensions() > most_mapped_columns) {
    section.lead +=
        fmt::format(" The map shows the first {} of {} columns.", most_mapped_columns, mixture.dimensions());
  }
  section.tables.push_back({"How long components last", std::move(runs)});
  if (mixture.has_chain()) section.tables.push_back({"Which component comes next", transition_table(mixture)});
  return section;
}

Section fit_section(const TemporalReport& report) {
  const FitSummary& summary = report.fit.summary;
  const TimeField& field = report.fit.mixture.field;
  Section section;
  section.title = "The fit";
  section.lead = fmt::format("{} after {} iterations.", name_of(summary.stop), summary.iterations());
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
  if (summary.objective.size() > 1) {
    Series trace{"objective", {}, summary.objective, {}, {}};
    for (std::size_t i = 0; i < summary.objective.size(); ++i) trace.x.push_back(static_cast<double>(i + 1));
    Lines lines{{std::move(trace)}, "iteration", "objective a row"};
    section.plots.push_back(line_plot({"Objective", "The objective after each iteration."}, lines));
  }
  if (!report.options.empty()) {
    Table table{{{"option"}, {"value"}}, {}};
    for (const auto& [what, value] : report.options) table.rows.push_back({what, value});
    section.tables.push_back({"Options", std::move(table)});
  }
  return section;
}

}  // namespace

Page temporal_page(const TemporalReport& report) {
  const TemporalFit& fit = report.fit;
  Page page;
  page.title = "Components over time";
  page.subtitle = report.source;
  page.facts = {{"rows", std::to_string(report.features.rows())},
                {"columns", std::to_string(report.features.dimensions())},
                {"sequences", std::to_string(report.features.sequences.size())},
                {"components", std::to_string(fit.mixture.components.size())},
                {"radius", std::to_string(fit.mixture.field.radius)}};
  if (report.labelled > 0) page.facts.emplace_back("labelled rows", std::to_string(report.labelled));
  if (!fit.summary.objective.empty()) {
    page.facts.emplace_back("objective a row", fmt::format("{:.4f}", fit.summary.objective.back()));
  }
  std::vector<std::string> warnings = report.warnings;
  warnings.insert(warnings.end(), fit.summary.warnings.begin(), fit.summary.warnings.end());
  if (!warnings.empty()) {
    Section section;
    section.title = "What to know first";
    section.notes = warnings;
    page.sections.push_back(std::move(section));
  }
  page.sections.push_back(timeline_section(report));
  page.sections.push_back(components_section(report));
  page.sections.push_back(fit_section(report));
  return page;
}

}  // namespace motet
