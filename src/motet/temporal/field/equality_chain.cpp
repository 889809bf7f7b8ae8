#include "motet/temporal/field/equality_chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace motet::temporal {
namespace {

constexpr double settled = 1e-14;  // change of the shares in a row that is rounding

char blocks_of(const std::string& way) { return static_cast<char>(1 + *std::max_element(way.begin(), way.end())); }

// Without its oldest row, blocks numbered as they come.
std::string without_oldest(const std::string& way) {
  std::string rest(way.size() - 1, 0);
  std::vector<char> number(way.size() + 1, -1);
  char next = 0;
  for (std::size_t i = 1; i < way.size(); ++i) {
    char& own = number[static_cast<std::size_t>(way[i])];
    if (own < 0) own = next++;
    rest[i - 1] = own;
  }
  return rest;
}

}  // namespace

std::size_t EqualityChain::states(std::size_t reach, std::size_t components, std::size_t most) {
  // Ways of r rows with b blocks, for rising r.
  std::vector<std::size_t> ways{1};
  for (std::size_t r = 2; r <= reach; ++r) {
    if (ways.size() < components) ways.push_back(0);
    std::size_t total = 0;
    for (std::size_t b = ways.size(); b-- > 0;) {
      ways[b] = ways[b] * (b + 1) + (b > 0 ? ways[b - 1] : 0);
      total += ways[b];
    }
    if (total > most) return most + 1;
    if (components == 1) break;
  }
  return std::accumulate(ways.begin(), ways.end(), std::size_t{0});
}

EqualityChain::EqualityChain(const Neighbours& neighbours, std::size_t components, std::size_t reach)
    : neighbours_(neighbours),
      components_(components),
      reach_(std::min({reach, neighbours.radius(), neighbours.rows() - 1})) {}

std::vector<double> EqualityChain::weights_at(std::size_t n) const {
  std::vector<double> weights(std::min(n, reach_));
  const double strength = neighbours_.field().strength;
  neighbours_.for_each(n, [&](std::size_t m, double weight) {
    if (m < n && n - m <= weights.size()) weights[n - m - 1] = weight * strength;
  });
  return weights;
}

// e^(weights of the rows in the block, less all of them) times the number of components it stands for.
double EqualityChain::factor(const std::string& way, char block, const std::vector<double>& weights) const {
  double unequal = 0.0;
  for (std::size_t d = 1; d <= weights.size(); ++d) {
    if (way[way.size() - d] != block) unequal += weights[d - 1];
  }
  const auto blocks = static_cast<unsigned char>(blocks_of(way));
  const bool is_new = static_cast<unsigned char>(block) == blocks;
  return (is_new ? static_cast<double>(components_ - blocks) : 1.0) * std::exp(-unequal);
}

void EqualityChain::normalise() {
  const double total = std::accumulate(shares_.begin(), shares_.end(), 0.0);
  for (double& share : shares_) share /= total;
  log_growth_ += std::log(total);
  log_total_ += log_growth_;
}

void EqualityChain::grow(std::size_t n) {
  const std::vector<double> weights = weights_at(n);
  std::vector<std::string> ways;
  std::vector<double> shares;
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const char blocks = blocks_of(ways_[i]);
    for (char block = 0; block <= blocks && static_cast<std::size_t>(block) < components_; ++block) {
      ways.push_back(ways_[i] + block);
      shares.push_back(shares_[i] * factor(ways_[i], block, weights));
    }
  }
  ways_.swap(ways);
  shares_.swap(shares);
  log_growth_ = std::accumulate(weights.begin(), weights.end(), 0.0);
  normalise();
}

void EqualityChain::set_arcs() {
  std::unordered_map<std::string, std::uint32_t> number;
  for (std::size_t i = 0; i < ways_.size(); ++i) number.emplace(ways_[i], static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const char blocks = blocks_of(ways_[i]);
    for (char block = 0; block <= blocks && static_cast<std::size_t>(block) < components_; ++block) {
      arcs_.push_back({static_cast<std::uint32_t>(i), number.at(without_oldest(ways_[i] + block)), block});
    }
  }
}

void EqualityChain::step(const std::vector<double>& weights, bool is_regular) {
  if (!is_regular || factors_.empty()) {
    factors_.resize(arcs_.size());
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      factors_[i] = factor(ways_[arcs_[i].from], arcs_[i].block, weights);
    }
  }
  std::vector<double> shares(shares_.size(), 0.0);
  for (std::size_t i = 0; i < arcs_.size(); ++i) shares[arcs_[i].to] += shares_[arcs_[i].from] * factors_[i];
  if (!is_regular) factors_.clear();
  shares_.swap(shares);
  log_growth_ = std::accumulate(weights.begin(), weights.end(), 0.0);
  normalise();
}

void EqualityChain::advance(std::size_t n) {
  if (n < reach_) return grow(n);
  if (arcs_.empty()) set_arcs();
  const bool is_regular = !neighbours_.is_clipped(n);
  if (is_regular && has_settled_) {
    log_total_ += log_growth_;
    return;
  }
  const std::vector<double> before = is_regular ? shares_ : std::vector<double>{};
  step(weights_at(n), is_regular);
  if (!is_regular) return;
  double change = 0.0;
  for (std::size_t i = 0; i < shares_.size(); ++i) change = std::max(change, std::abs(shares_[i] - before[i]));
  has_settled_ = change <= settled;
}

std::vector<double> EqualityChain::log_sums(std::span<const std::size_t> lengths) {
  ways_ = {std::string(1, 0)};
  shares_ = {1.0};
  const double log_components = std::log(static_cast<double>(components_));
  log_total_ = log_components;
  std::vector<double> sums;
  std::size_t n = 1;
  for (const std::size_t rows : lengths) {
    if (reach_ == 0) {
      sums.push_back(static_cast<double>(rows) * log_components);
      continue;
    }
    for (; n < rows; ++n) advance(n);
    sums.push_back(log_total_);
  }
  return sums;
}

}  // namespace motet::temporal
