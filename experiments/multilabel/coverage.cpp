// How often the intervals hold the true parameters of sources, and how often right combinations are doubted.
#include <fmt/format.h>

#include <cmath>

#include "experiments/multilabel/figures.h"
#include "experiments/multilabel/simulated.h"
#include "experiments/panel.h"
#include "motet/base/numeric.h"
#include "motet/multilabel/theory/analyze.h"
#include "motet/multilabel/train.h"
#include "motet/report/bar_plot.h"
#include "motet/report/interval_plot.h"
#include "motet/sources/family.h"
#include "motet/sources/sample.h"

namespace motet::multilabel {

namespace {

struct Case {
  std::string name;
  Family family = Family::gaussian;
  Combination combination = Combination::sum;
  Covariance covariance = Covariance::diagonal;
  std::size_t items = 300;
  bool background = false;
  bool noise = false;
  bool shrunk = false;  // covariances shrunk as by default, else maximum likelihood
};

std::vector<Case> cases() {
  using enum Family;
  using C = Combination;
  using S = Covariance;
  return {{"gaussian sum, spherical", gaussian, C::sum, S::spherical, 300},
          {"gaussian sum, diagonal", gaussian, C::sum, S::diagonal, 150},
          {"gaussian sum, diagonal", gaussian, C::sum, S::diagonal, 600},
          {"gaussian sum, diagonal, default shrinkage", gaussian, C::sum, S::diagonal, 300, false, false, true},
          {"gaussian sum, diagonal, background", gaussian, C::sum, S::diagonal, 400, true},
          {"gaussian sum, diagonal, noise", gaussian, C::sum, S::diagonal, 600, false, true},
          {"gaussian sum, full", gaussian, C::sum, S::full, 600},
          {"gaussian mean, full", gaussian, C::mean, S::full, 600},
          {"gaussian sum, shared", gaussian, C::sum, S::shared, 200},
          {"gaussian mean, shared, background", gaussian, C::mean, S::shared, 300, true},
          {"lognormal product, diagonal", lognormal, C::product, S::diagonal, 300},
          {"bernoulli or", bernoulli, C::logical_or, S::diagonal, 500},
          {"bernoulli or, background", bernoulli, C::logical_or, S::diagonal, 800, true},
          {"bernoulli and", bernoulli, C::logical_and, S::diagonal, 500},
          {"exponential min", exponential, C::minimum, S::diagonal, 300},
          {"poisson sum", poisson, C::sum, S::diagonal, 300},
          {"gamma sum", gamma, C::sum, S::diagonal, 500}};
}

constexpr std::size_t label_count = 4;
constexpr std::size_t dimension_count = 3;

// Label sets of one to three of four labels, and of none with a background.
BitMatrix possible_sets(bool background) {
  BitMatrix sets(0, label_count);
  std::vector<std::size_t> kept;
  for (std::size_t s = background ? 0 : 1; s < 15; ++s) kept.push_back(s);
  sets = BitMatrix(kept.size(), label_count);
  for (std::size_t j = 0; j < kept.size(); ++j) {
    for (std::size_t k = 0; k < label_count; ++k) sets.set(j, k, (kept[j] >> k & 1U) != 0);
  }
  return sets;
}

Sources draw_sources(const Case& given, Rng rng) {
  Sources sources;
  sources.family = given.family;
  sources.combination = given.combination;
  sources.covariance = given.covariance;
  sources.dimensions = dimension_count;
  sources.count = label_count + (given.background ? 1 : 0);
  sources.background = given.background;
  const bool normal = is_gaussian(given.family);
  for (std::size_t i = 0; i < sources.count * dimension_count; ++i) {
    double value = normal ? rng.uniform(-2.0, 2.0) : rng.uniform(0.5, 4.0);
    if (given.family == Family::bernoulli) {
      value = given.combination == Combination::logical_and ? rng.uniform(0.4, 0.9) : rng.uniform(0.1, 0.6);
    }
    sources.location.push_back(value);
  }
  const SourceFamily& family = family_of(given.family);
  for (std::size_t d = 0; d < dimension_count && family.has_shared(); ++d) {
    sources.spread.push_back(family.random_shared(rng));
  }
  if (!normal) return sources;
  const std::size_t matrices = given.covariance == Covariance::shared ? 1 : sources.count;
  for (std::size_t k = 0; k < matrices; ++k) {
    std::vector<double> root(dimension_count * dimension_count);
    for (double& value : root) value = rng.uniform(-0.5, 0.5);
    if (given.covariance == Covariance::spherical) sources.spread.push_back(rng.uniform(0.5, 1.5));
    if (given.covariance == Covariance::diagonal) {
      for (std::size_t d = 0; d < dimension_count; ++d) sources.spread.push_back(rng.uniform(0.5, 1.5));
    }
    if (given.covariance != Covariance::full && given.covariance != Covariance::shared) continue;
    for (std::size_t a = 0; a < dimension_count; ++a) {
      for (std::size_t b = 0; b < dimension_count; ++b) {
        double sum = a == b ? 0.5 : 0.0;
        for (std::size_t c = 0; c < dimension_count; ++c)
          sum += root[a * dimension_count + c] * root[b * dimension_count + c];
        sources.spread.push_back(sum);
      }
    }
  }
  if (given.noise) {
    sources.noise.assign(dimension_count * dimension_count, 0.0);
    for (std::size_t d = 0; d < dimension_count; ++d) sources.noise[d * dimension_count + d] = 0.5;
  }
  return sources;
}

struct Found {
  std::vector<double> locations, spreads, doubted, width;
};

double true_spread(const Sources& sources, const ParameterError& parameter) {
  if (family_of(sources.family).has_shared()) return sources.spread[parameter.dimension];
  const std::size_t k = parameter.source < sources.count ? parameter.source : 0;
  return covariance_of(sources, k)[parameter.dimension * (dimension_count + 1)];
}

Found simulate(const ExperimentContext& context, const Case& given, std::size_t number, std::size_t repeats) {
  Found found;
  for (std::vector<double>* list : {&found.locations, &found.spreads, &found.doubted, &found.width}) {
    list->assign(repeats, 0.0);
  }
  const BitMatrix sets = possible_sets(given.background);
  TrainOptions options;
  options.source = given.family;
  options.combine = given.combination;
  options.covariance = given.covariance;
  options.background = given.background;
  options.noise = given.noise;
  options.tolerance = 1e-7;
  if (!given.shrunk) options.shrinkage = 0.0;
  run_grid(context, given.name, 1, repeats, [&](std::size_t, std::size_t repeat, const RunContext& run) {
    const Rng rng = Rng(run.seed).child(number);
    const Sources truth = draw_sources(given, rng.child(0));
    const DrawnItems drawn =
        draw_items(truth, sets, draw_counts(sets.rows(), given.items, 1, rng.child(1)), rng.child(2));
    LabelledItems items;
    items.sets = drawn.sets;
    items.features.values = drawn.x;
    for (std::size_t k = 0; k < label_count; ++k) items.labels.push_back(fmt::format("{}", k));
    for (std::size_t d = 0; d < dimension_count; ++d) items.features.columns.push_back(fmt::format("x{}", d));
    RunContext one = run;
    one.threads.count = 1;
    const Analysis analysis = analyze(items, train_multilabel(items, options, false, one).model, 0.95, one);
    for (const ParameterError& parameter : analysis.parameters) {
      const double value = truth.location[parameter.source * dimension_count + parameter.dimension];
      found.locations[repeat] += parameter.low <= value && value <= parameter.high ? 1.0 : 0.0;
      found.width[repeat] += parameter.high - parameter.low;
    }
    for (const ParameterError& parameter : analysis.spreads) {
      const double value = true_spread(truth, parameter);
      found.spreads[repeat] += parameter.low <= value && value <= parameter.high ? 1.0 : 0.0;
    }
    found.locations[repeat] /= static_cast<double>(analysis.parameters.size());
    found.width[repeat] /= static_cast<double>(analysis.parameters.size());
    if (!analysis.spreads.empty()) found.spreads[repeat] /= static_cast<double>(analysis.spreads.size());
    double tests = 0.0;
    for (const SetFitTest& test : analysis.sets) {
      if (!(test.degrees > 0.0)) continue;
      tests += 1.0;
      found.doubted[repeat] += test.p_value < 0.05 ? 1.0 : 0.0;
    }
    if (tests > 0.0) found.doubted[repeat] /= tests;
  });
  return found;
}

}  // namespace

Outcome run_multilabel_coverage(const ExperimentContext& context) {
  ExperimentWriter writer("multilabel-coverage", "How often the 95 % intervals of source parameters hold the truth");
  const std::size_t repeats = context.repeats_or(context.quick ? 3 : 400);
  writer.section(
      "Coverage",
      fmt::format("Four sources in three dimensions, label sets of one to three labels with equal chances (and "
                  "of none with a background); {} draws of sources and items per row. Locations are means, "
                  "probabilities, rates or shapes; spreads are variances or the shared rate. The last column "
                  "is the share of label sets whose combination is doubted at 5 % although it is right.",
                  repeats));
  Table table{{{"sources"}, {"items", 0}, {"locations"}, {"spreads"}, {"mean width"}, {"doubted at 5 %"}}, {}};
  Intervals plot;
  std::size_t number = 0;
  std::vector<Case> list = cases();
  if (context.quick) list = {list[1], list[6], list[11]};
  for (const Case& given : list) {
    const Found found = simulate(context, given, ++number, repeats);
    const MeanSd locations = mean_sd(found.locations);
    const MeanSd spreads = mean_sd(found.spreads);
    const MeanSd doubted = mean_sd(found.doubted);
    const bool has_spreads = is_gaussian(given.family) || family_of(given.family).has_shared();
    table.rows.push_back({given.name, static_cast<std::int64_t>(given.items),
                          with_error(locations.mean, locations.error, 4),
                          has_spreads ? with_error(spreads.mean, spreads.error, 4) : std::string(),
                          mean_sd(found.width).mean, with_error(doubted.mean, doubted.error, 4)});
    plot.names.push_back(fmt::format("{}, {} items", given.name, given.items));
    plot.value.push_back(locations.mean);
    plot.low.push_back(locations.mean - 2.0 * locations.error);
    plot.high.push_back(locations.mean + 2.0 * locations.error);
    plot.truth.push_back(0.95);
  }
  writer.table("Coverage of 95 % intervals", std::move(table));
  plot.name_title = "sources";
  plot.value_title = "coverage";
  writer.plot(interval_plot({"Coverage of locations", "Bars are two standard errors; the mark is 0.95."}, plot));
  return writer.finish();
}

}  // namespace motet::multilabel
