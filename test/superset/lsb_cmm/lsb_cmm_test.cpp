// The mixture against numbers of an independent computation: dense arrays, an exact M-step, Newton with Cholesky.
#include "motet/superset/lsb_cmm/lsb_cmm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/superset/lsb_cmm/stick.h"
#include "superset/candidate_cases.h"
#include "superset/lsb_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::superset::lsb_cmm_test {
namespace {

constexpr double tolerance = 1e-8;

struct Golden {
  Value fields = parse_json(read_whole(std::string(MOTET_TEST_DIR) + "/golden/superset/lsb_cmm.json"), "lsb_cmm.json");
  CandidateItems items;
  LsbStart start;
  LsbRule rule;

  Golden() {
    const std::size_t classes = count("L");
    items.classes = {"a", "b", "c"};
    items.features.columns = {"x", "y"};
    for (const Value& row : fields.at("X").as_list()) {
      for (const Value& value : row.as_list()) items.features.values.push_back(value.as_number());
    }
    for (const Value& row : fields.at("M").as_list()) {
      for (std::uint32_t l = 0; l < classes; ++l) {
        if (row.as_list()[l].as_number() > 0.0) items.label.push_back(l);
      }
      items.starts.push_back(items.label.size());
    }
    const std::vector<std::uint32_t> order{0, 1, 2};
    start = class_start(count("K"), classes, order);
    start.jitter = 0.0;
    rule.prior = {number("alpha"), number("sigma2"), number("bias_sigma2")};
    rule.m_step = {60, 30, 1e-6, 0.0, 1e-7};
    rule.max_iterations = fields.at("trace").as_list().size() - 1;
    rule.tolerance = 0.0;
    rule.prune = false;
  }

  double number(const char* key) const { return fields.at(key).as_number(); }
  std::size_t count(const char* key) const { return static_cast<std::size_t>(fields.at(key).as_whole()); }
  LsbFit fit() const { return fit_from({items, items.features.values, 2}, start, rule, Rng(Seed{1}), {}, ""); }
};

TEST(LsbGolden, TheStartIsTheOneOfTheReference) {
  const Golden golden;
  const std::vector<double> shares = numbers_at(golden.fields, "init_phi_row");
  ASSERT_EQ(golden.start.shares.size(), shares.size());
  for (std::size_t k = 0; k < shares.size(); ++k) EXPECT_NEAR(golden.start.shares[k], shares[k], 1e-15);
}

TEST(LsbGolden, TheBoundOfEveryIterationAgrees) {
  const Golden golden;
  const LsbFit fit = golden.fit();
  const Value::List& trace = golden.fields.at("trace").as_list();
  ASSERT_EQ(fit.bounds.size() + 1, trace.size());
  for (std::size_t i = 0; i < fit.bounds.size(); ++i) {
    const Value& at = trace[i + 1];
    EXPECT_NEAR(fit.bounds[i].sum_log_z, at.at("sum_logZ").as_number(), tolerance) << i;
    EXPECT_NEAR(fit.bounds[i].divergence, at.at("kl").as_number(), tolerance) << i;
    EXPECT_NEAR(fit.bounds[i].log_prior, at.at("logpw").as_number(), tolerance) << i;
    EXPECT_NEAR(fit.summary.objective[i], at.at("elbo").as_number(), tolerance) << i;
  }
}

TEST(LsbGolden, TheParametersAndProbabilitiesAgree) {
  const Golden golden;
  const LsbFit fit = golden.fit();
  // The reference has the bias first.
  const Value::List& w = golden.fields.at("W").as_list();
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(fit.model.weights[k * 3 + 2], w[0].as_list()[k].as_number(), tolerance) << k;
    EXPECT_NEAR(fit.model.weights[k * 3 + 0], w[1].as_list()[k].as_number(), tolerance) << k;
    EXPECT_NEAR(fit.model.weights[k * 3 + 1], w[2].as_list()[k].as_number(), tolerance) << k;
  }
  const Value::List& a = golden.fields.at("ah").as_list();
  for (std::size_t k = 0; k < 5; ++k) {
    for (std::size_t l = 0; l < 3; ++l) {
      EXPECT_NEAR(fit.model.concentration[k * 3 + l], a[k].as_list()[l].as_number(), tolerance) << k << ' ' << l;
    }
  }
  const std::vector<double> probabilities = class_probabilities(fit.model, golden.items.features.values, {1});
  const Value::List& p = golden.fields.at("P").as_list();
  for (std::size_t n = 0; n < golden.items.rows(); ++n) {
    for (std::size_t l = 0; l < 3; ++l) EXPECT_NEAR(probabilities[n * 3 + l], p[n].as_list()[l].as_number(), tolerance);
  }
}

