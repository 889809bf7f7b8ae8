#include "motet/app/judges/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/report/heat_map.h"
#include "motet/report/interval_text.h"

namespace motet::judges {
namespace {

constexpr std::size_t most_plotted_judges = 200;
constexpr std::size_t most_heat_maps = 12;
constexpr std::size_t most_small_classes = 6;  // of a heat map that still reads at half the width
constexpr std::size_t longest_title = 80;
constexpr std::size_t most_mapped_classes = 30;  // more cells can neither be read nor drawn

// The first `most` of `count` by falling value.
template <class ValueOf>
std::vector<std::size_t> by_falling(std::size_t count, std::size_t most, ValueOf value) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) > value(b); });
  order.resize(std::min(count, most));
  return order;
}

std::vector<std::size_t> by_votes(const JudgesModel& model, std::size_t most) {
  return by_falling(model.judge_count(), most, [&](std::size_t j) { return model.judge_votes[j]; });
}

std::string interval_heading(const JudgesReport& report) {
  return fmt::format("{:g} % interval", 100.0 * report.confidence);
}

// Best judge first.
Table judge_table(const JudgesReport& report) {
  const JudgesFit& fit = report.fit;
  const bool has_gold = !report.gold_accuracy.empty();
  Listing listing{{{"judge"},
                   {"votes"},
                   {"accuracy", "", 3},
                   {interval_heading(report), "", 3},
                   {has_gold ? "on gold" : "", "", 3}}};
  for (std::size_t i = 0; i < fit.model.by_judge.size(); ++i) {
    std::string title(fit.model.model_kind().by_judge[i]);
    std::replace(title.begin(), title.end(), '_', ' ');
    listing.columns.push_back({std::move(title), "", 3});
  }
  for (const std::size_t j :
       by_falling(fit.judges.size(), fit.judges.size(), [&](std::size_t i) { return fit.judges[i].accuracy; })) {
    const JudgeEstimate& judge = fit.judges[j];
    listing.rows.push_back({fit.model.judges[j], static_cast<std::int64_t>(fit.model.judge_votes[j]), judge.accuracy,
                            judge.determined ? interval_value(judge.interval) : Value("not determined"),
                            has_gold ? Value(report.gold_accuracy[j]) : Value()});
    for (const std::vector<double>& numbers : fit.model.by_judge) listing.rows.back().emplace_back(numbers[j]);
  }
  return listing.table();
}

Table prior_table(const JudgesReport& report) {
  const JudgesFit& fit = report.fit;
  Listing listing{{{"class"}, {"share", "", 3}, {interval_heading(report), "", 3}}};
  for (std::size_t y = 0; y < fit.model.class_count(); ++y) {
    listing.rows.push_back({fit.model.classes[y], fit.model.prior(y),
                            fit.model.prior_known ? Value("given") : interval_value(fit.prior[y])});
  }
  return listing.table();
}

std::string fit_sentence(const JudgesFit& fit) {
  if (fit.summary.iterations() == 0) return fmt::format("closed form, log-likelihood {:.3f}", fit.log_likelihood);
  return fmt::format("{} after {}, log-likelihood {:.3f}", name_of(fit.summary.stop),
                     counted(fit.summary.iterations(), "iteration"), fit.log_likelihood);
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
                               {"seen_accuracy", judge.seen_accuracy},
                               {"long_run_accuracy", judge.long_run_accuracy},
                               {"standard_error", judge.standard_error},
                               {"determined", judge.determined},
                               {"constant", judge.constant},
                               {"worse_than_chance", judge.worse_than_chance},
                               {"confusion", std::move(confusion)},
                               {"confusion_interval", std::move(intervals)}});
  if (!report.gold_accuracy.empty()) value.set("gold_accuracy", report.gold_accuracy[j]);
  for (std::size_t i = 0; i < model.by_judge.size(); ++i) {
    value.set(std::string(model.model_kind().by_judge[i]), model.by_judge[i][j]);
  }
  return value;
}

Listing pair_listing(const JudgesModel& model) {
  Listing listing{{{"judge", "first"},
                   {"judge", "second"},
                   {"", "gamma"},
                   {"correlation of errors", "correlation", 3},
                   {"strength (gamma)", "", 3},
                   {"gain (BIC)", "bic_gain", 1}}};
  for (const ErrorDependence::Pair& pair : model.dependence->pairs) {
    listing.rows.push_back(
        {model.judges[pair.first], model.judges[pair.second], pair.gamma, pair.correlation, pair.gamma, pair.bic_gain});
  }
  return listing;
}

