// How often the intervals hold the truth.
#include <fmt/format.h>

#include <array>

#include "experiments/judges/figures.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/judges/estimate.h"
#include "motet/judges/simulate.h"

namespace motet::judges {

namespace {

struct Case {
  std::string name;
  SimulateOptions data;
  JudgesOptions fit;
};

std::vector<Case> coverage_cases() {
  const auto simulated = [](std::size_t items, std::size_t judges, std::size_t classes, std::string accuracy,
                            std::string prior) {
    SimulateOptions options;
    options.items = items;
    options.judges = judges;
    options.classes = classes;
    options.accuracy = std::move(accuracy);
    options.prior = std::move(prior);
    return options;
  };
  const auto symmetric = [](std::string prior) {
    JudgesOptions options;
    options.noise = JudgeNoise::symmetric;
    options.prior = std::move(prior);
    options.starts = 1;
    return options;
  };
  return {
      {"symmetric, known prior", simulated(500, 3, 2, "0.6..0.9", "a=0.75,b=0.25"), symmetric("a=0.75,b=0.25")},
      {"symmetric, known prior", simulated(1000, 5, 2, "0.6..0.9", "a=0.6,b=0.4"), symmetric("a=0.6,b=0.4")},
      {"symmetric, estimated prior", simulated(1000, 5, 2, "0.6..0.9", "a=0.7,b=0.3"), symmetric("estimate")},
      {"symmetric, estimated prior", simulated(1000, 7, 4, "0.5..0.9", "uniform"), symmetric("estimate")},
      {"default", simulated(1000, 5, 2, "0.6..0.9", "a=0.6,b=0.4"), {}},
      {"default", simulated(2000, 10, 2, "0.6..0.9", "a=0.7,b=0.3"), {}},
      {"default", simulated(2000, 6, 3, "0.6..0.9", "uniform"), {}},
  };
}

}  // namespace

Outcome run_coverage(const ExperimentContext& context) {
  constexpr std::size_t repeats = 400;
  ExperimentWriter writer("judges-coverage", "How often the 95 % intervals hold the truth");
  writer.section("Accuracies",
                 fmt::format("{} simulated data sets per row; every judge's interval counts once.", repeats));
  Table table{{{"model"}, {"items", 0}, {"judges", 0}, {"classes", 0}, {"coverage"}, {"mean width"}}, {}};
  for (const Case& item : coverage_cases()) {
    std::vector<double> hits(repeats, 0.0);
    std::vector<double> widths(repeats, 0.0);
    const Rng root = Rng(context.run.seed).child(item.data.items * 100 + item.data.judges);
    for_each_task(repeats, context.run.threads, [&](std::size_t r) {
      if (context.run.cancelled()) fail(ErrorKind::interrupted, "interrupted while simulating");
      RunContext one_thread;
      one_thread.threads.count = 1;
      const SimulatedVotes simulated = simulate_votes(item.data, Seed{root.child(r).next()});
      const JudgesFit fit = estimate_judges(simulated.votes, item.fit, one_thread);
      for (std::size_t j = 0; j < fit.judges.size(); ++j) {
        const Interval& interval = fit.judges[j].interval;
        if (interval.contains(simulated.accuracy[j])) hits[r] += 1.0;
        widths[r] += interval.high - interval.low;
      }
      hits[r] /= static_cast<double>(fit.judges.size());
      widths[r] /= static_cast<double>(fit.judges.size());
    });
    const MeanSd coverage = mean_sd(hits);
    table.rows.push_back({item.name, static_cast<std::int64_t>(item.data.items),
                          static_cast<std::int64_t>(item.data.judges), static_cast<std::int64_t>(item.data.classes),
                          with_error(coverage.mean, coverage.error, 3), mean_sd(widths).mean});
  }
  writer.table("Coverage", std::move(table));
  return writer.finish();
}

}  // namespace motet::judges
