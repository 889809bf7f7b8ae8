#include "motet/multilabel/search/interval_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/multilabel/search/interval_cost.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t most_counted = 40;  // labels still to come; above, the sum of any number is bounded

struct IntervalTables {
  const Sources& sources;
  const SearchTerms& terms;
  std::size_t labels = 0;
  std::size_t width = 0;               // numbers of a sum
  std::size_t most = 0;                // largest number of labels
  std::size_t counted = 0;             // min(most, most_counted)
  std::vector<std::uint32_t> order{};  // label of a position; the last is decided first
  std::vector<double> value{};         // position x width
  std::vector<double> weight{};        // by position
  std::vector<double> start{};         // width: the background's
  std::vector<double> low{};
  std::vector<double> high{};      // open positions x labels to come (counted + 1: any number) x width
  std::vector<double> cheapest{};  // open positions x labels to come: least weights

  std::span<const double> row(const std::vector<double>& table, std::size_t open, std::size_t to_come) const {
    return std::span(table).subspan((open * (counted + 2) + std::min(to_come, counted + 1)) * width, width);
  }
};

// Sums of the r least and largest of the first p values, for all p and r.
void fill_sums(IntervalTables& tables) {
  const std::size_t rows = tables.counted + 2;
  const std::size_t width = tables.width;
  tables.low.assign((tables.labels + 1) * rows * width, 0.0);
  tables.high.assign((tables.labels + 1) * rows * width, 0.0);
  std::vector<double> sorted;
  for (std::size_t i = 0; i < width; ++i) {
    sorted.clear();
    double negative = 0.0;
    double positive = 0.0;
    for (std::size_t open = 1; open <= tables.labels; ++open) {
      const double value = tables.value[(open - 1) * width + i];
      sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), value), value);
      (value < 0.0 ? negative : positive) += value;
      double* const low = tables.low.data() + open * rows * width + i;
      double* const high = tables.high.data() + open * rows * width + i;
      for (std::size_t r = 1; r <= std::min(open, tables.counted); ++r) {
        low[r * width] = low[(r - 1) * width] + sorted[r - 1];
        high[r * width] = high[(r - 1) * width] + sorted[open - r];
      }
      low[(rows - 1) * width] = negative;
      high[(rows - 1) * width] = positive;
    }
  }
}

void fill_cheapest(IntervalTables& tables) {
  tables.cheapest.assign((tables.labels + 1) * (tables.labels + 1), 0.0);
  std::vector<double> sorted;
  for (std::size_t open = 1; open <= tables.labels; ++open) {
    const double weight = tables.weight[open - 1];
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), weight), weight);
    std::partial_sum(sorted.begin(), sorted.end(), tables.cheapest.data() + open * (tables.labels + 1) + 1);
  }
}

// What is decided first moves the density most, by the size of its values.
std::vector<std::uint32_t> order_by_size(const Sources& sources, std::span<const double> values, std::size_t width) {
  const std::size_t labels = sources.label_count();
  const std::size_t size = sources.dimensions;
  std::vector<double> scale(size, 1.0);
  if (is_gaussian(sources.family)) {
    for (std::size_t d = 0; d < size; ++d) {
      double sum = sources.noise.empty() ? 0.0 : sources.noise[d * size + d];
      for (std::size_t k = 0; k < sources.count; ++k) sum += values[k * width + size + d];
      scale[d] = sum;
    }
  }
  std::vector<double> key(labels);
  for (std::size_t k = 0; k < labels; ++k) {
    for (std::size_t d = 0; d < size; ++d) {
      const double value = std::min(std::abs(values[k * width + d]), 1e100);
      key[k] += value * value / scale[d];
    }
  }
  std::vector<std::uint32_t> order(labels);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
  return order;
}

