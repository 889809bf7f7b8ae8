#include "motet/superset/linear/svm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "motet/engine/iterate.h"
#include "motet/superset/linear/clpl.h"

namespace motet::superset {
namespace {

constexpr std::size_t most_rounds = 20;
constexpr std::size_t steps_of_a_round = 40;
constexpr double relative_rise = 1e-6;  // of a round that ends the fit

// Row n's loss when label `best` is taken for the right one.
double loss_with(std::span<const double> m, std::span<const double> f, std::size_t best) {
  double sum = -std::log(m[best]);
  for (std::size_t l = 0; l < f.size(); ++l) {
    const double gap = l == best ? 0.0 : std::max(0.0, 1.0 - f[best] + f[l]);
    sum += (1.0 - m[l]) * gap * gap;
  }
  return sum;
}

std::size_t best_label(std::span<const double> m, std::span<const double> f) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t l = 0; l < f.size(); ++l) {
    if (!(m[l] > 0.0)) continue;
    const double loss = loss_with(m, f, l);
    // Among candidates that lose nothing the highest score is the one to keep.
    if (loss < least || (loss == least && f[l] > top)) {
      best = l;
      least = loss;
      top = f[l];
    }
  }
  return best;
}

}  // namespace

LinearFit fit_svm(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions, double penalty,
                  const RunContext& run) {
  LinearFit fit = fit_clpl(evidence, x, dimensions, penalty, run);
  std::vector<std::size_t> best(evidence.rows);
  const RowLoss loss = [&](std::size_t n, std::span<const double> f, std::span<double> slope) {
    const std::span<const double> m = evidence.row(n);
    std::fill(slope.begin(), slope.end(), 0.0);
    if (is_silent(m)) return 0.0;
    const std::size_t k = best[n];
    double sum = -std::log(m[k]);
    for (std::size_t l = 0; l < f.size(); ++l) {
      if (l == k) continue;
      const double gap = std::max(0.0, 1.0 - f[k] + f[l]);
      sum += (1.0 - m[l]) * gap * gap;
      slope[l] += 2.0 * (1.0 - m[l]) * gap;
      slope[k] -= 2.0 * (1.0 - m[l]) * gap;
    }
    return sum;
  };
  const auto choose = [&] {
    const std::vector<double> f = scores(fit.model, x, run.threads);
    for (std::size_t n = 0; n < evidence.rows; ++n) {
      best[n] = best_label(evidence.row(n), std::span(f).subspan(n * evidence.classes, evidence.classes));
    }
  };
  const auto objective = [&] { return -penalised_loss(x, fit.model, penalty, loss, run.threads); };
  choose();
  double now = objective();
  Iterated rounds;
  rounds.objective = [&] { return now; };
  rounds.step = [&] {
    LinearFit next = fit_linear(x, fit.model, penalty, loss, {steps_of_a_round, 1e-7, 1e-6}, run);
    fit.model = std::move(next.model);
    choose();
    const double before = std::exchange(now, objective());
    const bool is_last =
        next.summary.stop != Stop::interrupted && now - before <= relative_rise * (std::abs(now) + 1.0);
    return Step{is_last ? 0.0 : 1.0, {}};
  };
  IterationRule rule;
  rule.max_iterations = most_rounds + 1;
  rule.least_rise = -std::numeric_limits<double>::infinity();  // a step says itself whether it is the last
  fit.summary = iterate(rounds, rule, run, {});
  return fit;
}

}  // namespace motet::superset
