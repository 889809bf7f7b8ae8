// Exact covers of planted access data: how long, how much memory, and whether the number of roles is proved.
//
// `users` x `permissions` with `roles` planted roles of `size` permissions each, one to three for every user. Without
// noise the planted roles are the answer; `noise` adds that many held cells for each planted one at random places,
// most of which then need a role of their own. `ratio` compares with one AND and popcount of all pairs of distinct
// users, which is what methods that compare users with each other begin with: above 1 we are faster. `cells` is how
// many distinct cells there are, `remaining` how many of them the reduction leaves to be searched, `peak_MB` the most
// memory in use, `bits_MB` the matrix itself.
#include <benchmark/benchmark.h>

#include <chrono>

#include "experiments/peak_memory.h"
#include "motet/roles/cover/exact_cover.h"
#include "motet/roles/mac/bit_product.h"

namespace motet::roles {
namespace {

struct CoverCase {
  std::size_t users;
  std::size_t permissions;
  std::size_t roles;
  std::size_t size;
  double noise;
};

BitMatrix planted_access(const CoverCase& planted) {
  Rng rng(Seed{7});
  BitMatrix roles(planted.roles, planted.permissions);
  BitMatrix members(planted.users, planted.roles);
  for (std::size_t k = 0; k < planted.roles; ++k) {
    for (std::size_t i = 0; i < planted.size; ++i) roles.set(k, rng.below(planted.permissions));
  }
  for (std::size_t n = 0; n < planted.users; ++n) {
    const std::size_t count = 1 + rng.below(3);
    for (std::size_t i = 0; i < count; ++i) members.set(n, rng.below(planted.roles));
  }
  BitMatrix held = boolean_product(members, roles);
  const auto added = static_cast<std::size_t>(planted.noise * static_cast<double>(held.count()));
  for (std::size_t i = 0; i < added; ++i) held.set(rng.below(planted.users), rng.below(planted.permissions));
  return held;
}

double seconds_since_start(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double all_pairs_seconds(const BitMatrix& rows) {
  std::vector<std::uint32_t> counts(rows.rows());
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    count_common_ones(rows.row(n), rows, counts);
    benchmark::DoNotOptimize(counts.data());
  }
  return seconds_since_start(start);
}

void cover_planted(benchmark::State& state, const CoverCase& planted) {
  const BitMatrix held = planted_access(planted);
  RunContext run;
  run.threads = {static_cast<unsigned>(state.range(0))};
  forget_peak();
  ExactCover cover;
  const auto start = std::chrono::steady_clock::now();
  for ([[maybe_unused]] auto _ : state) cover = exact_cover(merge_equal(held), run);
  const double seconds = seconds_since_start(start) / static_cast<double>(state.iterations());
  state.counters["peak_MB"] = peak_megabytes();
  state.counters["bits_MB"] = static_cast<double>(held.rows()) * static_cast<double>(held.words()) * 8.0 / 1048576.0;
  state.counters["held"] = static_cast<double>(held.count());
  state.counters["cells"] = static_cast<double>(cover.cells);
  state.counters["remaining"] = static_cast<double>(cover.remaining);
  state.counters["roles"] = static_cast<double>(cover.roles.rows());
  state.counters["at_least"] = static_cast<double>(cover.at_least);
  state.counters["ratio"] = all_pairs_seconds(merge_equal(held).bits) / seconds;
}

void one_and_two_threads(benchmark::internal::Benchmark* bench) {
  bench->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
}
BENCHMARK_CAPTURE(cover_planted, clean_20000_x_5000, CoverCase{20'000, 5'000, 300, 20, 0.0})
    ->Apply(one_and_two_threads);
BENCHMARK_CAPTURE(cover_planted, noisy_10000_x_10000, CoverCase{10'000, 10'000, 300, 15, 0.02})
    ->Apply(one_and_two_threads);
BENCHMARK_CAPTURE(cover_planted, clean_50000_x_20000, CoverCase{50'000, 20'000, 300, 15, 0.0})
    ->Apply(one_and_two_threads);

}  // namespace
}  // namespace motet::roles
