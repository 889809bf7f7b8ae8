// Every class of two public sets, with the rare classes as stretches in time.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "experiments/discover/figures.h"
#include "experiments/discover/strategies.h"
#include "experiments/point_sets.h"
#include "motet/base/lot.h"
#include "motet/discover/study/generate.h"

namespace motet::discover {
namespace {

constexpr std::size_t radius = 4;

// The rows of the largest class in random order, with each other class as one block between two of them.
LabelledFeatures in_blocks(const PointSet& set, Rng rng) {
  std::vector<std::vector<std::size_t>> members(set.classes);
  for (std::size_t n = 0; n < set.of_class.size(); ++n) members[set.of_class[n]].push_back(n);
  std::size_t largest = 0;
  for (std::size_t c = 0; c < members.size(); ++c) {
    if (members[c].size() > members[largest].size()) largest = c;
    std::vector<std::size_t> shuffled;
    for (const std::uint32_t i : drawn_by_lot(members[c].size(), members[c].size(), rng.child(c))) {
      shuffled.push_back(members[c][i]);
    }
    members[c] = std::move(shuffled);
  }
  std::vector<std::pair<std::size_t, std::size_t>> places;  // before which row of the largest class, and the class
  for (std::size_t c = 0; c < members.size(); ++c) {
    if (c != largest) places.emplace_back(rng.below(members[largest].size() + 1), c);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::size_t> order;
  auto place = places.begin();
  for (std::size_t i = 0; i <= members[largest].size(); ++i) {
    for (; place != places.end() && place->first == i; ++place) {
      order.insert(order.end(), members[place->second].begin(), members[place->second].end());
    }
    if (i < members[largest].size()) order.push_back(members[largest][i]);
  }
  const PointSet ordered = in_order(set, order);
  LabelledFeatures data{ordered.features, {{}, ordered.of_class}};
  for (std::size_t c = 0; c < set.classes; ++c) data.truth.classes.push_back(fmt::format("class{}", c + 1));
  return data;
}

SearchSetting uci_setting(std::string name, Strategy strategy, int exclusion, double reference, double sd) {
  SearchSetting made{std::move(name), {}, reference, sd};
  made.options.strategy = strategy;
  made.options.radius = radius;
  made.options.components = strategy == Strategy::interleave ? 0 : 2;
  made.options.exclusion = exclusion;
  made.options.isolation = 0;
  made.options.label_weight = 0.1;
  made.options.floor = 0.1;  // enters as one row, so a component of a hundred rows has the 0.001 of the reference
  return made;
}

std::vector<SearchSetting> settings_of(const std::vector<std::pair<double, double>>& reference) {
  const auto at = [&](std::size_t i) { return reference[i]; };
  return {
      uci_setting("literal", Strategy::literal, 0, at(0).first, at(0).second),
      uci_setting("static", Strategy::static_mixture, 0, at(1).first, at(1).second),
      uci_setting("interleave", Strategy::interleave, 0, at(2).first, at(2).second),
      uci_setting("nndm", Strategy::nndm, 0, at(3).first, at(3).second),
      uci_setting("random", Strategy::random, 0, at(4).first, at(4).second),
      uci_setting("temporal with exclusion", Strategy::temporal, radius, at(5).first, at(5).second),
      uci_setting("static with exclusion", Strategy::static_mixture, radius, at(6).first, at(6).second),
  };
}

}  // namespace

Outcome run_discover_uci(const ExperimentContext& context) {
  ExperimentWriter writer("discover-uci", "Every class of ecoli and glass");
  const std::size_t repeats = context.repeats_or(context.quick ? 2 : 10);
  struct Set {
    std::string name;
    std::vector<std::pair<double, double>> reference;  // in the order of settings_of
  };
  const std::vector<Set> sets = {
      {"ecoli", {{24.0, 14.1}, {55.0, 0.0}, {20.6, 13.8}, {95.7, 45.5}, {193.8, 73.0}, {35.1, 16.5}, {38.6, 16.2}}},
      {"glass", {{12.4, 4.9}, {11.5, 4.3}, {10.3, 4.3}, {53.9, 23.9}, {30.5, 16.6}, {9.7, 4.2}, {9.9, 3.7}}},
  };
  for (const Set& set : sets) {
    const PointSet points = read_point_set(context, set.name);
    const Rng seeds = Rng(context.run.seed).child(0x0C1);
    writer.section(fmt::format("{}: {} rows, {} classes", set.name, points.features.rows(), points.classes),
                   fmt::format("{} orders: each class but the largest is a block at a random place. Two components, "
                               "radius {}, labels weigh 0.1; interleave knows the number of classes.",
                               repeats, radius));
    const std::vector<SearchSetting> settings = settings_of(set.reference);
    const std::vector<SearchResult> results =
        play_settings(context, settings, repeats, context.quick ? 30 : 0,
                      [&](std::size_t repeat) { return in_blocks(points, seeds.child(repeat)); });
    write_settings(writer, "Requests, " + set.name, settings, results);
    plot_learning(writer, "Classes of " + set.name + " found", settings, results, points.classes - 1);
  }
  writer.note(
      "with exclusion the search ends when every row is within 4 of an answer; a class in fewer than 9 rows may then "
      "not have been seen (ecoli has classes of 5, 2 and 2 rows). Such runs count with the requests made");
  return writer.finish("references: an independent computation with its own orders and starts");
}

}  // namespace motet::discover
