// Figures 6.1 to 6.3: the two-dimensional example, drawn.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/discover/figures.h"
#include "motet/discover/discovery.h"
#include "motet/discover/study/generate.h"
#include "motet/report/scatter_plot.h"

namespace motet::discover {

namespace {

const std::vector<std::string> kinds = {"majority", "rare class"};

struct Toy {
  LabelledFeatures data;
  std::uint32_t background = 0;

  bool is_rare(std::size_t row) const { return data.truth.of_row[row] != background; }
};

Toy toy_of(Seed seed) {
  Toy toy{toy_of_figure_6_1({}, seed)};
  std::size_t firsts = 0;
  for (const std::uint32_t of_class : toy.data.truth.of_row) firsts += of_class == 0 ? 1 : 0;
  toy.background = 2 * firsts > toy.data.truth.of_row.size() ? 0 : 1;
  return toy;
}

DiscoverOptions published(Strategy strategy, double label_weight = -1.0) {
  DiscoverOptions options;
  options.strategy = strategy;
  options.radius = 2;
  options.components = 2;
  options.exclusion = 0;
  options.isolation = 0;
  options.label_weight = label_weight;
  return options;
}

Plot draw(PlotText text, const Toy& toy, const Discovery* discovery) {
  Scatter scatter;
  scatter.kinds = kinds;
  scatter.x_title = "x";
  scatter.y_title = "y";
  scatter.marked_title = "labelled";
  for (std::size_t n = 0; n < toy.data.features.rows(); ++n) {
    scatter.points.push_back(
        {toy.data.features.row(n)[0], toy.data.features.row(n)[1], std::size_t{toy.is_rare(n) ? 1U : 0U}});
  }
  if (discovery == nullptr) return scatter_plot(std::move(text), scatter);
  for (const Component& component : discovery->mixture.components) {
    scatter.ellipses.push_back({component.mean[0], component.mean[1], component.covariance[0], component.covariance[1],
                                component.covariance[3], component.of_class == 0 ? 0U : 1U});
  }
  for (const Answer& answer : discovery->answers) {
    const auto row = toy.data.features.row(answer.row);
    scatter.marked.push_back({row[0], row[1], 0});
  }
  return scatter_plot(std::move(text), scatter);
}

// Answers the next question; false when there is none.
bool answer_next(const Toy& toy, Discovery& discovery, const RunContext& run) {
  if (discovery.queue.empty()) return false;
  const std::size_t row = discovery.queue.front().row;
  const bool is_rare = toy.is_rare(row);
  take_answer(toy.data.features, discovery,
              {row, is_rare ? AnswerKind::of_class : AnswerKind::nothing, is_rare ? "rare" : ""}, run);
  return true;
}

// True when the last question found the class.
bool has_found(const Toy& toy, const Discovery& discovery) {
  return !discovery.answers.empty() && toy.is_rare(discovery.answers.back().row);
}

void figure_6_1(ExperimentWriter& writer, const Toy& toy, const RunContext& run) {
  writer.section("Figure 6.1: the algorithm at work",
                 "Crosses are rows that were asked; ellipses hold the rows within two standard deviations of a "
                 "component. The algorithm as published, radius 2, two components.");
  writer.plot(draw({"Figure 6.1a", "The truth."}, toy, nullptr));
  Discovery discovery = start_discovery(toy.data.features, published(Strategy::literal), run);
  writer.plot(draw({"Figure 6.1b", "Before the first question."}, toy, &discovery));
  Discovery before = discovery;
  while (answer_next(toy, discovery, run) && !has_found(toy, discovery)) before = discovery;
  writer.plot(draw({"Figure 6.1c", "Before the question that finds the class."}, toy, &before));
  while (discovery.mixture.components.size() < 3 && answer_next(toy, discovery, run)) {
  }
  writer.plot(draw({"Figure 6.1d", "The class has a component."}, toy, &discovery));
  std::size_t requests = 0;
  for (const Answer& answer : discovery.answers) {
    ++requests;
    if (toy.is_rare(answer.row)) break;
  }
  Table table{{{"what"}, {"document"}, {"ours"}}, {}};
  table.rows.push_back({"questions until the class is found", "8", fmt::format("{}", requests)});
  table.rows.push_back(
      {"components before and after", "2, 3", fmt::format("2, {}", discovery.mixture.components.size())});
  writer.table("Figure 6.1", std::move(table));
  writer.note("the document draws its toy without numbers; ours has clusters of its own making");
}

std::string centres(const Discovery& discovery) {
  std::string text;
  for (const Component& component : discovery.mixture.components) {
    text += fmt::format("{}({:.2f}, {:.2f})", text.empty() ? "" : " ", component.mean[0], component.mean[1]);
  }
  return text;
}

// Area of the ellipse of one standard deviation.
double area(const Component& component) {
  return 3.141592653589793 * std::sqrt(component.covariance[0] * component.covariance[3] -
                                       component.covariance[1] * component.covariance[2]);
}

void figure_6_2(ExperimentWriter& writer, const ExperimentContext& context, const std::vector<Seed>& seeds) {
  writer.section("Figure 6.2: Interleave",
                 "One component for each class, given to it before anything is known of the rare one. Rows asked are "
                 "crosses. A toy is drawn in which it loses the class, as in the document; not all do.");
  const std::vector<std::size_t> shown = {10, 100, 500};
  std::size_t tried = 0;
  for (const Seed seed : seeds) {
    ++tried;
    const Toy toy = toy_of(seed);
    Discovery discovery = start_discovery(toy.data.features, published(Strategy::interleave), context.run);
    std::vector<Plot> plots;
    Table sizes{{{"questions", 0}, {"component of the majority, area", 2}, {"of the rare class, area", 2}}, {}};
    std::size_t requests = 0;
    const std::size_t limit = context.quick ? 100 : toy.data.features.rows();
    while (requests < limit && answer_next(toy, discovery, context.run)) {
      ++requests;
      const bool is_found = has_found(toy, discovery);
      if (std::find(shown.begin(), shown.end(), requests) != shown.end() || is_found) {
        plots.push_back(draw({fmt::format("Figure 6.2, after {} questions", requests),
                              "Blue: the component of the majority; orange: that of the rare class."},
                             toy, &discovery));
        sizes.rows.push_back({static_cast<std::int64_t>(requests), area(discovery.mixture.components[0]),
                              area(discovery.mixture.components[1])});
      }
      if (is_found) break;
    }
    if (requests <= shown.back() && !context.quick && tried < seeds.size()) continue;
    for (Plot& plot : plots) writer.plot(std::move(plot));
    Table table{{{"what"}, {"document"}, {"ours"}}, {}};
    table.rows.push_back(
        {"questions until the class is found", "1902", fmt::format("{}, in toy {} of those tried", requests, tried)});
    writer.table("Figure 6.2", std::move(table));
    writer.table("Areas within a standard deviation; the document: the rare one keeps shrinking", std::move(sizes));
    return;
  }
}

void figure_6_3(ExperimentWriter& writer, const Toy& toy, const RunContext& run) {
  writer.section("Figure 6.3: the weight of labels",
                 "The model after the first two questions, with different shares of the parameters that labelled rows "
                 "decide at least. The document does not say which shares it drew.");
  Table table{{{"label weight", 1}, {"centres"}, {"areas"}, {"way of the centres", 3}}, {}};
  for (const double alpha : {0.0, 0.1, 0.5, 0.9}) {
    Discovery discovery = start_discovery(toy.data.features, published(Strategy::literal, alpha), run);
    const Mixture before = discovery.mixture;
    answer_next(toy, discovery, run);
    answer_next(toy, discovery, run);
    double way = 0.0;
    std::string areas;
    for (std::size_t k = 0; k < before.components.size(); ++k) {
      const Component& component = discovery.mixture.components[k];
      way += std::hypot(component.mean[0] - before.components[k].mean[0],
                        component.mean[1] - before.components[k].mean[1]);
      areas += fmt::format("{}{:.2f}", areas.empty() ? "" : ", ", area(component));
    }
    table.rows.push_back({alpha, centres(discovery), areas, way});
    writer.plot(draw({fmt::format("Figure 6.3, label weight {:.1f}", alpha), "After two questions."}, toy, &discovery));
  }
  writer.table("Figure 6.3", std::move(table));
  writer.note(
      "the document: a large weight makes the model sensitive to single answers and worse, with a small one little "
      "changes from one question to the next");
}

}  // namespace

Outcome run_discover_figures(const ExperimentContext& context) {
  ExperimentWriter writer("discover-fig6-1", "Figures 6.1 to 6.3: a rare class between two clusters, drawn");
  const Rng rng = Rng(context.run.seed).child(0x6100);
  std::vector<Seed> seeds;
  for (std::size_t i = 0; i < 12; ++i) seeds.push_back(static_cast<Seed>(rng.child(i).next()));
  const Toy toy = toy_of(seeds[0]);
  figure_6_1(writer, toy, context.run);
  figure_6_2(writer, context, seeds);
  figure_6_3(writer, toy, context.run);
  return writer.finish();
}

}  // namespace motet::discover
