// Statistics of label sets and densities of label sets.
//
// The pass that gathers the statistics of every label set, 1,000,000 items, 20 dimensions, 14
// labels, full scatter, against the matrix product X'X in the same run: `products` is the time of
// the pass divided by that of one product by Eigen, `blas` by that of OpenBLAS's dsyrk; all of them are
// CPU times, of the product on one thread. Few sets are those of at most two labels (106), many are random (about
// 16,000). Log densities of 106 sets, and of one set for each item: items per second. MOTET_BENCH_ROWS changes the
// number of items.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <algorithm>
#include <ctime>
#include <map>

#include "environment.h"
#include "motet/base/rng.h"
#include "motet/sources/density/set_density.h"
#include "motet/sources/statistics/set_statistics.h"

#ifdef MOTET_BENCH_BLAS
#include <cblas.h>
extern "C" void openblas_set_num_threads(int);
#endif

namespace motet {
namespace {

constexpr std::size_t dimensions = 20;
constexpr std::size_t labels = 14;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Body>
double least_seconds(const Body& body) {
  double least = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double start = cpu_seconds();
    body();
    least = std::min(least, cpu_seconds() - start);
  }
  return least;
}

struct Items {
  std::vector<double> x;
  LabelSetIndex index;

  explicit Items(bool many_sets) {
    const std::size_t rows = number_or("MOTET_BENCH_ROWS", 1'000'000);
    Rng rng(Seed{1});
    BitMatrix sets(rows, labels);
    x.reserve(rows * dimensions);
    for (std::size_t n = 0; n < rows; ++n) {
      if (many_sets) {
        for (std::size_t k = 0; k < labels; ++k) sets.set(n, k, rng.uniform() < 0.5);
      } else {
        sets.set(n, rng.below(labels));
        sets.set(n, rng.below(labels));
      }
      for (std::size_t d = 0; d < dimensions; ++d) x.push_back(3.0 + rng.normal());
    }
    index = index_label_sets(sets);
  }
};

const Items& items(bool many_sets) {
  static std::map<bool, Items> all;
  const auto found = all.find(many_sets);
  return found != all.end() ? found->second : all.emplace(many_sets, many_sets).first->second;
}

double eigen_seconds(const std::vector<double>& x) {
  const auto rows = static_cast<Eigen::Index>(x.size() / dimensions);
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> matrix(
      x.data(), rows, static_cast<Eigen::Index>(dimensions));
  return least_seconds([&] {
    Eigen::MatrixXd product(dimensions, dimensions);
    product.noalias() = matrix.transpose() * matrix;
    benchmark::DoNotOptimize(product.data());
  });
}

#ifdef MOTET_BENCH_BLAS
double blas_seconds(const std::vector<double>& x) {
  openblas_set_num_threads(1);
  std::vector<double> product(dimensions * dimensions);
  return least_seconds([&] {
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, dimensions, static_cast<int>(x.size() / dimensions), 1.0,
                x.data(), dimensions, 0.0, product.data(), dimensions);
    benchmark::DoNotOptimize(product.data());
  });
}
#else
double blas_seconds(const std::vector<double>&) { return 0.0; }
#endif

void gather_statistics(benchmark::State& state) {
  const Items& data = items(state.range(1) != 0);
  const auto threads = static_cast<unsigned>(state.range(0));
  const double eigen = eigen_seconds(data.x);
  const double blas = blas_seconds(data.x);
  double least = 1e300;
  for ([[maybe_unused]] const auto step : state) {
    const double start = cpu_seconds();
    const SetStatistics statistics =
        gather(data.index, data.x, dimensions, Family::gaussian, state.range(2) != 0, {threads});
    benchmark::DoNotOptimize(statistics.scatter.data());
    least = std::min(least, cpu_seconds() - start);
  }
  state.counters["sets"] = static_cast<double>(data.index.size());
  state.counters["products"] = least / eigen;
  state.counters["eigen_ms"] = eigen * 1e3;
  if (blas > 0.0) {
    state.counters["blas"] = least / blas;
    state.counters["blas_ms"] = blas * 1e3;
  }
}
BENCHMARK(gather_statistics)
    ->ArgNames({"threads", "many", "full"})
    ->ArgsProduct({{1, 2}, {0, 1}, {1}})
    ->Args({1, 0, 0})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

Sources random_sources(Covariance covariance) {
  Rng rng(Seed{2});
  Sources sources{Family::gaussian, Combination::sum, covariance, dimensions, labels};
  for (std::size_t i = 0; i < labels * dimensions; ++i) sources.location.push_back(rng.normal());
  const std::size_t count = covariance == Covariance::shared ? 1 : labels;
  for (std::size_t k = 0; k < count; ++k) {
    if (covariance == Covariance::diagonal) {
      for (std::size_t d = 0; d < dimensions; ++d) sources.spread.push_back(rng.uniform(0.5, 1.5));
    } else {
      for (std::size_t i = 0; i < dimensions * dimensions; ++i) {
        sources.spread.push_back(i % (dimensions + 1) == 0 ? rng.uniform(0.5, 1.5) : 0.01);
      }
    }
  }
  return sources;
}

constexpr std::size_t density_items = 20'000;

void density_table(benchmark::State& state) {
  const Items& data = items(false);
  const Sources sources = random_sources(static_cast<Covariance>(state.range(0)));
  const std::size_t rows = std::min(density_items, data.index.rows.size());
  const std::span<const double> x(data.x.data(), rows * dimensions);
  for ([[maybe_unused]] const auto step : state) {
    const std::vector<double> table = log_densities(sources, data.index.sets, x, {1});
    benchmark::DoNotOptimize(table.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
  state.SetLabel(covariance_words[state.range(0)]);
}
BENCHMARK(density_table)->Arg(1)->Arg(2)->Arg(3)->Unit(benchmark::kMillisecond)->UseRealTime();

void density_of_own_set(benchmark::State& state) {
  const Items& data = items(false);
  const Sources sources = random_sources(static_cast<Covariance>(state.range(0)));
  for ([[maybe_unused]] const auto step : state) {
    benchmark::DoNotOptimize(log_likelihood(sources, data.index.sets, data.index.of_row, data.x, {1}));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(data.index.rows.size()));
  state.SetLabel(covariance_words[state.range(0)]);
}
BENCHMARK(density_of_own_set)->Arg(1)->Arg(2)->Arg(3)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace motet
