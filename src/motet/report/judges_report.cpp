#include "motet/report/judges_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/report/interval_text.h"
#include "motet/report/plots.h"
#include "motet/report/text_table.h"

namespace motet {
namespace {

constexpr std::size_t most_plotted_judges = 200;
constexpr std::size_t most_heat_maps = 12;
constexpr std::size_t most_small_classes = 6;  // of a heat map that still reads at half the width
constexpr std::size_t longest_title = 80;
constexpr std::size_t most_mapped_classes = 30;  // more cells can neither be read nor drawn

// Best judge first.
std::vector<std::size_t> by_accuracy(const JudgesFit& fit) {
  std::vector<std::size_t> order(fit.judges.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return fit.judges[a].accuracy > fit.judges[b].accuracy; });
  return order;
}

std::vector<std::size_t> by_votes(const JudgesModel& model, std::size_t most) {
  std::vector<std::size_t> order(model.judge_count());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return model.judge_votes[a] > model.judge_votes[b]; });
  order.resize(std::min(order.size(), most));
  return order;
}

// The most frequent ones, in their order.
std::vector<std::size_t> mapped_classes(const JudgesModel& model) {
  std::vector<std::size_t> order(model.class_count());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return model.prior(a) > model.prior(b); });
  order.resize(std::min(order.size(), most_mapped_classes));
  std::sort(order.begin(), order.end());
  return order;
}

Table judge_table(const JudgesReport& report) {
  const JudgesFit& fit = report.fit;
  Table table{{{"judge"}, {"votes"}, {"accuracy", 3}, {fmt::format("{:g} % interval", 100.0 * report.confidence)}}, {}};
  if (!report.gold_accuracy.empty()) table.columns.push_back({"on gold", 3});
  for (const std::size_t j : by_accuracy(fit)) {
    table.rows.push_back({fit.model.judges[j], static_cast<std::int64_t>(fit.model.judge_votes[j]),
                          fit.judges[j].accuracy,
                          fit.judges[j].determined ? interval_text(fit.judges[j].interval, 3) : "not determined"});
    if (!report.gold_accuracy.empty()) table.rows.back().emplace_back(report.gold_accuracy[j]);
  }
  return table;
}

Table prior_table(const JudgesReport& report) {
  const JudgesFit& fit = report.fit;
  Table table{{{"class"}, {"share", 3}, {fmt::format("{:g} % interval", 100.0 * report.confidence)}}, {}};
  for (std::size_t y = 0; y < fit.model.class_count(); ++y) {
    table.rows.push_back({fit.model.classes[y], fit.model.prior(y),
                          fit.model.prior_known ? std::string("given") : interval_text(fit.prior[y], 3)});
  }
  return table;
}

std::string fit_sentence(const JudgesFit& fit) {
  if (fit.summary.iterations() == 0) return fmt::format("closed form, log-likelihood {:.3f}", fit.log_likelihood);
  return fmt::format("{} after {} iterations, log-likelihood {:.3f}", name_of(fit.summary.stop),
                     fit.summary.iterations(), fit.log_likelihood);
}

std::string dependence_text(const JudgesModel& model) {
  if (!model.dependence) return "";
  std::string text = fmt::format("\n{} judges count as {:.2f} independent ones\n", model.judge_count(),
                                 model.dependence->effective_judges);
  for (const ErrorDependence::Pair& pair : model.dependence->pairs) {
    text += fmt::format("  {} and {} err together: correlation {:.2f}\n", one_line(model.judges[pair.first]),
                        one_line(model.judges[pair.second]), pair.correlation);
  }
  return text;
}

Value judge_value(const JudgesReport& report, std::size_t j) {
  const JudgesModel& model = report.fit.model;
  const JudgeEstimate& judge = report.fit.judges[j];
  const std::size_t k = model.class_count();
  Value::List confusion;
  Value::List intervals;
  for (std::size_t y = 0; y < k; ++y) {
    Value::List row;
    Value::List row_intervals;
    for (std::size_t c = 0; c < k; ++c) {
      row.emplace_back(model.cell(j, c, y));
      row_intervals.push_back(interval_value(judge.cells[y * k + c]));
    }
    confusion.emplace_back(std::move(row));
    intervals.emplace_back(std::move(row_intervals));
  }
  Value value = Value::object({{"name", model.judges[j]},
                               {"votes", static_cast<std::int64_t>(model.judge_votes[j])},
                               {"accuracy", judge.accuracy},
                               {"accuracy_interval", interval_value(judge.interval)},
                               {"standard_error", judge.standard_error},
                               {"determined", judge.determined},
                               {"constant", judge.constant},
                               {"worse_than_chance", judge.worse_than_chance},
                               {"confusion", std::move(confusion)},
                               {"confusion_interval", std::move(intervals)}});
  if (!report.gold_accuracy.empty()) value.set("gold_accuracy", report.gold_accuracy[j]);
  return value;
}

