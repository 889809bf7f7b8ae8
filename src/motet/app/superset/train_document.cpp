#include "motet/app/superset/train_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/data/names.h"
#include "motet/report/heat_map.h"
#include "motet/superset/ambiguity.h"

namespace motet::superset {
namespace {

constexpr std::size_t most_map_classes = 40;
constexpr std::size_t most_components = 100;

constexpr const char* weighed_sentence =
    "some classes are in very many sets: their candidates count less, which made sets that were held out likelier";

Listing class_listing(const SupersetTrainReport& report, const Ambiguity& found) {
  const SupersetModel& model = report.trained.model;
  Listing listing{{{"class", "name"},
                   {"a candidate of", "candidate_of"},
                   {"alone", "only_candidate_of"},
                   {"expected items", "expected_items", 1},
                   {"share", "", 3},
                   {"joins others", "companion_rate", 3},
                   {model.is_weighed() ? "counts" : "", "credit", 3}}};
  for (std::size_t l = 0; l < report.items.classes.size(); ++l) {
    listing.rows.push_back({report.items.classes[l], found.as_any[l], found.as_only[l], found.expected[l],
                            found.expected[l] / static_cast<double>(report.items.rows()), model.companions[l],
                            model.credit[l]});
  }
  return listing;
}

Listing method_listing(const std::vector<MemberScore>& scores) {
  Listing listing{{{"method", "method"},
                   {"weight", "weight", 3},
                   {"candidates foreseen", "candidate_log_likelihood"},
                   {"+-", "standard_error"}}};
  for (const MemberScore& score : scores) {
    listing.rows.push_back({score.name, score.weight, score.log_likelihood, score.error});
  }
  return listing;
}

std::string ambiguity_sentence(const CandidateItems& items, const Ambiguity& found) {
  return fmt::format("{}, {}, {} classes; {:.2f} candidates per item, {} with one{}", counted(items.rows(), "item"),
                     counted(items.features.dimensions(), "feature"), items.classes.size(), found.mean_size,
                     counted(found.by_size.size() > 1 ? found.by_size[1] : 0, "item"),
                     found.unlabelled > 0 ? fmt::format(", {} with any", found.unlabelled) : "");
}

std::vector<std::string> all_warnings(const SupersetTrainReport& report) {
  std::vector<std::string> warnings = report.warnings;
  const SupersetModel& model = report.trained.model;
  if (!model.never.empty()) {
    warnings.push_back(fmt::format("{} class{} a candidate of no item: {}", model.never.size(),
                                   model.never.size() == 1 ? " is" : "es are", quoted_list(model.never)));
  }
  if (const std::vector<std::string>& constant = model.preparation.constant; !constant.empty()) {
    warnings.push_back(fmt::format("{} feature{} not vary and tell{} nothing: {}", constant.size(),
                                   constant.size() == 1 ? " does" : "s do", constant.size() == 1 ? "s" : "",
                                   quoted_list(constant)));
  }
  return joined(std::move(warnings), report.trained.summary.warnings);
}

Plot together_map(const std::vector<std::string>& classes, const std::vector<double>& together) {
  HeatMap map{classes, classes, {}, "class", "is a candidate together with", "share", 2};
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = 0; b < classes.size(); ++b) {
      const double own = together[a * classes.size() + a];
      map.values.push_back(own == 0.0 ? std::nan("") : together[a * classes.size() + b] / own);
    }
  }
  return heat_map({"Which classes come together",
                   "Share of the items with the class of the row as a candidate that have the class of the column as "
                   "well. Classes that nearly always come together can hardly be told apart."},
                  map);
}

Bars item_bars(const char* names) {
  Bars bars;
  bars.name_title = names;
  bars.value_title = "items";
  bars.digits = 0;
  return bars;
}

void add_ambiguity(Document& document, const SupersetTrainReport& report, const Ambiguity& found,
                   const Table& classes) {
  Section& section = document.section(
      "How ambiguous are the data?",
      ambiguity_sentence(report.items, found) +
          ". A class joins others where it is a candidate of an item of another class; the table has its rate.");
  Bars sizes = item_bars("candidates");
  for (std::size_t size = 1; size < found.by_size.size(); ++size) {
    if (found.by_size[size] == 0) continue;
    sizes.names.push_back(std::to_string(size));
    sizes.values.push_back(static_cast<double>(found.by_size[size]));
  }
  section.plots.push_back(bar_plot({"Candidates of an item", "Items by the number of their candidates."}, sizes));
  if (report.items.classes.size() <= most_map_classes) {
    section.plots.push_back(together_map(report.items.classes, found.together));
  }
  if (report.trained.model.is_weighed()) {
    section.notes.push_back(std::string("Candidates are weighed: ") + weighed_sentence + ".");
  }
  section.tables.push_back({"Classes", classes});
}

void add_labels(Document& document, const Ambiguity& found) {
  Bars bars = item_bars("probability");
  for (std::size_t bin = 0; bin < found.confident.size(); ++bin) {
    bars.names.push_back(
        fmt::format("{:.1f} to {:.1f}", 0.1 * static_cast<double>(bin), 0.1 * static_cast<double>(bin + 1)));
    bars.values.push_back(static_cast<double>(found.confident[bin]));
  }
  document
      .section("The labels behind the candidates",
               "How probable the likeliest candidate of each item is, now that the features have been looked at.")
      .plots.push_back(bar_plot({"Confidence", "--disambiguated FILE.csv writes the labels."}, bars));
}

