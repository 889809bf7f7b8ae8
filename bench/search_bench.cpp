// The exact search for the best label set: time per item and nodes of the tree, where looking at
// every set would take 2^K (or, to degree 4 of 40 labels, 102,090) densities per item.
//
// Means uniform in [-2, 2]^D as in the thesis's experiments, one covariance s2 times the identity,
// degrees 1 to 4 equally likely, sets of a degree equally likely. `nodes` is the median over the
// items, `most_nodes` the largest, `right` the share of items whose own set is found.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/rng.h"
#include "motet/multilabel/search/search.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t items = 101;

enum class Kind { shared, diagonal, mean };

struct Problem {
  MultilabelModel model;
  SearchOptions options;
  BitMatrix truth;
  std::vector<double> x;  // items x D
};

Problem make_problem(std::size_t labels, std::size_t dimensions, std::size_t degree, double s2, Kind kind) {
  Rng rng(Seed{5});
  Problem problem;
  Sources& sources = problem.model.sources;
  sources.covariance = kind == Kind::diagonal ? Covariance::diagonal : Covariance::shared;
  sources.combination = kind == Kind::mean ? Combination::mean : Combination::sum;
  sources.dimensions = dimensions;
  sources.count = labels;
  for (std::size_t i = 0; i < labels * dimensions; ++i) sources.location.push_back(rng.uniform(-2.0, 2.0));
  if (kind == Kind::diagonal) {  // half to one and a half times s2
    for (std::size_t i = 0; i < labels * dimensions; ++i) sources.spread.push_back(s2 * rng.uniform(0.5, 1.5));
  } else {
    sources.spread.resize(dimensions * dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) sources.spread[d * dimensions + d] = s2;
  }
  LabelSetPrior& prior = problem.model.prior;
  const std::size_t most = degree == 0 ? labels : degree;
  prior.sets = BitMatrix(0, labels);
  prior.log_odds.assign(labels, 0.0);
  prior.log_degree.assign(labels + 1, -std::log(static_cast<double>(most)));
  prior.log_degree[0] = -std::numeric_limits<double>::infinity();
  problem.options.max_degree = degree;
  problem.truth = BitMatrix(items, labels);
  for (std::size_t n = 0; n < items; ++n) {
    const std::size_t m = 1 + rng.below(most);
    while (problem.truth.count(n) < m) problem.truth.set(n, rng.below(labels));
    for (std::size_t d = 0; d < dimensions; ++d) {
      double value = 0.0;
      for_each_bit(problem.truth.row(n), [&](std::size_t k) {
        const double variance = kind == Kind::diagonal ? sources.spread[k * dimensions + d] : s2;
        value += sources.location[k * dimensions + d] + std::sqrt(variance) * rng.normal();
      });
      problem.x.push_back(kind == Kind::mean ? value / static_cast<double>(m) : value);
    }
  }
  return problem;
}

void search(benchmark::State& state, Kind kind, double s2) {
  const auto labels = static_cast<std::size_t>(state.range(0));
  const auto dimensions = static_cast<std::size_t>(state.range(1));
  const Problem problem = make_problem(labels, dimensions, static_cast<std::size_t>(state.range(2)), s2, kind);
  SearchOptions options = problem.options;
  options.best = static_cast<std::size_t>(state.range(3));
  const SetSearch plan(problem.model, options);
  std::vector<std::size_t> nodes;
  std::size_t right = 0;
  std::size_t done = 0;
  for (auto unused : state) {
    const std::size_t n = done++ % items;
    const FoundSets found = plan.find(std::span(problem.x).subspan(n * dimensions, dimensions));
    benchmark::DoNotOptimize(found.score.data());
    if (done <= items) {
      nodes.push_back(found.nodes);
      right += std::ranges::equal(found.sets.row(0), problem.truth.row(n)) ? 1 : 0;
    }
  }
  std::sort(nodes.begin(), nodes.end());
  state.counters["nodes"] = static_cast<double>(nodes[nodes.size() / 2]);
  state.counters["most_nodes"] = static_cast<double>(nodes.back());
  state.counters["right"] = static_cast<double>(right) / static_cast<double>(nodes.size());
}

void shared_noisy(benchmark::State& state) { search(state, Kind::shared, 0.5); }
void shared_clear(benchmark::State& state) { search(state, Kind::shared, 0.05); }
void mean_noisy(benchmark::State& state) { search(state, Kind::mean, 0.5); }
void diagonal_noisy(benchmark::State& state) { search(state, Kind::diagonal, 0.5); }

// labels, dimensions, largest degree (0: any), sets found.
BENCHMARK(shared_noisy)
    ->Name("best_set_shared")
    ->Args({10, 10, 4, 1})
    ->Args({20, 20, 4, 1})
    ->Args({40, 40, 4, 1})
    ->Args({40, 40, 4, 16})
    ->Args({40, 20, 4, 1})
    ->Args({20, 20, 0, 1})
    ->Args({30, 60, 0, 1})
    ->Iterations(items)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(shared_clear)
    ->Name("best_set_shared_clear")
    ->Args({40, 40, 0, 1})
    ->Iterations(items)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(mean_noisy)->Name("best_set_mean")->Args({40, 40, 4, 1})->Iterations(items)->Unit(benchmark::kMicrosecond);
BENCHMARK(diagonal_noisy)
    ->Name("best_set_diagonal")
    ->Args({10, 10, 0, 1})
    ->Args({14, 14, 0, 1})
    ->Args({20, 20, 0, 1})
    ->Args({40, 40, 4, 1})
    ->Iterations(items)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace motet::multilabel