class IntervalWalk {
 public:
  IntervalWalk(const IntervalTables& tables, const IntervalCost& cost, std::span<const std::uint8_t> allowed,
               BestSets& best)
      : tables_(tables), cost_(cost), best_(best), labels_(tables.labels), width_(tables.width), has_(labels_) {
    for (std::size_t p = 0; p < labels_; ++p) {
      free_.push_back(allowed.empty() || allowed[tables.order[p]] != 0 ? 1 : 0);
    }
    sums_.resize((labels_ + 1) * 2 * width_);
    low_.resize(width_);
    high_.resize(width_);
  }

  void near_start() {
    double now = exact();
    offer(now);
    while (true) {
      double least = no_cost_limit;
      std::size_t first = labels_;
      std::size_t second = labels_;
      const auto look = [&](std::size_t i, std::size_t j) {
        flip(i, j);
        const double value = exact();
        offer(value);
        if (value < least) {
          least = value;
          first = i;
          second = j;
        }
        flip(i, j);
      };
      for (std::size_t i = 0; i < labels_; ++i) {
        if (free_[i] == 0) continue;
        look(i, i);
        for (std::size_t j = 0; j < i; ++j) {
          if (free_[j] != 0 && has_[i] != has_[j]) look(i, j);
        }
      }
      if (!(least < now)) break;
      flip(first, second);
      now = least;
    }
    std::fill(has_.begin(), has_.end(), std::uint8_t{0});
  }

  void run() {
    std::copy(tables_.start.begin(), tables_.start.end(), sums_.begin());
    std::size_t from = 0;
    std::size_t to = std::min(tables_.most, labels_);
    const double bound = narrow(labels_, sums_.data(), 0, 0.0, from, to);
    if (best_.enter(bound)) visit(labels_, sums_.data(), 0, 0.0, from, to);
  }

 private:
  double members(std::size_t ones) const {
    return static_cast<double>(ones) + (tables_.sources.background ? 1.0 : 0.0);
  }

  void flip(std::size_t i, std::size_t j) {
    has_[i] ^= 1U;
    if (j != i) has_[j] ^= 1U;
  }

  double exact() {
    std::vector<double> sums = tables_.start;
    std::size_t ones = 0;
    double weight = 0.0;
    for (std::size_t p = 0; p < labels_; ++p) {
      if (has_[p] == 0) continue;
      ++ones;
      weight += tables_.weight[p];
      for (std::size_t i = 0; i < width_; ++i) sums[i] += tables_.value[p * width_ + i];
    }
    if (tables_.terms.constant[ones] == no_cost_limit) return no_cost_limit;
    return cost_.least(sums, sums, members(ones)) + tables_.terms.constant[ones] + weight;
  }

  void offer(double cost) {
    if (!(cost < best_.threshold())) return;
    found_.resize(labels_);
    for (std::size_t p = 0; p < labels_; ++p) found_[tables_.order[p]] = has_[p];
    best_.offer(cost, found_);
  }

  // Least bound over from ... to labels to come; leaves in from ... to those that can still win.
  double narrow(std::size_t open, const double* sums, std::size_t ones, double weight, std::size_t& from,
                std::size_t& to) {
    double least = no_cost_limit;
    std::size_t first = to + 1;
    std::size_t last = 0;
    for (std::size_t r = from; r <= std::min(to, open); ++r) {
      const double constant = tables_.terms.constant[ones + r];
      if (constant == no_cost_limit) continue;
      const std::span<const double> low = tables_.row(tables_.low, open, r);
      const std::span<const double> high = tables_.row(tables_.high, open, r);
      for (std::size_t i = 0; i < width_; ++i) {
        low_[i] = sums[i] + low[i];
        high_[i] = sums[i] + high[i];
      }
      const double bound =
          cost_.least(low_, high_, members(ones + r)) + constant + weight + tables_.cheapest[open * (labels_ + 1) + r];
      least = std::min(least, bound);
      if (!(bound < best_.threshold())) continue;
      first = std::min(first, r);
      last = r;
    }
    from = first;
    to = last;
    return least;
  }

