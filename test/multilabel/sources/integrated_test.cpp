#include "motet/multilabel/sources/integrated.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/error.h"
#include "motet/sources/density/set_density.h"
#include "multilabel/training_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::multilabel::integrated_test {
namespace {

std::string name_of(const TrainOptions& options) {
  return family_word(options.source) + " " + combination_words[static_cast<int>(options.combine)];
}

double root_mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

TEST(IntegratedSlow, RaisesTheLikelihoodAndFindsWhatWasPlanted) {
  const std::vector<TrainOptions> pairs = {
      trained_as(Family::lognormal, Combination::sum),    trained_as(Family::exponential, Combination::sum),
      trained_as(Family::gaussian, Combination::product), trained_as(Family::gamma, Combination::product),
      trained_as(Family::gaussian, Combination::minimum), trained_as(Family::bernoulli, Combination::sum),
      trained_as(Family::poisson, Combination::minimum),  trained_as(Family::gamma, Combination::mean)};
  for (const TrainOptions& options : pairs) {
    const KnownItems drawn = drawn_items(options, 3, 1, 200, 16);
    const SourceFit fit = fit_sources(drawn.index, drawn.x, 1, options, {});
    const std::vector<double>& trace = fit.summary.objective;
    for (std::size_t i = 1; i < trace.size(); ++i) EXPECT_GE(trace[i], trace[i - 1]);
    const auto likelihood = [&](const Sources& sources) {
      return log_likelihood(sources, drawn.index.sets, drawn.index.of_row, drawn.x, Threads{1});
    };
    // What was planted is less likely, but for the prior that is worth one item.
    EXPECT_GT(likelihood(fit.sources), likelihood(drawn.sources) - 0.5) << name_of(options);
  }
}

// A hundred times the items, a tenth of the error: with any fixed error of the densities it would stay where it is.
TEST(IntegratedSlow, ComesNearerToTheTruthWithMoreItems) {
  const std::vector<TrainOptions> pairs = {trained_as(Family::exponential, Combination::sum),
                                           trained_as(Family::lognormal, Combination::sum),
                                           trained_as(Family::gamma, Combination::product)};
  for (const TrainOptions& options : pairs) {
    double few = 0.0;
    double many = 0.0;
    for (const std::uint64_t seed : {1, 2, 3}) {
      for (const std::size_t rows : {400, 40'000}) {
        const KnownItems drawn = drawn_items(options, 2, 1, rows, seed);
        const SourceFit fit = fit_sources(drawn.index, drawn.x, 1, options, {});
        (rows == 400 ? few : many) += root_mean_square(fit.sources.location, drawn.sources.location) / 3.0;
      }
    }
    EXPECT_LT(many, few / 4.0) << name_of(options);
    EXPECT_LT(many, 0.03) << name_of(options);
  }
}

TEST(Integrated, GivesTheSameBitsOnAnyNumberOfThreads) {
  const TrainOptions options = trained_as(Family::lognormal, Combination::sum);
  const KnownItems drawn = drawn_items(options, 3, 2, 300, 18);
  RunContext run;
  run.threads.count = 1;
  const Sources one = fit_sources(drawn.index, drawn.x, 2, options, run).sources;
  StartedThreads started(3);
  run.threads = started;
  EXPECT_TRUE(fit_sources(drawn.index, drawn.x, 2, options, run).sources == one);
}

TEST(Integrated, TellsWhatItCannotFit) {
  const TrainOptions options = trained_as(Family::lognormal, Combination::sum, Covariance::full);
  const KnownItems drawn = drawn_items(trained_as(Family::lognormal, Combination::sum), 2, 1, 50, 17);
  try {
    fit_sources(drawn.index, drawn.x, 1, options, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "--covariance full: --source lognormal with --combine sum has only diagonal");
  }
}

}  // namespace
}  // namespace motet::multilabel::integrated_test
