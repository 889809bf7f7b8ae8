#include "motet/superset/linear/clpl.h"

#include <algorithm>

namespace motet::superset {

LinearFit fit_clpl(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions, double penalty,
                   const RunContext& run) {
  const EvidenceMatrix share = averaged(evidence);
  const RowLoss loss = [&](std::size_t n, std::span<const double> f, std::span<double> slope) {
    const std::span<const double> m = evidence.row(n);
    std::fill(slope.begin(), slope.end(), 0.0);
    if (is_silent(m)) return 0.0;
    const std::span<const double> s = share.row(n);
    double mean = 0.0;
    for (std::size_t l = 0; l < f.size(); ++l) mean += s[l] * f[l];
    const double gap = std::max(0.0, 1.0 - mean);
    double sum = gap * gap;
    for (std::size_t l = 0; l < f.size(); ++l) {
      const double above = std::max(0.0, 1.0 + f[l]);
      sum += (1.0 - m[l]) * above * above;
      slope[l] = 2.0 * ((1.0 - m[l]) * above - gap * s[l]);
    }
    return sum;
  };
  return fit_linear(x, zero_scores(dimensions, evidence.classes), penalty, loss, {300, 1e-8, 1e-6}, run);
}

}  // namespace motet::superset
