#include "motet/temporal/field/exact_chain.h"

#include <algorithm>
#include <cmath>
#include "motet/base/numeric.h"

namespace motet::temporal {
namespace {

constexpr double negligible = -60.0;  // nats below the largest term

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  const double difference = b - a;
  if (!(difference > negligible)) return a;  // also when both are -inf
  return a + std::log1p(std::exp(difference));
}
double larger(double a, double b) { return std::max(a, b); }

double log_sum_of(std::span<const double> terms) {
  double sum = -infinity;
  for (const double term : terms) sum = log_add(sum, term);
  return sum;
}

}  // namespace

std::size_t ExactChain::tuples(std::size_t rows, std::size_t radius, std::size_t components, std::size_t most) {
  std::size_t count = 1;
  for (std::size_t d = 0; d < std::min(radius, rows - 1) && components > 1; ++d) {
    count *= components;
    if (count > most) return most + 1;
  }
  return count;
}

ExactChain::ExactChain(const Neighbours& neighbours, std::size_t components, const double* densities,
                       std::size_t stride)
    : neighbours_(neighbours),
      components_(components),
      densities_(densities),
      stride_(stride),
      rows_(neighbours.rows()),
      radius_(std::min(neighbours.radius(), neighbours.rows() - 1)),
      step_(static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(neighbours.rows()))))) {
  for (std::size_t d = 1; d < radius_; ++d) rest_ *= components_;
}

// Without a radius a tuple still has one digit, its own row.
std::size_t ExactChain::size_at(std::size_t n) const {
  std::size_t size = components_;
  for (std::size_t d = 1; d <= n && d < radius_; ++d) size *= components_;
  return size;
}

void ExactChain::set_matches(std::size_t n) {
  const std::size_t digits = std::min(n, radius_ == 0 ? 0 : radius_ - 1);  // of r
  const bool is_regular = n >= radius_ && !neighbours_.is_clipped(n);
  const std::size_t key = is_regular ? rows_ : n;  // regular rows share one table
  if (matches_of_ == key) return;
  matches_of_ = key;
  std::vector<double> weights(radius_ + 1);
  neighbours_.for_each(n, [&](std::size_t m, double weight) {
    if (m < n) weights[n - m] = weight * neighbours_.field().strength;
  });
  oldest_weight_ = weights[radius_];
  std::size_t size = components_;
  for (std::size_t d = 0; d < digits; ++d) size *= components_;
  matches_.resize(size);
  for (std::size_t t = 0; t < size; ++t) {
    const std::size_t k = t % components_;
    double sum = 0.0;
    std::size_t rest = t / components_;
    for (std::size_t d = 1; d <= digits; ++d, rest /= components_) {
      if (rest % components_ == k) sum += weights[d];
    }
    matches_[t] = sum;
  }
}

void ExactChain::first(Table& table) const {
  table.resize(components_);
  for (std::size_t k = 0; k < components_; ++k) table[k] = density(0, k);
}

template <class Merge>
void ExactChain::forward(std::size_t n, const Table& before, Table& table, Merge merge) {
  table.resize(size_at(n + 1));
  if (radius_ == 0) {  // nothing but the sum of the past is needed
    double past = -infinity;
    for (const double term : before) past = merge(past, term);
    for (std::size_t k = 0; k < components_; ++k) table[k] = past + density(n + 1, k);
    return;
  }
  set_matches(n + 1);
  const bool drops = n + 1 >= radius_;  // the oldest digit
  const std::size_t rests = drops ? rest_ : before.size();
  for (std::size_t r = 0; r < rests; ++r) {
    for (std::size_t k = 0; k < components_; ++k) {
      double past = before[r];
      if (drops) {
        past = -infinity;
        for (std::size_t o = 0; o < components_; ++o) {
          past = merge(past, before[o * rest_ + r] + (o == k ? oldest_weight_ : 0.0));
        }
      }
      const std::size_t t = r * components_ + k;
      table[t] = density(n + 1, k) + matches_[t] + past;
    }
  }
}

