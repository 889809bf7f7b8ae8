// Log-densities and log-likelihoods of an independent computation.
#include <gtest/gtest.h>

#include <algorithm>

#include "golden_data.h"
#include "motet/data/labelled_items.h"
#include "motet/sources/density/set_density.h"

namespace motet::golden_test {
namespace {

constexpr double tolerance = 1e-8;  // stated with the fixtures

class SourcesGolden : public testing::TestWithParam<const char*> {};

TEST_P(SourcesGolden, LogDensitiesOfAllLabelSetsAreThoseOfTheReference) {
  const Value model = golden_model(GetParam());
  const Sources sources = golden_sources(GetParam());
  const std::vector<double> x = flat_numbers(model.at("test_x"));
  const std::vector<double> in_sets = flat_numbers(model.at("label_sets"));
  BitMatrix sets(7, 3);
  for (std::size_t i = 0; i < in_sets.size(); ++i) sets.set(i / 3, i % 3, in_sets[i] == 1.0);
  const std::vector<double> found = log_densities(sources, sets, x, {1});
  const std::vector<double> expected = flat_numbers(model.at("logpdf_sets"));
  const std::vector<double> best = flat_numbers(model.at("argmax_set_index"));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
  for (std::size_t n = 0; n < best.size(); ++n) {
    const auto row = found.begin() + static_cast<std::ptrdiff_t>(n * 7);
    EXPECT_EQ(static_cast<double>(std::max_element(row, row + 7) - row), best[n]);
  }
}

TEST_P(SourcesGolden, LogLikelihoodIsThatOfTheReference) {
  const GoldenItems items = golden_items(GetParam());
  const LabelSetIndex index = index_label_sets(items.sets);
  const double expected = golden_model(GetParam()).at("loglik").as_number();
  EXPECT_NEAR(log_likelihood(golden_sources(GetParam()), index.sets, index.of_row, items.x, {1}), expected, tolerance);
}

INSTANTIATE_TEST_SUITE_P(Models, SourcesGolden,
                         testing::Values("gauss_sum_spher", "gauss_sum_diag", "gauss_sum_full", "gauss_mean_diag",
                                         "lognorm_prod_diag", "exp_min", "poisson_sum", "gamma_sum", "bern_or",
                                         "bern_and"),
                         [](const testing::TestParamInfo<const char*>& info) { return std::string(info.param); });

}  // namespace
}  // namespace motet::golden_test
