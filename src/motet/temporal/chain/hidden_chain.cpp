#include "motet/temporal/chain/hidden_chain.h"

#include <algorithm>
#include <cmath>
#include "motet/base/numeric.h"

namespace motet::temporal {
namespace {

constexpr double prior_count = 1.0;  // of a start and of each component's transitions

void set_shares(std::span<const double> counts, std::span<double> shares) {
  double total = prior_count;
  for (const double count : counts) total += count;
  const double each = prior_count / static_cast<double>(counts.size());
  for (std::size_t k = 0; k < counts.size(); ++k) shares[k] = (counts[k] + each) / total;
}

// log p(x_n | z_n = k) of the rows of one sequence, row by row, with what labels forbid.
class Evidence {
 public:
  Evidence(const FieldProblem& problem, const AllowedComponents& allowed, std::size_t begin, std::size_t end)
      : components_(problem.components), logs_((end - begin) * components_, -infinity) {
    for (std::size_t n = begin; n < end; ++n) {
      double* const own = logs_.data() + (n - begin) * components_;
      double largest = -infinity;
      for (const std::uint8_t k : allowed.of(n)) {
        own[k] = problem.densities[k * problem.rows() + n];
        largest = std::max(largest, own[k]);
      }
      if (!(largest > -infinity)) {
        is_possible_ = false;
        for (const std::uint8_t k : allowed.of(n)) own[k] = 0.0;
      }
    }
  }

  std::span<const double> row(std::size_t n) const { return {logs_.data() + n * components_, components_}; }
  bool is_possible() const { return is_possible_; }

  // e^(log p - the largest), which is returned.
  double scaled(std::size_t n, std::span<double> to) const {
    const std::span<const double> own = row(n);
    const double largest = *std::max_element(own.begin(), own.end());
    for (std::size_t k = 0; k < components_; ++k) to[k] = std::exp(own[k] - largest);
    return largest;
  }

 private:
  std::size_t components_;
  std::vector<double> logs_;
  bool is_possible_ = true;
};

// before^T A
void predict(const HiddenChain& chain, std::span<const double> before, std::span<double> after) {
  std::fill(after.begin(), after.end(), 0.0);
  const std::size_t components = before.size();
  for (std::size_t j = 0; j < components; ++j) {
    const double* const line = chain.transition.data() + j * components;
    for (std::size_t k = 0; k < components; ++k) after[k] += before[j] * line[k];
  }
}

}  // namespace

std::size_t chain_count(std::size_t components) { return components + components * components; }

HiddenChain chain_from_counts(std::span<const double> counts, std::size_t components) {
  HiddenChain chain{std::vector<double>(components), std::vector<double>(components * components)};
  set_shares(counts.first(components), chain.start);
  for (std::size_t j = 0; j < components; ++j) {
    set_shares(counts.subspan(components + j * components, components),
               std::span(chain.transition).subspan(j * components, components));
  }
  return chain;
}

double log_chain_prior(const HiddenChain& chain) {
  double sum = 0.0;
  for (const double p : chain.start) sum += std::log(p);
  for (const double p : chain.transition) sum += std::log(p);
  return sum * prior_count / static_cast<double>(chain.start.size());
}

double chain_posterior(const FieldProblem& problem, const AllowedComponents& allowed, const HiddenChain& chain,
                       std::size_t begin, std::size_t end, std::span<double> responsibilities,
                       std::span<double> counts) {
  const std::size_t components = problem.components;
  const std::size_t rows = end - begin;
  if (rows == 0) return 0.0;
  const Evidence evidence(problem, allowed, begin, end);
  std::vector<double> forward(rows * components);  // p(z_n | x_1 ... x_n)
  std::vector<double> evident(rows * components);  // scaled densities over the scale of the row
  double log_likelihood = 0.0;
  std::vector<double> predicted = chain.start;
  for (std::size_t n = 0; n < rows; ++n) {
    const std::span<double> alpha(forward.data() + n * components, components);
    const std::span<double> b(evident.data() + n * components, components);
    if (n > 0) predict(chain, {forward.data() + (n - 1) * components, components}, predicted);
    const double largest = evidence.scaled(n, b);
    double total = 0.0;  // above 0: so are all entries of the chain, and one density is 1
    for (std::size_t k = 0; k < components; ++k) total += alpha[k] = predicted[k] * b[k];
    for (std::size_t k = 0; k < components; ++k) {
      alpha[k] /= total;
      b[k] /= total;
    }
    log_likelihood += std::log(total) + largest;
  }
  std::vector<double> beta(components, 1.0);
  std::vector<double> ahead(components);  // b beta of the row after
  for (std::size_t n = rows; n-- > 0;) {
    const double* const alpha = forward.data() + n * components;
    if (n + 1 < rows) {
      for (std::size_t k = 0; k < components; ++k) ahead[k] = evident[(n + 1) * components + k] * beta[k];
      for (std::size_t j = 0; j < components; ++j) {
        const double* const line = chain.transition.data() + j * components;
        double sum = 0.0;
        for (std::size_t k = 0; k < components; ++k) sum += line[k] * ahead[k];
        beta[j] = sum;
        if (counts.empty() || alpha[j] == 0.0) continue;
        double* const to = counts.data() + components + j * components;
        for (std::size_t k = 0; k < components; ++k) to[k] += alpha[j] * line[k] * ahead[k];
      }
    }
    double total = 0.0;
    for (std::size_t k = 0; k < components; ++k) total += alpha[k] * beta[k];
    for (std::size_t k = 0; k < components; ++k) {
      const double share = alpha[k] * beta[k] / total;
      responsibilities[k * problem.rows() + begin + n] = share;
      if (n == 0 && !counts.empty()) counts[k] += share;
    }
  }
  return evidence.is_possible() ? log_likelihood : -infinity;
}

double chain_path(const FieldProblem& problem, const AllowedComponents& allowed, const HiddenChain& chain,
                  std::size_t begin, std::size_t end, std::span<std::uint8_t> states) {
  const std::size_t components = problem.components;
  const std::size_t rows = end - begin;
  if (rows == 0) return 0.0;
  const Evidence evidence(problem, allowed, begin, end);
  std::vector<double> logs(components * components);
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] = std::log(chain.transition[i]);
  std::vector<double> best(components);
  std::vector<double> next(components);
  for (std::size_t k = 0; k < components; ++k) best[k] = std::log(chain.start[k]) + evidence.row(0)[k];
  std::vector<std::uint8_t> from(rows * components);  // where the best path to a component comes from
  for (std::size_t n = 1; n < rows; ++n) {
    for (std::size_t k = 0; k < components; ++k) {
      std::size_t source = 0;
      for (std::size_t j = 1; j < components; ++j) {
        if (best[j] + logs[j * components + k] > best[source] + logs[source * components + k]) source = j;
      }
      next[k] = best[source] + logs[source * components + k] + evidence.row(n)[k];
      from[n * components + k] = static_cast<std::uint8_t>(source);
    }
    best.swap(next);
  }
  const auto end_of_path = std::max_element(best.begin(), best.end());
  auto state = static_cast<std::uint8_t>(end_of_path - best.begin());
  for (std::size_t n = rows; n-- > 0;) {
    states[begin + n] = state;
    state = from[n * components + state];
  }
  return evidence.is_possible() ? *end_of_path : -infinity;
}

}  // namespace motet::temporal
