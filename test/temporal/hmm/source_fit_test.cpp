#include "motet/temporal/hmm/source_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/threads.h"
#include "temporal/hmm/hmm_cases.h"

namespace motet::temporal::source_fit_test {
namespace {

struct Drawn {
  Features features;
  ClipSources clips;
};

// Clips of the first source, the second, and both, in turn.
Drawn drawn_clips(std::size_t count, std::size_t frames, Seed seed) {
  const SourceHmm sources[] = {some_source(0.0), some_source(6.0)};
  Drawn made;
  made.features.columns = {"a", "b"};
  made.clips.sources = 2;
  const Rng rng(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<std::vector<std::size_t>> sets = {{0}, {1}, {0, 1}};
    const std::vector<std::size_t>& set = sets[i % 3];
    std::vector<double> rows(frames * 2, 0.0);
    for (const std::size_t source : set) {
      const std::vector<double> own = drawn_emissions(sources[source], frames, rng.child(i).child(source));
      for (std::size_t k = 0; k < rows.size(); ++k) rows[k] += own[k] / static_cast<double>(set.size());
    }
    made.features.values.insert(made.features.values.end(), rows.begin(), rows.end());
    made.features.starts.push_back(made.features.values.size() / 2);
    made.features.sequences.push_back("clip " + std::to_string(i));
    made.clips.of_clip.push_back(set);
  }
  return made;
}

std::vector<SourceHmm> rough_start() {
  std::vector<SourceHmm> start = {some_source(0.5), some_source(5.0)};
  for (SourceHmm& source : start) {
    source.chain = {{0.5, 0.5}, {0.5, 0.5, 0.5, 0.5}};
    for (double& v : source.variances) v = 2.0;
  }
  return start;
}

double objective_of(const Drawn& data, const SourceFitOptions& options, const std::vector<SourceHmm>& sources) {
  const EmProblem problem = source_problem(data.features, data.clips, options);
  std::vector<double> parameters;
  for (const SourceHmm& source : sources) write_parameters(source, parameters);
  return expect(problem, parameters, 1.0, {1})[0] + problem.log_prior(parameters);
}

TEST(SourceFit, NeverLetsTheObjectiveFallStepByStep) {
  const Drawn data = drawn_clips(12, 40, Seed{1});
  SourceFitOptions options;
  const EmProblem problem = source_problem(data.features, data.clips, options);
  std::vector<double> parameters;
  for (const SourceHmm& source : rough_start()) write_parameters(source, parameters);
  double before = -std::numeric_limits<double>::infinity();
  for (int step = 0; step < 60; ++step) {
    const std::vector<double> statistics = expect(problem, parameters, 1.0, {1});
    const double objective = statistics[0] + problem.log_prior(parameters);
    constexpr double rounding = 1e-10;  // relative, of a sum of a thousand terms
    EXPECT_GE(objective, before - rounding * std::abs(objective)) << step;
    before = objective;
    parameters = problem.maximise(statistics, parameters);
  }
}

// The objective of one more step is no higher than at the end, whichever parameter is moved a little.
TEST(SourceFit, EndsWhereNoParameterCanBeMoved) {
  const Drawn data = drawn_clips(9, 30, Seed{2});
  SourceFitOptions options;
  options.tolerance = 1e-13;
  options.max_iterations = 3000;
  const SourcesFit fit = fit_sources(data.features, data.clips, rough_start(), options, {}, "");
  const double best = objective_of(data, options, fit.sources);
  for (std::size_t source = 0; source < 2; ++source) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (const double way : {-1e-3, 1e-3}) {
        std::vector<SourceHmm> moved = fit.sources;
        moved[source].means[i] += way;
        EXPECT_LT(objective_of(data, options, moved), best + 1e-6);
        moved = fit.sources;
        moved[source].variances[i] *= 1.0 + way;
        EXPECT_LT(objective_of(data, options, moved), best + 1e-6);
      }
    }
  }
}

