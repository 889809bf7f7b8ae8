// Figures 4, 6, 7 and 8, and the constants they tend to.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "experiments/agreement.h"
#include "experiments/judges/asymptotics.h"
#include "experiments/judges/figures.h"
#include "experiments/judges/simulated_errors.h"
#include "motet/judges/confusion/separate.h"
#include "motet/report/line_plot.h"

namespace motet::judges {

namespace {

constexpr std::array<std::size_t, 6> sizes = {50, 100, 200, 500, 1000, 2000};
constexpr std::string_view reference_note =
    "reference: an independent simulation (400 repeats) of the same set-up; the document draws the figure without "
    "numbers";

// Independent simulations, by column of the reference table.
const std::map<std::size_t, std::array<double, 6>> reference_together = {
    {1, {.1009, .0796, .0563, .0372, .0240, .0176}},
    {3, {.0783, .0534, .0377, .0242, .0163, .0116}},
    {5, {.0658, .0437, .0319, .0198, .0142, .0097}},
    {10, {.0534, .0371, .0265, .0167, .0120, .0082}},
};
constexpr std::array<double, 6> reference_alone = {.1072, .0750, .0559, .0340, .0247, .0174};
constexpr std::array<double, 6> reference_supervised = {.0488, .0335, .0244, .0152, .0110, .0076};

// Our error over the sizes as a line with its reference, and rows of a table.
struct Curve {
  Series ours;
  Series reference;

  explicit Curve(std::string name) {
    ours.name = name;
    reference.name = std::move(name);
    reference.is_published = true;
  }
  void add(double x, const MeanSd& found, double expected, Table& table, ReferenceAgreement& agreement) {
    ours.x.push_back(x);
    ours.y.push_back(found.mean);
    ours.low.push_back(found.mean - 2.0 * found.error);
    ours.high.push_back(found.mean + 2.0 * found.error);
    reference.x.push_back(x);
    reference.y.push_back(expected);
    table.rows.push_back({ours.name, static_cast<std::int64_t>(x), with_error(found.mean, found.error), expected,
                          found.mean - expected});
    agreement.add(fmt::format("{}, {} items", ours.name, x), {found.mean, found.error}, {expected});
  }
};

Table error_table() {
  return {{{"estimate"}, {"items", 0}, {"mean absolute error (ours)"}, {"reference"}, {"difference"}}, {}};
}

Plot error_plot(const std::string& title, const std::vector<Curve>& curves) {
  Lines lines;
  for (const Curve& curve : curves) {
    lines.series.push_back(curve.ours);
    lines.series.push_back(curve.reference);
  }
  lines.x_title = "unlabelled items";
  lines.y_title = "mean absolute error of the accuracies";
  lines.log_x = true;
  lines.log_y = true;
  return line_plot({title, "Bands are two Monte-Carlo standard errors; open marks are the reference."}, lines);
}

enum class Estimate { together, alone, supervised };

// Curves of one figure, and how far they are from the reference.
class ErrorFigure {
 public:
  explicit ErrorFigure(const RunContext& run) : run_(run) {}

  void add(Estimate which, std::size_t judges, const std::array<double, 6>& reference, std::string name) {
    Curve curve(std::move(name));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const SimulatedErrors errors = simulate_errors({.items = sizes[i], .judges = judges}, run_);
      const std::vector<double>& values = which == Estimate::together ? errors.together
                                          : which == Estimate::alone  ? errors.alone
                                                                      : errors.supervised;
      curve.add(static_cast<double>(sizes[i]), mean_sd(values), reference[i], table_, agreement_);
    }
    curves_.push_back(std::move(curve));
  }
  void add_together(std::string_view before) {
    for (const auto& [k, reference] : reference_together) {
      add(Estimate::together, k, reference, fmt::format("{}{} judge{}", before, k, k == 1 ? "" : "s"));
    }
  }
  const std::vector<double>& first() const { return curves_.front().ours.y; }
  const std::vector<double>& last() const { return curves_.back().ours.y; }

  Outcome finish(ExperimentWriter& writer, const std::string& title) {
    writer.table("Mean absolute error", std::move(table_));
    writer.plot(error_plot(title, curves_));
    agreement_.note(writer);
    return writer.finish(std::string(reference_note));
  }

 private:
  const RunContext& run_;
  Table table_ = error_table();
  ReferenceAgreement agreement_;
  std::vector<Curve> curves_;
};

}  // namespace

