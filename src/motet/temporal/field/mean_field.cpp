#include "motet/temporal/field/mean_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/temporal/field/quadratic_sums.h"

namespace motet::temporal {
namespace {

// The shares q of one sequence, rows begin ... begin + rows - 1 of the problem.
class Shares {
 public:
  Shares(const FieldProblem& problem, const AllowedComponents& allowed, double strength, std::size_t begin,
         std::span<double> shares)
      : problem_(problem),
        allowed_(allowed),
        strength_(strength),
        begin_(begin),
        shares_(shares),
        terms_(problem.components) {}

  double& share(std::size_t n, std::size_t k) { return shares_[k * problem_.rows() + begin_ + n]; }
  double density(std::size_t n, std::size_t k) const { return problem_.densities[k * problem_.rows() + begin_ + n]; }

  // A row of the start keeps what its label allows; equal shares when that is nothing.
  void make_valid(std::size_t n) {
    const std::span<const std::uint8_t> some = allowed_.of(begin_ + n);
    double total = 0.0;
    for (const std::uint8_t k : some) total += share(n, k);
    const bool is_usable = total > 0.0 && std::isfinite(total);
    for (std::size_t j = 0; j < some.size(); ++j) {
      terms_[j] = is_usable ? share(n, some[j]) / total : 1.0 / static_cast<double>(some.size());
    }
    set(n, some);
  }

  // Returns the largest change.
  template <class Sums>
  double update(std::size_t n, const Sums& sums) {
    const std::span<const std::uint8_t> some = allowed_.of(begin_ + n);
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < some.size(); ++j) {
      terms_[j] = density(n, some[j]) + strength_ * sums[some[j]];
      largest = std::max(largest, terms_[j]);
    }
    if (!std::isfinite(largest)) return 0.0;  // no component can explain the row: left as it is
    double total = 0.0;
    for (std::size_t j = 0; j < some.size(); ++j) {
      terms_[j] = std::exp(terms_[j] - largest);
      total += terms_[j];
    }
    double change = 0.0;
    for (std::size_t j = 0; j < some.size(); ++j) {
      terms_[j] /= total;
      change = std::max(change, std::abs(terms_[j] - share(n, some[j])));
    }
    set(n, some);
    return change;
  }

  // The row's part of sum q (log p - log q) + 1/2 sum q_nk sum_i w_i q_ik.
  template <class Sums>
  double bound(std::size_t n, const Sums& sums) {
    double bound = 0.0;
    for (const std::uint8_t k : allowed_.of(begin_ + n)) {
      const double q = share(n, k);
      if (q > 0.0) bound += q * (density(n, k) - std::log(q) + 0.5 * strength_ * sums[k]);
    }
    return bound;
  }

 private:
  void set(std::size_t n, std::span<const std::uint8_t> some) {
    if (some.size() < problem_.components) {
      for (std::size_t k = 0; k < problem_.components; ++k) share(n, k) = 0.0;
    }
    for (std::size_t j = 0; j < some.size(); ++j) share(n, some[j]) = terms_[j];
  }

  const FieldProblem& problem_;
  const AllowedComponents& allowed_;
  double strength_;
  std::size_t begin_;
  std::span<double> shares_;
  std::vector<double> terms_;
};

}  // namespace

double mean_field(const FieldProblem& problem, const TimeField& field, std::size_t most_sweeps, double tolerance,
                  std::span<double> responsibilities) {
  check(problem);
  const FieldTables tables(field);
  const AllowedComponents allowed(problem);
  double bound = 0.0;
  for (std::size_t i = 0; i + 1 < problem.starts.size(); ++i) {
    const std::size_t begin = problem.starts[i];
    const std::size_t rows = problem.starts[i + 1] - begin;
    if (rows == 0) continue;
    const Neighbours neighbours(tables, rows);
    Shares shares(problem, allowed, field.strength, begin, responsibilities);
    for (std::size_t n = 0; n < rows; ++n) shares.make_valid(n);
    const ShareSource source(responsibilities.data() + begin, problem.rows(), problem.components, field);
    with_sums(neighbours, source, problem.components, [&](auto& sums) {
      for (std::size_t sweep = 0; sweep < most_sweeps; ++sweep) {
        double change = 0.0;
        sums.start(0);
        for (std::size_t n = 0; n < rows; ++n, sums.step()) change = std::max(change, shares.update(n, sums));
        if (change <= tolerance) break;
      }
      sums.start(0);
      for (std::size_t n = 0; n < rows; ++n, sums.step()) bound += shares.bound(n, sums);
    });
  }
  return bound;
}

}  // namespace motet::temporal