Value dependence_value(const JudgesModel& model) {
  Value::List pairs;
  for (const ErrorDependence::Pair& pair : model.dependence->pairs) {
    pairs.push_back(Value::object({{"first", model.judges[pair.first]},
                                   {"second", model.judges[pair.second]},
                                   {"gamma", pair.gamma},
                                   {"correlation", pair.correlation},
                                   {"bic_gain", pair.bic_gain}}));
  }
  return Value::object({{"effective_judges", model.dependence->effective_judges}, {"pairs", std::move(pairs)}});
}

Section accuracy_section(const JudgesReport& report) {
  const JudgesFit& fit = report.fit;
  Section section;
  section.title = "How good is each judge?";
  section.lead = fmt::format(
      "Accuracy is the estimated share of right answers; no truth was needed{}. Bars are {:g} % intervals ({}).",
      report.gold > 0 ? fmt::format(", though {} known labels helped", report.gold) : "", 100.0 * report.confidence,
      fit.interval_source);
  Intervals data;
  data.name_title = "judge";
  data.value_title = "accuracy";
  std::vector<std::size_t> order = by_votes(fit.model, most_plotted_judges);
  for (const std::size_t j : order) {
    data.names.push_back(fit.model.judges[j]);
    data.value.push_back(fit.judges[j].accuracy);
    data.low.push_back(fit.judges[j].interval.low);
    data.high.push_back(fit.judges[j].interval.high);
    if (!report.gold_accuracy.empty()) data.truth.push_back(report.gold_accuracy[j]);
  }
  const std::string which =
      fit.judges.size() > order.size() ? fmt::format(" The {} judges with most votes.", order.size()) : "";
  section.plots.push_back(
      interval_plot({"Accuracy of the judges", "Estimated accuracy with its interval, best first." + which}, data));
  section.tables.push_back({"All judges", judge_table(report)});
  section.tables.push_back({"How frequent the classes are", prior_table(report)});
  return section;
}

Section confusion_section(const JudgesReport& report) {
  const JudgesModel& model = report.fit.model;
  const std::vector<std::size_t> shown = mapped_classes(model);
  std::vector<std::string> names;
  for (const std::size_t c : shown) names.push_back(model.classes[c]);
  Section section;
  section.title = "Who says what when";
  section.small_plots = shown.size() <= most_small_classes;
  section.lead =
      "Each row is a true class, each column what the judge says then; a perfect judge has ones on the diagonal.";
  for (const std::size_t j : by_votes(model, most_heat_maps)) {
    HeatMap map{names, names, {}, "true class", "said", "probability", 2};
    for (const std::size_t y : shown) {
      for (const std::size_t c : shown) map.values.push_back(model.cell(j, c, y));
    }
    const std::string judge = shortened(model.judges[j], longest_title);
    section.plots.push_back(heat_map(
        {judge, fmt::format("What {} says for each true class; accuracy {:.3f}", judge, model.accuracy(j))}, map));
  }
  if (shown.size() < model.class_count()) {
    section.lead += fmt::format(" Shown are the {} most frequent of {} classes.", shown.size(), model.class_count());
  }
  if (model.judge_count() > most_heat_maps) {
    section.lead +=
        fmt::format(" Shown are the {} judges with most votes; all are in the JSON result.", most_heat_maps);
  }
  return section;
}

Section disputed_section(const JudgesReport& report) {
  Section section;
  section.title = "Items in dispute";
  section.lead = fmt::format("{:.1f} % of the items have less than 0.9 for their best class. The most doubtful first.",
                             100.0 * report.disputed_share);
  Table table{{{"item"}, {"best"}, {"probability", 3}, {"second"}, {"probability", 3}, {"votes"}}, {}};
  for (const DisputedItem& item : report.disputed) {
    table.rows.push_back(
        {item.item, item.label, item.probability, item.runner_up, item.runner_up_probability, item.votes});
  }
  if (!table.rows.empty()) section.tables.push_back({"Most doubtful items", std::move(table)});
  return section;
}

Section dependence_section(const JudgesModel& model) {
  Section section;
  section.title = "Judges that err together";
  const ErrorDependence& dependence = *model.dependence;
  section.lead = fmt::format("{} judges carry as much evidence as {:.2f} independent ones.", model.judge_count(),
                             dependence.effective_judges);
  if (dependence.pairs.empty()) section.lead += " No pair errs together more than chance explains.";
  Table table{{{"judge"}, {"judge"}, {"correlation of errors", 3}, {"strength (gamma)", 3}, {"gain (BIC)", 1}}, {}};
  for (const ErrorDependence::Pair& pair : dependence.pairs) {
    table.rows.push_back(
        {model.judges[pair.first], model.judges[pair.second], pair.correlation, pair.gamma, pair.bic_gain});
  }
  if (!table.rows.empty()) section.tables.push_back({"Dependent pairs", std::move(table)});
  return section;
}