void add_accuracy(Document& document, const JudgesReport& report, const Table& judges, const Table& prior) {
  const JudgesFit& fit = report.fit;
  Section& section = document.section(
      "How good is each judge?",
      fmt::format("Accuracy is the estimated share of right answers; no truth was needed{}. Bars are {:g} % intervals "
                  "({}).",
                  report.gold > 0 ? fmt::format(", though {} known labels helped", report.gold) : "",
                  100.0 * report.confidence, fit.interval_source));
  Intervals data;
  data.name_title = "judge";
  data.value_title = "accuracy";
  const std::vector<std::size_t> order = by_votes(fit.model, most_plotted_judges);
  for (const std::size_t j : order) {
    add(data, fit.model.judges[j], fit.judges[j].accuracy, fit.judges[j].interval);
    if (!report.gold_accuracy.empty()) data.truth.push_back(report.gold_accuracy[j]);
  }
  const std::string which =
      fit.judges.size() > order.size() ? fmt::format(" The {} judges with most votes.", order.size()) : "";
  section.plots = {
      interval_plot({"Accuracy of the judges", "Estimated accuracy with its interval, best first." + which}, data)};
  section.tables = {{"All judges", judges}, {"How frequent the classes are", prior}};
}

void add_confusions(Document& document, const JudgesModel& model) {
  std::vector<std::size_t> shown =
      by_falling(model.class_count(), most_mapped_classes, [&](std::size_t y) { return model.prior(y); });
  std::sort(shown.begin(), shown.end());
  std::vector<std::string> names;
  names.reserve(shown.size());
  for (const std::size_t c : shown) names.push_back(model.classes[c]);
  Section& section = document.section(
      "Who says what when",
      "Each row is a true class, each column what the judge says then; a perfect judge has ones on the diagonal.");
  section.small_plots = shown.size() <= most_small_classes;
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
}

void add_disputed(Document& document, const JudgesReport& report) {
  Section& section = document.section(
      "Items in dispute",
      fmt::format("{:.1f} % of the items have less than 0.9 for their best class. The most doubtful first.",
                  100.0 * report.disputed_share));
  Listing listing{{{"item"}, {"best"}, {"probability", "", 3}, {"second"}, {"probability", "", 3}, {"votes"}}};
  for (const DisputedItem& item : report.disputed) {
    listing.rows.push_back(
        {item.item, item.label, item.probability, item.runner_up, item.runner_up_probability, item.votes});
  }
  if (!listing.rows.empty()) section.tables.push_back({"Most doubtful items", listing.table()});
}

void add_dependence(Document& document, const JudgesModel& model) {
  const Listing pairs = pair_listing(model);
  Section& section =
      document.section("Judges that err together",
                       fmt::format("{} judges carry as much evidence as {:.2f} independent ones.{}",
                                   model.judge_count(), model.dependence->effective_judges,
                                   pairs.rows.empty() ? " No pair errs together more than chance explains." : ""));
  if (!pairs.rows.empty()) section.tables.push_back({"Dependent pairs", pairs.table()});
}

Listing way_listing(const JudgesFit& fit) {
  Listing listing{{{"way of fitting", "name"},
                   {"", "chosen"},
                   {"log probability per vote", "log_probability", 4},
                   {"error", "error", 4},
                   {"behind the chosen", "behind", 4},
                   {"error", "behind_error", 4}}};
  for (const ComparedFit& way : fit.ways) {
    listing.rows.push_back(
        {way.name, way.is_chosen, way.foresight.mean, way.foresight.error, way.behind.mean, way.behind.error});
  }
  return listing;
}

// Why the fit is what it is, in one sentence; empty when it was asked for.
std::string way_sentence(const JudgesFit& fit) {
  const ComparedFit* chosen = nullptr;
  const ComparedFit* second = nullptr;
  for (const ComparedFit& way : fit.ways) {
    if (way.is_chosen) {
      chosen = &way;
    } else if (second == nullptr || way.foresight.mean > second->foresight.mean) {
      second = &way;
    }
  }
  if (chosen == nullptr) return "";
  std::string text = fmt::format("way of fitting: {}", chosen->name);
  if (second == nullptr) return text;
  const bool is_ahead = second->behind.mean > 0.0;
  return text + fmt::format("; of {} ways {} foresees votes that were held out ({:.4f} ± {:.4f} per vote {} {})",
                            fit.ways.size(), is_ahead ? "it best" : "no other clearly better",
                            std::abs(second->behind.mean), second->behind.error, is_ahead ? "ahead of" : "behind",
                            second->name);
}

