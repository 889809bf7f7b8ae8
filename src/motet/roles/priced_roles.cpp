#include "motet/roles/priced_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/base/numeric.h"
#include "motet/engine/iterate.h"
#include "motet/roles/merge.h"

namespace motet::roles {
namespace {

constexpr std::size_t rounds_a_price = 100;  // at one price
constexpr std::size_t users_together = 64;
constexpr double least_price = 1e-6;  // below it all is granted to everybody; and it keeps ties apart
constexpr double largest_price = 1e12;

using RowBits = std::span<const std::uint64_t>;

class Pricing {
 public:
  Pricing(const MergedMatrix& data, Factorization start, const PriceRules& rules, const RunContext& run)
      : data_(data),
        rules_(rules),
        run_(run),
        roles_(std::move(start.roles)),
        assigned_(std::move(start.assignments)),
        price_(rules.rises ? std::min(1.0, rules.price) : highest()) {}

  Factorization go() {
    const double last = highest();
    for (;;) {
      descend();
      if (price_ >= last) break;
      price_ = std::min(2.0 * price_, last);
    }
    if (std::isinf(rules_.price)) {
      keep_roles_wholly_held();
      descend();
    }
    return {std::move(roles_), std::move(assigned_)};
  }

 private:
  // Beyond the number of all cells nothing is worth one that is missing.
  double highest() const {
    const double users = std::accumulate(data_.row_weight.begin(), data_.row_weight.end(), 0.0);
    return std::min(rules_.price, (users + 1.0) * (static_cast<double>(data_.bits.columns()) + 1.0));
  }

  // What two roles grant amiss no single move takes away.
  void keep_roles_wholly_held() {
    for (std::size_t n = 0; n < assigned_.rows(); ++n) {
      const RowBits row = data_.bits.row(n);
      for (std::size_t k = 0; k < roles_.rows(); ++k) {
        bool is_held = true;
        for (std::size_t w = 0; w < row.size(); ++w) is_held = is_held && (roles_.row(k)[w] & ~row[w]) == 0;
        if (!is_held) assigned_.set(n, k, false);
      }
    }
  }

  void descend() {
    assign();
    Iterated fit;
    fit.objective = [&] { return -cost(); };
    fit.step = [&] {
      const BitMatrix roles = roles_;
      const BitMatrix assigned = assigned_;
      for (std::size_t k = rules_.frozen; k < roles_.rows(); ++k) reshape(k);
      assign();
      Step step;
      step.change = roles == roles_ && assigned == assigned_ ? 0.0 : 1.0;
      return step;
    };
    IterationRule rule;
    rule.max_iterations = rounds_a_price;
    iterate(fit, rule, run_, {});
    if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted");
  }

  double cost_of(RowBits row, RowBits granted) const {
    double extra = 0.0;
    double missing = 0.0;
    for (std::size_t w = 0; w < row.size(); ++w) {
      extra += std::popcount(row[w] & ~granted[w]);
      missing += std::popcount(granted[w] & ~row[w]);
    }
    return extra + price_ * missing;
  }

  double cost() const {
    const BitMatrix granted = boolean_product(assigned_, roles_);
    double sum = 0.0;
    for (std::size_t n = 0; n < granted.rows(); ++n) {
      sum += data_.row_weight[n] * cost_of(data_.bits.row(n), granted.row(n));
    }
    return sum;
  }

  void assign() {
    const std::size_t rows = data_.bits.rows();
    for_each_task((rows + users_together - 1) / users_together, run_.threads, [&](std::size_t task) {
      if (run_.cancelled()) return;
      std::vector<std::uint64_t> granted(data_.bits.words());
      for (std::size_t n = task * users_together; n < std::min(rows, (task + 1) * users_together); ++n) {
        while (move(n, granted)) {
        }
      }
    });
  }

  void union_of(std::size_t n, std::size_t without, std::vector<std::uint64_t>& granted) const {
    std::fill(granted.begin(), granted.end(), 0);
    for_each_bit(assigned_.row(n), [&](std::size_t k) {
      if (k == without) return;
      for (std::size_t w = 0; w < granted.size(); ++w) granted[w] |= roles_.row(k)[w];
    });
  }

  bool is_allowed(std::size_t n, std::size_t role, std::size_t without) const {
    return std::none_of(rules_.never_with_one_user.begin(), rules_.never_with_one_user.end(), [&](const auto& pair) {
      const std::size_t other = pair.first == role ? pair.second : pair.first;
      return (pair.first == role || pair.second == role) && other != without && assigned_(n, other);
    });
  }

  // What the user's cost becomes with a role more.
  double cost_with(RowBits row, const std::vector<std::uint64_t>& granted, std::size_t role, double before) const {
    double gain = 0.0;
    double loss = 0.0;
    const RowBits more = roles_.row(role);
    for (std::size_t w = 0; w < row.size(); ++w) {
      const std::uint64_t added = more[w] & ~granted[w];
      gain += std::popcount(added & row[w]);
      loss += std::popcount(added & ~row[w]);
    }
    return before - gain + price_ * loss;
  }

