// Figure 9: the combined answer.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/agreement.h"
#include "experiments/judges/figures.h"
#include "experiments/judges/labels.h"
#include "experiments/judges/majority.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/judges/combine.h"
#include "motet/judges/confusion/confusion_em.h"
#include "motet/judges/numeric/regression.h"
#include "motet/judges/numeric/regression_simulation.h"
#include "motet/judges/simulate.h"
#include "motet/report/line_plot.h"

namespace motet::judges {

namespace {

constexpr std::size_t combination_repeats = 200;
constexpr std::size_t new_items = 1000;
constexpr double prior_of_a = 0.75;

struct Accuracies {
  double ours = 0.0;
  double oracle = 0.0;
  double majority = 0.0;
};

double label_accuracy_of(std::span<const double> parameters, const VoteTable& table,
                         const std::vector<std::int32_t>& truth, std::size_t first) {
  std::vector<std::int32_t> labels;
  std::vector<double> posterior(2);
  for (std::size_t i = first; i < truth.size(); ++i) {
    infer_row(parameters, 2, table.of_row(i), Votes::unknown, posterior);
    labels.push_back(static_cast<std::int32_t>(best_label(posterior).label));
  }
  return label_accuracy(std::span(truth).subspan(first), labels);
}

// Votes of one draw on n items to learn from and then on new ones.
Accuracies combine_once(std::size_t n, std::size_t k, Seed seed) {
  SimulateOptions options;
  options.items = n + new_items;
  options.judges = k;
  options.accuracy = "0.5..1";
  options.prior = fmt::format("a={},b={}", prior_of_a, 1.0 - prior_of_a);
  const SimulatedVotes all = simulate_votes(options, seed);
  VoteTable whole;  // rows as they come, unmerged, so that row i is item i
  whole.judge_count = k;
  whole.class_count = 2;
  whole.starts = all.votes.starts;
  whole.codes = all.votes.codes;
  VoteTable learn;
  learn.judge_count = k;
  learn.class_count = 2;
  learn.starts = std::span(all.votes.starts).first(n + 1);
  learn.codes = all.votes.codes;
  learn.leaves = cut_leaves(learn.starts);
  ConfusionSpec spec;
  spec.noise = JudgeNoise::symmetric;
  spec.known_prior = {prior_of_a, 1.0 - prior_of_a};
  RunContext one_thread;
  one_thread.threads.count = 1;
  const EmResult fit = run_em(confusion_problem(learn, spec), equal_accuracy_start(learn, spec, 0.7), {}, one_thread);
  std::vector<double> truth_parameters = spec.known_prior;
  for (const double a : all.accuracy) truth_parameters.insert(truth_parameters.end(), {a, 1.0 - a, 1.0 - a, a});
  const MajorityVote majority = majority_vote(all.votes);
  return {label_accuracy_of(fit.parameters, whole, all.truth, n),
          label_accuracy_of(truth_parameters, whole, all.truth, n),
          label_accuracy(std::span(all.truth).subspan(n), std::span(majority.label).subspan(n))};
}

double combine_numbers_once(std::size_t n, std::size_t k, Seed seed) {
  RegressionOptions options{.mean = 0.0, .variance = 1.0, .noise_variance = 1.0};
  const std::vector<double> thetas(k, 0.3);
  Rng rng(seed);
  const SimulatedPredictions learn = simulate_regression(options, thetas, n, rng);
  const RegressionFit fit = fit_regression(learn.predictions, options);
  const SimulatedPredictions fresh = simulate_regression(options, thetas, new_items, rng);
  const CombinedValues values = combine(fit.model, fresh.predictions);
  double squares = 0.0;
  for (std::size_t i = 0; i < new_items; ++i) squares += std::pow(values.mean[i] - fresh.truth[i], 2);
  return 1.0 - squares / static_cast<double>(new_items);
}

template <class Once>
auto repeat(std::size_t n, std::size_t k, const ExperimentContext& context, const Once& once) {
  std::vector<decltype(once(n, k, Seed{}))> found(combination_repeats);
  const Rng root = Rng(context.run.seed).child(n * 1000 + k);
  for_each_task(combination_repeats, context.run.threads, [&](std::size_t r) {
    if (context.run.cancelled()) fail(ErrorKind::interrupted, "interrupted while simulating");
    found[r] = once(n, k, Seed{root.child(r).next()});
  });
  return found;
}

}  // namespace

Outcome run_figure_9(const ExperimentContext& context) {
  struct Case {
    std::size_t n;
    std::size_t k;
    double reference;
  };
  constexpr std::array<Case, 5> cases = {
      {{2000, 1, .820}, {2000, 3, .8985}, {2000, 5, .947}, {2000, 10, .9876}, {50, 10, .979}}};
  ExperimentWriter writer("judges-fig9", "Figure 9: accuracy of the combined answer");
  writer.section("Classes", "Accuracies drawn from (0.5, 1), prior 0.75; 200 repeats, 1000 new items each.");
  Table table{{{"items", 0}, {"judges", 0}, {"ours"}, {"reference"}, {"true accuracies known"}, {"majority vote"}}, {}};
  ReferenceAgreement agreement;
  for (const Case& item : cases) {
    std::vector<double> ours;
    std::vector<double> oracle;
    std::vector<double> majority;
    for (const Accuracies& found : repeat(item.n, item.k, context, combine_once)) {
      ours.push_back(found.ours);
      oracle.push_back(found.oracle);
      majority.push_back(found.majority);
    }
    table.rows.push_back({static_cast<std::int64_t>(item.n), static_cast<std::int64_t>(item.k),
                          with_error(mean_sd(ours).mean, mean_sd(ours).error), item.reference, mean_sd(oracle).mean,
                          mean_sd(majority).mean});
    agreement.add(fmt::format("classes, {} judges, {} items", item.k, item.n), mean_of(ours), {item.reference});
  }
  writer.table("Accuracy on new items", std::move(table));
  writer.section("Numbers", "theta = 0.3, truth N(0, 1), noise variance 1: one minus the mean squared error.");
  constexpr std::array<Case, 4> number_cases = {
      {{2000, 1, .4998}, {2000, 3, .7498}, {2000, 5, .8339}, {2000, 10, .9092}}};
  Table numbers{{{"judges", 0}, {"ours"}, {"reference"}, {"theory 1 - 1/(1 + k)"}}, {}};
  Series ours;
  ours.name = "ours";
  Series theory;
  theory.name = "theory";
  for (const Case& item : number_cases) {
    const MeanSd found = mean_sd(repeat(item.n, item.k, context, combine_numbers_once));
    const double exact = 1.0 - 1.0 / (1.0 + static_cast<double>(item.k));
    numbers.rows.push_back(
        {static_cast<std::int64_t>(item.k), with_error(found.mean, found.error), item.reference, exact});
    agreement.add(fmt::format("numbers, {} judges", item.k), {found.mean, found.error}, {item.reference});
    ours.x.push_back(static_cast<double>(item.k));
    ours.y.push_back(found.mean);
    theory.x.push_back(static_cast<double>(item.k));
    theory.y.push_back(exact);
  }
  writer.table("One minus the mean squared error", std::move(numbers));
  Lines lines{.series = {ours, theory}, .x_title = "judges", .y_title = "accuracy of the combined number"};
  writer.plot(line_plot({"Figure 9, right", "The combined number against theory."}, lines));
  agreement.note(writer);
  return writer.finish();
}

}  // namespace motet::judges
