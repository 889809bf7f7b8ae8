#include "motet/multilabel/item_decision.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "motet/base/numeric.h"

namespace motet {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

std::vector<std::uint64_t> words_of(std::span<const std::uint64_t> row) { return {row.begin(), row.end()}; }

std::vector<RankedSet> rank(std::span<const double> posterior, std::size_t best) {
  std::vector<std::uint32_t> order(posterior.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(best, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return posterior[a] != posterior[b] ? posterior[a] > posterior[b] : a < b;
  });
  std::vector<RankedSet> result;
  for (auto set = order.begin(); set != end; ++set) result.push_back({*set, posterior[*set]});
  return result;
}

}  // namespace

ItemDecision decide_item(const BitMatrix& sets, std::span<const double> log_density, std::span<const double> log_prior,
                         Decision decision, std::size_t best) {
  const std::size_t size = sets.rows();
  std::vector<double> weight(size);
  const bool possible =
      std::any_of(log_density.begin(), log_density.end(), [](double density) { return density > nothing; });
  for (std::size_t j = 0; j < size; ++j) {
    weight[j] = decision == Decision::ml ? 0.0 : log_prior[j];
    if (possible) weight[j] += log_density[j];
  }
  ItemDecision result;
  const double total = log_sum_exp(weight);
  result.log_joint = *std::max_element(weight.begin(), weight.end());
  result.marginal.resize(sets.columns());
  for (std::size_t j = 0; j < size; ++j) {
    weight[j] = std::exp(weight[j] - total);
    if (weight[j] > 0.0) for_each_bit(sets.row(j), [&](std::size_t k) { result.marginal[k] += weight[j]; });
  }
  for (double& p : result.marginal) p = std::min(p, 1.0);  // sums of many roundings
  result.ranked = rank(weight, std::max<std::size_t>(best, 1));
  std::size_t chosen = result.ranked[0].set;
  result.set = words_of(sets.row(chosen));
  if (decision == Decision::hamming) {
    BitMatrix likely(1, sets.columns());
    for (std::size_t k = 0; k < sets.columns(); ++k) likely.set(0, k, result.marginal[k] > 0.5);
    chosen = find_set(sets, likely.row(0));
    result.set = words_of(likely.row(0));
  }
  const bool is_candidate = chosen != no_set;
  result.posterior = is_candidate ? weight[chosen] : 0.0;
  result.log_likelihood = is_candidate ? log_density[chosen] : std::numeric_limits<double>::quiet_NaN();
  if (best == 0) result.ranked.clear();
  return result;
}

double outlier_bound(const Calibration& calibration, double level) {
  const std::vector<std::pair<double, double>>& quantiles = calibration.density;
  if (quantiles.empty() || !(level > 0.0)) return nothing;
  const auto above = std::lower_bound(quantiles.begin(), quantiles.end(), level,
                                      [](const auto& quantile, double wanted) { return quantile.first < wanted; });
  if (above == quantiles.begin()) return above->second;
  if (above == quantiles.end()) return quantiles.back().second;
  const auto below = above - 1;
  const double way = (level - below->first) / (above->first - below->first);
  return below->second + way * (above->second - below->second);
}

}  // namespace motet
