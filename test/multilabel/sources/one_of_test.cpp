#include "motet/multilabel/sources/one_of.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/multilabel/sources/fit_sources.h"
#include "motet/sources/density/set_density.h"
#include "multilabel/training_cases.h"
#include "support/expect_error.h"

namespace motet::multilabel::one_of_test {
namespace {

// One of them: a mixture that the labels constrain.
TEST(OneOf, raises_the_likelihood_and_finds_what_was_planted) {
  using enum Family;
  for (const Family family : {gaussian, bernoulli, poisson, exponential, gamma, lognormal}) {
    const TrainOptions options = trained_as(family, Combination::one_of, Covariance::diagonal);
    const KnownItems drawn = drawn_items(options, 3, 3, 1500, 13);
    const SourceFit fit = fit_sources(drawn.index, drawn.x, 3, options, {});
    for (std::size_t i = 1; i < fit.summary.objective.size(); ++i) {
      EXPECT_GE(fit.summary.objective[i], fit.summary.objective[i - 1] - 1e-9 * std::abs(fit.summary.objective[i]));
    }
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(fit.sources.location[i], drawn.sources.location[i], 0.4) << family_word(family);
    }
    TrainOptions plain = options;
    plain.shrinkage = 0.0;
    const SourceFit exact = fit_sources(drawn.index, drawn.x, 3, plain, {});
    const double likelihood = log_likelihood(exact.sources, drawn.index.sets, drawn.index.of_row, drawn.x, Threads{1});
    EXPECT_NEAR(exact.summary.objective.back(), likelihood, 1e-8 * std::abs(likelihood));
  }
}

TEST(OneOf, takes_every_covariance) {
  for (const Covariance covariance : {Covariance::spherical, Covariance::full, Covariance::shared, Covariance::point}) {
    const TrainOptions options =
        trained_as(Family::gaussian, Combination::one_of, covariance, true, covariance == Covariance::point);
    const KnownItems drawn = drawn_items(options, 3, 2, 1000, 14);
    const SourceFit fit = fit_sources(drawn.index, drawn.x, 2, options, {});
    EXPECT_EQ(fit.sources.count, 4U);
    EXPECT_EQ(fit.summary.stop, Stop::converged);
  }
}

// Where every item has one label there is nothing hidden: the sources are those of the items with one label.
TEST(OneOf, items_with_one_label_teach_it_alone) {
  for (const Family family : {Family::gaussian, Family::poisson, Family::gamma}) {
    TrainOptions options = trained_as(family, Combination::one_of);
    options.shrinkage = 0.0;
    KnownItems drawn = drawn_items(options, 3, 2, 200, 15);
    BitMatrix alone(200, 3);
    for (std::size_t n = 0; n < 200; ++n) alone.set(n, n % 3);
    drawn.index = index_label_sets(alone);
    const SourceFit mixed = fit_sources(drawn.index, drawn.x, 2, options, {});
    options.method = Training::ignore;
    const SourceFit single = fit_sources(drawn.index, drawn.x, 2, options, {});
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(mixed.sources.location[i], single.sources.location[i], 1e-6) << family_word(family);
    }
    for (std::size_t i = 0; i < single.sources.spread.size(); ++i) {
      EXPECT_NEAR(mixed.sources.spread[i], single.sources.spread[i], 1e-6) << family_word(family);
    }
  }
}

// Any mean or covariance that moves from where the fit ends makes the items less likely.
TEST(OneOf, ends_at_a_maximum_of_the_likelihood) {
  TrainOptions options = trained_as(Family::gaussian, Combination::one_of, Covariance::full);
  options.shrinkage = 0.0;
  options.tolerance = 1e-13;
  const KnownItems drawn = drawn_items(options, 3, 2, 400, 16);
  const Sources found = fit_sources(drawn.index, drawn.x, 2, options, {}).sources;
  const auto likelihood = [&](const Sources& sources) {
    return log_likelihood(sources, drawn.index.sets, drawn.index.of_row, drawn.x, Threads{1});
  };
  const double top = likelihood(found);
  const auto expect_lower = [&](const auto& move) {
    for (const double step : {-1e-3, 1e-3}) {
      Sources moved = found;
      move(moved, step);
      EXPECT_LT(likelihood(moved), top);
    }
  };
  for (std::size_t i = 0; i < 6; ++i) {
    expect_lower([&](Sources& moved, double step) { moved.location[i] += step; });
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (const std::size_t cell : {0, 3}) {
      expect_lower([&](Sources& moved, double step) { moved.spread[4 * k + cell] += step; });
    }
    expect_lower([&](Sources& moved, double step) {
      moved.spread[4 * k + 1] += step;
      moved.spread[4 * k + 2] += step;
    });
  }
}

TEST(OneOf, refuses_noise_of_its_own) {
  const TrainOptions options = trained_as(Family::gaussian, Combination::one_of, Covariance::diagonal, false, true);
  const KnownItems drawn = drawn_items(trained_as(Family::gaussian, Combination::one_of), 2, 2, 50, 17);
  expect_error(ErrorKind::usage, "--noise: with --combine one-of it cannot be told from the sources", [&] {
    fit_one_of(drawn.index, drawn.x, 2,
               design_of(drawn.index.sets, std::vector<double>(drawn.index.size(), 9.0), options.combine, false),
               options, {});
  });
}

}  // namespace
}  // namespace motet::multilabel::one_of_test
