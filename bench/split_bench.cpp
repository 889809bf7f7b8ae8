// The iterative stratified split of 100,000 items with 100 labels.
#include <benchmark/benchmark.h>

#include "motet/data/labelled_items.h"
#include "motet/data/split.h"

namespace motet {
namespace {

BitMatrix random_sets(std::size_t rows, std::size_t labels) {
  BitMatrix sets(rows, labels);
  Rng rng(Seed{1});
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < labels; ++k) {
      // From half the items for the first label to one in fifty for the last.
      if (rng.below(2 + k / 2) == 0) sets.set(n, k);
    }
  }
  return sets;
}

void stratified_split(benchmark::State& state) {
  const BitMatrix sets = random_sets(static_cast<std::size_t>(state.range(0)), 100);
  const std::vector<double> shares(static_cast<std::size_t>(state.range(1)), 1.0);
  for (auto _ : state) benchmark::DoNotOptimize(stratified_parts(sets, shares, Seed{1}));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(stratified_split)->Args({10'000, 10})->Args({100'000, 2})->Args({100'000, 10})->Unit(benchmark::kMillisecond);

void label_set_index(benchmark::State& state) {
  const BitMatrix sets = random_sets(1'000'000, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(index_label_sets(sets));
  state.SetItemsProcessed(state.iterations() * 1'000'000);
}
BENCHMARK(label_set_index)->Arg(14)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace motet
