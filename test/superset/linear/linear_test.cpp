#include "motet/superset/linear/linear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "motet/superset/linear/clpl.h"
#include "motet/superset/linear/logistic.h"
#include "motet/superset/linear/naive.h"
#include "motet/superset/linear/svm.h"
#include "superset/candidate_cases.h"
#include "support/cancelled.h"
#include "support/threads.h"

namespace motet::superset::linear_test {
namespace {

struct Method {
  const char* name;
  std::function<LinearFit(const EvidenceMatrix&, std::span<const double>, std::size_t, double, const RunContext&)> fit;
};

const std::vector<Method> methods{
    {"logistic", fit_logistic}, {"clpl", fit_clpl}, {"svm", fit_svm}, {"naive", fit_naive}};

TEST(SupersetLinear, TheObjectiveOfEveryMethodNeverFalls) {
  const CandidateItems items = easy_items(90);
  const EvidenceMatrix evidence = evidence_of(items, 0.05);
  for (const Method& method : methods) {
    const LinearFit fit = method.fit(evidence, items.features.values, 2, 0.1, {});
    const std::vector<double>& objective = fit.summary.objective;
    ASSERT_GE(objective.size(), 2U) << method.name;
    for (std::size_t i = 1; i < objective.size(); ++i) {
      EXPECT_GE(objective[i], objective[i - 1] - 1e-9 * std::abs(objective[i])) << method.name << " " << i;
    }
  }
}

TEST(SupersetLinear, EveryMethodPartsEasyClasses) {
  const CandidateItems items = easy_items(150);
  const CandidateItems fresh = easy_items(150, Seed{9});
  const EvidenceMatrix evidence = evidence_of(items, 0.0);
  for (const Method& method : methods) {
    const LinearFit fit = method.fit(evidence, items.features.values, 2, 0.1, {});
    EXPECT_GT(accuracy_of(scores(fit.model, fresh.features.values, {1}), fresh), 0.9) << method.name;
  }
}

TEST(SupersetLinear, RowsThatSayNothingChangeNothing) {
  CandidateItems items = easy_items(60);
  const EvidenceMatrix evidence = evidence_of(items, 0.0);
  EvidenceMatrix more = evidence;
  std::vector<double> x = items.features.values;
  for (int i = 0; i < 10; ++i) {
    more.values.insert(more.values.end(), {1.0, 1.0, 1.0});
    x.insert(x.end(), {5.0 * i, -3.0});
    ++more.rows;
  }
  // The likelihood and the hinges do not see such rows; the convex start of the logistic does.
  for (const std::size_t m : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    const LinearFit without = methods[m].fit(evidence, items.features.values, 2, 1.0, {});
    const LinearFit with = methods[m].fit(more, x, 2, 1.0, {});
    for (std::size_t i = 0; i < with.model.weights.size(); ++i) {
      EXPECT_NEAR(with.model.weights[i], without.model.weights[i], 1e-3) << methods[m].name;
    }
  }
}

TEST(SupersetLinear, TheSameBitsComeFromAnyNumberOfThreads) {
  const CandidateItems items = easy_items(3000);  // 12 tasks
  const EvidenceMatrix evidence = evidence_of(items, 0.0);
  for (const Method& method : methods) {
    RunContext one, four;
    one.threads = {1};
    StartedThreads started(4);
    four.threads = started;
    EXPECT_EQ(method.fit(evidence, items.features.values, 2, 1.0, one).model,
              method.fit(evidence, items.features.values, 2, 1.0, four).model)
        << method.name;
  }
}

TEST(SupersetLinear, RenamedClassesGiveRenamedScores) {
  const CandidateItems items = easy_items(60);
  const EvidenceMatrix evidence = evidence_of(items, 0.1);
  EvidenceMatrix turned = evidence;
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    for (std::size_t l = 0; l < 3; ++l) turned.row(n)[(l + 1) % 3] = evidence.row(n)[l];
  }
  for (const Method& method : methods) {
    const LinearFit a = method.fit(evidence, items.features.values, 2, 1.0, {});
    const LinearFit b = method.fit(turned, items.features.values, 2, 1.0, {});
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t l = 0; l < 3; ++l) {
        EXPECT_NEAR(a.model.weights[d * 3 + l], b.model.weights[d * 3 + (l + 1) % 3], 1e-2) << method.name;
      }
    }
  }
}

TEST(SupersetLinear, AFitThatIsCancelledSaysSo) {
  const CandidateItems items = easy_items(30);
  for (const Method& method : methods) {
    EXPECT_EQ(method.fit(evidence_of(items, 0.0), items.features.values, 2, 1.0, cancelled_run()).summary.stop,
              Stop::interrupted)
        << method.name;
  }
}

// Squared errors of one feature and a bias have their minimum where (X'X + P) w = X'y, here two equations.
TEST(SupersetLinear, OfSquaredErrorsIsRidgeRegression) {
  constexpr std::size_t rows = 300;  // two tasks
  constexpr double penalty = 2.0, of_bias = 1e-6;
  std::vector<double> x(rows), y(rows);
  double xx = 0.0, sx = 0.0, xy = 0.0, sy = 0.0;
  Rng rng(Seed{4});
  for (std::size_t n = 0; n < rows; ++n) {
    x[n] = rng.normal();
    y[n] = 3.0 * x[n] - 1.0 + rng.normal();
    xx += x[n] * x[n];
    sx += x[n];
    xy += x[n] * y[n];
    sy += y[n];
  }
  const RowLoss loss = [&](std::size_t n, std::span<const double> f, std::span<double> slope) {
    slope[0] = f[0] - y[n];
    return 0.5 * slope[0] * slope[0];
  };
  const LinearFit fit = fit_linear(x, zero_scores(1, 1), penalty, loss, {300, 0.0, 1e-8}, {});
  const double a = xx + penalty, d = rows + of_bias, determinant = a * d - sx * sx;
  EXPECT_NEAR(fit.model.weights[0], (d * xy - sx * sy) / determinant, 1e-8);
  EXPECT_NEAR(fit.model.weights[1], (a * sy - sx * xy) / determinant, 1e-8);
  EXPECT_NEAR(-penalised_loss(x, fit.model, penalty, loss, {1}), fit.summary.objective.back(), 1e-9);
}

TEST(SupersetLinear, ScoresAreLinesWithTheirBiasLast) {
  const LinearScores model{2, 3, {1.0, 2.0, 3.0, 10.0, 20.0, 30.0, 100.0, 200.0, 300.0}};
  EXPECT_EQ(scores(model, std::vector<double>{1.0, 1.0, 0.5, -1.0}, {1}),
            (std::vector<double>{111.0, 222.0, 333.0, 90.5, 181.0, 271.5}));
}

TEST(SupersetLinear, ASoftmaxBearsScoresOfAnySize) {
  std::vector<double> f{0.0, std::log(3.0), 1e300, -1e300, -1000.0, -1000.0};
  to_softmax(f, 2);
  EXPECT_NEAR(f[0], 0.25, 1e-15);
  EXPECT_NEAR(f[1], 0.75, 1e-15);
  EXPECT_EQ(std::vector<double>(f.begin() + 2, f.end()), (std::vector<double>{1.0, 0.0, 0.5, 0.5}));
  std::vector<double> sharp{0.0, std::log(3.0)};
  to_softmax(sharp, 2, 2.0);
  EXPECT_NEAR(sharp[1], 0.9, 1e-15);
}

}  // namespace
}  // namespace motet::superset::linear_test
