#include "motet/multilabel/linear/linear_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "motet/base/rng.h"
#include "multilabel/training_cases.h"
#include "support/threads.h"

namespace motet::multilabel::linear_fit_test {
namespace {

constexpr Training methods[] = {Training::log_linear, Training::logistic, Training::svm, Training::chain,
                                Training::powerset};

TrainOptions options_of(Training method) {
  TrainOptions options;
  options.method = method;
  options.penalty = 0.05;
  return options;
}

// The penalised sum of losses as the header writes it, item by item.
double plain_objective(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                       const TrainOptions& options, const LinearWeights& w) {
  const std::size_t rows = index.of_row.size();
  double square = 0.0;
  for (const double v : x) square += v * v / static_cast<double>(rows);
  double value = 0.0;
  for (std::size_t i = 0; i < w.weights.size(); ++i) {
    value += 0.5 * options.penalty * (i < dimensions * w.rows ? square : 1.0) * w.weights[i] * w.weights[i];
  }
  for (const double u : w.links) value += 0.5 * options.penalty * u * u;
  for (std::size_t n = 0; n < rows; ++n) {
    const auto own = index.of_row[n];
    const auto z = [&](std::size_t k) {
      double sum = w.weights[dimensions * w.rows + k];
      for (std::size_t d = 0; d < dimensions; ++d) sum += x[n * dimensions + d] * w.weights[d * w.rows + k];
      for (std::size_t j = 0; j < k && !w.links.empty(); ++j) {
        if (index.sets(own, j)) sum += w.links[k * w.rows + j];
      }
      return sum;
    };
    if (options.method == Training::log_linear) {
      double total = 0.0;
      double truth = 0.0;
      for (std::size_t l = 0; l < index.size(); ++l) {
        double score = std::log(static_cast<double>(index.count(l)) / static_cast<double>(rows));
        for_each_bit(index.sets.row(l), [&](std::size_t k) { score += z(k); });
        total += std::exp(score);
        if (l == own) truth = score;
      }
      value += std::log(total) - truth;
      continue;
    }
    for (std::size_t k = 0; k < w.rows; ++k) {
      const bool is_there = options.method == Training::powerset ? own == k : index.sets(own, k);
      const double away = (is_there ? -1.0 : 1.0) * z(k);
      const bool is_logistic = options.method == Training::logistic || options.method == Training::chain;
      const double hinge = std::max(0.0, 1.0 + away);
      value += is_logistic ? std::log1p(std::exp(away)) : hinge * hinge;
    }
  }
  return value;
}

// (1) The objective is that of the header, and (2) it never falls; at the end no weight can be moved to raise it.
TEST(FitLinear, EndsWhereThePenalisedLossesAreLeast) {
  const LabelledItems items = gaussian_items(90);
  const LabelSetIndex index = index_label_sets(items.sets);
  for (const Training method : methods) {
    const TrainOptions options = options_of(method);
    const LinearFit fit = fit_linear(index, items.features.values, 2, options, {});
    EXPECT_EQ(fit.summary.stop, Stop::converged);
    EXPECT_TRUE(std::is_sorted(fit.summary.objective.begin(), fit.summary.objective.end()));
    const auto plain = [&](const LinearWeights& w) {
      return plain_objective(index, items.features.values, 2, options, w);
    };
    const double best = plain(fit.weights);
    EXPECT_NEAR(-fit.summary.objective.back(), best, 1e-9 * best);
    LinearWeights moved = fit.weights;
    for (double step : {-1e-2, 1e-2}) {
      for (double& w : moved.weights) {
        w += step;
        EXPECT_GT(plain(moved), best);
        w -= step;
      }
      for (std::size_t k = 0; k < moved.rows && !moved.links.empty(); ++k) {
        for (std::size_t j = 0; j < k; ++j) {
          moved.links[k * moved.rows + j] += step;
          EXPECT_GT(plain(moved), best);
          moved.links[k * moved.rows + j] -= step;
        }
      }
    }
    for (std::size_t k = 0; k < fit.weights.rows && !fit.weights.links.empty(); ++k) {
      for (std::size_t j = k; j < fit.weights.rows; ++j) EXPECT_EQ(fit.weights.links[k * fit.weights.rows + j], 0.0);
    }
  }
}

TEST(FitLinear, GivesTheSameBitsOnAnyNumberOfThreads) {
  const LabelledItems items = gaussian_items(3000);
  const LabelSetIndex index = index_label_sets(items.sets);
  for (const Training method : methods) {
    RunContext one;
    one.threads = {1};
    RunContext four;
    StartedThreads started(4);
    four.threads = started;
    const LinearFit a = fit_linear(index, items.features.values, 2, options_of(method), one);
    const LinearFit b = fit_linear(index, items.features.values, 2, options_of(method), four);
    EXPECT_EQ(a.weights, b.weights);
  }
}

// The order of the items and the names of the labels say nothing; a chain goes by the order of the labels.
TEST(FitLinear, TheOrderOfItemsAndLabelsSaysNothing) {
  const LabelledItems items = gaussian_items(120);
  LabelledItems turned = items;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    const std::size_t from = items.rows() - 1 - n;
    std::copy_n(items.features.row(from).begin(), 2,
                turned.features.values.begin() + static_cast<std::ptrdiff_t>(2 * n));
    for (std::size_t k = 0; k < 3; ++k) turned.sets.set(n, 2 - k, items.sets(from, k));
  }
  constexpr double near = 1e-3;  // where the descent ends, in weights of about 1
  for (const Training method : {Training::log_linear, Training::logistic, Training::svm}) {
    const LinearWeights a =
        fit_linear(index_label_sets(items.sets), items.features.values, 2, options_of(method), {}).weights;
    const LinearWeights b =
        fit_linear(index_label_sets(turned.sets), turned.features.values, 2, options_of(method), {}).weights;
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a.weights[d * 3 + k], b.weights[d * 3 + 2 - k], near);
    }
  }
}

// Items drawn from a log-linear model with known weights: they come back within four standard errors of about
// 2 / sqrt(items), the information of a weight on a feature of variance 1 being about items / 5.
TEST(FitLinear, PlantedWeightsComeBack) {
  constexpr std::size_t count = 20'000;
  constexpr double planted[2][2] = {{1.0, -0.5}, {0.25, 0.75}};  // feature, label
  Rng rng(Seed{5});
  std::vector<double> x;
  BitMatrix sets(count, 2);
  for (std::size_t n = 0; n < count; ++n) {
    const double first = rng.normal();
    const double second = rng.normal();
    x.insert(x.end(), {first, second});
    double total = 0.0;
    double p[4];
    for (std::size_t l = 0; l < 4; ++l) {
      double score = 0.0;
      for (std::size_t k = 0; k < 2; ++k) {
        if ((l >> k & 1U) != 0) score += planted[0][k] * first + planted[1][k] * second;
      }
      total += p[l] = std::exp(score);
    }
    double lot = rng.uniform() * total;
    std::size_t l = 0;
    while (l < 3 && lot >= p[l]) lot -= p[l++];
    sets.set(n, 0, (l & 1U) != 0);
    sets.set(n, 1, (l & 2U) != 0);
  }
  const LinearWeights found = fit_linear(index_label_sets(sets), x, 2, options_of(Training::log_linear), {}).weights;
  const double allowed = 4.0 * std::sqrt(5.0 / static_cast<double>(count));
  for (std::size_t d = 0; d < 2; ++d) {
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(found.weights[d * 2 + k], planted[d][k], allowed);
  }
}

}  // namespace
}  // namespace motet::multilabel::linear_fit_test