Value json_of(const JudgesReport& report) {
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
  json.set("noise", model.model_kind().name);
  if (!fit.ways.empty()) json.set("ways", way_listing(fit).json());
  if (model.states) {
    const StateShape& shape = model.states->shape;
    const std::span<const double> shares =
        std::span(model.states->parameters).subspan(shape.state_count(), shape.level_count());
    json.set("states", Value::object({{"per_class", shape.per_class},
                                      {"right_strength", model.states->right_strength},
                                      {"wrong_strength", model.states->wrong_strength},
                                      {"levels", Value::list_of(shape.levels)},
                                      {"level_shares", Value::list_of(shares)}}));
  }
  if (model.dependence) {
    json.set("dependence", Value::object({{"effective_judges", model.dependence->effective_judges},
                                          {"pairs", pair_listing(model).json()}}));
  }
  Value::List difficulties;
  for (std::size_t i = 0; i < fit.difficulty.size(); ++i) {
    difficulties.push_back(Value::object({{"item", (*report.item_names)[i]},
                                          {"difficulty", fit.difficulty[i].difficulty},
                                          {"interval", interval_value(fit.difficulty[i].interval)}}));
  }
  if (!difficulties.empty()) json.set("difficulties", std::move(difficulties));
  return json;
}

}  // namespace

Document judges_document(const JudgesReport& report, bool has_json) {
  const JudgesFit& fit = report.fit;
  const Table judges = judge_table(report);
  const Table prior = prior_table(report);
  Document document{{"How good are the judges?", report.source, {}, {}}, {}, {}};
  document.text = fmt::format("{} judges, {} items, {} votes, {} classes\n{}\n", fit.model.judge_count(), report.items,
                              report.votes, fit.model.class_count(), fit_sentence(fit));
  const std::string way = way_sentence(fit);
  if (!way.empty()) document.text += way + "\n";
  document.show(judges);
  document.show(prior);
  document.text += dependence_text(fit.model) + (fit.warnings.empty() ? "" : "\n") + warning_lines(fit.warnings);
  if (has_json) document.json = json_of(report);
  document.facts = {{"judges", std::to_string(fit.model.judge_count())},
                    {"items", std::to_string(report.items)},
                    {"votes", std::to_string(report.votes)},
                    {"classes", std::to_string(fit.model.class_count())},
                    {"items in doubt", fmt::format("{:.1f} %", 100.0 * report.disputed_share)}};
  if (fit.model.dependence) {
    document.facts.emplace_back("effective judges", fmt::format("{:.2f}", fit.model.dependence->effective_judges));
  }
  document.warn_first(fit.warnings);
  add_accuracy(document, report, judges, prior);
  add_confusions(document, fit.model);
  add_disputed(document, report);
  if (fit.model.dependence) add_dependence(document, fit.model);
  document
      .section("The fit", fmt::format("{}. Start: {}.", fit_sentence(fit),
                                      fit.starts.empty() ? "the model" : fit.starts[fit.winning_start]) +
                              (way.empty() ? "" : fmt::format(" The {}.", way)))
      .plots = trace_plot("Objective by iteration", "It never falls.", "objective (log-likelihood plus log prior)",
                          fit.summary.objective);
  return document;
}

Document labels_document(const JudgesReport& report, const std::vector<std::string>& warnings, const Listing& labels) {
  Document document{{"Combined labels", report.source, {}, {}}, {}, {}};
  document.text = fmt::format("{} items labelled, {:.1f} % of them with less than 0.9 for the best class\n",
                              report.items, 100.0 * report.disputed_share);
  document.show(labels.table());
  document.text += (warnings.empty() ? "" : "\n") + warning_lines(warnings);
  Value counts;
  for (const std::vector<Value>& row : labels.rows) counts.set(row[0].as_text(), row[1]);
  document.json = Value::object({{"items", report.items},
                                 {"labels", std::move(counts)},
                                 {"disputed_share", report.disputed_share},
                                 {"warnings", Value::list_of(warnings)}});
  document.facts = {{"items", std::to_string(report.items)},
                    {"votes", std::to_string(report.votes)},
                    {"items in doubt", fmt::format("{:.1f} %", 100.0 * report.disputed_share)}};
  Section& section = document.section("How many items got each label");
  section.notes = warnings;
  section.tables.push_back({"Labels", labels.table()});
  add_disputed(document, report);
  return document;
}

}  // namespace motet::judges
