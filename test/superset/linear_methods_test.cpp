#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "motet/superset/linear/clpl.h"
#include "motet/superset/linear/logistic.h"
#include "motet/superset/linear/naive.h"
#include "motet/superset/linear/svm.h"
#include "superset/candidate_cases.h"
#include "support/threads.h"

namespace motet::superset::linear_methods_test {
namespace {

struct Method {
  const char* name;
  std::function<LinearFit(const Evidence&, std::span<const double>, std::size_t, double, const RunContext&)> fit;
};

const std::vector<Method> methods{
    {"logistic", fit_logistic}, {"clpl", fit_clpl}, {"svm", fit_svm}, {"naive", fit_naive}};

TEST(SupersetLinear, TheObjectiveOfEveryMethodNeverFalls) {
  const CandidateItems items = easy_items(90);
  const Evidence evidence = evidence_of(items, 0.05);
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
  const Evidence evidence = evidence_of(items, 0.0);
  for (const Method& method : methods) {
    const LinearFit fit = method.fit(evidence, items.features.values, 2, 0.1, {});
    EXPECT_GT(accuracy_of(scores(fit.model, fresh.features.values, {1}), fresh), 0.9) << method.name;
  }
}

TEST(SupersetLinear, RowsThatSayNothingChangeNothing) {
  CandidateItems items = easy_items(60);
  const Evidence evidence = evidence_of(items, 0.0);
  Evidence more = evidence;
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
  const Evidence evidence = evidence_of(items, 0.0);
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
  const Evidence evidence = evidence_of(items, 0.1);
  Evidence turned = evidence;
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

TEST(SupersetLinear, TheLikelihoodOfOneCandidateIsOrdinaryLogisticRegression) {
  // One feature, two classes, labels known: the optimum satisfies sum_n (t_n - p_n) x_n = penalty w.
  const Evidence evidence{4, 2, {1, 0, 1, 0, 0, 1, 0, 1}};
  const std::vector<double> x{-2.0, -0.5, 0.5, 2.0};
  const LinearFit fit = fit_logistic(evidence, x, 1, 0.5, {});
  const std::vector<double> p = logistic_probabilities(fit.model, x, {1});
  double slope = 0.0;
  for (std::size_t n = 0; n < 4; ++n) slope += (evidence.values[n * 2] - p[n * 2]) * x[n];
  EXPECT_NEAR(slope, 0.5 * fit.model.weights[0], 5e-3);
}

TEST(SupersetLinear, AFitThatIsCancelledSaysSo) {
  const CandidateItems items = easy_items(30);
  CancelFlag flag;
  flag.set(2);
  RunContext run;
  run.cancel = &flag;
  for (const Method& method : methods) {
    EXPECT_EQ(method.fit(evidence_of(items, 0.0), items.features.values, 2, 1.0, run).summary.stop, Stop::interrupted)
        << method.name;
  }
}

}  // namespace
}  // namespace motet::superset::linear_methods_test
