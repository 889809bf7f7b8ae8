#include "motet/discover/questions/nominate.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <span>

#include "motet/base/lot.h"
#include "motet/base/streams.h"
#include "motet/discover/answers.h"
#include "motet/discover/questions/asking.h"
#include "motet/discover/questions/cover.h"
#include "motet/discover/questions/open_rows.h"

namespace motet::discover {
namespace {

constexpr std::size_t fixed_order_batch = 10;  // answers do not change the order, so the model may wait
constexpr std::size_t scored_batch = 3;        // so that the next question is there before this one is answered

constexpr Turn all_turns[] = {Turn::ordinary, Turn::noise, Turn::known, Turn::unsure};

struct Candidate {
  double log_density;
  std::size_t row;

  bool operator>(const Candidate& other) const {
    return log_density != other.log_density ? log_density > other.log_density : row > other.row;
  }
};
using LeastFirst = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

std::vector<Nomination> by_components(const Features& features, const Discovery& discovery, OpenRows& open, Turn turn) {
  const std::vector<std::uint8_t>& owner = discovery.states;
  const std::size_t rows = features.rows();
  const std::size_t components = discovery.mixture.components.size();
  const std::size_t wanted = batch_size(discovery);
  const bool as_published = is_as_published(discovery.options.strategy);
  std::vector<std::vector<Candidate>> owned(components);
  for (std::size_t n = 0; n < rows; ++n) {
    if (open.may_ask(n, turn)) owned[owner[n]].push_back({discovery.densities[owner[n] * rows + n], n});
  }
  std::vector<LeastFirst> lists;
  lists.reserve(components);
  for (std::vector<Candidate>& list : owned) lists.emplace_back(std::greater<>{}, std::move(list));
  std::vector<Nomination> batch;
  for (bool found = true; found && batch.size() < wanted;) {
    found = false;
    for (std::size_t k = 0; k < components && batch.size() < wanted; ++k) {
      while (!lists[k].empty() && !open.may_ask(lists[k].top().row, turn)) lists[k].pop();
      if (lists[k].empty()) continue;
      const Candidate best = lists[k].top();
      batch.push_back({best.row, static_cast<std::int32_t>(k), best.log_density});
      open.ask(best.row);
      found = true;
    }
    if (as_published && discovery.options.batch == 0) break;  // a component with an empty list is not made up for
  }
  return batch;
}

std::vector<Nomination> in_order(const Discovery& discovery, std::span<const std::uint32_t> order, OpenRows& open,
                                 Turn turn) {
  const std::size_t wanted = batch_size(discovery);
  std::vector<Nomination> batch;
  for (std::size_t i = 0; i < order.size() && batch.size() < wanted; ++i) {
    if (!open.may_ask(order[i], turn)) continue;
    batch.push_back({order[i]});
    open.ask(order[i]);
  }
  return batch;
}

constexpr std::size_t rows_of_stretch = 16'384;

using RowOfStretch = std::vector<std::optional<std::size_t>>;

// Of each stretch of rows the open one with the greatest value, the first of equals, of those that are `least` at
// least. value(row, what it must exceed).
template <class Value>
RowOfStretch best_of_stretches(std::size_t rows, const OpenRows& open, Turn turn, Threads threads, float least,
                               const Value& value) {
  RowOfStretch best((rows + rows_of_stretch - 1) / rows_of_stretch);
  for_each_task(best.size(), threads_for(threads, static_cast<double>(rows)), [&](std::size_t task) {
    float greatest = least;
    for (std::size_t n = task * rows_of_stretch; n < std::min(rows, (task + 1) * rows_of_stretch); ++n) {
      if (!open.may_ask(n, turn)) continue;
      const float own = value(n, greatest);
      if (best[task] ? own <= greatest : own < least) continue;
      best[task] = n;
      greatest = own;
    }
  });
  return best;
}

// The open row with the greatest score, the first of equals. Bounds tell which rows may have it, and where it is
// likely: so the scores of few rows are needed.
std::optional<std::size_t> best_row(std::size_t rows, const OpenRows& open, Turn turn, const AskedRows& asked,
                                    Asker asker, Threads threads) {
  constexpr float lowest = -std::numeric_limits<float>::infinity();
  float least = lowest;
  for (const std::optional<std::size_t>&row : best_of_stretches(
           rows, open, turn, threads, lowest, [&](std::size_t n, float /*least*/) { return asked.bound(asker, n); })) {
    if (row) least = std::max(least, asked.score(asker, *row));
  }
  std::optional<std::size_t> best;
  for (const std::optional<std::size_t>&row :
       best_of_stretches(rows, open, turn, threads, least, [&](std::size_t n, float exceeded) {
         return asked.bound(asker, n) < exceeded ? lowest : asked.score_from(asker, n, exceeded);
       })) {
    if (row && (!best || asked.score(asker, *row) > asked.score(asker, *best))) best = row;
  }
  return best;
}

std::vector<Nomination> by_scores(const Features& features, const Discovery& discovery, OpenRows& open, Turn turn,
                                  Threads threads) {
  const std::size_t wanted = batch_size(discovery);
  AskerCounts counts = discovery.askers;
  AskedRows asked(discovery.scout, !discovery.answers.empty());
  for (std::size_t i = discovery.scout.answers_taken; i < discovery.answers.size(); ++i) {
    asked.ask(discovery.answers[i].row);
  }
  std::vector<Nomination> batch;
  while (batch.size() < wanted) {
    const Asker asker = next_asker(discovery.options, counts);
    const std::optional<std::size_t> row = best_row(features.rows(), open, turn, asked, asker, threads);
    if (!row) break;
    batch.push_back({*row});
    batch.back().asker = static_cast<std::int8_t>(asker);
    ++counts[static_cast<std::size_t>(asker)].asked;
    open.ask(*row);
    if (batch.size() < wanted) asked.ask(*row);
  }
  return batch;
}

std::vector<Nomination> one_batch(const Features& features, const Discovery& discovery, OpenRows& open, Turn turn,
                                  Threads threads) {
  const Strategy strategy = discovery.options.strategy;
  if (!askers_of(discovery.options).empty()) return by_scores(features, discovery, open, turn, threads);
  if (strategy == Strategy::nndm || strategy == Strategy::grid) {
    return in_order(discovery, discovery.order, open, turn);
  }
  if (strategy == Strategy::random) {
    const std::size_t rows = features.rows();
    return in_order(discovery, drawn_by_lot(rows, rows, stream(Seed{discovery.seed}, Stream::discover_random_order)),
                    open, turn);
  }
  return by_components(features, discovery, open, turn);
}

}  // namespace

std::size_t batch_size(const Discovery& discovery) {
  if (discovery.options.batch > 0) return discovery.options.batch;
  const Strategy strategy = discovery.options.strategy;
  if (strategy == Strategy::nndm || strategy == Strategy::random || strategy == Strategy::grid) {
    return fixed_order_batch;
  }
  if (!askers_of(discovery.options).empty()) return scored_batch;
  return discovery.mixture.components.size();
}

std::vector<Nomination> nominate(const Features& features, const Discovery& discovery, Threads threads) {
  const std::vector<std::size_t> levels = exclusion_levels(discovery.options);
  for (const Turn turn : all_turns) {
    for (const std::size_t g : levels) {
      OpenRows open(features, discovery, g);
      if (!open.has_any(turn)) continue;
      std::vector<Nomination> batch = one_batch(features, discovery, open, turn, threads);
      if (!batch.empty()) return batch;
    }
  }
  return {};
}

std::vector<std::uint32_t> grid_order(const Features& features, std::size_t g, Seed seed) {
  const std::vector<std::uint8_t> within(features.rows(), 0);
  const std::vector<RowRange> ranges = least_cover(features.starts, within, g);
  std::vector<std::uint32_t> order;
  order.reserve(ranges.size());
  for (const std::uint32_t i : drawn_by_lot(ranges.size(), ranges.size(), stream(seed, Stream::discover_grid))) {
    order.push_back(static_cast<std::uint32_t>(ranges[i].end - 1));
  }
  return order;
}

}  // namespace motet::discover
