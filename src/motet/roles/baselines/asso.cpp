#include "motet/roles/baselines/asso.h"

#include <algorithm>

#include "motet/base/error.h"
#include "motet/roles/mac/weighted_bits.h"

namespace motet::roles {
namespace {

constexpr double rounding = 1.0 - 1e-12;  // so that a share of exactly tau passes whatever tau's last bit

// together[d * D + d']: users who hold both.
BitMatrix candidates_at(double tau, const std::vector<std::int64_t>& together, std::size_t permissions) {
  BitMatrix candidates(permissions, permissions);
  for (std::size_t d = 0; d < permissions; ++d) {
    const std::int64_t* const with = together.data() + d * permissions;
    if (with[d] == 0) continue;
    const double least = tau * static_cast<double>(with[d]) * rounding;
    for (std::size_t other = 0; other < permissions; ++other) {
      if (static_cast<double>(with[other]) >= least) candidates.set(d, other);
    }
  }
  return candidates;
}

}  // namespace

std::vector<GreedyCover> association_covers(const MergedMatrix& data, std::size_t roles, const AssoOptions& options,
                                            const RunContext& run) {
  for (const double tau : options.taus) {
    if (!(tau > 0.0 && tau <= 1.0)) {
      fail(ErrorKind::usage, "tau = " + to_text(tau) + " is outside (0, 1]");
    }
  }
  const WeightLayout users(data.row_weight);
  const std::vector<std::int64_t> together = common_weights(users.arranged(data.bits.transposed()), users, run);
  std::vector<GreedyCover> covers;
  for (const double tau : options.taus) {
    if (run.observer) {
      run.observer({"choosing roles by association", static_cast<double>(covers.size()),
                    static_cast<double>(options.taus.size()), "thresholds"});
    }
    covers.push_back(
        greedy_cover(data, candidates_at(tau, together, data.bits.columns()), roles, options.weights, run));
  }
  return covers;
}

std::vector<BitMatrix> association_seeds(const MergedMatrix& data, std::size_t roles, const AssoOptions& options,
                                         const RunContext& run) {
  std::vector<BitMatrix> seeds;
  for (GreedyCover& cover : association_covers(data, roles, options, run)) {
    seeds.push_back(std::move(cover.result.roles));
  }
  return seeds;
}

Factorization asso(const MergedMatrix& data, std::size_t roles, const AssoOptions& options, const RunContext& run) {
  if (options.taus.empty()) fail(ErrorKind::usage, "taus: there are none; at least one is needed");
  std::vector<GreedyCover> covers = association_covers(data, roles, options, run);
  return std::move(std::min_element(covers.begin(), covers.end(), [](const GreedyCover& a, const GreedyCover& b) {
                     return a.error < b.error;
                   })->result);
}

}  // namespace motet::roles
