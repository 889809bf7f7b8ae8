#include "motet/roles/outliers.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/streams.h"
#include "motet/sources/sample.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_drawn = 10'000;  // their least p-value is a tenth of the default level
constexpr std::size_t least_drawn = 1'000;
constexpr double most_work = 2e9;          // users drawn, label sets and permissions held, multiplied
constexpr std::size_t users_a_draw = 256;  // of one random stream

double draw_beta(double a, double b, Rng& rng) {
  const double x = sample_gamma(a, rng);
  const double y = sample_gamma(b, rng);
  return x / (x + y);
}

// As many as tell p-values well, fewer where each costs much.
std::size_t drawn_users(const RoleModel& model, const BitMatrix& held) {
  const double each =
      static_cast<double>(model.sets.size()) *
      (1.0 + static_cast<double>(held.count()) / static_cast<double>(std::max<std::size_t>(held.rows(), 1)));
  const double affordable = most_work / each;
  return static_cast<std::size_t>(
      std::clamp(affordable, static_cast<double>(least_drawn), static_cast<double>(most_drawn)));
}

}  // namespace

BitMatrix draw_model_users(const RoleModel& model, std::size_t users, const RunContext& run) {
  const std::size_t columns = model.permission_count();
  const bool by_user = model.scope == NoiseScope::user && model.user_noise.size() == 4;
  const std::vector<double>& share = model.attributes ? model.attributes->marginal : model.set_share;
  BitMatrix held(users, columns);
  for_each_task((users + users_a_draw - 1) / users_a_draw, run.threads, [&](std::size_t task) {
    Rng rng = stream(run.seed, Stream::roles_model_users, task);
    for (std::size_t n = task * users_a_draw; n < std::min(users, (task + 1) * users_a_draw); ++n) {
      const std::size_t set = rng.categorical(share);
      const double p0 = by_user ? draw_beta(model.user_noise[0], model.user_noise[1], rng) : 0.0;
      const double p1 = by_user ? draw_beta(model.user_noise[2], model.user_noise[3], rng) : 1.0;
      for (std::size_t d = 0; d < columns; ++d) {
        const double beta = union_beta(model, set, d);
        // User-wise noise is that of rounded roles.
        const double q = by_user ? (beta < 0.5 ? p1 : p0) : held_probability(model, d, beta);
        if (rng.uniform() < q) held.set(n, d);
      }
    }
  });
  return held;
}

UserEstimates estimate_users(const RoleModel& model, const BitMatrix& held, const UserPosteriors& users,
                             const BitMatrix& told, const BitMatrix* known, const OutlierOptions& options,
                             const RunContext& run) {
  check_ranges(options);
  UserEstimates result;
  const BitMatrix roles = rounded_roles(model);
  std::vector<std::uint64_t> granted(held.words());
  for (std::size_t n = 0; n < held.rows(); ++n) {
    const SetShare& best = users.of(n).front();
    UserEstimate one{static_cast<std::uint32_t>(n), users.log_likelihood[n], no_number, best.probability};
    std::fill(granted.begin(), granted.end(), 0);
    for_each_bit(told.row(n), [&](std::size_t k) {
      for (std::size_t w = 0; w < granted.size(); ++w) granted[w] |= roles.row(k)[w];
    });
    std::size_t cells = known == nullptr ? held.columns() : known->count(n);
    for (std::size_t w = 0; w < held.words(); ++w) {
      const std::uint64_t mask = known == nullptr ? ~std::uint64_t{0} : known->row(n)[w];
      const std::uint64_t has = held.row(n)[w];
      one.extra += static_cast<std::uint32_t>(std::popcount(has & ~granted[w] & mask));
      one.missing += static_cast<std::uint32_t>(std::popcount(~has & granted[w] & mask));
    }
    one.noise = cells > 0 ? static_cast<double>(one.extra + one.missing) / static_cast<double>(cells) : 0.0;
    one.is_doubtful = one.set_probability < options.reject_below;
    result.doubtful += one.is_doubtful ? 1 : 0;
    result.users.push_back(one);
  }
  if (known != nullptr || held.rows() == 0 || options.outlier_level <= 0.0) return result;
  const RunContext quiet = unheard(run);
  result.drawn = drawn_users(model, held);
  std::vector<double> drawn =
      user_posteriors(model, draw_model_users(model, result.drawn, quiet), {}, quiet).log_likelihood;
  std::sort(drawn.begin(), drawn.end());
  // Drawn users have no attributes, so those of the data are compared without theirs.
  const std::vector<double> observed =
      model.attributes ? user_posteriors(model, held, {}, quiet).log_likelihood : users.log_likelihood;
  for (UserEstimate& one : result.users) {
    const auto less = std::upper_bound(drawn.begin(), drawn.end(), observed[one.user]) - drawn.begin();
    one.p_value = (1.0 + static_cast<double>(less)) / (1.0 + static_cast<double>(result.drawn));
    one.is_outlier = one.p_value <= options.outlier_level;
    result.outliers += one.is_outlier ? 1 : 0;
  }
  result.expected_outliers = options.outlier_level * static_cast<double>(held.rows());
  return result;
}

}  // namespace motet::roles
