#include "motet/data/stratified_split.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "motet/base/error.h"

namespace motet {
namespace {

constexpr std::uint32_t undealt = std::numeric_limits<std::uint32_t>::max();

std::vector<double> normalised(std::span<const double> shares) {
  double sum = 0.0;
  for (const double share : shares) {
    if (!(share > 0.0) || !std::isfinite(share)) {
      fail(ErrorKind::usage, "split: share = " + to_text(share) + " is out of range; every share is above 0");
    }
    sum += share;
  }
  if (shares.empty()) fail(ErrorKind::usage, "split: there are no shares; at least one fold is needed");
  std::vector<double> result(shares.begin(), shares.end());
  for (double& share : result) share /= sum;
  return result;
}

std::vector<std::uint32_t> shuffled(std::size_t count, Rng& rng) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

class Dealer {
 public:
  Dealer(const BitMatrix& sets, std::span<const double> shares, Seed seed)
      : sets_(sets),
        shares_(normalised(shares)),
        rng_(seed),
        order_(shuffled(sets.rows(), rng_)),
        fold_(sets.rows(), undealt),
        items_in_(shares_.size()),
        labels_in_(shares_.size() * sets.columns()) {
    list_items_by_label();
  }

  std::vector<std::uint32_t> deal() {
    for (std::size_t round = 0; round < sets_.columns(); ++round) {
      const std::size_t label = rarest();
      if (label == sets_.columns()) break;
      for (std::size_t i = starts_[label]; i < starts_[label + 1]; ++i) {
        if (fold_[items_[i]] == undealt) give(items_[i], fold_that_lacks(label));
      }
    }
    for (const std::uint32_t item : order_) {
      if (fold_[item] == undealt) give(item, fold_that_lacks_items());
    }
    return fold_;
  }

 private:
  void list_items_by_label() {
    const std::size_t labels = sets_.columns();
    starts_.assign(labels + 1, 0);
    for (std::size_t n = 0; n < sets_.rows(); ++n) {
      for_each_bit(sets_.row(n), [&](std::size_t k) { ++starts_[k + 1]; });
    }
    totals_.assign(starts_.begin() + 1, starts_.end());
    left_ = totals_;
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    items_.resize(starts_.back());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (const std::uint32_t n : order_) {
      for_each_bit(sets_.row(n), [&](std::size_t k) { items_[next[k]++] = n; });
    }
  }

  // Label with the fewest items left, at least one; the number of labels when all are dealt.
  std::size_t rarest() const {
    std::size_t best = left_.size();
    for (std::size_t k = 0; k < left_.size(); ++k) {
      if (left_[k] != 0 && (best == left_.size() || left_[k] < left_[best])) best = k;
    }
    return best;
  }

  // Wanted and given are kept as whole counts, so folds of equal shares tie exactly.
  double lacks(std::size_t fold, std::size_t label) const {
    return shares_[fold] * static_cast<double>(totals_[label]) -
           static_cast<double>(labels_in_[fold * totals_.size() + label]);
  }
  double lacks(std::size_t fold) const {
    return shares_[fold] * static_cast<double>(sets_.rows()) - static_cast<double>(items_in_[fold]);
  }

  // The fold with the largest need, then with the largest need of items, then by lot.
  template <class Need>
  std::uint32_t neediest(const Need& need) {
    std::uint32_t best = 0;
    std::uint64_t equal = 1;
    for (std::uint32_t f = 1; f < shares_.size(); ++f) {
      const double more = need(f) - need(best);
      const double more_items = more == 0.0 ? lacks(f) - lacks(best) : 0.0;
      if (more > 0.0 || more_items > 0.0) {
        best = f;
        equal = 1;
      } else if (more == 0.0 && more_items == 0.0 && rng_.below(++equal) == 0) {
        best = f;
      }
    }
    return best;
  }
  std::uint32_t fold_that_lacks(std::size_t label) {
    return neediest([&](std::uint32_t f) { return lacks(f, label); });
  }
  std::uint32_t fold_that_lacks_items() {
    return neediest([&](std::uint32_t f) { return lacks(f); });
  }

  void give(std::uint32_t item, std::uint32_t fold) {
    fold_[item] = fold;
    ++items_in_[fold];
    for_each_bit(sets_.row(item), [&](std::size_t k) {
      ++labels_in_[fold * totals_.size() + k];
      --left_[k];
    });
  }

  const BitMatrix& sets_;
  std::vector<double> shares_;
  Rng rng_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> fold_;
  std::vector<std::size_t> items_in_;   // of each fold
  std::vector<std::size_t> labels_in_;  // folds x labels
  std::vector<std::size_t> starts_;     // of each label in items_
  std::vector<std::uint32_t> items_;    // of each label, shuffled
  std::vector<std::size_t> totals_;     // items of each label
  std::vector<std::size_t> left_;       // of them not dealt yet
};

}  // namespace

std::vector<std::uint32_t> stratified_folds(const BitMatrix& sets, std::span<const double> shares, Seed seed) {
  return Dealer(sets, shares, seed).deal();
}

}  // namespace motet