void ExactChain::backward(std::size_t n, const Table& after, Table& table) {
  table.assign(size_at(n), -infinity);
  if (radius_ == 0) {
    double future = -infinity;
    for (std::size_t k = 0; k < components_; ++k) future = log_add(future, after[k] + density(n + 1, k));
    std::fill(table.begin(), table.end(), future);
    return;
  }
  set_matches(n + 1);
  const bool drops = n + 1 >= radius_;
  for (std::size_t t = 0; t < table.size(); ++t) {
    const std::size_t o = drops ? t / rest_ : components_;
    const std::size_t r = drops ? t % rest_ : t;
    for (std::size_t k = 0; k < components_; ++k) {
      const std::size_t next = r * components_ + k;
      table[t] = log_add(table[t], density(n + 1, k) + matches_[next] + (o == k ? oldest_weight_ : 0.0) + after[next]);
    }
  }
}

template <class Merge>
void ExactChain::keep_tables(Merge merge) {
  kept_.assign(1, {});
  first(kept_[0]);
  Table table = kept_[0];
  Table next;
  for (std::size_t n = 0; n + 1 < rows_; ++n) {
    forward(n, table, next, merge);
    table.swap(next);
    if ((n + 1) % step_ == 0) kept_.push_back(table);
  }
  block_.assign(1, table);
}

template <class Merge>
void ExactChain::fill_block(std::size_t block, Merge merge) {
  const std::size_t begin = block * step_;
  const std::size_t end = std::min(rows_, begin + step_);
  block_.resize(end - begin);
  block_[0] = kept_[block];
  for (std::size_t n = begin; n + 1 < end; ++n) forward(n, block_[n - begin], block_[n + 1 - begin], merge);
}

double ExactChain::marginals(double* responsibilities, std::size_t stride) {
  keep_tables(log_add);
  const double sum = log_sum_of(block_[0]);
  Table after(size_at(rows_ - 1), 0.0);
  Table next;
  std::vector<double> posterior(components_);
  for (std::size_t block = kept_.size(); block-- > 0;) {
    fill_block(block, log_add);
    for (std::size_t n = block * step_ + block_.size(); n-- > block * step_;) {
      if (n + 1 < rows_) {
        backward(n, after, next);
        after.swap(next);
      }
      const Table& before = block_[n - block * step_];
      std::fill(posterior.begin(), posterior.end(), -infinity);
      for (std::size_t t = 0; t < before.size(); ++t) {
        double& own = posterior[t % components_];
        own = log_add(own, before[t] + after[t]);
      }
      const double total = log_sum_of(posterior);
      for (std::size_t k = 0; k < components_; ++k) responsibilities[k * stride + n] = std::exp(posterior[k] - total);
    }
  }
  return sum;
}

double ExactChain::mode(std::span<std::uint8_t> states) {
  keep_tables(larger);
  const auto best = std::max_element(block_[0].begin(), block_[0].end());
  const double value = *best;
  auto tuple = static_cast<std::size_t>(best - block_[0].begin());
  for (std::size_t block = kept_.size(); block-- > 0;) {
    fill_block(block, larger);
    for (std::size_t n = block * step_ + block_.size(); n-- > block * step_;) {
      if (n + 1 < rows_) {  // from the tuple of row n + 1 to that of row n
        const Table& table = block_[n - block * step_];
        if (radius_ == 0) {
          tuple = static_cast<std::size_t>(std::max_element(table.begin(), table.end()) - table.begin());
        } else if (n + 1 < radius_) {
          tuple /= components_;
        } else {
          set_matches(n + 1);
          const std::size_t k = tuple % components_;
          const std::size_t r = tuple / components_;
          std::size_t oldest = 0;
          double largest = -infinity;
          for (std::size_t o = 0; o < components_; ++o) {
            const double past = table[o * rest_ + r] + (o == k ? oldest_weight_ : 0.0);
            if (past > largest) {
              largest = past;
              oldest = o;
            }
          }
          tuple = oldest * rest_ + r;
        }
      }
      states[n] = static_cast<std::uint8_t>(tuple % components_);
    }
  }
  return value;
}

}  // namespace motet::temporal
