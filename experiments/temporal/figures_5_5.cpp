// Figures 5.5 to 5.8: three public sets, the classes and the components of both models.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/point_sets.h"
#include "experiments/temporal/figures.h"
#include "motet/report/line_plot.h"
#include "motet/report/scatter_plot.h"
#include "motet/temporal/fit.h"

namespace motet::temporal {

namespace {

constexpr std::size_t most_points = 1500;  // of a picture

struct Set {
  std::string name;
  std::string figure;
  std::string published_static;
  std::string published_temporal;
};

struct BothFits {
  TemporalFit still;
  TemporalFit moving;
};

BothFits fit_both(const PointSet& set, const RunContext& run) {
  TemporalOptions options;
  options.coupling = "literal";
  BothFits fits;
  fits.still = fit_temporal(set.features, 2, {}, {}, options, run);
  options.radius = 2;
  fits.moving = fit_temporal(set.features, 2, {}, {}, options, run);
  return fits;
}

// The component that has most of the rows of the first class.
std::uint8_t first_component(const TemporalFit& fit, const std::vector<std::uint32_t>& of_class) {
  std::size_t agree = 0;
  for (std::size_t n = 0; n < of_class.size(); ++n) agree += fit.states[n] == of_class[n] ? 1 : 0;
  return agree * 2 >= of_class.size() ? 0 : 1;
}

// Two columns of every so-many-th row.
template <class Kind>
Plot picture(PlotText text, const PointSet& set, const std::vector<std::string>& kinds, const Kind& kind_of) {
  Scatter scatter;
  scatter.kinds = kinds;
  scatter.x_title = set.features.columns[0];
  scatter.y_title = set.features.columns[1];
  const std::size_t step = (set.of_class.size() + most_points - 1) / most_points;
  for (std::size_t n = 0; n < set.of_class.size(); n += step) {
    scatter.points.push_back({set.features.row(n)[0], set.features.row(n)[1], kind_of(n)});
  }
  if (step > 1)
    text.caption += fmt::format(" Every {} row is shown.", step == 2 ? "second" : fmt::format("{}th", step));
  return scatter_plot(std::move(text), scatter);
}

void draw_set(ExperimentWriter& writer, const Set& set, const PointSet& points, const BothFits& fits) {
  writer.plot(picture({set.figure + "a, " + set.name + ": true classes", "Rows by their class."}, points,
                      {"class 1", "class 2"}, [&](std::size_t n) { return std::size_t{points.of_class[n]}; }));
  const auto draw_fit = [&](const TemporalFit& fit, const std::string& letter, const std::string& what) {
    const std::uint8_t first = first_component(fit, points.of_class);
    writer.plot(picture({set.figure + letter + ", " + set.name + ": " + what, "Rows by their component."}, points,
                        {"component 1", "component 2"},
                        [&](std::size_t n) { return std::size_t{fit.states[n] == first ? 0U : 1U}; }));
  };
  draw_fit(fits.still, "b", "static model");
  draw_fit(fits.moving, "c", "temporal model, h = 2");
}

// Probability of the first class's component, row by row.
std::vector<double> first_responsibilities(const TemporalFit& fit, const std::vector<std::uint32_t>& of_class) {
  const std::uint8_t first = first_component(fit, of_class);
  std::vector<double> values;
  for (std::size_t n = 0; n < of_class.size(); ++n) {
    values.push_back(fit.states[n] == first ? fit.probability[n] : 1.0 - fit.probability[n]);
  }
  return values;
}

void draw_responsibilities(ExperimentWriter& writer, const PointSet& points, const BothFits& fits) {
  writer.section("Figure 5.8: responsibilities along time",
                 "Engytime, sorted by class: the probability of the first component, row by row. The document: static "
                 "responsibilities are noisy, those of the temporal model show the smoothness of the classes.");
  Table table{{{"model"}, {"mean change from row to row", 4}, {"rows between 0.05 and 0.95"}, {"changes of side"}}, {}};
  const auto add = [&](const TemporalFit& fit, const std::string& name) {
    const std::vector<double> values = first_responsibilities(fit, points.of_class);
    Series series{name, {}, values, {}, {}};
    double change = 0.0;
    std::int64_t undecided = 0;
    std::int64_t sides = 0;
    for (std::size_t n = 0; n < values.size(); ++n) {
      series.x.push_back(static_cast<double>(n + 1));
      undecided += values[n] > 0.05 && values[n] < 0.95 ? 1 : 0;
      if (n == 0) continue;
      change += std::abs(values[n] - values[n - 1]);
      sides += (values[n] < 0.5) != (values[n - 1] < 0.5) ? 1 : 0;
    }
    table.rows.push_back({name, change / static_cast<double>(values.size() - 1), undecided, sides});
    Lines lines{{std::move(series)}, "row", "responsibility of component 1"};
    lines.has_points = false;
    writer.plot(line_plot({"Figure 5.8, " + name, "Probability of the first component of each row."}, lines));
  };
  add(fits.still, "static");
  add(fits.moving, "temporal, h = 2");
  writer.table("How smooth", std::move(table));
}

}  // namespace

std::size_t two_class_errors(const std::vector<std::uint8_t>& states, const std::vector<std::uint32_t>& of_class) {
  std::size_t differ = 0;
  for (std::size_t n = 0; n < states.size(); ++n) differ += states[n] != of_class[n] ? 1 : 0;
  return std::min(differ, states.size() - differ);
}

Outcome run_figures_5_5(const ExperimentContext& context) {
  ExperimentWriter writer("temporal-fig5-5", "Figures 5.5 to 5.8: three sets with and without time");
  const std::vector<Set> sets = {
      {"atom", "Figure 5.5", "294", "0"}, {"wingnut", "Figure 5.6", "36", "8"}, {"engytime", "Figure 5.7", "138", "3"}};
  writer.section("Figures 5.5 to 5.7: classes and components",
                 "Rows sorted by class stand for time. Two components, iterated conditional modes, radius 2, the "
                 "literal energy. Two columns are drawn (atom has three).");
  Table table{{{"set"}, {"rows", 0}, {"static"}, {"document"}, {"temporal"}, {"document, temporal"}}, {}};
  PointSet last;
  BothFits fits;
  for (const Set& set : sets) {
    last = sorted_by_class(read_point_set(context, set.name));
    fits = fit_both(last, context.run);
    draw_set(writer, set, last, fits);
    table.rows.push_back(
        {set.name, static_cast<std::int64_t>(last.of_class.size()),
         static_cast<std::int64_t>(two_class_errors(fits.still.states, last.of_class)), set.published_static,
         static_cast<std::int64_t>(two_class_errors(fits.moving.states, last.of_class)), set.published_temporal});
  }
  writer.table("Misclassified points", std::move(table));
  writer.note("the static errors of engytime depend on when EM ends: 133 to 140");
  draw_responsibilities(writer, last, fits);
  return writer.finish();
}

}  // namespace motet::temporal
