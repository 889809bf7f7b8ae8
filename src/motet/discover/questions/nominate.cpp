#include "motet/discover/questions/nominate.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <span>

#include "motet/base/lot.h"
#include "motet/base/streams.h"
#include "motet/discover/answers.h"

namespace motet::discover {
namespace {

constexpr std::size_t fixed_order_batch = 10;  // answers do not change the order, so the model may wait

enum Turn : std::uint8_t { ordinary, noise, unsure, turns };

// Rows that may be asked, and those that each new question takes away.
class Open {
 public:
  Open(const Features& features, const Discovery& discovery)
      : features_(features), g_(static_cast<std::size_t>(discovery.options.exclusion)) {
    const HeldAnswers held = held_answers(discovery);
    closed_ = rows_within(features.starts, sure_rows(held), g_);
    turn_.assign(features.rows(), ordinary);
    for (std::size_t n = 0; n < discovery.isolated.size(); ++n) {
      if (discovery.isolated[n] != 0) turn_[n] = noise;
    }
    for (const auto& [row, of_class] : held) {
      if (of_class < 0) turn_[row] = unsure;
    }
  }

  bool may_ask(std::size_t row, Turn turn) const { return closed_[row] == 0 && turn_[row] == turn; }

  void ask(std::size_t row) {
    const auto [begin, end] = rows_around(features_.starts, row, g_);
    std::fill(closed_.begin() + static_cast<std::ptrdiff_t>(begin), closed_.begin() + static_cast<std::ptrdiff_t>(end),
              std::uint8_t{1});
  }

 private:
  const Features& features_;
  std::size_t g_;
  std::vector<std::uint8_t> closed_;
  std::vector<std::uint8_t> turn_;
};

struct Candidate {
  double log_density;
  std::size_t row;

  bool operator>(const Candidate& other) const {
    return log_density != other.log_density ? log_density > other.log_density : row > other.row;
  }
};
using LeastFirst = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

std::vector<Nomination> by_components(const Features& features, const Discovery& discovery) {
  const std::vector<std::uint8_t>& owner = discovery.states;
  const std::size_t rows = features.rows();
  const std::size_t components = discovery.mixture.components.size();
  const std::size_t wanted = batch_size(discovery);
  const bool as_published =
      discovery.options.strategy == Strategy::literal || discovery.options.strategy == Strategy::interleave;
  Open open(features, discovery);
  std::vector<Nomination> batch;
  for (std::uint8_t turn = ordinary; turn < turns && batch.empty(); ++turn) {
    std::vector<std::vector<Candidate>> owned(components);
    for (std::size_t n = 0; n < rows; ++n) {
      if (open.may_ask(n, Turn{turn})) owned[owner[n]].push_back({discovery.densities[owner[n] * rows + n], n});
    }
    std::vector<LeastFirst> lists;
    lists.reserve(components);
    for (std::vector<Candidate>& list : owned) lists.emplace_back(std::greater<>{}, std::move(list));
    for (bool found = true; found && batch.size() < wanted;) {
      found = false;
      for (std::size_t k = 0; k < components && batch.size() < wanted; ++k) {
        while (!lists[k].empty() && !open.may_ask(lists[k].top().row, Turn{turn})) lists[k].pop();
        if (lists[k].empty()) continue;
        const Candidate best = lists[k].top();
        batch.push_back({best.row, static_cast<std::int32_t>(k), best.log_density});
        open.ask(best.row);
        found = true;
      }
      if (as_published && discovery.options.batch == 0) break;  // a component with an empty list is not made up for
    }
  }
  return batch;
}

std::vector<Nomination> in_order(const Features& features, const Discovery& discovery,
                                 std::span<const std::uint32_t> order) {
  const std::size_t wanted = batch_size(discovery);
  Open open(features, discovery);
  std::vector<Nomination> batch;
  for (std::uint8_t turn = ordinary; turn < turns && batch.empty(); ++turn) {
    for (std::size_t i = 0; i < order.size() && batch.size() < wanted; ++i) {
      if (!open.may_ask(order[i], Turn{turn})) continue;
      batch.push_back({order[i], -1, std::numeric_limits<double>::quiet_NaN()});
      open.ask(order[i]);
    }
  }
  return batch;
}

}  // namespace

std::size_t batch_size(const Discovery& discovery) {
  if (discovery.options.batch > 0) return discovery.options.batch;
  const Strategy strategy = discovery.options.strategy;
  if (strategy == Strategy::nndm || strategy == Strategy::random) return fixed_order_batch;
  return discovery.mixture.components.size();
}

std::vector<Nomination> nominate(const Features& features, const Discovery& discovery) {
  if (discovery.options.strategy == Strategy::nndm) return in_order(features, discovery, discovery.order);
  if (discovery.options.strategy == Strategy::random) {
    const std::size_t rows = features.rows();
    return in_order(features, discovery,
                    drawn_by_lot(rows, rows, stream(Seed{discovery.seed}, Stream::discover_random_order)));
  }
  return by_components(features, discovery);
}

}  // namespace motet::discover
