#include "motet/judges/confusion/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "motet/base/assignment.h"
#include "motet/base/streams.h"
#include "motet/judges/confusion/information.h"

namespace motet::judges {
namespace {

constexpr double two_class_accuracy = 0.7;  // of two classes; the document starts there too
constexpr std::size_t trial_iterations = 20;

double start_accuracy_of(std::size_t class_count) {  // as far above chance as 0.7 is for two classes
  const double chance = 1.0 / static_cast<double>(class_count);
  return chance + (1.0 - chance) * (2.0 * two_class_accuracy - 1.0);
}

std::vector<double> random_start(const VoteTable& table, const ConfusionSpec& spec, Rng rng) {
  const std::size_t k = table.class_count;
  std::vector<double> parameters = equal_accuracy_start(table, spec, 0.5);
  const double chance = 1.0 / static_cast<double>(k);
  for (std::size_t j = 0; j < table.judge_count; ++j) {
    const double accuracy = rng.uniform(chance, 1.0);
    for (std::size_t c = 0; c < k; ++c) {
      for (std::size_t y = 0; y < k; ++y) {
        parameters[k + (j * k + c) * k + y] = c == y ? accuracy : (1.0 - accuracy) / static_cast<double>(k - 1);
      }
    }
  }
  return parameters;
}

struct Starts {
  std::vector<std::vector<double>> points;
  std::vector<std::string> names;
};

Starts make_starts(const VoteTable& table, const ConfusionSpec& spec, const EmProblem& problem, std::size_t count,
                   const RunContext& run) {
  constexpr std::array inverse_temperatures = {0.3, 0.5, 0.7, 0.9};
  constexpr std::size_t steps_each = 5;
  const std::vector<double> equal = equal_accuracy_start(table, spec, start_accuracy_of(table.class_count));
  Starts starts;
  const auto add = [&](std::string name, const auto& make) {
    if (starts.points.size() >= count) return;
    starts.points.push_back(make());
    starts.names.push_back(std::move(name));
  };
  // The symmetric model is the document's: its start comes first.
  if (spec.noise == JudgeNoise::symmetric) add("equal accuracies", [&] { return std::vector<double>(equal); });
  add("vote shares", [&] { return vote_share_start(table, spec); });
  if (spec.noise == JudgeNoise::confusion) add("equal accuracies", [&] { return std::vector<double>(equal); });
  add("annealed", [&] { return anneal(problem, equal, inverse_temperatures, steps_each, run); });
  for (std::size_t i = 1; starts.points.size() < count; ++i) {
    add(fmt::format("random {}", i),
        [&] { return random_start(table, spec, stream(run.seed, Stream::judges_random_start, i - 1)); });
  }
  return starts;
}

// Expected agreement of said and true classes over all judges, [true * k + said].
std::vector<double> agreement(std::span<const double> statistics, std::size_t k) {
  std::vector<double> sum(k * k, 0.0);
  const auto counts = statistics.subspan(1 + k);
  for (std::size_t i = 0; i < counts.size(); ++i) sum[(i % k) * k + (i / k) % k] += counts[i];
  return sum;
}

// True class y of the result is called name[y] instead.
std::vector<double> relabel(std::span<const double> parameters, const std::vector<std::size_t>& name) {
  const std::size_t k = name.size();
  std::vector<double> renamed(parameters.begin(), parameters.end());
  for (std::size_t y = 0; y < k; ++y) {
    for (std::size_t row = 0; row < parameters.size() / k; ++row) renamed[row * k + name[y]] = parameters[row * k + y];
  }
  return renamed;
}

bool votes_beat_chance(std::span<const double> parameters, const VoteTable& table, const std::vector<double>& counts) {
  double right = 0.0;
  double total = 0.0;
  for (std::size_t j = 0; j < table.judge_count; ++j) {
    double votes = 0.0;
    for (std::size_t c = 0; c < table.class_count; ++c) votes += counts[j * table.class_count + c];
    right += votes * accuracy_of(parameters, table.class_count, j);
    total += votes;
  }
  return right * static_cast<double>(table.class_count) >= total;
}

}  // namespace

ConfusionFit fit_confusion(const VoteTable& table, const ConfusionSpec& spec, std::size_t start_count,
                           const EmRule& rule, const RunContext& run, std::string_view stage) {
  const EmProblem problem = confusion_problem(table, spec);
  ConfusionFit fit;
  const bool resumes = run.resume && !stage.empty() && run.resume(stage) != nullptr;
  Starts starts = make_starts(table, spec, problem, resumes ? 1 : start_count, run);
  const std::vector<double> counts = vote_counts(table);
  StartChoice choice =
      best_of_starts(problem, starts.points, trial_iterations, rule, run, stage,
                     [&](std::span<const double> parameters) { return votes_beat_chance(parameters, table, counts); });
  fit.starts = resumes ? std::vector<std::string>{"the checkpoint"} : std::move(starts.names);
  fit.winner = choice.winner;
  fit.result = std::move(choice.result);
  if (spec.noise == JudgeNoise::symmetric || fit.result.summary.stop == Stop::interrupted) return fit;

  const std::size_t k = table.class_count;
  const std::vector<std::size_t> name = best_assignment(agreement(fit.result.statistics, k), k);
  if (std::is_sorted(name.begin(), name.end())) return fit;
  std::vector<double> renamed = relabel(fit.result.parameters, name);
  if (!spec.known_prior.empty()) std::copy(spec.known_prior.begin(), spec.known_prior.end(), renamed.begin());
  EmResult again = run_em(problem, std::move(renamed), rule, run);
  // With a known prior the swapped reading may truly be the better one.
  if (!spec.known_prior.empty() && again.objective() < fit.result.objective()) return fit;
  fit.relabelled = true;
  fit.result = std::move(again);
  return fit;
}

}  // namespace motet::judges
