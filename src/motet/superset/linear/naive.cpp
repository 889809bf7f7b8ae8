#include "motet/superset/linear/naive.h"

#include <algorithm>
#include <cmath>

namespace motet::superset {

LinearFit fit_naive(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions, double penalty,
                    const RunContext& run) {
  const EvidenceMatrix target = averaged(evidence);
  const RowLoss loss = [&](std::size_t n, std::span<const double> f, std::span<double> slope) {
    std::fill(slope.begin(), slope.end(), 0.0);
    const std::span<const double> t = target.row(n);
    if (is_silent(t)) return 0.0;
    double sum = 0.0;
    for (std::size_t l = 0; l < f.size(); ++l) {
      const double e = std::exp(-std::abs(f[l]));
      const double s = f[l] >= 0.0 ? 1.0 / (1.0 + e) : e / (1.0 + e);
      sum += std::max(f[l], 0.0) + std::log1p(e) - t[l] * f[l];
      slope[l] = s - t[l];
    }
    return sum;
  };
  return fit_linear(x, zero_scores(dimensions, evidence.classes), penalty, loss, {300, 1e-8, 1e-6}, run);
}

}  // namespace motet::superset