TEST(SourceFit, FindsPlantedSourcesAlsoWhereTheySoundTogether) {
  Drawn data = drawn_clips(30, 200, Seed{3});
  const SourcesFit fit = fit_sources(data.features, data.clips, rough_start(), {}, {}, "");
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  const SourceHmm truth[] = {some_source(0.0), some_source(6.0)};
  for (std::size_t source = 0; source < 2; ++source) {
    for (std::size_t i = 0; i < 4; ++i) {
      // A state has at least 800 frames of variance up to 1 that are its own: 5 standard errors are below 0.2.
      EXPECT_NEAR(fit.sources[source].means[i], truth[source].means[i], 0.2);
      EXPECT_NEAR(fit.sources[source].variances[i], truth[source].variances[i], 0.3);
      EXPECT_NEAR(fit.sources[source].chain.transition[i], truth[source].chain.transition[i], 0.1);
    }
  }
}

TEST(SourceFit, HasTheSameBitsOnAnyNumberOfThreads) {
  const Drawn data = drawn_clips(90, 12, Seed{4});
  std::vector<SourceHmm> first;
  for (const unsigned threads : {1U, 2U, 4U}) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    const SourcesFit fit = fit_sources(data.features, data.clips, rough_start(), {}, run, "");
    if (first.empty()) first = fit.sources;
    EXPECT_EQ(fit.sources, first);
  }
}

TEST(SourceFit, WeighsClips) {
  Drawn data = drawn_clips(6, 30, Seed{5});
  SourceFitOptions options;
  const double plain = objective_of(data, options, rough_start());
  data.clips.weights.assign(6, 1.0);
  EXPECT_EQ(objective_of(data, options, rough_start()), plain);
  Drawn twice = data;
  twice.features.values.insert(twice.features.values.end(), data.features.values.begin(),
                               data.features.values.begin() + 60);
  twice.features.starts.push_back(twice.features.starts.back() + 30);
  twice.features.sequences.emplace_back("again");
  twice.clips.of_clip.push_back(data.clips.of_clip[0]);
  twice.clips.weights.push_back(1.0);
  data.clips.weights[0] = 2.0;
  // But for the floor, which is a share of the variance of all frames.
  EXPECT_NEAR(objective_of(data, options, rough_start()), objective_of(twice, options, rough_start()), 0.05);
}

TEST(SourceFit, StartsFromClustersOrStretches) {
  const Drawn data = drawn_clips(9, 60, Seed{6});
  const std::uint32_t alone[] = {0, 3, 6};
  const SourceHmm start = source_start(data.features, alone, {}, {});
  std::vector<double> means = {start.means[0], start.means[2]};
  std::sort(means.begin(), means.end());
  EXPECT_NEAR(means[0], 0.0, 0.5);
  EXPECT_NEAR(means[1], 3.0, 0.5);
  const SourceHmm nowhere = source_start(data.features, {}, {}, {});
  EXPECT_LT(nowhere.means[0], nowhere.means[2]);
}

TEST(SourceFit, DoesNotFailForSilenceOrOneFrame) {
  Features features;
  features.columns = {"a", "b"};
  features.values.assign(2 * 7, -100.0);
  features.starts = {0, 6, 7};
  features.sequences = {"silent", "one frame"};
  const ClipSources clips{{{0}, {0}}, {}, 1};
  const std::uint32_t both[] = {0, 1};
  const SourcesFit fit = fit_sources(features, clips, {source_start(features, both, {}, {})}, {}, {}, "");
  for (const double mean : fit.sources[0].means) EXPECT_NEAR(mean, -100.0, 1e-6);
  for (const double variance : fit.sources[0].variances) EXPECT_GT(variance, 0.0);
}

TEST(SourceFit, OfEnergiesComesToAnEnd) {
  const Drawn data = drawn_clips(12, 30, Seed{7});
  SourceFitOptions options;
  options.combination = SourceCombination::log_add;
  const SourcesFit fit = fit_sources(data.features, data.clips, rough_start(), options, {}, "");
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  EXPECT_GT(fit.summary.objective.back(), fit.summary.objective.front());
}

}  // namespace
}  // namespace motet::temporal::source_fit_test