TEST(LsbCmm, ProbabilitiesSumToOne) {
  const CandidateItems items = blobs_with_candidates(200, 1);
  const LsbFit found = fit_as_usual(items, few_iterations(5));
  const std::vector<double> p = class_probabilities(found.model, items.features.values, {1});
  for (std::size_t n = 0; n < 200; ++n) {
    double sum = 0.0;
    for (std::size_t l = 0; l < 5; ++l) sum += p[n * 5 + l];
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
}

// sum_k phi_nk a_kl / sum_l a_kl, by plain loops in logarithms.
TEST(LsbCmm, ProbabilitiesAreTheMeanOfTheComponents) {
  constexpr std::size_t components = 6, classes = 5, rows = 150;
  const CandidateItems items = blobs_with_candidates(rows, 1);
  const std::size_t dimensions = items.features.dimensions();
  const LsbCmm model = model_of(some_parameters(components, classes, dimensions, 0.2), {});
  const std::vector<double> p = class_probabilities(model, items.features.values, {1});
  for (std::size_t n = 0; n < rows; ++n) {
    std::vector<double> u(components - 1), log_phi(components), wanted(classes);
    for (std::size_t k = 0; k + 1 < components; ++k) {
      u[k] = model.weights[k * (dimensions + 1) + dimensions];
      for (std::size_t d = 0; d < dimensions; ++d) {
        u[k] += model.weights[k * (dimensions + 1) + d] * items.features.values[n * dimensions + d];
      }
    }
    log_stick(u, log_phi);
    for (std::size_t k = 0; k < components; ++k) {
      double total = 0.0;
      for (std::size_t l = 0; l < classes; ++l) total += model.concentration[k * classes + l];
      for (std::size_t l = 0; l < classes; ++l) {
        wanted[l] += std::exp(log_phi[k]) * model.concentration[k * classes + l] / total;
      }
    }
    for (std::size_t l = 0; l < classes; ++l) EXPECT_NEAR(p[n * classes + l], wanted[l], 1e-13) << n;
  }
  StartedThreads started(2);
  EXPECT_EQ(class_probabilities(model, items.features.values, started), p);
}

// With one component there is nothing to break: its concentration counts the items of each class.
TEST(LsbCmm, OneComponentCountsTheClasses) {
  const CandidateItems items = blobs_with_candidates(100, 0);
  SupersetOptions options = few_iterations(3);
  options.components = 1;
  const LsbFit found = fit_as_usual(items, options);
  std::vector<double> wanted(items.classes.size(), options.alpha);
  for (const std::uint32_t l : items.label) wanted[l] += 1.0;
  EXPECT_TRUE(found.model.weights.empty());
  for (std::size_t l = 0; l < wanted.size(); ++l) EXPECT_NEAR(found.model.concentration[l], wanted[l], 1e-9) << l;
}

TEST(LsbCmm, AnotherOrderOfTheClassesIsAnotherStart) {
  const CandidateItems items = blobs_with_candidates(100, 1);
  const std::vector<std::uint32_t> order{4, 2, 0, 1, 3};
  const LsbFit other = fit_lsb_cmm(items, items.features.values, few_iterations(2), order, {});
  EXPECT_NE(other.model, fit_as_usual(items, few_iterations(2)).model);
  EXPECT_EQ(error_of([&] { fit_lsb_cmm(items, items.features.values, {}, usual_order(4), {}); }),
            "an order of 4 classes does not fit 5");
}

}  // namespace
}  // namespace motet::superset::lsb_cmm_test
