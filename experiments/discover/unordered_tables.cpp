// Rare classes in tables whose rows are in no order: the default beside what is published.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/discover/figures.h"
#include "experiments/discover/strategies.h"
#include "experiments/discover/tables.h"
#include "experiments/point_sets.h"
#include "motet/base/lot.h"
#include "motet/base/numeric.h"

namespace motet::discover {
namespace {

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
  const std::vector<MadeTable> shapes = made_tables();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
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
