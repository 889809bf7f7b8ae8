#include "motet/roles/mac/soft_starts.h"

#include <algorithm>
#include <cmath>

#include "motet/roles/mac/weigh_ends.h"

namespace motet::roles {
namespace {

constexpr std::size_t soft_first_steps = 4;
constexpr std::size_t soft_second_steps = 8;
constexpr std::size_t soft_last_steps = 30;
constexpr std::size_t polished = 3;  // fits that get these
constexpr double one_place = 1e-4;   // of the objective, relative

}  // namespace

std::vector<SoftStart> soft_starts(const std::vector<SearchStart>& ends, std::size_t most, bool has_noise) {
  std::vector<const SearchStart*> taken;
  for (const SearchStart& end : ends) {
    const bool is_new = std::none_of(taken.begin(), taken.end(), [&](const SearchStart* other) {
      return is_same_end(end.state.objective, other->state.objective);
    });
    if (is_new && (taken.size() < most || end.factors)) taken.push_back(&end);
  }
  std::vector<SoftStart> starts;
  for (const SearchStart* end : taken) {
    starts.push_back({end->name, end->state});
    if (!has_noise) continue;
    starts.push_back({end->name + ", without noise", end->state});
    starts.back().state.p0 = least_noise;
    starts.back().state.p1 = 1.0 - least_noise;
  }
  return starts;
}

std::vector<SoftFit> best_soft(const std::vector<std::vector<double>>& starts,
                               const std::function<EmResult(std::vector<double> start, std::size_t steps)>& fit) {
  std::vector<SoftFit> fits;
  for (std::size_t i = 0; i < starts.size(); ++i) fits.push_back({i, starts[i], 0.0});
  const auto race = [&](std::size_t steps, std::size_t stay) {
    for (SoftFit& one : fits) {
      EmResult result = fit(std::move(one.parameters), steps);
      one.parameters = std::move(result.parameters);
      one.objective = result.objective();
    }
    std::stable_sort(fits.begin(), fits.end(),
                     [](const SoftFit& a, const SoftFit& b) { return a.objective > b.objective; });
    // Two that came to one place are one. The best end is the first, with its noise and without.
    std::vector<SoftFit> others;
    for (SoftFit& one : fits) {
      const bool is_new = std::none_of(others.begin(), others.end(), [&](const SoftFit& other) {
        return std::abs(one.objective - other.objective) < one_place * std::abs(other.objective);
      });
      if ((is_new && others.size() < stay) || one.start < 2) others.push_back(std::move(one));
    }
    fits = std::move(others);
  };
  race(soft_first_steps, std::max(polished, (fits.size() + 1) / 2));
  race(soft_second_steps, polished);
  race(soft_last_steps, polished);
  return fits;
}

}  // namespace motet::roles
