#include "motet/multilabel/item_decision.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "motet/base/numeric.h"

namespace motet::multilabel {
namespace {

constexpr double least_set_share = 1e-18;  // of a set; less changes no marginal that anybody could notice

std::vector<std::uint64_t> words_of(std::span<const std::uint64_t> row) { return {row.begin(), row.end()}; }

std::vector<RankedSet> rank(std::span<const double> posterior, std::size_t best) {
  if (best == 1) {
    const auto first = std::max_element(posterior.begin(), posterior.end());
    return {{static_cast<std::uint32_t>(first - posterior.begin()), *first}};
  }
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

// Labels with a marginal above 1/2, but as few and as many as may be: the likeliest ones.
BitMatrix likely_labels(std::span<const double> marginal, const HammingSets& allowed) {
  std::vector<std::uint32_t> order(marginal.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return marginal[a] > marginal[b]; });
  BitMatrix likely(1, marginal.size());
  for (std::size_t i = 0; i < order.size() && i < allowed.most; ++i) {
    const double threshold = allowed.thresholds.empty() ? 0.5 : allowed.thresholds[order[i]];
    if (i < allowed.least || marginal[order[i]] > threshold) likely.set(0, order[i]);
  }
  return likely;
}

// Of the candidates that can have made the item, the one with the fewest wrong labels to be expected.
std::size_t nearest_possible(const BitMatrix& sets, std::span<const double> log_density,
                             std::span<const double> marginal) {
  std::size_t nearest = no_set;
  double fewest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    if (!(log_density[j] > -infinity)) continue;
    double wrong = 0.0;  // beyond those of the empty set
    for_each_bit(sets.row(j), [&](std::size_t k) { wrong += 1.0 - 2.0 * marginal[k]; });
    if (wrong < fewest) {
      fewest = wrong;
      nearest = j;
    }
  }
  return nearest;
}

}  // namespace

ItemDecision decide_item(const BitMatrix& sets, std::span<const double> log_density, std::span<const double> log_prior,
                         Decision decision, std::size_t best, const HammingSets& allowed, const AllSets* all) {
  const std::size_t size = sets.rows();
  std::vector<double> weight(size);
  const bool possible =
      std::any_of(log_density.begin(), log_density.end(), [](double density) { return density > -infinity; });
  if (decision != Decision::ml) std::copy(log_prior.begin(), log_prior.end(), weight.begin());
  if (possible) std::transform(weight.begin(), weight.end(), log_density.begin(), weight.begin(), std::plus<>());
  ItemDecision result;
  result.log_joint = *std::max_element(weight.begin(), weight.end());
  double sum = 0.0;
  for (double& w : weight) sum += w = std::exp(w - result.log_joint);
  if (all != nullptr) sum = std::exp(all->log_sum - result.log_joint);
  result.log_sum = possible ? result.log_joint + std::log(sum) : -infinity;
  result.marginal.resize(sets.columns());
  for (std::size_t j = 0; j < size; ++j) {
    weight[j] /= sum;
    if (weight[j] > least_set_share) for_each_bit(sets.row(j), [&](std::size_t k) { result.marginal[k] += weight[j]; });
  }
  for (double& p : result.marginal) p = std::min(p, 1.0);  // sums of many roundings
  if (all != nullptr) result.marginal = all->marginal;
  result.ranked = rank(weight, std::max<std::size_t>(best, 1));
  std::size_t chosen = result.ranked[0].set;
  if (decision == Decision::hamming) {
    const BitMatrix likely = likely_labels(result.marginal, allowed);
    result.set = words_of(likely.row(0));
    chosen = find_set(sets, likely.row(0));
    result.log_likelihood = chosen != no_set      ? log_density[chosen]
                            : allowed.log_density ? allowed.log_density(likely.row(0))
                                                  : -infinity;
    if (possible && result.log_likelihood == -infinity) chosen = nearest_possible(sets, log_density, result.marginal);
  }
  if (chosen != no_set) {
    result.set = words_of(sets.row(chosen));
    result.posterior = weight[chosen];
    result.log_likelihood = log_density[chosen];
  }
  if (best == 0) result.ranked.clear();
  return result;
}

double outlier_bound(const Calibration& calibration, double level) {
  const std::vector<std::pair<double, double>>& quantiles = calibration.density;
  if (quantiles.empty() || !(level > 0.0)) return -infinity;
  const auto above = std::lower_bound(quantiles.begin(), quantiles.end(), level,
                                      [](const auto& quantile, double wanted) { return quantile.first < wanted; });
  if (above == quantiles.begin()) return above->second;
  if (above == quantiles.end()) return quantiles.back().second;
  const auto below = above - 1;
  const double way = (level - below->first) / (above->first - below->first);
  return below->second + way * (above->second - below->second);
}

}  // namespace motet::multilabel
