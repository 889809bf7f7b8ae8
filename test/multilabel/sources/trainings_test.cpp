#include "motet/multilabel/sources/trainings.h"

#include <gtest/gtest.h>

#include <cmath>

#include "multilabel/set_cases.h"
#include "multilabel/training_cases.h"
#include "support/expect_error.h"

namespace motet::multilabel::trainings_test {
namespace {

constexpr double rounding = 1e-9;
constexpr std::size_t labels = 3;

TrainOptions options_of(Training method, bool background = false) {
  TrainOptions options;
  options.method = method;
  options.background = background;
  return options;
}

// How much an item of this set teaches source k; the background is the last.
double lesson_of(const BitMatrix& sets, std::size_t set, std::size_t k, const TrainOptions& options) {
  const std::size_t degree = sets.count(set);
  if (options.method == Training::fresh) return k == set ? 1.0 : 0.0;
  const bool is_background = k == sets.columns();
  if (options.method == Training::ignore) {
    if (is_background) return degree == 0 ? 1.0 : 0.0;
    return degree == 1 && sets(set, k) ? 1.0 : 0.0;
  }
  if (!is_background && !sets(set, k)) return 0.0;
  return options.method == Training::cross ? 1.0 : 1.0 / static_cast<double>(degree + (options.background ? 1 : 0));
}

// Weighted moments of all items, one by one.
void expect_moments(const KnownItems& drawn, const SetStatistics& taught, std::size_t k, const auto& weight_of) {
  constexpr std::size_t D = 2;
  double weight = 0.0;
  double mean[D] = {0.0, 0.0};
  double scatter[D * D] = {0.0, 0.0, 0.0, 0.0};
  const std::size_t rows = drawn.index.of_row.size();
  for (std::size_t n = 0; n < rows; ++n) {
    const double w = weight_of(drawn.index.of_row[n]);
    weight += w;
    for (std::size_t d = 0; d < D; ++d) mean[d] += w * drawn.x[n * D + d];
  }
  for (double& value : mean) value /= weight;
  for (std::size_t n = 0; n < rows; ++n) {
    const double w = weight_of(drawn.index.of_row[n]);
    for (std::size_t i = 0; i < D * D; ++i) {
      scatter[i] += w * (drawn.x[n * D + i / D] - mean[i / D]) * (drawn.x[n * D + i % D] - mean[i % D]);
    }
  }
  EXPECT_NEAR(taught.count[k], weight, rounding);
  for (std::size_t d = 0; d < D; ++d) EXPECT_NEAR(taught.mean[k * D + d], mean[d], rounding);
  for (std::size_t i = 0; i < D * D; ++i) EXPECT_NEAR(taught.scatter[k * D * D + i], scatter[i], rounding * weight);
}

TEST(TaughtStatistics, AreWeightedMomentsOfTheItemsThatTeach) {
  for (const bool background : {false, true}) {
    TrainOptions kind = trained_as(Family::gaussian, Combination::sum, Covariance::full, background);
    const KnownItems drawn = drawn_items(kind, labels, 2, 200, 21);
    const SetStatistics statistics = gather(drawn.index, drawn.x, 2, Family::gaussian, true, {1});
    for (const Training method : {Training::ignore, Training::fresh, Training::cross, Training::probabilistic}) {
      const TrainOptions options = options_of(method, background);
      const SetStatistics taught = taught_statistics(statistics, options, {});
      const bool own = method == Training::fresh;
      ASSERT_EQ(taught.size(), own ? statistics.size() : labels + (background ? 1 : 0));
      for (std::size_t k = 0; k < taught.size(); ++k) {
        EXPECT_EQ(taught.sets.count(k), 1U);
        EXPECT_TRUE(taught.sets(k, k));
        expect_moments(drawn, taught, k, [&](std::size_t set) { return lesson_of(drawn.index.sets, set, k, options); });
      }
      if (own) continue;
      const std::vector<double> weights = lesson_weights(statistics, options);
      ASSERT_EQ(weights.size(), labels);
      for (std::size_t k = 0; k < labels; ++k) EXPECT_NEAR(weights[k], taught.count[k], rounding);
    }
  }
}

TEST(TaughtStatistics, HoldWhatTheFamilyNeeds) {
  const KnownItems drawn = drawn_items(trained_as(Family::gamma, Combination::sum), labels, 1, 120, 22);
  const SetStatistics statistics = gather(drawn.index, drawn.x, 1, Family::gamma, false, {1});
  const SetStatistics taught = taught_statistics(statistics, options_of(Training::probabilistic), {});
  for (std::size_t k = 0; k < labels; ++k) {
    double weight = 0.0;
    double mean_log = 0.0;
    for (std::size_t n = 0; n < 120; ++n) {
      const double w = lesson_of(drawn.index.sets, drawn.index.of_row[n], k, options_of(Training::probabilistic));
      weight += w;
      mean_log += w * std::log(drawn.x[n]);
    }
    EXPECT_NEAR(taught.mean_log[k], mean_log / weight, rounding);
  }
}

// Half an item of a value counts half of it.
TEST(TaughtStatistics, CountEachValueAsOftenAsItsLessonsWeigh) {
  SetStatistics statistics;
  statistics.sets = sets_of({"10", "11"});
  statistics.dimensions = 1;
  statistics.count = {3.0, 2.0};
  statistics.mean = {1.0, 4.0};
  statistics.values = {{{0.0, 1.0}, {1.5, 2.0}}, {{1.5, 1.0}, {6.5, 1.0}}};
  const SetStatistics taught = taught_statistics(statistics, options_of(Training::probabilistic), {});
  ASSERT_EQ(taught.values.size(), 2U);
  const std::vector<std::pair<double, double>> first = {{0.0, 1.0}, {1.5, 2.5}, {6.5, 0.5}};
  ASSERT_EQ(taught.values[0].size(), first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(taught.values[0][i].value, first[i].first);
    EXPECT_EQ(taught.values[0][i].weight, first[i].second);
  }
  EXPECT_EQ(taught.values[1].size(), 2U);
}

TEST(TaughtStatistics, SourcesWithoutAnItemAreNamed) {
  const KnownItems drawn = with_sets({{0, 1}, {2}, {0, 1, 2}}, 4, 10, 2);
  const SetStatistics statistics = gather(drawn.index, drawn.x, 2, Family::gaussian, false, {1});
  expect_error(ErrorKind::unanswerable,
               "--method ignore learns only from items with one label, of which there are none for label 1, label 2, "
               "label 4, the background; --method deconvolution does not need them",
               [&] { taught_statistics(statistics, options_of(Training::ignore, true), {}); });
  const std::vector<std::string> names{"a", "b", "c", "d"};
  expect_error(ErrorKind::unanswerable, "label 'd' is in no item, so nothing can be learnt about it",
               [&] { taught_statistics(statistics, options_of(Training::cross), names); });
}

TEST(TeachingRows, AreAllButForIgnore) {
  const BitMatrix sets = sets_of({"100", "000", "110", "001"});
  using Rows = std::vector<std::uint32_t>;
  EXPECT_EQ(teaching_rows(sets, options_of(Training::cross)), (Rows{0, 1, 2, 3}));
  EXPECT_EQ(teaching_rows(sets, options_of(Training::ignore)), (Rows{0, 3}));
  EXPECT_EQ(teaching_rows(sets, options_of(Training::ignore, true)), (Rows{0, 1, 3}));
}

TEST(RestStatistics, AreOfTheItemsWithoutTheLabel) {
  KnownItems drawn = drawn_items(trained_as(Family::gaussian, Combination::sum), labels, 2, 150, 23);
  BitMatrix sets(150, labels);
  for (std::size_t n = 0; n < 150; ++n) {
    for (std::size_t k = 0; k < 2; ++k) sets.set(n, k, drawn.index.sets(drawn.index.of_row[n], k));
    sets.set(n, 2);  // in every item
  }
  drawn.index = index_label_sets(sets);
  const SetStatistics statistics = gather(drawn.index, drawn.x, 2, Family::gaussian, true, {1});
  std::vector<double> items;
  const SetStatistics rest = rest_statistics(statistics, items);
  ASSERT_EQ(items.size(), labels);
  for (std::size_t k = 0; k < 2; ++k) {
    expect_moments(drawn, rest, k, [&](std::size_t set) { return drawn.index.sets(set, k) ? 0.0 : 1.0; });
    EXPECT_EQ(items[k], rest.count[k]);
  }
  EXPECT_EQ(items[2], 0.0);
  expect_moments(drawn, rest, 2, [](std::size_t) { return 1.0; });  // all, so that there is something
}

// What the other trainings say of families that are not Gaussian: moments of the items that teach a source.
TEST(OtherTrainings, give_the_moments_of_any_family) {
  TrainOptions options = trained_as(Family::poisson, Combination::sum);
  options.shrinkage = 0.0;
  options.method = Training::cross;
  const KnownItems drawn = drawn_items(options, 3, 2, 300, 15);
  const SourceFit fit = fit_sources(drawn.index, drawn.x, 2, options, {});
  double sum = 0.0;
  double items = 0.0;
  for (std::size_t n = 0; n < 300; ++n) {
    if (!drawn.index.sets(drawn.index.of_row[n], 1)) continue;
    sum += drawn.x[n * 2];
    items += 1.0;
  }
  EXPECT_NEAR(fit.sources.location[2], sum / items, 1e-9);
}

}  // namespace
}  // namespace motet::multilabel::trainings_test
