#include "motet/roles/mac/noise_interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/numeric.h"
#include "motet/roles/mac/bit_product.h"
#include "motet/roles/sparse/grown_sets.h"

namespace motet::roles {

NoiseIntervals noise_intervals(const RoleModel& model, const BitMatrix& held, const UserPosteriors& users,
                               double confidence, const RunContext& run) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  NoiseIntervals result{{nothing, nothing}, {nothing, nothing}};
  if (model.noise == RoleNoise::none || model.scope != NoiseScope::global) return result;
  const double p0 = model.p0[0];
  const double p1 = model.p1[0];
  const bool is_symmetric = model.noise == RoleNoise::symmetric_flip;
  const std::size_t columns = model.permission_count();
  const std::size_t tasks = (held.rows() + block_rows - 1) / block_rows;
  const auto add_users = [&](std::size_t task, std::span<double> to) {
    for (std::size_t n = task * block_rows; n < std::min(held.rows(), (task + 1) * block_rows); ++n) {
      double by_p0 = 0.0;
      double by_p1 = 0.0;
      for (const SetShare& share : users.of(n)) {
        for (std::size_t d = 0; d < columns; ++d) {
          const double beta = union_beta(model, share.set, d);
          const double q = held_probability(model, d, beta);
          const double slope = share.probability * ((held(n, d) ? 1.0 : 0.0) - q) / (q * (1.0 - q));
          by_p0 += slope * beta;
          by_p1 += slope * (1.0 - beta);
        }
      }
      if (is_symmetric) {
        by_p0 -= by_p1;  // p1 = 1 - p0
        by_p1 = 0.0;
      }
      to[0] += by_p0 * by_p0;
      to[1] += by_p0 * by_p1;
      to[2] += by_p1 * by_p1;
    }
  };
  const std::vector<double> sums = model.grown ? grown_information(model, held, users, run.threads)
                                               : sum_over_tasks(tasks, 3, run.threads, add_users);
  double variance[3] = {0.0, 0.0, 0.0};  // of p0, of both, of p1
  if (is_symmetric) {
    if (!(sums[0] > 0.0)) return result;
    variance[0] = variance[2] = 1.0 / sums[0];
    variance[1] = -variance[0];
  } else {
    const double determinant = sums[0] * sums[2] - sums[1] * sums[1];
    if (!(determinant > 0.0)) return result;
    variance[0] = sums[2] / determinant;
    variance[1] = -sums[1] / determinant;
    variance[2] = sums[0] / determinant;
  }
  const double fraction = p0 + (1.0 - p1);
  const double z = normal_quantile(0.5 + 0.5 * confidence);
  const auto interval = [&](double value, double by0, double by1) {
    const double sd = std::sqrt(by0 * by0 * variance[0] + 2.0 * by0 * by1 * variance[1] + by1 * by1 * variance[2]);
    return Interval{std::clamp(value - z * sd, 0.0, 1.0), std::clamp(value + z * sd, 0.0, 1.0)};
  };
  result.fraction = interval(fraction, 1.0, -1.0);
  result.set_probability = interval(p0 / fraction, (fraction - p0) / (fraction * fraction), p0 / (fraction * fraction));
  return result;
}

}  // namespace motet::roles