Section trace_section(const JudgesReport& report) {
  const FitSummary& summary = report.fit.summary;
  Section section;
  section.title = "The fit";
  section.lead = fmt::format("{}. Start: {}.", fit_sentence(report.fit),
                             report.fit.starts.empty() ? "the model" : report.fit.starts[report.fit.winning_start]);
  Series series;
  series.name = "objective";
  for (std::size_t i = 0; i < summary.objective.size(); ++i) {
    series.x.push_back(static_cast<double>(i + 1));
    series.y.push_back(summary.objective[i]);
  }
  if (series.x.size() > 1) {
    Lines lines;
    lines.series = {std::move(series)};
    lines.x_title = "iteration";
    lines.y_title = "objective (log-likelihood plus log prior)";
    section.plots.push_back(line_plot({"Objective by iteration", "It never falls."}, lines));
  }
  return section;
}

}  // namespace

std::string judges_text(const JudgesReport& report) {
  const JudgesFit& fit = report.fit;
  std::string text = fmt::format("{} judges, {} items, {} votes, {} classes\n{}\n\n", fit.model.judge_count(),
                                 report.items, report.votes, fit.model.class_count(), fit_sentence(fit));
  text += to_text(judge_table(report)) + "\n" + to_text(prior_table(report));
  text += dependence_text(fit.model);
  if (!fit.warnings.empty()) text += "\n";
  return text + warning_lines(fit.warnings);
}

Value judges_json(const JudgesReport& report) {
  const JudgesFit& fit = report.fit;
  const JudgesModel& model = fit.model;
  Value::List prior;
  Value::List prior_intervals;
  for (std::size_t y = 0; y < model.class_count(); ++y) {
    prior.emplace_back(model.prior(y));
    prior_intervals.push_back(interval_value(fit.prior[y]));
  }
  Value::List judges;
  for (std::size_t j = 0; j < model.judge_count(); ++j) judges.push_back(judge_value(report, j));
  Value json = Value::object({{"classes", Value::list_of(model.classes)},
                              {"prior", std::move(prior)},
                              {"prior_interval", std::move(prior_intervals)},
                              {"prior_known", model.prior_known},
                              {"judges", std::move(judges)},
                              {"items", report.items},
                              {"votes", report.votes},
                              {"gold_items", report.gold},
                              {"log_likelihood", fit.log_likelihood},
                              {"iterations", fit.summary.iterations()},
                              {"converged", fit.summary.stop == Stop::converged},
                              {"stop", name_of(fit.summary.stop)},
                              {"identifiable", fit.identifiable},
                              {"confidence", report.confidence},
                              {"interval_source", fit.interval_source},
                              {"vote_weight", model.vote_weight},
                              {"warnings", Value::list_of(fit.warnings)},
                              {"objective", Value::list_of(fit.summary.objective)}});
  if (model.dependence) json.set("dependence", dependence_value(model));
  return json;
}

Page judges_page(const JudgesReport& report) {
  const JudgesFit& fit = report.fit;
  Page page;
  page.title = "How good are the judges?";
  page.subtitle = report.source;
  page.facts = {{"judges", std::to_string(fit.model.judge_count())},
                {"items", std::to_string(report.items)},
                {"votes", std::to_string(report.votes)},
                {"classes", std::to_string(fit.model.class_count())},
                {"items in doubt", fmt::format("{:.1f} %", 100.0 * report.disputed_share)}};
  if (fit.model.dependence) {
    page.facts.emplace_back("effective judges", fmt::format("{:.2f}", fit.model.dependence->effective_judges));
  }
  if (!fit.warnings.empty()) {
    Section warnings;
    warnings.title = "What to know first";
    warnings.notes = fit.warnings;
    page.sections.push_back(std::move(warnings));
  }
  page.sections.push_back(accuracy_section(report));
  page.sections.push_back(confusion_section(report));
  page.sections.push_back(disputed_section(report));
  if (fit.model.dependence) page.sections.push_back(dependence_section(fit.model));
  page.sections.push_back(trace_section(report));
  return page;
}

Page labels_page(const JudgesReport& report, const std::vector<std::string>& warnings, const Table& labels) {
  Page page;
  page.title = "Combined labels";
  page.subtitle = report.source;
  page.facts = {{"items", std::to_string(report.items)},
                {"votes", std::to_string(report.votes)},
                {"items in doubt", fmt::format("{:.1f} %", 100.0 * report.disputed_share)}};
  Section section;
  section.title = "How many items got each label";
  section.notes = warnings;
  section.tables.push_back({"Labels", labels});
  page.sections.push_back(std::move(section));
  page.sections.push_back(disputed_section(report));
  return page;
}

}  // namespace motet
