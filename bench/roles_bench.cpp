// The E-step of role mining against the matrix product a BLAS would make of it, measured in
// the same run on one thread; whole EM iterations; and a whole fit.
//
// The E-step: 50,000 users, 512 permissions, the 211 sets of at most 2 of 20 roles. `ratio`
// is the time of one sgemm of that size divided by ours: above 1 we are faster.
// The fit: 200,000 users x 500 permissions, 20 roles, at most 2 per user, noise .3 of which
// a tenth sets bits. `products` is its time in sgemm products of 200,000 x 500 x 211,
// `peak_MB` the most memory the process ever used, `data_MB` the bits themselves.
// MOTET_BENCH_USERS changes the number of users of both; with MOTET_BENCH_LARGE=1 there is
// also a fit of a million users, which takes minutes.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>

#include "environment.h"
#include "experiments/peak_memory.h"
#include "motet/measure/boolean.h"
#include "motet/roles/mac/bit_product.h"
#include "motet/roles/mac/mac_em.h"
#include "motet/roles/mac/mac_fit.h"
#include "motet/roles/simulate.h"

#ifdef MOTET_BENCH_BLAS
#include <cblas.h>
extern "C" void openblas_set_num_threads(int);
#endif

namespace motet::roles {
namespace {

constexpr std::size_t roles = 20;
constexpr std::size_t permissions = 512;

PlantedAccess planted(std::size_t users, std::size_t columns) {
  SimulateAccessOptions options;
  options.users = users;
  options.permissions = columns;
  options.roles = roles;
  options.max_roles_per_user = 2;
  options.role_density = 0.1;
  options.noise_fraction = 0.3;
  options.set_probability = 0.1;
  return simulate_access(options, Rng(Seed{1}));
}

struct EStep {
  MergedMatrix data;
  BitMatrix roles;
  LabelSets sets;

