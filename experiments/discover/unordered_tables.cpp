// Rare classes in tables whose rows are in no order: the default beside what is published.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/discover/figures.h"
#include "experiments/discover/strategies.h"
#include "experiments/point_sets.h"
#include "motet/base/lot.h"
#include "motet/base/numeric.h"

namespace motet::discover {
namespace {

struct MadeTable {
  std::string name;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t rare = 0;  // classes
};

// A background of one to three kinds, each a turned Gaussian cloud, and rare classes of 3 to 30 rows: small clouds 1.5
// to 6 away from one of the kinds, in units of the root of half the number of columns. In random order.
LabelledFeatures made_table(const MadeTable& shape, Rng rng) {
  const std::size_t d = shape.columns;
  std::vector<std::vector<double>> rows;
  std::vector<std::uint32_t> of_class;
  const std::size_t kinds = 1 + rng.below(3);
  std::vector<std::vector<double>> centres(kinds, std::vector<double>(d));
  for (std::vector<double>& centre : centres) {
    for (double& x : centre) x = 2.0 * rng.normal();
  }
  std::vector<std::vector<double>> scales(kinds, std::vector<double>(d));
  for (std::vector<double>& scale : scales) {
    for (double& x : scale) x = std::exp(0.4 * rng.normal());
  }
  for (std::size_t n = 0; n < shape.rows; ++n) {
    const std::size_t k = rng.below(kinds);
    std::vector<double> row = centres[k];
    const double shared = rng.normal();
    for (std::size_t i = 0; i < d; ++i) row[i] += scales[k][i] * (0.8 * rng.normal() + 0.6 * shared);
    rows.push_back(std::move(row));
    of_class.push_back(0);
  }
  for (std::uint32_t c = 1; c <= shape.rare; ++c) {
    std::vector<double> centre = centres[rng.below(kinds)];
    std::vector<double> direction(d);
    double norm = 0.0;
    for (double& x : direction) {
      x = rng.normal();
      norm += x * x;
    }
    const double away = std::exp(rng.uniform(std::log(1.5), std::log(6.0))) * std::sqrt(0.5 * static_cast<double>(d));
    for (std::size_t i = 0; i < d; ++i) centre[i] += away * direction[i] / std::sqrt(norm);
    const double spread = std::exp(rng.uniform(std::log(0.15), std::log(0.8)));
    for (std::size_t count = 3 + rng.below(28); count > 0; --count) {
      std::vector<double> row = centre;
      for (double& x : row) x += spread * rng.normal();
      rows.push_back(std::move(row));
      of_class.push_back(c);
    }
  }
  LabelledFeatures data;
  for (std::size_t i = 0; i < d; ++i) data.features.columns.push_back(fmt::format("x{}", i + 1));
  for (std::uint32_t c = 0; c <= shape.rare; ++c) data.truth.classes.push_back(fmt::format("class{}", c + 1));
  for (const std::uint32_t n : drawn_by_lot(rows.size(), rows.size(), rng.child(1))) {
    data.features.values.insert(data.features.values.end(), rows[n].begin(), rows[n].end());
    data.truth.of_row.push_back(of_class[n]);
  }
  data.features.starts.push_back(rows.size());
  data.features.sequences.emplace_back("table");
  return data;
}

LabelledFeatures shuffled(const PointSet& set, Rng rng) {
  std::vector<std::size_t> order;
  for (const std::uint32_t n : drawn_by_lot(set.features.rows(), set.features.rows(), rng)) order.push_back(n);
  const PointSet turned = in_order(set, order);
  LabelledFeatures data{turned.features, {{}, turned.of_class}};
  for (std::size_t c = 0; c < set.classes; ++c) data.truth.classes.push_back(fmt::format("class{}", c + 1));
  return data;
}

std::vector<SearchSetting> table_settings() {
  const auto setting = [](std::string name, Strategy strategy) {
    SearchSetting made{std::move(name), {}};
    made.options.strategy = strategy;
    if (strategy != Strategy::adaptive) made.options.unordered = true;  // the default finds it out
    return made;
  };
  return {setting("adaptive (default)", Strategy::adaptive),
          setting("farthest-first", Strategy::farthest_first),
          setting("static-gmm", Strategy::static_gmm),
          setting("interleave", Strategy::interleave),
          setting("nndm", Strategy::nndm),
          setting("random", Strategy::random)};
}

// Whether the default needs no more than the best of those published and farthest-first, but for a standard error.
std::string verdict_of(const std::vector<SearchSetting>& settings, const std::vector<SearchResult>& results) {
  std::size_t best = 1;
  for (std::size_t s = 1; s + 1 < settings.size(); ++s) {
    if (mean_sd(requests_of(results[s])).mean < mean_sd(requests_of(results[best])).mean) best = s;
  }
  const MeanSd of_best = mean_sd(requests_of(results[best]));
  const double error = of_best.sd / std::sqrt(static_cast<double>(results[best].runs.size()));
  const double more = mean_sd(requests_of(results[0])).mean - of_best.mean;
  return fmt::format(
      "the default asks {:+.1f} questions more than the best of the others, {}, whose standard error is "
      "{:.1f}: {}",
      more, settings[best].name, error, more <= error ? "within it" : "beyond it");
}

}  // namespace

Outcome run_discover_tables(const ExperimentContext& context) {
  ExperimentWriter writer("discover-tables", "Rare classes in tables without time");
  const std::size_t repeats = context.repeats_or(context.quick ? 2 : 10);
  const std::size_t limit = context.quick ? 30 : 400;
  const std::vector<SearchSetting> settings = table_settings();
  const auto play = [&](const std::string& title, const std::function<LabelledFeatures(std::size_t)>& data_of) {
    const std::vector<SearchResult> results = play_settings(context, settings, repeats, limit, data_of);
    write_settings(writer, "Requests, " + title, settings, results);
    writer.note(verdict_of(settings, results));
  };
  writer.section("Set-up", fmt::format("{} tables or orders of each kind, rows in random order, no exclusion; a search "
                                       "ends when every class was seen, or after {} questions. Interleave knows the "
                                       "number of classes.",
                                       repeats, limit));
  const MadeTable shapes[] = {{"300 rows of 4 columns, 3 rare classes", 300, 4, 3},
                              {"600 rows of 8 columns, 6 rare classes", 600, 8, 6},
                              {"1000 rows of 12 columns, 12 rare classes", 1000, 12, 12}};
  for (std::size_t i = 0; i < std::size(shapes); ++i) {
    const Rng seeds = Rng(context.run.seed).child(0x7AB0 + i);
    play(shapes[i].name, [&](std::size_t repeat) { return made_table(shapes[i], seeds.child(repeat)); });
  }
  for (const std::string name : {"ecoli", "glass"}) {
    const PointSet points = read_point_set(context, name);
    const Rng seeds = Rng(context.run.seed).child(0x7ABF);
    play(name, [&](std::size_t repeat) { return shuffled(points, seeds.child(repeat)); });
  }
  return writer.finish();
}

}  // namespace motet::discover