  void visit(std::size_t open, const double* sums, std::size_t ones, double weight, std::size_t from, std::size_t to) {
    if (to == 0) {  // nothing more to come: decided
      offer(exact());
      return;
    }
    const std::size_t p = open - 1;
    double bounds[2] = {no_cost_limit, no_cost_limit};
    double weights[2] = {weight, weight + tables_.weight[p]};
    std::size_t froms[2] = {from, from > 0 ? from - 1 : 0};
    std::size_t tos[2] = {to, to - 1};
    for (std::size_t value = 0; value < 2; ++value) {
      if (value == 0 ? from > p : free_[p] == 0) continue;
      double* const next = sums_.data() + (p * 2 + value) * width_;
      for (std::size_t i = 0; i < width_; ++i) {
        next[i] = value == 0 ? sums[i] : sums[i] + tables_.value[p * width_ + i];
      }
      tos[value] = std::min(tos[value], p);
      bounds[value] = narrow(p, next, ones + value, weights[value], froms[value], tos[value]);
    }
    const std::size_t first = bounds[1] < bounds[0] ? 1 : 0;
    for (const std::size_t value : {first, 1 - first}) {
      if (bounds[value] == no_cost_limit || !best_.enter(bounds[value])) continue;
      has_[p] = static_cast<std::uint8_t>(value);
      visit(p, sums_.data() + (p * 2 + value) * width_, ones + value, weights[value], froms[value], tos[value]);
    }
    has_[p] = 0;
  }

  const IntervalTables& tables_;
  const IntervalCost& cost_;
  BestSets& best_;
  std::size_t labels_;
  std::size_t width_;
  std::vector<std::uint8_t> has_;   // by position
  std::vector<std::uint8_t> free_;  // whether a position may be 1
  std::vector<std::uint8_t> found_;
  std::vector<double> sums_;  // of the decided positions, by number of open ones and value
  std::vector<double> low_;
  std::vector<double> high_;
};

class IntervalPlan : public SearchPlan {
 public:
  IntervalPlan(const Sources& sources, const SearchTerms& terms)
      : sources_(sources), terms_(terms), tables_{sources_, terms_} {
    const std::vector<double> values = additive_values(sources_);
    tables_.labels = sources_.label_count();
    tables_.width = additive_parts(sources_) * sources_.dimensions;
    tables_.most = terms_.most();
    tables_.counted = std::min(tables_.most, most_counted);
    tables_.order = order_by_size(sources_, values, tables_.width);
    const auto begin = [&](std::size_t source) {
      return values.begin() + static_cast<std::ptrdiff_t>(source * tables_.width);
    };
    for (const std::uint32_t k : tables_.order) {
      tables_.value.insert(tables_.value.end(), begin(k), begin(k + 1));
      tables_.weight.push_back(terms_.weight[k]);
    }
    tables_.start.assign(tables_.width, 0.0);
    if (sources_.background) tables_.start.assign(begin(tables_.labels), begin(tables_.labels + 1));
    fill_sums(tables_);
    fill_cheapest(tables_);
  }

  void find(std::span<const double> x, std::span<const std::uint8_t> allowed, BestSets& best) const override {
    const IntervalCost cost(sources_, x);
    if (!cost.possible()) return;
    IntervalWalk walk(tables_, cost, allowed, best);
    walk.near_start();
    walk.run();
  }

 private:
  Sources sources_;
  SearchTerms terms_;
  IntervalTables tables_;
};

}  // namespace

bool is_diagonal(const Sources& sources) {
  if (!is_gaussian(sources.family)) return false;
  if (sources.covariance != Covariance::spherical && sources.covariance != Covariance::diagonal) return false;
  for (std::size_t i = 0; i < sources.noise.size(); ++i) {
    if (i % (sources.dimensions + 1) != 0 && sources.noise[i] != 0.0) return false;
  }
  return true;
}

std::unique_ptr<const SearchPlan> make_interval_plan(const Sources& sources, const SearchTerms& terms) {
  return std::make_unique<IntervalPlan>(sources, terms);
}

}  // namespace motet::multilabel
