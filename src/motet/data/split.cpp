#include "motet/data/split.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/lot.h"

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

void require_parts(std::size_t count) {
  if (count == 0) fail(ErrorKind::usage, "split: there are no parts; at least one is needed");
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

// A label whose items all fell into one part would vanish from the others when that part is held out: one of them
// moves to the smallest part that loses no label by it.
class LabelSpread {
 public:
  LabelSpread(const BitMatrix& sets, Parts& parts)
      : sets_(sets), parts_(parts), in_part_(sets.columns() * parts.count), items_(sets.columns()), size_(parts.count) {
    for (std::size_t n = 0; n < sets.rows(); ++n) {
      ++size_[parts.of_row[n]];
      for_each_bit(sets.row(n), [&](std::size_t k) {
        ++items_[k];
        ++count_of(k, parts.of_row[n]);
      });
    }
  }

  void mend() {
    for (std::size_t n = 0; n < sets_.rows(); ++n) {
      bool is_needed = false;
      for_each_bit(sets_.row(n), [&](std::size_t k) { is_needed = is_needed || vanishes(k, parts_.of_row[n]); });
      if (is_needed) move(n);
    }
  }

 private:
  std::size_t& count_of(std::size_t label, std::size_t part) { return in_part_[label * parts_.count + part]; }

  bool vanishes(std::size_t label, std::size_t part) {
    return items_[label] > 1 && count_of(label, part) == items_[label];
  }

  void move(std::size_t row) {
    const std::uint32_t from = parts_.of_row[row];
    std::size_t to = from;
    for (std::size_t part = 0; part < parts_.count; ++part) {
      bool is_free = part != from;
      for_each_bit(sets_.row(row),
                   [&](std::size_t k) { is_free = is_free && (items_[k] == 1 || count_of(k, part) + 1 < items_[k]); });
      if (is_free && (to == from || size_[part] < size_[to])) to = part;
    }
    if (to == from) return;
    --size_[from];
    ++size_[to];
    for_each_bit(sets_.row(row), [&](std::size_t k) {
      --count_of(k, from);
      ++count_of(k, to);
    });
    parts_.of_row[row] = static_cast<std::uint32_t>(to);
  }

  const BitMatrix& sets_;
  Parts& parts_;
  std::vector<std::size_t> in_part_;  // items of a label in a part, labels x parts
  std::vector<std::size_t> items_;    // of each label
  std::vector<std::size_t> size_;     // of each part
};

}  // namespace

std::vector<std::uint32_t> Parts::rows_of(std::size_t part) const {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t n = 0; n < of_row.size(); ++n) {
    if (of_row[n] == part) rows.push_back(n);
  }
  return rows;
}

std::vector<std::uint32_t> Parts::others(std::size_t part) const {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t n = 0; n < of_row.size(); ++n) {
    if (of_row[n] != part) rows.push_back(n);
  }
  return rows;
}

Parts random_parts(std::size_t rows, std::size_t count, Rng rng) {
  require_parts(count);
  Parts parts{std::vector<std::uint32_t>(rows), count};
  for (std::size_t n = 0; n < rows; ++n) parts.of_row[n] = static_cast<std::uint32_t>(n % count);
  for (std::size_t n = rows; n > 1; --n) std::swap(parts.of_row[n - 1], parts.of_row[rng.below(n)]);
  return parts;
}

Parts stratified_parts(const BitMatrix& sets, std::span<const double> shares, Seed seed) {
  return {Dealer(sets, shares, seed).deal(), shares.size()};
}

Parts stratified_parts(const BitMatrix& sets, std::size_t count, Seed seed) {
  Parts parts = stratified_parts(sets, std::vector<double>(count, 1.0), seed);
  if (count > 1) LabelSpread(sets, parts).mend();
  return parts;
}

Parts stratified_parts(std::span<const std::uint32_t> label, std::size_t count, Seed seed) {
  BitMatrix sets(label.size(), label.empty() ? 0 : 1 + *std::max_element(label.begin(), label.end()));
  for (std::size_t n = 0; n < label.size(); ++n) sets.set(n, label[n]);
  return stratified_parts(sets, count, seed);
}

Parts grouped_parts(std::span<const std::uint32_t> group, std::size_t count, Rng rng) {
  require_parts(count);
  std::vector<std::size_t> size(group.empty() ? 0 : 1 + *std::max_element(group.begin(), group.end()), 0);
  for (const std::uint32_t g : group) ++size[g];
  std::vector<std::uint32_t> order = shuffled(size.size(), rng);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return size[a] > size[b]; });
  std::vector<std::size_t> in_part(count, 0);
  std::vector<std::uint32_t> part_of(size.size());
  for (const std::uint32_t g : order) {
    const auto smallest = std::min_element(in_part.begin(), in_part.end());
    part_of[g] = static_cast<std::uint32_t>(smallest - in_part.begin());
    *smallest += size[g];
  }
  Parts parts{std::vector<std::uint32_t>(group.size()), count};
  for (std::size_t n = 0; n < group.size(); ++n) parts.of_row[n] = part_of[group[n]];
  return parts;
}

Parts given_parts(std::vector<std::uint32_t> of_row) {
  const std::size_t count = of_row.empty() ? 0 : 1 + *std::max_element(of_row.begin(), of_row.end());
  return {std::move(of_row), count};
}

CutRows cut_by_lot(std::size_t rows, std::size_t most, std::size_t one_in, Cut cut, Rng rng) {
  const std::vector<std::uint32_t> order = drawn_by_lot(rows, most, rng);
  const std::size_t in_front = order.size() / one_in;
  CutRows result;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_aside = cut == Cut::in_front ? i < in_front : i % one_in == 0;
    (is_aside ? result.aside : result.rest).push_back(order[i]);
  }
  return result;
}

std::vector<std::uint32_t> sample_by_lot(std::size_t rows, std::size_t most, Rng rng) {
  std::vector<std::uint32_t> sample = drawn_by_lot(rows, most, rng);
  std::sort(sample.begin(), sample.end());
  return sample;
}

}  // namespace motet
