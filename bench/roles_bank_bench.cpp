// Role mining where the sets of roles are too many to list: a whole fit, roles, posteriors and exceptions, without
// reading and writing.
//
//   roles_grown       5,000 users x 2,000 permissions, 60 roles
//   roles_bank        50,000 x 20,000, 300 roles, about 1.4 million pairs
//   roles_many_pairs  20,000 x 500, 50 roles of which each permission is in several, about 2.2 million pairs
// The last two need MOTET_BENCH_LARGE=1. Up to three roles per user; a twentieth of the pairs is lost, and as many are
// added by chance. `exact` is the share of the planted roles that are found to the last permission, `peak_MB` the most
// memory the process used, the simulated data among it, `data_MB` the bits of users x permissions.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <set>
#include <string>

#include "experiments/peak_memory.h"
#include "motet/roles/mine.h"
#include "motet/roles/simulate.h"

namespace motet::roles {
namespace {

constexpr double noise = 0.05;

struct Scale {
  std::size_t users;
  std::size_t permissions;
  std::size_t roles;
  double role_density;
};

PlantedAccess made(const Scale& scale) {
  SimulateAccessOptions options;
  options.users = scale.users;
  options.permissions = scale.permissions;
  options.roles = scale.roles;
  options.max_roles_per_user = 3;
  options.role_density = scale.role_density;
  options.noise_fraction = noise;
  options.set_probability = 2.0 * scale.role_density;  // a user has two roles on average
  return simulate_access(options, Rng(Seed{1}));
}

double exact_share(const BitMatrix& truth, const BitMatrix& found) {
  std::set<std::vector<std::uint64_t>> rows;
  for (std::size_t k = 0; k < found.rows(); ++k) rows.emplace(found.row(k).begin(), found.row(k).end());
  double count = 0.0;
  for (std::size_t k = 0; k < truth.rows(); ++k) {
    count += rows.contains({truth.row(k).begin(), truth.row(k).end()}) ? 1.0 : 0.0;
  }
  return count / static_cast<double>(truth.rows());
}

void mine_scale(benchmark::State& state, const Scale& scale) {
  PlantedAccess planted = made(scale);
  planted.clean = {};
  RunContext run;
  run.threads = {static_cast<unsigned>(state.range(0))};
  forget_peak();
  for ([[maybe_unused]] auto _ : state) {
    const RoleFit fit = mine_roles({&planted.access, nullptr, nullptr}, scale.roles, {}, {}, run);
    state.counters["exact"] = exact_share(planted.roles, rounded_roles(fit.model));
  }
  state.counters["pairs"] = static_cast<double>(planted.access.held.count());
  state.counters["peak_MB"] = peak_megabytes();
  state.counters["data_MB"] =
      static_cast<double>(scale.users) * static_cast<double>(planted.access.held.words()) * 8.0 / 1048576.0;
}

bool is_large(benchmark::State& state) {
  if (std::getenv("MOTET_BENCH_LARGE") != nullptr) return true;
  state.SkipWithError("set MOTET_BENCH_LARGE=1 for a bank's size and for millions of pairs");
  return false;
}

void roles_grown(benchmark::State& state) { mine_scale(state, {5'000, 2'000, 60, 0.0075}); }
void roles_bank(benchmark::State& state) {
  if (is_large(state)) mine_scale(state, {50'000, 20'000, 300, 0.00075});
}
void roles_many_pairs(benchmark::State& state) {
  if (is_large(state)) mine_scale(state, {20'000, 500, 50, 0.11});
}
BENCHMARK(roles_grown)->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK(roles_bank)->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK(roles_many_pairs)->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);

}  // namespace
}  // namespace motet::roles
