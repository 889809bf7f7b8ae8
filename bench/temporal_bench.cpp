// The passes of a mixture over time, and one EM iteration against scikit-learn's
// GaussianMixture, measured in the same run on one thread.
//
// An iteration: 1,000,000 rows, 13 dimensions, 2 components, full covariances. `ratio` is
// the least time of the peer divided by ours: above 1 we are faster. A sweep of iterated
// conditional modes at h = 2 and at h = 50; `states` lets one see that it did something.
// A warm iteration: what lies between an answer and the next question of a search.
// MOTET_BENCH_ROWS changes the number of rows.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

#include "environment.h"
#include "motet/base/rng.h"
#include "motet/engine/em.h"
#include "motet/temporal/field/icm.h"
#include "motet/temporal/mixture/mixture_step.h"
#include "motet/temporal/mixture/static_fit.h"
#include "motet/temporal/mixture/warm.h"

namespace motet::temporal {
namespace {

constexpr std::size_t dimensions = 13;
constexpr std::size_t run_rows = 37;  // of one component: an event of 3.7 s

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Rows {
  Features features;
  std::vector<std::uint8_t> states;
  GlobalShape global;
  Mixture mixture;

  Rows(std::size_t rows, std::size_t components) {
    Rng rng(Seed{1});
    for (std::size_t d = 0; d < dimensions; ++d) features.columns.push_back("x" + std::to_string(d + 1));
    features.starts = {0, rows};
    features.sequences = {"all"};
    features.values.reserve(rows * dimensions);
    for (std::size_t n = 0; n < rows; ++n) {
      states.push_back(static_cast<std::uint8_t>(n / run_rows % components));
      const double common = 2.0 * static_cast<double>(states.back()) + 0.5 * rng.normal();
      for (std::size_t d = 0; d < dimensions; ++d) features.values.push_back(common + rng.normal());
    }
    global = global_shape(features, 1e-6, {1});
    mixture.columns = features.columns;
    mixture.components.resize(components);
    maximise_from_states(features, states, {}, 0.0, global, {1}, mixture);
  }
};

const Rows& million() {
  static const Rows made(number_or("MOTET_BENCH_ROWS", 1'000'000), 2);
  return made;
}

// CPU seconds of the peer; 0 when it is not there.
double peer_seconds() {
#ifdef MOTET_BENCH_PEER
  static const double seconds = [] {
    const std::string command = MOTET_BENCH_PEER " " + std::to_string(million().features.rows()) + " 2>/dev/null";
    double read = 0.0;
    if (FILE* const pipe = ::popen(command.c_str(), "r")) {
      if (std::fscanf(pipe, "%lf", &read) != 1) read = 0.0;
      ::pclose(pipe);
    }
    return read;
  }();
  return seconds;
#else
  return 0.0;
#endif
}

void temporal_peer_iteration(benchmark::State& state) {
  if (!(peer_seconds() > 0.0)) {
    state.SkipWithError("scikit-learn was not found");
    return;
  }
  for ([[maybe_unused]] auto _ : state) state.SetIterationTime(peer_seconds());
}
BENCHMARK(temporal_peer_iteration)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);

void temporal_em_iteration(benchmark::State& state) {
  const Rows& data = million();
  const Threads threads{static_cast<unsigned>(state.range(0))};
  const EmProblem problem = static_problem(data.features, {}, data.global, 0.0, data.mixture);
  std::vector<double> parameters = to_parameters(data.mixture);
  const double peer = peer_seconds();
  double least = 1e300;  // as of the peer, so that what else the machine does weighs little
  for ([[maybe_unused]] auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    parameters = problem.maximise(expect(problem, parameters, 1.0, threads), parameters);
    benchmark::DoNotOptimize(parameters.data());
    least = std::min(least, threads.count == 1 ? cpu_seconds() - cpu_start : seconds_since(start));
  }
  if (peer > 0.0) state.counters["ratio"] = peer / least;
}
BENCHMARK(temporal_em_iteration)->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kMillisecond)->UseRealTime();

void temporal_log_densities(benchmark::State& state) {
  const Rows& data = million();
  const DensityFactors factors(data.mixture.components, dimensions);
  std::vector<double> densities(2 * data.features.rows());
  for ([[maybe_unused]] auto _ : state) {
    log_densities(factors, data.features, {static_cast<unsigned>(state.range(0))}, densities);
    benchmark::DoNotOptimize(densities.data());
  }
}
BENCHMARK(temporal_log_densities)->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kMillisecond)->UseRealTime();

void temporal_icm_sweep(benchmark::State& state) {
  const Rows& data = million();
  const DensityFactors factors(data.mixture.components, dimensions);
  std::vector<double> densities(2 * data.features.rows());
  log_densities(factors, data.features, {}, densities);
  const FieldProblem problem{data.features.starts, densities, 2, {}, {}};
  TimeField field{.radius = static_cast<std::size_t>(state.range(0))};
  field = with_total_weight(field, 6.0);
  std::vector<std::uint8_t> states;
  for ([[maybe_unused]] auto _ : state) {
    states.assign(data.features.rows(), 0);
    icm(problem, field, states, 1);
    benchmark::DoNotOptimize(states.data());
  }
  double sum = 0.0;
  for (const std::uint8_t z : states) sum += z;
  state.counters["states"] = sum / static_cast<double>(states.size());
}
BENCHMARK(temporal_icm_sweep)->Arg(2)->Arg(50)->ArgName("h")->Unit(benchmark::kMillisecond);

void temporal_warm_iteration(benchmark::State& state) {
  const Rows data(static_cast<std::size_t>(state.range(0)), 7);
  WarmState warm{data.mixture, data.states, {}, {}, 0.0};
  warm.mixture.classes = {"background"};
  for (Component& component : warm.mixture.components) component.of_class = 0;
  warm.mixture.field.radius = static_cast<std::size_t>(state.range(1));
  if (warm.mixture.field.radius > 0) warm.mixture.field = with_total_weight(warm.mixture.field, 4.0);
  RowLabels labels(data.features.rows(), -1);
  for (std::size_t n = 11; n < labels.size(); n += 997) labels[n] = 0;
  const Threads threads{static_cast<unsigned>(state.range(2))};
  warm_iteration(data.features, data.global, labels, 0.1, threads, warm);
  for ([[maybe_unused]] auto _ : state) {
    warm_iteration(data.features, data.global, labels, 0.1, threads, warm);
    benchmark::DoNotOptimize(warm.objective);
  }
}
BENCHMARK(temporal_warm_iteration)
    ->ArgsProduct({{6'500, 100'000}, {0, 18}, {1, 2}})
    ->ArgNames({"rows", "h", "threads"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace motet::temporal
