#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

#include "motet/data/names.h"
#include "motet/report/plots.h"
#include "motet/report/superset_report.h"
#include "motet/report/text_table.h"

namespace motet {
namespace {

constexpr std::size_t most_classes_in_map = 40;
constexpr std::size_t most_components = 100;
constexpr std::size_t confidence_bins = 10;

constexpr const char* weighed_sentence =
    "some classes are in very many sets: their candidates count less, which made sets that were held out likelier";

// What the candidates say before any model has looked at features.
struct Ambiguity {
  std::vector<std::size_t> by_size;    // items with so many candidates
  std::vector<std::size_t> as_any;     // items with the class among their candidates
  std::vector<std::size_t> as_only;    // items with the class as only candidate
  std::vector<double> together;        // L x L: items with both as candidates
  std::vector<double> expected;        // sum of p(l | x, candidates)
  std::vector<std::size_t> confident;  // items by the probability of their likeliest candidate
  double mean_size = 0.0;
  std::size_t unlabelled = 0;  // any label is as likely as another
};

Ambiguity ambiguity_of(const SupersetTrainReport& report) {
  const CandidateItems& items = report.items;
  const std::size_t classes = items.classes.size();
  Ambiguity found{std::vector<std::size_t>(classes + 1), std::vector<std::size_t>(classes),
                  std::vector<std::size_t>(classes),     std::vector<double>(classes * classes),
                  std::vector<double>(classes),          std::vector<std::size_t>(confidence_bins)};
  for (std::size_t n = 0; n < items.rows(); ++n) {
    const std::span<const std::uint32_t> candidates = items.candidates(n);
    ++found.by_size[candidates.size()];
    const auto is_as_first = [&](std::size_t i) { return items.weight_at(i) == items.weight_at(items.starts[n]); };
    const auto places = std::views::iota(items.starts[n], items.starts[n + 1]);
    if (candidates.size() == classes && std::ranges::all_of(places, is_as_first)) ++found.unlabelled;
    for (const std::uint32_t a : candidates) {
      ++found.as_any[a];
      if (candidates.size() == 1) ++found.as_only[a];
      if (candidates.size() == classes) continue;  // says nothing of what goes together
      for (const std::uint32_t b : candidates) found.together[a * classes + b] += 1.0;
    }
    const std::span<const double> p(report.trained.probability.data() + n * classes, classes);
    for (std::size_t l = 0; l < classes; ++l) found.expected[l] += p[l];
    const double most = *std::max_element(p.begin(), p.end());
    ++found.confident[std::min(static_cast<std::size_t>(most * confidence_bins), confidence_bins - 1)];
  }
  found.mean_size =
      items.rows() == 0 ? 0.0 : static_cast<double>(items.label.size()) / static_cast<double>(items.rows());
  return found;
}

Table class_table(const SupersetTrainReport& report, const Ambiguity& found) {
  const SupersetModel& model = report.trained.model;
  Table table{{{"class"}, {"a candidate of"}, {"alone"}, {"expected items", 1}, {"share", 3}, {"joins others", 3}}, {}};
  const bool weighed = model.is_weighed();
  if (weighed) table.columns.push_back({"counts", 3});
  const double items = static_cast<double>(report.items.rows());
  for (std::size_t l = 0; l < report.items.classes.size(); ++l) {
    std::vector<Cell> row{report.items.classes[l],
                          static_cast<std::int64_t>(found.as_any[l]),
                          static_cast<std::int64_t>(found.as_only[l]),
                          found.expected[l],
                          found.expected[l] / items,
                          model.companions[l]};
    if (weighed) row.emplace_back(model.credit[l]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table score_table(const std::vector<MemberScore>& scores) {
  Table table{{{"method"}, {"weight", 3}, {"candidates foreseen", 4}, {"+-", 4}}, {}};
  for (const MemberScore& score : scores) {
    table.rows.push_back({score.name, score.weight, score.log_likelihood, score.error});
  }
  return table;
}

std::string ambiguity_sentence(const SupersetTrainReport& report, const Ambiguity& found) {
  std::string text = fmt::format("{} items, {} features, {} classes; {:.2f} candidates an item, {} items with one",
                                 report.items.rows(), report.items.features.dimensions(), report.items.classes.size(),
                                 found.mean_size, found.by_size.size() > 1 ? found.by_size[1] : 0);
  if (found.unlabelled > 0) text += fmt::format(", {} with any", found.unlabelled);
  return text;
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
  const auto& more = report.trained.summary.warnings;
  warnings.insert(warnings.end(), more.begin(), more.end());
  return warnings;
}

std::string method_word(const SupersetModel& model) {
  return superset_method_words[static_cast<std::size_t>(model.options.method)];
}

Section ambiguity_section(const SupersetTrainReport& report, const Ambiguity& found) {
  Section section;
  section.title = "How ambiguous are the data?";
  section.lead = ambiguity_sentence(report, found) +
                 ". A class joins others where it is a candidate of an item of another class; the table has its rate.";
  Bars sizes;
  sizes.name_title = "candidates";
  sizes.value_title = "items";
  sizes.digits = 0;
  for (std::size_t size = 1; size < found.by_size.size(); ++size) {
    if (found.by_size[size] == 0) continue;
    sizes.names.push_back(std::to_string(size));
    sizes.values.push_back(static_cast<double>(found.by_size[size]));
  }
  section.plots.push_back(bar_plot({"Candidates of an item", "Items by the number of their candidates."}, sizes));
  const std::size_t classes = report.items.classes.size();
  if (classes <= most_classes_in_map) {
    HeatMap map{report.items.classes, report.items.classes, {}, "class", "is a candidate together with", "share", 2};
    for (std::size_t a = 0; a < classes; ++a) {
      for (std::size_t b = 0; b < classes; ++b) {
        const double own = found.together[a * classes + a];
        map.values.push_back(own == 0.0 ? std::nan("") : found.together[a * classes + b] / own);
      }
    }
    section.plots.push_back(heat_map({"Which classes come together",
                                      "Share of the items with the class of the row as a candidate that have the class "
                                      "of the column as well. Classes that "
                                      "nearly always come together can hardly be told apart."},
                                     map));
  }
  if (report.trained.model.is_weighed()) {
    section.notes.push_back(std::string("Candidates are weighed: ") + weighed_sentence + ".");
  }
  section.tables.push_back({"Classes", class_table(report, found)});
  return section;
}

Section labels_section(const Ambiguity& found) {
  Section section;
  section.title = "The labels behind the candidates";
  section.lead = "How probable the likeliest candidate of each item is, now that the features have been looked at.";
  Bars bars;
  bars.name_title = "probability";
  bars.value_title = "items";
  bars.digits = 0;
  for (std::size_t bin = 0; bin < confidence_bins; ++bin) {
    bars.names.push_back(
        fmt::format("{:.1f} to {:.1f}", 0.1 * static_cast<double>(bin), 0.1 * static_cast<double>(bin + 1)));
    bars.values.push_back(static_cast<double>(found.confident[bin]));
  }
  section.plots.push_back(bar_plot({"Confidence", "--disambiguated FILE.csv writes the labels."}, bars));
  return section;
}

Section choice_section(const SupersetModel& model) {
  Section section;
  section.title = "What was learnt from";
  section.lead = fmt::format(
      "{} Foreseen is the mean logarithm of the probability of the sets of candidates of items that a fit had not "
      "seen; no true label is used. Nearer to 0 is better.",
      model.options.method == SupersetMethod::automatic
          ? "Several methods, averaged by weights that foresee candidates best."
          : "One method.");
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
  section.tables.push_back({"Methods", score_table(model.scores)});
  return section;
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

// What a component stands for: classes, likeliest first, with their probabilities.
std::vector<std::pair<std::size_t, double>> classes_of(const LsbCmm& mixture, std::size_t component) {
  const double* const a = mixture.concentration.data() + component * mixture.classes;
  const double sum = std::accumulate(a, a + mixture.classes, 0.0);
  std::vector<std::pair<std::size_t, double>> found;
  for (std::size_t l = 0; l < mixture.classes; ++l) found.emplace_back(l, a[l] / sum);
  std::stable_sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.second > y.second; });
  return found;
}

void add_components(Page& page, const SupersetModel& model) {
  const auto [mixture, weight] = heaviest_mixture(model);
  if (mixture == nullptr || mixture->components() > most_components) return;
  Table table{{{"component"}, {"items", 1}, {"class"}, {"probability", 3}, {"second"}, {"probability", 3}}, {}};
  for (std::size_t k = 0; k < mixture->components(); ++k) {
    const auto classes = classes_of(*mixture, k);
    table.rows.push_back({static_cast<std::int64_t>(k + 1), mixture->mass[k], model.classes[classes[0].first],
                          classes[0].second, model.classes[classes[1].first], classes[1].second});
  }
  Section section;
  section.title = "Components of the mixture";
  section.lead = fmt::format(
      "Each component takes part of the feature space and has its own classes; a class may have several. This mixture "
      "has {:.0f} % "
      "of the weight.",
      100.0 * weight);
  section.tables.push_back({"Components and the classes they stand for", std::move(table)});
  page.sections.push_back(std::move(section));
}

Value components_value(const SupersetModel& model) {
  Value::List components;
  const LsbCmm* const mixture = heaviest_mixture(model).first;
  for (std::size_t k = 0; mixture != nullptr && k < mixture->components(); ++k) {
    const auto [label, probability] = classes_of(*mixture, k).front();
    components.push_back(
        Value::object({{"items", mixture->mass[k]}, {"class", model.classes[label]}, {"probability", probability}}));
  }
  return components;
}

}  // namespace

std::string superset_train_text(const SupersetTrainReport& report) {
  const SupersetModel& model = report.trained.model;
  const Ambiguity found = ambiguity_of(report);
  std::string text = ambiguity_sentence(report, found) + "\nmethod " + method_word(model);
  const FitSummary& summary = report.trained.summary;
  if (!summary.objective.empty()) {
    text += fmt::format("; {} after {} iterations", name_of(summary.stop), summary.iterations());
  }
  if (model.is_weighed()) text += fmt::format("\n{}", weighed_sentence);
  text += "\n\n" + to_text(class_table(report, found));
  if (!model.scores.empty()) text += "\n" + to_text(score_table(model.scores), {.max_width = 60});
  return text + warning_lines(all_warnings(report));
}

Value superset_train_json(const SupersetTrainReport& report) {
  const SupersetModel& model = report.trained.model;
  const Ambiguity found = ambiguity_of(report);
  Value::List classes;
  for (std::size_t l = 0; l < report.items.classes.size(); ++l) {
    classes.push_back(Value::object({{"name", report.items.classes[l]},
                                     {"candidate_of", found.as_any[l]},
                                     {"only_candidate_of", found.as_only[l]},
                                     {"expected_items", found.expected[l]},
                                     {"companion_rate", model.companions[l]},
                                     {"credit", model.credit[l]}}));
  }
  Value::List methods;
  for (const MemberScore& score : model.scores) {
    methods.push_back(Value::object({{"method", score.name},
                                     {"weight", score.weight},
                                     {"candidate_log_likelihood", score.log_likelihood},
                                     {"standard_error", score.error}}));
  }
  Value options;
  for (const auto& [what, value] : report.options) options.set(what, value);
  return Value::object(
      {{"items", report.items.rows()},
       {"features", report.items.features.dimensions()},
       {"candidates_mean", found.mean_size},
       {"items_by_candidates", Value::list_of(found.by_size)},
       {"classes", std::move(classes)},
       {"never_candidates", Value::list_of(model.never)},
       {"method", method_word(model)},
       {"companions", model.is_weighed() ? "weighed" : "equal"},
       {"methods", std::move(methods)},
       {"components", components_value(model)},
       {"options", std::move(options)},
       {"iterations", report.trained.summary.iterations()},
       {"converged", report.trained.summary.objective.empty() || report.trained.summary.stop == Stop::converged},
       {"warnings", Value::list_of(all_warnings(report))}});
}

Page superset_train_page(const SupersetTrainReport& report) {
  const SupersetModel& model = report.trained.model;
  const Ambiguity found = ambiguity_of(report);
  Page page;
  page.title = "One of these candidates is right";
  page.subtitle = report.source;
  page.facts = {{"items", std::to_string(report.items.rows())},
                {"features", std::to_string(report.items.features.dimensions())},
                {"classes", std::to_string(report.items.classes.size())},
                {"candidates an item", fmt::format("{:.2f}", found.mean_size)},
                {"method", method_word(model)}};
  if (const std::vector<std::string> warnings = all_warnings(report); !warnings.empty()) {
    Section section;
    section.title = "What to know first";
    section.notes = warnings;
    page.sections.push_back(std::move(section));
  }
  page.sections.push_back(ambiguity_section(report, found));
  page.sections.push_back(labels_section(found));
  page.sections.push_back(choice_section(model));
  add_components(page, model);
  if (!report.options.empty()) {
    Section section;
    section.title = "Options";
    Table table{{{"option"}, {"value"}}, {}};
    for (const auto& [what, value] : report.options) table.rows.push_back({what, value});
    section.tables.push_back({"As given or by default", std::move(table)});
    page.sections.push_back(std::move(section));
  }
  return page;
}

}  // namespace motet