  explicit EStep(PlantedAccess made)
      : data(merge_equal(made.access.held, {false, false})),
        roles(made.roles),
        sets(LabelSets::up_to(roles.rows(), 2)) {}
  MacShape shape(bool rounded) const {
    MacShape result;
    result.roles = roles.rows();
    result.sets = sets;
    result.rounded = rounded;
    return result;
  }
};

const EStep& e_step() {
  static const EStep made(planted(number_or("MOTET_BENCH_USERS", 50'000), permissions));
  return made;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Of this process: what one thread needs does not depend on what else the machine does.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

#ifdef MOTET_BENCH_BLAS
// CPU seconds of one single-precision product users x columns x sets on one thread: the best of three.
double sgemm_seconds(std::size_t users, std::size_t columns, std::size_t sets) {
  openblas_set_num_threads(1);
  const std::size_t block = std::min<std::size_t>(users, 50'000);  // so that a million users need no 2 GB of floats
  std::vector<float> x(block * columns, 0.5F);
  std::vector<float> w(columns * sets, 0.25F);
  std::vector<float> y(block * sets);
  double best = 1e300;
  for (int round = 0; round < 3; ++round) {
    const double start = cpu_seconds();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(block), static_cast<int>(sets),
                static_cast<int>(columns), 1.0F, x.data(), static_cast<int>(columns), w.data(), static_cast<int>(sets),
                0.0F, y.data(), static_cast<int>(sets));
    benchmark::DoNotOptimize(y.data());
    best = std::min(best, cpu_seconds() - start);
  }
  return best * static_cast<double>(users) / static_cast<double>(block);
}

double sgemm_of_e_step() {
  static const double seconds = sgemm_seconds(e_step().data.bits.rows(), permissions, e_step().sets.size());
  return seconds;
}

void roles_sgemm(benchmark::State& state) {
  const double flops =
      2.0 * static_cast<double>(e_step().data.bits.rows()) * permissions * static_cast<double>(e_step().sets.size());
  double seconds = 0.0;
  for ([[maybe_unused]] auto _ : state) {
    seconds = sgemm_seconds(e_step().data.bits.rows(), permissions, e_step().sets.size());
    state.SetIterationTime(seconds);
  }
  state.counters["Gflop/s"] = flops / seconds / 1e9;
}
BENCHMARK(roles_sgemm)->Unit(benchmark::kMillisecond)->UseManualTime();
#else
void roles_sgemm(benchmark::State& state) { state.SkipWithError("OpenBLAS was not found when this was built"); }
BENCHMARK(roles_sgemm);
double sgemm_seconds(std::size_t, std::size_t, std::size_t) { return 0.0; }
double sgemm_of_e_step() { return 0.0; }
#endif

// Called at the end: the mean time of an iteration against one product.
void compare(benchmark::State& state, double seconds) {
  if (sgemm_of_e_step() > 0.0 && seconds > 0.0) {
    state.counters["ratio"] = sgemm_of_e_step() / (seconds / static_cast<double>(state.iterations()));
  }
}

void roles_bit_product(benchmark::State& state) {
  const EStep& step = e_step();
  const std::size_t sets = step.sets.size();
  std::vector<double> weights(permissions * sets, 0.25);
  constexpr std::size_t block = 512;  // rows at a time, as in the E-step
  std::vector<double> scores(block * sets);
  const double start = cpu_seconds();
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t begin = 0; begin < step.data.bits.rows(); begin += block) {
      const std::size_t end = std::min(step.data.bits.rows(), begin + block);
      std::fill(scores.begin(), scores.end(), 0.0);
      add_bit_product(step.data.bits, begin, end, weights, sets, scores);
      benchmark::DoNotOptimize(scores.data());
    }
  }
  compare(state, cpu_seconds() - start);
}
BENCHMARK(roles_bit_product)->Unit(benchmark::kMillisecond);

void roles_and_popcount(benchmark::State& state) {
  const EStep& step = e_step();
  BitMatrix members(step.sets.size(), roles);
  for (std::size_t l = 0; l < step.sets.size(); ++l) {
    for (const std::uint32_t k : step.sets[l]) members.set(l, k);
  }
  const BitMatrix unions = boolean_product(members, step.roles);
  std::vector<std::uint32_t> counts(step.sets.size());
  const double start = cpu_seconds();
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t n = 0; n < step.data.bits.rows(); ++n) {
      count_common_ones(step.data.bits.row(n), unions, counts);
      benchmark::DoNotOptimize(counts.data());
    }
  }
  compare(state, cpu_seconds() - start);
}
BENCHMARK(roles_and_popcount)->Unit(benchmark::kMillisecond);

// One E-step and one M-step near the end of a fit.
void roles_em_iteration(benchmark::State& state) {
  const EStep& step = e_step();
  const bool rounded = state.range(0) != 0;
  const Threads threads{static_cast<unsigned>(state.range(1))};
  const MacShape shape = step.shape(rounded);
  std::vector<double> beta = absence_of(step.roles);
  if (!rounded) {
    for (double& b : beta) b = b < 0.5 ? 0.05 : 0.95;
  }
  const EmProblem problem = mac_problem(step.data, shape, threads);
  std::vector<double> parameters = mac_start(shape, beta, permissions, 0.03, 0.73);
  const auto start = std::chrono::steady_clock::now();
  for ([[maybe_unused]] auto _ : state) {
    parameters = problem.maximise(expect(problem, parameters, 1.0, threads), parameters);
  }
  compare(state, seconds_since(start));
}
BENCHMARK(roles_em_iteration)
    ->ArgsProduct({{0, 1}, {1, 2}})
    ->ArgNames({"rounded", "threads"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void fit_users(benchmark::State& state, std::size_t users) {
  constexpr std::size_t columns = 500;
  const PlantedAccess made = planted(users, columns);
  const BitMatrix truth = made.roles;
  const Access access = made.access;
  MineOptions options{.max_roles_per_user = 2};
  RunContext run;
  run.threads = {static_cast<unsigned>(state.range(0))};
  forget_peak();
  double error = 0.0;
  const auto start = std::chrono::steady_clock::now();
  for ([[maybe_unused]] auto _ : state) {
    const MacFit fit = fit_mac({&access, nullptr, nullptr}, roles, options, {}, run);
    error = match_roles(truth, rounded_roles(fit.model)).error;
  }
  const double seconds = seconds_since(start) / static_cast<double>(state.iterations());
  state.counters["role_error"] = error;
  state.counters["data_MB"] = static_cast<double>(users) * static_cast<double>(access.held.words()) * 8.0 / 1048576.0;
  state.counters["peak_MB"] = peak_megabytes();
  const double product = sgemm_seconds(users, columns, LabelSets::up_to(roles, 2).size());
  if (product > 0.0) state.counters["products"] = seconds / product;
}

void roles_fit(benchmark::State& state) { fit_users(state, number_or("MOTET_BENCH_USERS", 200'000)); }
BENCHMARK(roles_fit)->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);

void roles_fit_large(benchmark::State& state) {
  if (std::getenv("MOTET_BENCH_LARGE") == nullptr) {
    state.SkipWithError("set MOTET_BENCH_LARGE=1 for the fit of a million users");
    return;
  }
  fit_users(state, 1'000'000);
}
BENCHMARK(roles_fit_large)->Arg(2)->ArgName("threads")->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);

}  // namespace
}  // namespace motet::roles