Outcome run_constants(const ExperimentContext&) {
  ExperimentWriter writer("judges-constants", "The error per item, for many items");
  writer.section("Exact constants",
                 "sqrt(n) times the mean absolute error tends to sqrt(2 / pi) times the standard "
                 "deviation that the information matrix gives. No randomness.");
  Table table{{{"case"}, {"judges", 0}, {"ours", 5}, {"reference", 5}, {"difference in %", 3}}, {}};
  const auto add = [&](const std::string& name, std::size_t judges, double ours, double reference) {
    table.rows.push_back({name, static_cast<std::int64_t>(judges), ours, reference, 100.0 * (ours / reference - 1.0)});
  };
  const std::map<std::size_t, double> classes = {{1, .77255}, {2, .60604}, {3, .51300}, {5, .43377}, {10, .37408}};
  for (const auto& [k, reference] : classes) {
    const std::vector<double> thetas(k, 0.75);
    add("classes, theta = p = 0.75", k, scaled_absolute_error(symmetric_sd(thetas, 0.75)), reference);
  }
  const std::array supervised = {supervised_sd(0.75)};
  add("classes, labels seen", 1, scaled_absolute_error(supervised), .34549);
  const std::map<std::size_t, std::array<double, 2>> numbers = {
      {1, {.56419, .50463}}, {3, {.51033, .45551}}, {5, {.49337, .43775}}, {10, {.47831, .42073}}};
  for (const auto& [k, reference] : numbers) {
    const std::vector<double> thetas(k, 1.0);
    add("numbers, theta = sigma = tau = 1, mu = 0", k, scaled_absolute_error(proportional_sd(thetas, {0.0, 1.0}, 1.0)),
        reference[0]);
    add("numbers, theta = sigma = tau = 1, mu = 1", k, scaled_absolute_error(proportional_sd(thetas, {1.0, 1.0}, 1.0)),
        reference[1]);
  }
  writer.table("Constants", std::move(table));
  return writer.finish();
}

Outcome run_figure_4(const ExperimentContext& context) {
  ExperimentWriter writer("judges-fig4", "Figure 4: more judges and more items, less error");
  writer.section("Together", "Symmetric judges, all right with probability 0.75, known prior 0.75; 400 repeats.");
  ErrorFigure figure(context.run);
  figure.add_together("");
  return figure.finish(writer, "Figure 4, right");
}

Outcome run_figure_6(const ExperimentContext& context) {
  ExperimentWriter writer("judges-fig6", "Figure 6: together beats alone");
  writer.section("Ten judges", "The same votes, each judge measured alone by equation (9), and all together.");
  ErrorFigure figure(context.run);
  figure.add(Estimate::alone, 10, reference_alone, "each alone");
  figure.add(Estimate::together, 10, reference_together.at(10), "together");
  return figure.finish(writer, "Figure 6");
}

Outcome run_figure_7(const ExperimentContext& context) {
  ExperimentWriter writer("judges-fig7", "Figure 7: without labels almost as good as with");
  writer.section("With and without labels", "The same judges, measured with the true labels in sight, and without.");
  ErrorFigure figure(context.run);
  figure.add(Estimate::supervised, 10, reference_supervised, "labels seen");
  figure.add_together("no labels, ");
  double least = 1.0;
  double most = 0.0;
  const std::vector<double>& seen = figure.first();
  const std::vector<double>& ten = figure.last();  // judges
  for (std::size_t i = 0; i < seen.size(); ++i) {
    least = std::min(least, ten[i] / seen[i] - 1.0);
    most = std::max(most, ten[i] / seen[i] - 1.0);
  }
  writer.note(fmt::format("without labels ten judges have {:.0f} to {:.0f} % more error than with them", 100.0 * least,
                          100.0 * most));
  return figure.finish(writer, "Figure 7");
}

Outcome run_figure_8(const ExperimentContext& context) {
  struct Case {
    double truth;
    double assumed;
    double reference;  // bias for many items
  };
  constexpr std::array<Case, 6> cases = {
      {{.80, .75, .0500}, {.80, .80, 0.0}, {.80, .85, .0357}, {.75, .70, .0625}, {.75, .75, 0.0}, {.75, .80, .0417}}};
  ExperimentWriter writer("judges-fig8", "Figure 8: what a wrong class prior costs");
  writer.section("One judge, accuracy 0.75",
                 "For many items the error tends to the bias |theta* - theta|, where theta* "
                 "solves equation (9) with the wrong prior.");
  Table table{
      {{"true prior", 2}, {"assumed", 2}, {"items", 0}, {"mean absolute error"}, {"bias (ours)"}, {"reference bias"}},
      {}};
  Lines lines;
  double largest = 0.0;
  for (const Case& item : cases) {
    Series series;
    series.name = fmt::format("true {:.2f}, assumed {:.2f}", item.truth, item.assumed);
    const double share = item.truth * 0.75 + (1.0 - item.truth) * 0.25;
    const double bias = std::abs(binary_accuracy(share, item.assumed) - 0.75);
    largest = std::max(largest, std::abs(bias - item.reference));
    for (const std::size_t n : sizes) {
      SimulationPlan plan{.items = n, .prior = item.truth, .assumed_prior = item.assumed};
      const MeanSd error = mean_sd(simulate_errors(plan, context.run).alone);
      series.x.push_back(static_cast<double>(n));
      series.y.push_back(error.mean);
      table.rows.push_back({item.truth, item.assumed, static_cast<std::int64_t>(n), with_error(error.mean, error.error),
                            bias, item.reference});
    }
    lines.series.push_back(std::move(series));
  }
  lines.x_title = "unlabelled items";
  lines.y_title = "mean absolute error";
  lines.log_x = true;
  writer.table("Errors", std::move(table));
  writer.plot(
      line_plot({"Figure 8", "Assuming a prior further from one half hurts less than one nearer to it."}, lines));
  return writer.finish(fmt::format(
      "the reference biases are exact, (9) with the wrong prior; the largest difference is {:.5f}", largest));
}

}  // namespace motet::judges