void add_choice(Document& document, const SupersetModel& model, const Table& methods) {
  Section& section = document.section(
      "What was learnt from",
      fmt::format("{} Foreseen is the mean logarithm of the probability of the sets of candidates of items that a fit "
                  "had not seen; no true label is used. Nearer to 0 is better.",
                  model.options.method == SupersetMethod::automatic
                      ? "Several methods, averaged by weights that foresee candidates best."
                      : "One method."));
  if (model.scores.size() > 1) {
    Bars bars;
    bars.name_title = "method";
    bars.value_title = "weight";
    for (const MemberScore& score : model.scores) {
      if (score.weight <= 0.0 || &score == &model.scores.back()) continue;  // the last is the average itself
      bars.names.push_back(score.name);
      bars.values.push_back(score.weight);
    }
    section.plots.push_back(bar_plot({"Weights", "Methods without weight are left out."}, bars));
  }
  section.tables.push_back({"Methods", methods});
}

// The mixture with most weight, and that weight; null where there is none.
std::pair<const LsbCmm*, double> heaviest_mixture(const SupersetModel& model) {
  std::pair<const LsbCmm*, double> found{nullptr, 0.0};
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    if (model.members[m].mixtures.empty() || model.weights[m] <= found.second) continue;
    found = {&model.members[m].mixtures.front(), model.weights[m]};
  }
  return found;
}

// Components of a mixture and what they stand for: the two likeliest classes with their probabilities.
Listing component_listing(const SupersetModel& model, const LsbCmm* mixture) {
  Listing listing{{{"component"},
                   {"items", "items", 1},
                   {"class", "class"},
                   {"probability", "probability", 3},
                   {"second"},
                   {"probability", "", 3}}};
  for (std::size_t k = 0; mixture != nullptr && k < mixture->components(); ++k) {
    const double* const a = mixture->concentration.data() + k * mixture->classes;
    const double sum = std::accumulate(a, a + mixture->classes, 0.0);
    std::vector<std::size_t> order(mixture->classes);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return a[x] / sum > a[y] / sum; });
    listing.rows.push_back({k + 1, mixture->mass[k], model.classes[order[0]], a[order[0]] / sum,
                            model.classes[order[1]], a[order[1]] / sum});
  }
  return listing;
}

Value json_of(const SupersetTrainReport& report, const Ambiguity& found, const Listing& classes, const Listing& methods,
              const Listing& components) {
  const SupersetModel& model = report.trained.model;
  const FitSummary& summary = report.trained.summary;
  Value options;
  for (const auto& [what, value] : report.options) options.set(what, value);
  return Value::object({{"items", report.items.rows()},
                        {"features", report.items.features.dimensions()},
                        {"candidates_mean", found.mean_size},
                        {"items_by_candidates", Value::list_of(found.by_size)},
                        {"classes", classes.json()},
                        {"never_candidates", Value::list_of(model.never)},
                        {"method", superset_method_words[static_cast<std::size_t>(model.options.method)]},
                        {"companions", model.is_weighed() ? "weighed" : "equal"},
                        {"methods", methods.json()},
                        {"components", components.json()},
                        {"options", std::move(options)},
                        {"iterations", summary.iterations()},
                        {"converged", summary.objective.empty() || summary.stop == Stop::converged},
                        {"warnings", Value::list_of(all_warnings(report))}});
}

}  // namespace

Document superset_train_document(const SupersetTrainReport& report) {
  const SupersetModel& model = report.trained.model;
  const FitSummary& summary = report.trained.summary;
  const Ambiguity found = ambiguity_of(report.items, report.trained.probability);
  const Listing classes = class_listing(report, found);
  const Listing methods = method_listing(model.scores);
  const auto [mixture, weight] = heaviest_mixture(model);
  const Listing components = component_listing(model, mixture);
  const std::vector<std::string> warnings = all_warnings(report);
  Document document{{"One of these candidates is right", report.source, {}, {}}, {}, {}};
  document.json = json_of(report, found, classes, methods, components);
  document.facts = {{"items", std::to_string(report.items.rows())},
                    {"features", std::to_string(report.items.features.dimensions())},
                    {"classes", std::to_string(report.items.classes.size())},
                    {"candidates per item", fmt::format("{:.2f}", found.mean_size)},
                    {"method", document.json.at("method").as_text()}};
  document.text = ambiguity_sentence(report.items, found) + "\nmethod " + document.json.at("method").as_text();
  if (!summary.objective.empty()) {
    document.text += fmt::format("; {} after {}", name_of(summary.stop), counted(summary.iterations(), "iteration"));
  }
  document.text += (model.is_weighed() ? fmt::format("\n{}", weighed_sentence) : "") + "\n";
  document.show(classes.table());
  if (!model.scores.empty()) document.show(methods.table(), {.max_width = 60});
  document.text += warning_lines(warnings);

  document.warn_first(warnings);
  add_ambiguity(document, report, found, classes.table());
  add_labels(document, found);
  add_choice(document, model, methods.table());
  if (mixture != nullptr && mixture->components() <= most_components) {
    document
        .section("Components of the mixture",
                 fmt::format("Each component takes part of the feature space and has its own classes; a class may have "
                             "several. This mixture has {:.0f} % of the weight.",
                             100.0 * weight))
        .tables.push_back({"Components and the classes they stand for", components.table()});
  }
  if (!report.options.empty()) {
    document.section("Options").tables.push_back(options_table("As given or by default", report.options));
  }
  return document;
}

}  // namespace motet::superset
