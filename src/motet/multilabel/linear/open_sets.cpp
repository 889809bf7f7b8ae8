#include "motet/multilabel/linear/open_sets.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/numeric.h"

namespace motet::multilabel {
namespace {

double log_plus(double a, double b) {
  const double high = std::max(a, b);
  return high == -infinity ? high : high + std::log1p(std::exp(std::min(a, b) - high));
}

double score_of(std::span<const double> z, std::span<const std::uint64_t> set) {
  double sum = 0.0;
  for_each_bit(set, [&](std::size_t k) { sum += z[k]; });
  return sum;
}

}  // namespace

OpenSets::OpenSets(const LabelSetPrior& prior, std::size_t most_labels)
    : prior_(prior), most_(std::min(most_labels, prior.labels())) {
  const std::vector<double> of_degree = log_degree_weights(prior);
  for (std::size_t m = 0; m <= most_; ++m) of_degree_.push_back(std::log(prior.novel) + of_degree[m]);
  of_observed_ = log_priors(prior, prior.sets);
  share_only_ = log_shares(prior);
  for (std::size_t j = 0; j < of_observed_.size(); ++j) {
    share_only_[j] += std::log1p(-prior.novel);
    if (prior.sets.count(j) <= most_) continue;
    of_observed_[j] = share_only_[j] = -infinity;
  }
}

std::vector<double> OpenSets::weights(std::span<const double> z) const {
  std::vector<double> weight(z.begin(), z.end());
  for (std::size_t k = 0; k < weight.size(); ++k) weight[k] += prior_.log_odds[k];
  return weight;
}

std::vector<double> OpenSets::onward(std::span<const double> weight) const {
  const std::size_t width = most_ + 2;  // the last is beyond the limit
  std::vector<double> sums((weight.size() + 1) * width, -infinity);
  std::copy(of_degree_.begin(), of_degree_.end(), sums.end() - static_cast<std::ptrdiff_t>(width));
  for (std::size_t k = weight.size(); k-- > 0;) {
    const double* const after = sums.data() + (k + 1) * width;
    for (std::size_t m = 0; m <= most_; ++m) sums[k * width + m] = log_plus(after[m], after[m + 1] + weight[k]);
  }
  return sums;
}

OpenItem OpenSets::of(std::span<const double> z) const {
  OpenItem item;
  double of_shares = -infinity;
  for (std::size_t j = 0; j < of_observed_.size(); ++j) {
    const double score = score_of(z, prior_.sets.row(j));
    item.observed.push_back(of_observed_[j] + score);
    of_shares = log_plus(of_shares, share_only_[j] + score);
  }
  const std::vector<double> weight = weights(z);
  item.log_sum = log_plus(of_shares, onward(weight)[0]);
  std::vector<std::uint32_t> order(weight.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return weight[a] > weight[b]; });
  BitMatrix best(most_ + 1, weight.size());
  std::vector<std::uint32_t> unseen;
  double sum = 0.0;
  for (std::size_t m = 0; m <= most_; ++m) {
    if (m > 0) sum += weight[order[m - 1]];
    for (std::size_t i = 0; i < m; ++i) best.set(m, order[i]);
    if (find_set(prior_.sets, best.row(m)) != no_set) continue;
    unseen.push_back(static_cast<std::uint32_t>(m));
    item.log_joint.push_back(of_degree_[m] + sum);
  }
  item.unseen = best.rows_of(unseen);
  return item;
}

std::vector<double> OpenSets::marginals(std::span<const double> z, const OpenItem& item) const {
  std::vector<double> result(z.size(), 0.0);
  for (std::size_t j = 0; j < share_only_.size(); ++j) {
    const double p = std::exp(share_only_[j] + score_of(z, prior_.sets.row(j)) - item.log_sum);
    for_each_bit(prior_.sets.row(j), [&](std::size_t k) { result[k] += p; });
  }
  const std::vector<double> weight = weights(z);
  const std::vector<double> after = onward(weight);
  const std::size_t width = most_ + 2;
  std::vector<double> before(width, -infinity);  // log of the sum over the ways to have m labels before k
  before[0] = 0.0;
  for (std::size_t k = 0; k < z.size(); ++k) {
    double with = -infinity;
    for (std::size_t m = 0; m < most_; ++m) {
      with = log_plus(with, before[m] + weight[k] + after[(k + 1) * width + m + 1]);
    }
    result[k] = std::min(1.0, result[k] + std::exp(with - item.log_sum));
    for (std::size_t m = most_; m > 0; --m) before[m] = log_plus(before[m], before[m - 1] + weight[k]);
  }
  return result;
}

double OpenSets::log_joint(std::span<const double> z, std::span<const std::uint64_t> set) const {
  std::size_t labels = 0;
  double smooth = 0.0;
  for_each_bit(set, [&](std::size_t k) {
    ++labels;
    smooth += prior_.log_odds[k];
  });
  if (labels > most_) return -infinity;
  smooth += of_degree_[labels];
  const std::size_t observed = find_set(prior_.sets, set);
  return score_of(z, set) + (observed == no_set ? smooth : log_plus(smooth, share_only_[observed]));
}

}  // namespace motet::multilabel
