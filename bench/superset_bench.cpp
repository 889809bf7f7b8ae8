// One EM iteration of the mixture of `superset` against the product X W alone, measured in the same run,
// and a fit of a million rows in batches.
//
// An iteration: 20,000 rows, 100 features and the bias, 20 classes, 60 components, after the fifth of a
// fit; two Newton steps for all sticks. `products` is its time in products of 20,000 x 101 x 60 by OpenBLAS
// on one thread where it is there, else by ours: at most 15 is the aim. The times compared are processor
// times and the least of those seen, so that what else the machine does weighs little.
// The batches: 50 features, 20 classes, 60 components, 3 passes and 5 full iterations; `peak_ratio` is the most
// memory the process ever used over the data. It takes a minute: MOTET_BENCH_ROWS changes the number of
// rows, and it runs only with MOTET_BENCH_LARGE=1.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <string>

#include "environment.h"
#include "experiments/peak_memory.h"
#include "motet/superset/lsb_cmm/lsb_stochastic.h"
#include "motet/superset/simulate.h"

#ifdef MOTET_BENCH_BLAS
#include <cblas.h>
extern "C" void openblas_set_num_threads(int);
#endif

namespace motet::superset {
namespace {

constexpr std::size_t iteration_rows = 20'000;
constexpr std::size_t features = 100;
constexpr std::size_t classes = 20;
constexpr std::size_t components = 60;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

CandidateItems made(std::size_t rows, std::size_t dimensions) {
  BlobOptions blobs{.items = rows, .classes = classes, .dimensions = dimensions, .spread = 1.0};
  CandidateItems items = simulate_blobs(blobs, Rng(Seed{1}));
  // Candidates in place: a copy of the items would count as memory of the fit.
  std::vector<std::uint32_t> label;
  std::vector<std::size_t> starts{0};
  label.reserve(3 * rows);
  Rng rng(Seed{2});
  for (std::size_t n = 0; n < rows; ++n) {
    const auto own = static_cast<std::uint32_t>(items.truth[n]);
    std::uint32_t set[3] = {own, (own + 1 + static_cast<std::uint32_t>(rng.below(9))) % 20,
                            (own + 10 + static_cast<std::uint32_t>(rng.below(10))) % 20};
    std::sort(set, set + 3);
    label.insert(label.end(), set, set + 3);
    starts.push_back(label.size());
  }
  items.label = std::move(label);
  items.starts = std::move(starts);
  return items;
}

struct Iteration {
  CandidateItems items = made(iteration_rows, features);
  LsbRows rows{items, items.features.values, features};
  LsbRule rule;
  LsbParameters parameters;
  std::vector<double> rho;
  std::vector<float> slope;
  StickCurvature curvature{rows, {}, {1}};

  Iteration() {
    std::vector<std::uint32_t> order(classes);
    std::iota(order.begin(), order.end(), 0U);
    rule.max_iterations = 5;
    rule.prune = false;
    parameters =
        parameters_of(fit_from(rows, class_start(components, classes, order), rule, Rng(Seed{1}), {}, "").model);
    rho.resize(iteration_rows * parameters.width());
    slope.resize(rho.size());
  }

  void run(Threads threads) {
    LsbParameters moved = parameters;
    const ScaledTable table = scaled_table(moved.a, classes, rule.prior.alpha, moved.width());
    const EStepSums sums = e_step(rows, moved, table, {rho, slope}, {}, threads);
    for (std::size_t i = 0; i < moved.a.size(); ++i) moved.a[i] = rule.prior.alpha + sums.counts[i];
    passes = m_step(rows, moved, sums, {rho, slope}, curvature, rule.m_step, 1.0, threads).passes;
    benchmark::DoNotOptimize(moved.w.data());
  }
  std::size_t passes = 0;
};

Iteration& iteration() {
  static Iteration made;
  return made;
}

// Processor seconds of X W, the least of some.
double product_seconds() {
  static const double seconds = [] {
    constexpr std::size_t width = components;
    constexpr std::size_t wide = features + 1;
    const std::vector<double> x(iteration_rows * wide, 1.5);
    const std::vector<double> w(wide * width, 0.5);
    std::vector<double> u(iteration_rows * width);
    double least = 1e300;
    for (int repeat = 0; repeat < 20; ++repeat) {
      const double start = cpu_seconds();
#ifdef MOTET_BENCH_BLAS
      openblas_set_num_threads(1);
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, iteration_rows, width, wide, 1.0, x.data(), wide, w.data(),
                  width, 0.0, u.data(), width);
#else
      for (std::size_t n = 0; n < iteration_rows; n += LsbTasks::tile) {
        const std::size_t count = std::min(LsbTasks::tile, iteration_rows - n);
        multiply_rows(RowBlock<double>{x.data() + n * wide, count, wide}, w.data(), nullptr, width,
                      u.data() + n * width);
      }
#endif
      benchmark::DoNotOptimize(u.data());
      least = std::min(least, cpu_seconds() - start);
    }
    return least;
  }();
  return seconds;
}

void superset_product(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) state.SetIterationTime(product_seconds());
}
BENCHMARK(superset_product)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);

