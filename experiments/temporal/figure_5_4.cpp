// Figure 5.4: the weights of neighbours by their distance.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "experiments/panel.h"
#include "experiments/temporal/figures.h"
#include "motet/report/line_plot.h"
#include "motet/temporal/field/field.h"

namespace motet::temporal {

namespace {

constexpr std::size_t radius = 18;  // that of chapter 7

std::vector<double> weights(WeightShape shape) {
  TimeField field{.radius = radius, .shape = shape};
  return weights_of(field);
}

// Over positions -h ... h, the row itself left out; divided by `unit`.
Series series_of(std::string name, const std::vector<double>& of_distance, double unit) {
  Series series{std::move(name), {}, {}, {}, {}};
  const auto h = static_cast<std::ptrdiff_t>(of_distance.size());
  for (std::ptrdiff_t i = -h; i <= h; ++i) {
    if (i == 0) continue;
    series.x.push_back(static_cast<double>(i));
    series.y.push_back(of_distance[static_cast<std::size_t>(std::abs(i)) - 1] / unit);
  }
  return series;
}

double both_sides(const std::vector<double>& of_distance) {
  return 2.0 * std::accumulate(of_distance.begin(), of_distance.end(), 0.0);
}

// Of the positions under the weights, `own` being that of the row itself.
double spread(const std::vector<double>& of_distance, double own) {
  double sum = 0.0;
  for (std::size_t d = 1; d <= of_distance.size(); ++d) sum += static_cast<double>(d * d) * 2.0 * of_distance[d - 1];
  return std::sqrt(sum / (own + both_sides(of_distance)));
}

}  // namespace

Outcome run_figure_5_4(const ExperimentContext&) {
  ExperimentWriter writer("temporal-fig5-4", "Figure 5.4: weight functions");
  const std::vector<double> linear = weights(WeightShape::linear);
  const std::vector<double> quadratic = weights(WeightShape::quadratic);
  const std::vector<double> gaussian = weights(WeightShape::gaussian);
  writer.section("The weights of neighbours",
                 fmt::format("Radius h = {}. Left and right of a row, by position.", radius));
  writer.plot(line_plot({"Figure 5.4a", "The literal weights h + 1 - d of the linear shape, in nats."},
                        {{series_of("linear", linear, 1.0)}, "position", "weight (nats)"}));
  writer.plot(line_plot(
      {"Figure 5.4b", "Three shapes, each divided by its sum."},
      {{series_of("linear", linear, both_sides(linear)), series_of("quadratic", quadratic, both_sides(quadratic)),
        series_of("gaussian", gaussian, both_sides(gaussian))},
       "position",
       "share of the weight"}));
  Claims claims;
  claims.add("standard deviation of the gaussian weights", "h / 4 = 4.50, approximately",
             fmt::format("{:.2f}; {:.2f} with h + 1 at the row itself", spread(gaussian, 0.0),
                         spread(gaussian, static_cast<double>(radius + 1))));
  claims.add("the linear weights are piecewise linear", "yes",
             fmt::format("{:.0f}, {:.0f}, {:.0f} ... {:.0f} at distance 1, 2, 3 ... {}", linear[0], linear[1],
                         linear[2], linear.back(), radius));
  claims.add("the sum of the linear weights", "not said", fmt::format("{:.0f} nats, h (h + 1)", both_sides(linear)));
  claims.write(writer);
  return writer.finish(
      "the gaussian factor (5.29) is multiplied by the triangle h + 1 - d, which makes it narrower than the document "
      "says");
}

}  // namespace motet::temporal
