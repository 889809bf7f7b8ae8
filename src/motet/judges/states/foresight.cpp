#include "motet/judges/states/foresight.h"

#include <algorithm>
#include <cmath>

namespace motet::judges {
namespace {

constexpr double held_share = 0.2;
// Multiples of the golden ratio fill [0, 1) evenly whatever their order falls in step with.
constexpr double golden = 0.61803398874989485;

StateFit plain_fit(const HeldVotes& held, std::span<const double> parameters) {
  const std::size_t k = held.shown.class_count();
  StateFit fit;
  fit.spec.shape = {k, 1, {0.0}, std::vector<double>(k, 0.0)};
  fit.result.parameters.assign(parameters.begin(), parameters.end());
  fit.result.parameters.insert(fit.result.parameters.begin() + static_cast<std::ptrdiff_t>(k), 1.0);  // the one level
  return fit;
}

}  // namespace

HeldVotes hold_out(const Votes& votes) {
  HeldVotes held;
  held.shown.items = votes.items;
  held.shown.judges = votes.judges;
  held.shown.classes = votes.classes;
  held.shown.known = votes.known;
  held.shown.starts.push_back(0);
  held.starts.push_back(0);
  std::size_t number = 0;
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const auto codes = votes.of_item(i);
    const std::size_t shown_before = held.shown.codes.size();
    for (std::size_t v = 0; v < codes.size(); ++v) {
      const double place = std::fmod(static_cast<double>(++number) * golden, 1.0);
      const bool is_last_chance = v + 1 == codes.size() && held.shown.codes.size() == shown_before;
      (place < held_share && !is_last_chance ? held.codes : held.shown.codes).push_back(codes[v]);
    }
    held.starts.push_back(static_cast<std::uint32_t>(held.codes.size()));
    held.shown.starts.push_back(static_cast<std::uint32_t>(held.shown.codes.size()));
  }
  return held;
}

std::vector<double> foreseen(const HeldVotes& held, const StateFit& fit) {
  const std::vector<double> numbers = state_numbers(fit.spec.shape, fit.result.parameters);
  const StateTables tables(fit.spec.shape, numbers);
  std::vector<double> q(tables.width());
  std::vector<double> by_item(held.shown.item_count(), 0.0);
  for (std::size_t i = 0; i < by_item.size(); ++i) {
    if (held.of_item(i).empty()) continue;
    tables.infer(held.shown.of_item(i), held.shown.known_class(i), q);
    for (const std::uint32_t code : held.of_item(i)) {
      double probable = 0.0;
      for (std::size_t at = 0; at < q.size(); ++at) probable += q[at] * tables.said(code)[at];
      by_item[i] += std::log(probable);
    }
  }
  return by_item;
}

std::vector<double> foreseen(const HeldVotes& held, std::span<const double> parameters) {
  return foreseen(held, plain_fit(held, parameters));
}

Foresight advantage(const HeldVotes& held, std::span<const double> a, std::span<const double> b) {
  const auto ahead = [&](std::size_t i) { return a[i] - (b.empty() ? 0.0 : b[i]); };
  const double votes = std::max(static_cast<double>(held.codes.size()), 1.0);
  Foresight found;
  for (std::size_t i = 0; i < a.size(); ++i) found.mean += ahead(i) / votes;
  double square = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double off = ahead(i) - found.mean * static_cast<double>(held.of_item(i).size());
    square += off * off;
  }
  found.error = std::sqrt(square) / votes;
  return found;
}

}  // namespace motet::judges
