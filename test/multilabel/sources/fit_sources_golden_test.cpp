// Converged parameters of all trainings against an independent computation; see test/golden/multilabel.
#include <gtest/gtest.h>

#include <cmath>

#include "motet/multilabel/sources/fit_sources.h"
#include "motet/sources/density/set_density.h"
#include "multilabel/training_cases.h"
#include "sources/golden_data.h"

namespace motet::multilabel::fit_sources_golden_test {
namespace {

constexpr double tolerance = 1e-8;
// The reference's Gaussian runs stopped short of their optimum by more than 1e-8: its sum, mean and product models have
// the same optimum on the same items and differ by 1.7e-8 among themselves. Ours differs by at most 3.3e-8, and its
// log-likelihood is checked to be no lower.
constexpr double reference_error = 5e-8;

TrainOptions plain(const Sources& sources) {
  TrainOptions options = trained_as(sources.family, sources.combination, sources.covariance);
  options.shrinkage = 0.0;
  options.tolerance = 1e-14;
  return options;
}

SourceFit fit_golden(const std::string& name, const TrainOptions& options) {
  const GoldenItems items = golden_items(name);
  return fit_sources(index_label_sets(items.sets), items.x, items.dimensions, options, {});
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted, double within) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], within) << "at " << i;
}

class GoldenDeconvolution : public testing::TestWithParam<const char*> {};

TEST_P(GoldenDeconvolution, reaches_the_reference_optimum) {
  const Sources wanted = golden_sources(GetParam());
  const SourceFit fit = fit_golden(GetParam(), plain(wanted));
  const bool is_slow = is_gaussian(wanted.family);
  expect_near(fit.sources.location, wanted.location, is_slow ? reference_error : tolerance);
  expect_near(fit.sources.spread, wanted.spread, is_slow ? reference_error : tolerance);
  const double reference = golden_model(GetParam()).at("loglik").as_number();
  EXPECT_NEAR(fit.summary.objective.back(), reference, tolerance);
  EXPECT_GE(fit.summary.objective.back(), reference - 1e-11 * std::abs(reference));
  EXPECT_EQ(fit.summary.stop, Stop::converged);
}

TEST_P(GoldenDeconvolution, the_objective_is_the_log_likelihood_and_never_falls) {
  const Sources wanted = golden_sources(GetParam());
  const SourceFit fit = fit_golden(GetParam(), plain(wanted));
  const GoldenItems items = golden_items(GetParam());
  const LabelSetIndex index = index_label_sets(items.sets);
  const double found = log_likelihood(fit.sources, index.sets, index.of_row, items.x, Threads{1});
  EXPECT_NEAR(fit.summary.objective.back(), found, 1e-9 * std::abs(found));
  for (std::size_t i = 1; i < fit.summary.objective.size(); ++i) {
    EXPECT_GE(fit.summary.objective[i], fit.summary.objective[i - 1] - 1e-12 * std::abs(found)) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(models, GoldenDeconvolution,
                         testing::Values("gauss_sum_spher", "gauss_sum_diag", "gauss_sum_full", "gauss_mean_diag",
                                         "lognorm_prod_diag", "exp_min", "poisson_sum", "gamma_sum", "bern_or",
                                         "bern_and"),
                         [](const auto& info) { return std::string(info.param); });

struct OtherTraining {
  const char* word;
  Training method;
};

class GoldenTraining : public testing::TestWithParam<std::tuple<const char*, OtherTraining>> {};

TEST_P(GoldenTraining, has_the_moments_of_the_reference) {
  const auto& [name, training] = GetParam();
  const Value wanted = golden_model(std::string(name) + "_" + training.word);
  TrainOptions options = plain(golden_sources(name));
  options.method = training.method;
  SourceFit fit = fit_golden(name, options);
  std::vector<double> mean = flat_numbers(wanted.at("mu"));
  std::vector<double> covariance = flat_numbers(wanted.at("cov"));
  if (options.covariance == Covariance::spherical) {
    std::vector<double> repeated;
    for (const double v : fit.sources.spread) repeated.insert(repeated.end(), 2, v);
    fit.sources.spread = std::move(repeated);
  }
  if (training.method == Training::fresh) {
    // The reference lists sets as numbers 001, 010, ...; ours are by degree.
    const GoldenItems items = golden_items(name);
    const BitMatrix sets = index_label_sets(items.sets).sets;
    const Value::List& listed = wanted.at("label_sets").as_list();
    const std::size_t cells = covariance.size() / listed.size();
    std::vector<double> ordered_mean;
    std::vector<double> ordered;
    for (std::size_t l = 0; l < sets.rows(); ++l) {
      for (std::size_t j = 0; j < listed.size(); ++j) {
        bool same = true;
        for (std::size_t k = 0; k < 3; ++k) same = same && (listed[j].as_list()[k].as_number() == 1.0) == sets(l, k);
        if (!same) continue;
        ordered_mean.insert(ordered_mean.end(), mean.begin() + 2 * j, mean.begin() + 2 * (j + 1));
        ordered.insert(ordered.end(), covariance.begin() + cells * j, covariance.begin() + cells * (j + 1));
      }
    }
    mean = ordered_mean;
    covariance = ordered;
  }
  expect_near(fit.sources.location, mean, tolerance);
  expect_near(fit.sources.spread, covariance, tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    trainings, GoldenTraining,
    testing::Combine(testing::Values("gauss_sum_spher", "gauss_sum_diag", "gauss_sum_full"),
                     testing::Values(OtherTraining{"ignore", Training::ignore}, OtherTraining{"cross", Training::cross},
                                     OtherTraining{"prob", Training::probabilistic},
                                     OtherTraining{"new", Training::fresh})),
    [](const auto& info) { return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param).word; });

}  // namespace
}  // namespace motet::multilabel::fit_sources_golden_test
