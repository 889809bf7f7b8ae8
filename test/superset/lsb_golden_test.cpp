// The mixture against numbers of an independent computation: dense arrays, an exact M-step, Newton with Cholesky.
#include <gtest/gtest.h>

#include <cmath>

#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/superset/lsb_cmm/lsb_fit.h"

namespace motet::superset::lsb_golden_test {
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
    items.features.starts = {0, items.rows()};
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

}  // namespace
}  // namespace motet::superset::lsb_golden_test
