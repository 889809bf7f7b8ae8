// Tables as users have them at their worst: few items, rare, absent and twin labels, items without labels, constant
// and repeated features, more features than items. Every training gives a model, and every model predictions.
#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/error.h"
#include "motet/base/rng.h"
#include "motet/multilabel/predict.h"
#include "motet/multilabel/train.h"

namespace motet::multilabel::random_tables_test {
namespace {

template <std::size_t Size>
std::size_t any_of(const std::size_t (&sizes)[Size], Rng& rng) {
  return sizes[static_cast<std::size_t>(rng.uniform() * static_cast<double>(Size))];
}

void draw_labels(LabelledItems& items, std::size_t rows, std::size_t labels, Rng& rng) {
  items.sets = BitMatrix(rows, labels);
  const bool all_have_one = rng.uniform() < 0.5;
  const bool has_twins = labels > 2 && rng.uniform() < 0.3;
  const bool is_everywhere = rng.uniform() < 0.3;
  const bool is_absent = rng.uniform() < 0.3;
  for (std::size_t k = 0; k < labels; ++k) items.labels.push_back("l" + std::to_string(k));
  for (std::size_t k = 0; k < labels; ++k) {
    const double share = rng.uniform() * (rng.uniform() < 0.5 ? 0.1 : 0.8);
    for (std::size_t n = 0; n < rows; ++n) items.sets.set(n, k, rng.uniform() < share);
  }
  for (std::size_t n = 0; n < rows; ++n) {
    if (has_twins) items.sets.set(n, 1, items.sets(n, 0));
    if (is_everywhere) items.sets.set(n, labels - 1);
    if (is_absent) items.sets.set(n, 0, false);
    const auto lot = static_cast<std::size_t>(rng.uniform() * static_cast<double>(labels));
    if (all_have_one && items.sets.count(n) == 0) items.sets.set(n, lot);
  }
  if (items.sets.count() == 0) items.sets.set(0, 0);
}

double drawn_value(int kind, const LabelledItems& items, std::size_t n, std::size_t d, Rng& rng) {
  if (kind == 0) return rng.uniform() < 0.1 ? 1.0 : 0.0;
  if (kind == 1) return std::floor(-2.0 * std::log(1.0 - rng.uniform()));
  return rng.normal() * (d % 3 == 0 ? 1e4 : 1.0) + (items.sets(n, d % items.sets.columns()) ? 2.0 : 0.0);
}

LabelledItems drawn_table(std::uint64_t number) {
  Rng rng(Seed{9000 + number});
  LabelledItems items;
  const std::size_t rows = any_of({1, 2, 3, 5, 8, 20, 40, 80}, rng);
  const std::size_t columns = any_of({1, 2, 5, 20, 60}, rng);
  draw_labels(items, rows, any_of({1, 2, 3, 6, 12}, rng), rng);
  const int kind = static_cast<int>(rng.uniform() * 3.0);
  const bool is_constant = rng.uniform() < 0.4;
  const bool is_repeated = columns > 2 && rng.uniform() < 0.3;
  for (std::size_t d = 0; d < columns; ++d) items.features.columns.push_back("x" + std::to_string(d));
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t d = 0; d < columns; ++d) {
      items.features.values.push_back(drawn_value(kind, items, n, d, rng));
      if (is_constant && d == 0) items.features.values.back() = 3.0;
      if (is_repeated && d == 2) items.features.values.back() = items.features.row(n)[1];
    }
  }
  return items;
}

void expect_answers(const LabelledItems& items, const TrainOptions& options) {
  const MultilabelFit fit = train_multilabel(items, options, true, {});
  const SetPredictions found = predict(multilabel_from_record(to_record(fit.model)), items.features, {}, {});
  EXPECT_NE(fit.summary.stop, Stop::objective_fell);
  ASSERT_EQ(found.sets.rows(), items.rows());
  ASSERT_EQ(found.labels, items.labels);
  const BitMatrix by_label = items.sets.transposed();
  for (std::size_t n = 0; n < items.rows(); ++n) {
    EXPECT_TRUE(found.probability[n] >= 0.0 && found.probability[n] <= 1.0);
    EXPECT_TRUE(std::isfinite(found.log_likelihood[n]));
    for (std::size_t k = 0; k < items.labels.size(); ++k) {
      const double marginal = found.marginal[n * items.labels.size() + k];
      EXPECT_TRUE(marginal >= 0.0 && marginal <= 1.0);
      EXPECT_TRUE(by_label.count(k) != 0 || (!found.sets(n, k) && marginal == 0.0));
    }
  }
}

// `ignore` is left out: it learns from items with one label only, and says so where there are none.
constexpr Training methods[] = {Training::deconvolution, Training::fresh,      Training::cross,
                                Training::probabilistic, Training::log_linear, Training::logistic,
                                Training::svm,           Training::chain,      Training::powerset};
constexpr Covariance covariances[] = {Covariance::diagonal, Covariance::shared, Covariance::full,
                                      Covariance::spherical};

void try_table(std::uint64_t number) {
  SCOPED_TRACE("table " + std::to_string(number));
  const LabelledItems items = drawn_table(number);
  TrainOptions options;
  options.method = methods[number % std::size(methods)];
  options.covariance = covariances[number / std::size(methods) % std::size(covariances)];
  options.standardize = number % 2 == 1;
  EXPECT_NO_THROW(expect_answers(items, options));
  if (number % 10 != 0) return;
  options = {};
  options.method = Training::automatic;
  EXPECT_NO_THROW(expect_answers(items, options));
}

TEST(RandomTables, TrainAndPredict) {
  for (std::uint64_t number = 1; number < 40; ++number) {
    if (number % 10 != 0) try_table(number);
  }
}

TEST(RandomTablesSlow, FiveHundredTrainAndPredict) {
  for (std::uint64_t number = 0; number < 500; ++number) try_table(number);
}

}  // namespace
}  // namespace motet::multilabel::random_tables_test
