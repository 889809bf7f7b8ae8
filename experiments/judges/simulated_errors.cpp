#include "experiments/judges/simulated_errors.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/base/error.h"
#include "motet/judges/confusion/confusion_em.h"
#include "motet/judges/confusion/information.h"
#include "motet/judges/confusion/separate.h"
#include "motet/judges/simulate.h"

namespace motet::judges {

namespace {

constexpr double start_accuracy = 0.7;

double mean_error(const std::vector<double>& estimates, double truth) {
  double sum = 0.0;
  for (const double estimate : estimates) sum += std::abs(estimate - truth);
  return sum / static_cast<double>(estimates.size());
}

struct OneRepeat {
  double together;
  double alone;
  double supervised;
};

OneRepeat simulate_once(const SimulationPlan& plan, Seed seed) {
  SimulateOptions options;
  options.items = plan.items;
  options.judges = plan.judges;
  options.accuracy = fmt::format("{}", plan.accuracy);
  options.prior = fmt::format("a={},b={}", plan.prior, 1.0 - plan.prior);
  const SimulatedVotes simulated = simulate_votes(options, seed);
  const VoteTable table = make_vote_table(simulated.votes);
  ConfusionSpec spec;
  spec.noise = JudgeNoise::symmetric;
  spec.known_prior = {plan.assumed_prior, 1.0 - plan.assumed_prior};
  RunContext one_thread;
  one_thread.threads.count = 1;
  const EmResult fit =
      run_em(confusion_problem(table, spec), equal_accuracy_start(table, spec, start_accuracy), {}, one_thread);

  const std::vector<double> counts = vote_counts(table);
  std::vector<double> together;
  std::vector<double> alone;
  std::vector<double> right(plan.judges, 0.0);
  for (std::size_t i = 0; i < plan.items; ++i) {
    for (const std::uint32_t code : simulated.votes.of_item(i)) {
      if (static_cast<std::int32_t>(code % 2) == simulated.truth[i]) right[code / 2] += 1.0;
    }
  }
  for (std::size_t j = 0; j < plan.judges; ++j) {
    together.push_back(accuracy_of(fit.parameters, 2, j));
    alone.push_back(binary_accuracy(counts[2 * j] / (counts[2 * j] + counts[2 * j + 1]), plan.assumed_prior));
    right[j] /= static_cast<double>(plan.items);
  }
  return {mean_error(together, plan.accuracy), mean_error(alone, plan.accuracy), mean_error(right, plan.accuracy)};
}

}  // namespace

SimulatedErrors simulate_errors(const SimulationPlan& plan, const RunContext& run) {
  SimulatedErrors errors{std::vector<double>(plan.repeats), std::vector<double>(plan.repeats),
                         std::vector<double>(plan.repeats)};
  // Sizes get streams of their own, so that two plans never share their draws.
  const Rng root = Rng(run.seed).child(plan.items * 1000 + plan.judges);
  for_each_task(plan.repeats, run.threads, [&](std::size_t r) {
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while simulating");
    const OneRepeat found = simulate_once(plan, Seed{root.child(r).next()});
    errors.together[r] = found.together;
    errors.alone[r] = found.alone;
    errors.supervised[r] = found.supervised;
  });
  return errors;
}

}  // namespace motet::judges