  // One role dropped, taken or swapped, whichever lowers the user's cost most; false when none does.
  bool move(std::size_t n, std::vector<std::uint64_t>& granted) {
    constexpr auto none = static_cast<std::size_t>(-1);
    const RowBits row = data_.bits.row(n);
    const std::size_t count = assigned_.count(n);
    union_of(n, none, granted);
    double best = cost_of(row, granted) - 1e-9;
    std::size_t dropped = none;
    std::size_t taken = none;
    const auto try_roles = [&](std::size_t without, double before) {
      for (std::size_t k = 0; k < roles_.rows(); ++k) {
        if (assigned_(n, k) || !is_allowed(n, k, without)) continue;
        const double cost = cost_with(row, granted, k, before);
        if (cost >= best) continue;
        best = cost;
        dropped = without;
        taken = k;
      }
    };
    if (count < rules_.most_roles) try_roles(none, best + 1e-9);
    std::vector<std::size_t> present;
    for_each_bit(assigned_.row(n), [&](std::size_t k) { present.push_back(k); });
    for (const std::size_t k : present) {
      union_of(n, k, granted);
      const double without = cost_of(row, granted);
      if (without < best) {
        best = without;
        dropped = k;
        taken = none;
      }
      try_roles(k, without);
    }
    if (dropped != none) assigned_.set(n, dropped, false);
    if (taken != none) assigned_.set(n, taken);
    return dropped != none || taken != none;
  }

  // A permission belongs to the role when that is cheaper for its members, other roles given.
  void reshape(std::size_t k) {
    const std::size_t columns = data_.bits.columns();
    std::vector<double> gain(columns);
    double members = 0.0;
    std::vector<std::uint64_t> others(data_.bits.words());
    for (std::size_t n = 0; n < data_.bits.rows(); ++n) {
      if (!assigned_(n, k)) continue;
      const double weight = data_.row_weight[n];
      members += weight;
      union_of(n, k, others);
      std::vector<std::uint64_t> held(others.size());
      for (std::size_t w = 0; w < held.size(); ++w) held[w] = data_.bits.row(n)[w] & ~others[w];
      for_each_bit(RowBits(others), [&](std::size_t d) { gain[d] += weight * price_; });
      for_each_bit(RowBits(held), [&](std::size_t d) { gain[d] += weight * (1.0 + price_); });
    }
    if (members == 0.0) return;
    for (double& g : gain) g -= members * price_;
    for (std::size_t d = 0; d < columns; ++d) roles_.set(k, d, gain[d] > 1e-9 * members * price_);
    for (const auto& [a, b] : rules_.never_in_one_role) {
      if (roles_(k, a) && roles_(k, b)) roles_.set(k, gain[a] < gain[b] ? a : b, false);
    }
  }

  const MergedMatrix& data_;
  const PriceRules& rules_;
  RunContext run_;
  BitMatrix roles_;
  BitMatrix assigned_;
  double price_;
};

}  // namespace

Factorization priced_roles(const BitMatrix& held, Factorization start, const PriceRules& rules, const RunContext& run) {
  const MergedMatrix data = merge_equal(held, {true, false});
  std::vector<std::uint32_t> first(data.bits.rows());
  for (std::size_t n = held.rows(); n-- > 0;) first[data.row_of[n]] = static_cast<std::uint32_t>(n);
  start.assignments = start.assignments.rows_of(first);
  Factorization found = Pricing(data, std::move(start), rules, run).go();
  found.assignments = found.assignments.rows_of(data.row_of);
  return found;
}

double cost_of_roles(const BitMatrix& held, const Factorization& factors, double price) {
  const BitMatrix granted = boolean_product(factors.assignments, factors.roles);
  double extra = 0.0;
  double missing = 0.0;
  for (std::size_t n = 0; n < held.rows(); ++n) {
    for (std::size_t w = 0; w < held.words(); ++w) {
      extra += std::popcount(held.row(n)[w] & ~granted.row(n)[w]);
      missing += std::popcount(granted.row(n)[w] & ~held.row(n)[w]);
    }
  }
  return missing == 0.0 ? extra : extra + price * missing;
}

double parse_over_grant_cost(const std::string& text) {
  if (text == "never") return infinity;
  const Result<double> number = parse_double(text);
  if (!number || !(number.value() >= least_price && number.value() <= largest_price)) {
    fail(ErrorKind::usage, fmt::format("--over-grant-cost: '{}' is not a number from {:g} to {:g} nor never", text,
                                       least_price, largest_price));
  }
  return number.value();
}

}  // namespace motet::roles