double least_on_one = 0.0;  // wall seconds, to compare two threads with

void superset_em_iteration(benchmark::State& state) {
  Iteration& problem = iteration();
  const Threads threads{static_cast<unsigned>(state.range(0))};
  const double product = product_seconds();
  double least = 1e300;
  double least_wall = 1e300;
  for ([[maybe_unused]] auto _ : state) {
    const double start = cpu_seconds();
    const double wall_start = wall_seconds();
    problem.run(threads);
    least = std::min(least, cpu_seconds() - start);
    least_wall = std::min(least_wall, wall_seconds() - wall_start);
  }
  state.counters["passes"] = static_cast<double>(problem.passes);
  if (threads.count == 1) {
    least_on_one = least_wall;
    state.counters["products"] = least / product;
  } else if (least_on_one > 0.0) {
    state.counters["times_faster"] = least_on_one / least_wall;
  }
}
BENCHMARK(superset_em_iteration)->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kMillisecond)->UseRealTime();

void superset_e_step(benchmark::State& state) {
  Iteration& problem = iteration();
  for ([[maybe_unused]] auto _ : state) {
    const ScaledTable table = scaled_table(problem.parameters.a, classes, 0.05, problem.parameters.width());
    benchmark::DoNotOptimize(
        e_step(problem.rows, problem.parameters, table, {problem.rho, problem.slope}, {}, {1}).sum_log_z);
  }
}
BENCHMARK(superset_e_step)->Unit(benchmark::kMillisecond);

void superset_batches(benchmark::State& state) {
  if (std::getenv("MOTET_BENCH_LARGE") == nullptr) {
    state.SkipWithError("needs MOTET_BENCH_LARGE=1");
    return;
  }
  const CandidateItems items = made(number_or("MOTET_BENCH_ROWS", 1'000'000), 50);
  std::vector<std::uint32_t> order(classes);
  std::iota(order.begin(), order.end(), 0U);
  SupersetOptions options{.components = components, .batch = 2000};
  LsbFit fit;
  for ([[maybe_unused]] auto _ : state) fit = fit_lsb_cmm(items, items.features.values, options, order, {});
  const double data =
      static_cast<double>(items.features.values.size() * sizeof(double) + items.label.size() * sizeof(std::uint32_t) +
                          items.starts.size() * sizeof(std::size_t));
  state.counters["peak_ratio"] = 1048576.0 * peak_megabytes() / data;
  state.counters["bound"] = fit.summary.objective.back();
  const std::size_t shown = std::min<std::size_t>(items.rows(), 20'000);
  const std::vector<double> p = class_probabilities(fit.model, std::span(items.features.values).first(shown * 50), {});
  double right = 0.0;
  for (std::size_t n = 0; n < shown; ++n) {
    const auto of = p.begin() + static_cast<std::ptrdiff_t>(n * classes);
    right += std::max_element(of, of + classes) - of == items.truth[n] ? 1.0 : 0.0;
  }
  state.counters["accuracy"] = right / static_cast<double>(shown);
}
BENCHMARK(superset_batches)->Unit(benchmark::kSecond)->Iterations(1)->UseRealTime();

}  // namespace
}  // namespace motet::superset
