#include "motet/roles/mac/weigh_ends.h"

#include <algorithm>
#include <cmath>

#include "motet/base/numeric.h"
#include "motet/roles/told_roles.h"

namespace motet::roles {
namespace {

constexpr double near_tie = 1e-3;          // of the objective, relative
constexpr double near_errors = 2.0;        // standard errors of the difference between two ends
constexpr std::size_t most_looked_at = 8;  // ends that differ
constexpr double same_end = 1e-7;          // the same: it is one end twice
constexpr double least_gain = 1e-5;        // the same, of held-out users: rounding

MeanSd difference_of(std::span<const double> one, std::span<const double> other) {
  std::vector<double> difference(one.size());
  for (std::size_t n = 0; n < difference.size(); ++n) difference[n] = one[n] - other[n];
  return mean_sd(difference);
}

}  // namespace

bool is_near_tie(double objective, double other) {
  return std::abs(objective - other) <= near_tie * std::max(std::abs(objective), std::abs(other));
}

bool is_same_end(double objective, double other) {
  return std::abs(objective - other) < same_end * std::abs(objective);
}

std::vector<std::size_t> near_ties(const std::vector<SearchStart>& ends, std::size_t most,
                                   const std::function<std::vector<double>(std::size_t end)>& likelihoods) {
  std::vector<std::size_t> near;
  std::vector<double> of_best;
  std::size_t looked_at = 0;
  for (std::size_t i = 0; i < ends.size() && near.size() < most && looked_at < most_looked_at; ++i) {
    const double here = ends[i].state.objective;
    const bool is_new = std::none_of(near.begin(), near.end(),
                                     [&](std::size_t j) { return is_same_end(here, ends[j].state.objective); });
    if (!is_new) continue;
    ++looked_at;
    if (!is_near_tie(here, ends.front().state.objective)) {
      if (of_best.empty()) of_best = likelihoods(0);
      const MeanSd worse = difference_of(of_best, likelihoods(i));
      if (!(worse.mean <= near_errors * worse.error)) continue;
    }
    near.push_back(i);
  }
  return near;
}

bool predicts_better(std::span<const double> one, std::span<const double> other) {
  const MeanSd gain = difference_of(one, other);
  const double least = least_gain * std::abs(mean_sd(std::vector(other.begin(), other.end())).mean);
  return gain.mean > std::max(gain.error, least);
}

std::vector<double> wrong_cells(const RoleModel& model, const BitMatrix& held, const RunContext& run) {
  const UserPosteriors users = user_posteriors(model, held, {}, run);
  const BitMatrix granted = boolean_product(told_roles(model, held, nullptr, users, {}, run), rounded_roles(model));
  std::vector<double> wrong;
  for (std::size_t n = 0; n < held.rows(); ++n) {
    wrong.push_back(static_cast<double>(bits_apart(held.row(n), granted.row(n))));
  }
  return wrong;
}

}  // namespace motet::roles
