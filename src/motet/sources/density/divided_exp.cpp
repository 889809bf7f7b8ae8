#include "motet/sources/density/divided_exp.h"

#include <algorithm>
#include <cmath>

namespace motet {
namespace {

constexpr double near = 32.0;  // points that lie closer go by the series, else by the recurrence

// e[z] of points from 0 to `near`: sum_n h_n(z) / (n + m - 1)!, h_n the complete symmetric polynomials. No term is
// negative, so nothing cancels. `powers` are h_n of the first 1, 2 ... points over n!.
double by_series(std::span<const double> z) {
  const std::size_t m = z.size();
  double factorial = 1.0;  // (m - 1)!
  for (std::size_t i = 2; i < m; ++i) factorial *= static_cast<double>(i);
  std::vector<double> powers(m, 1.0);
  double ratio = 1.0;  // n! (m - 1)! / (n + m - 1)!
  double sum = 1.0;
  for (double n = 1.0;; n += 1.0) {
    powers[0] *= z[0] / n;
    for (std::size_t r = 1; r < m; ++r) powers[r] = powers[r - 1] + z[r] / n * powers[r];
    ratio *= n / (n + static_cast<double>(m) - 1.0);
    const double term = powers[m - 1] * ratio;
    sum += term;
    if (term < 1e-17 * sum && n > z[m - 1]) return sum / factorial;
  }
}

}  // namespace

double log_divided_exp(std::span<const double> points) {
  std::vector<double> z(points.begin(), points.end());
  std::sort(z.begin(), z.end());
  const std::size_t m = z.size();
  const double highest = z.back();
  if (m == 1) return highest;
  if (m == 2) {
    const double gap = highest - z[0];
    return gap > 0.0 ? highest + std::log(-std::expm1(-gap) / gap) : highest;
  }
  // table[i] is e[z_i ... z_(i + width)] over e^highest.
  std::vector<double> table(m);
  std::vector<double> shifted(m);
  for (std::size_t width = 0; width < m; ++width) {
    for (std::size_t i = 0; i + width < m; ++i) {
      const double gap = z[i + width] - z[i];
      if (gap > near) {
        table[i] = (table[i + 1] - table[i]) / gap;
        continue;
      }
      for (std::size_t j = 0; j <= width; ++j) shifted[j] = z[i + j] - z[i];
      table[i] = std::exp(z[i] - highest) * by_series({shifted.data(), width + 1});
    }
  }
  return highest + std::log(table[0]);
}

}  // namespace motet
