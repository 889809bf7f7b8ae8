// One EM iteration over many votes against a plain pass over the same arrays, with one
// and two threads; and new votes absorbed into a fitted model.
// Size: MOTET_BENCH_VOTES votes (default 10,000,000), 5 per item, 4 classes, 1,000 judges.
#include <benchmark/benchmark.h>

#include <string>

#include "environment.h"
#include "motet/judges/confusion/confusion_em.h"
#include "motet/judges/estimate.h"
#include "motet/judges/update.h"

namespace motet::judges {
namespace {

constexpr std::uint32_t class_count = 4;
constexpr std::uint32_t judge_count = 1000;
constexpr std::size_t votes_an_item = 5;

// Names are left out: only the arrays matter here.
Votes make_many_votes(std::size_t count) {
  Votes votes;
  for (std::uint32_t c = 0; c < class_count; ++c) votes.classes.push_back(std::to_string(c));
  for (std::uint32_t j = 0; j < judge_count; ++j) votes.judges.push_back(std::to_string(j));
  const Rng root(Seed{1});
  votes.starts.push_back(0);
  for (std::size_t i = 0; i < count / votes_an_item; ++i) {
    Rng rng = root.child(i);
    votes.items.push_back({});
    const std::uint64_t truth = rng.below(class_count);
    std::uint64_t judge = rng.below(judge_count / votes_an_item);
    for (std::size_t v = 0; v < votes_an_item; ++v) {
      const std::uint64_t label = rng.uniform() < 0.7 ? truth : rng.below(class_count);
      votes.codes.push_back(static_cast<std::uint32_t>(judge * class_count + label));
      judge += 1 + rng.below(judge_count / votes_an_item - 1);
    }
    votes.starts.push_back(static_cast<std::uint32_t>(votes.codes.size()));
  }
  return votes;
}

const Votes& many_votes() {
  static const Votes votes = make_many_votes(number_or("MOTET_BENCH_VOTES", 10'000'000));
  return votes;
}

void plain_pass(benchmark::State& state) {
  const Votes& votes = many_votes();
  for ([[maybe_unused]] auto _ : state) {
    std::uint32_t sum = 0;
    for (const std::uint32_t start : votes.starts) sum += start;
    for (const std::uint32_t code : votes.codes) sum += code;
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(plain_pass)->Unit(benchmark::kMillisecond);

void em_iteration(benchmark::State& state) {
  const VoteTable table = make_vote_table(many_votes());
  const ConfusionSpec spec;
  const EmProblem problem = confusion_problem(table, spec);
  const Threads threads{static_cast<unsigned>(state.range(0))};
  std::vector<double> parameters = vote_share_start(table, spec);
  for ([[maybe_unused]] auto _ : state) {
    const std::vector<double> statistics = expect(problem, parameters, 1.0, threads);
    parameters = problem.maximise(statistics, parameters);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(table.codes.size()));
}
BENCHMARK(em_iteration)->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kMillisecond)->UseRealTime();

void absorb_a_thousand(benchmark::State& state) {
  JudgesOptions options{.smoothing = 1.0, .max_iterations = 20};
  const Votes old = make_many_votes(100'000);
  const JudgesModel model = estimate_judges(old, options, {}).model;
  Votes fresh = make_many_votes(1000);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(absorb_votes(model, fresh, {}));
}
BENCHMARK(absorb_a_thousand)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace motet::judges
