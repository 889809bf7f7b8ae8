#include "motet/multilabel/set_prior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "motet/io/json.h"
#include "support/errors.h"

namespace motet::multilabel::set_prior_test {
namespace {

constexpr double rounding = 1e-12;

// Sets by the bits of numbers.
BitMatrix sets_of(std::size_t labels, std::initializer_list<std::uint64_t> sets) {
  BitMatrix result(sets.size(), labels);
  std::size_t n = 0;
  for (const std::uint64_t set : sets) result.row(n++)[0] = set;
  return result;
}

BitMatrix all_sets(std::size_t labels) {
  BitMatrix result(std::size_t{1} << labels, labels);
  for (std::size_t j = 0; j < result.rows(); ++j) result.row(j)[0] = j;
  return result;
}

LabelSetPrior learnt() { return learn_set_prior(index_label_sets(sets_of(5, {1, 1, 1, 2, 3, 3, 6, 0, 9, 9}))); }

TEST(LabelSetPrior, SumsToOneOverAllSets) {
  const LabelSetPrior prior = learnt();
  const BitMatrix sets = all_sets(5);
  double smooth = 0.0;
  double mixed = 0.0;
  double many = 0.0;
  const std::vector<double> together = log_priors(prior, sets);
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    smooth += std::exp(log_smooth(prior, sets.row(j)));
    mixed += std::exp(log_prior(prior, sets.row(j)));
    many += std::exp(together[j]);
    EXPECT_NEAR(together[j], log_prior(prior, sets.row(j)), rounding);
  }
  EXPECT_NEAR(smooth, 1.0, rounding);
  EXPECT_NEAR(mixed, 1.0, rounding);
  EXPECT_NEAR(many, 1.0, rounding);
}

TEST(LabelSetPrior, CountsSetsDegreesAndLabels) {
  const LabelSetPrior prior = learnt();
  EXPECT_EQ(prior.sets.rows(), 6U);
  EXPECT_NEAR(prior.novel, 3.5 / 11.0, rounding);  // three of the sets were seen once
  EXPECT_NEAR(std::exp(prior.log_degree[1]), (4.0 + 1.0 / 6.0) / 11.0, rounding);
  EXPECT_NEAR(std::exp(prior.log_degree[5]), 1.0 / 66.0, rounding);  // never seen
  EXPECT_NEAR(std::exp(prior.log_odds[0]), 7.5 / 3.5, rounding);
  const std::size_t first = find_set(prior.sets, sets_of(5, {1}).row(0));
  EXPECT_NEAR(std::exp(log_share(prior, first)), 0.3, rounding);
}

TEST(LabelSetPrior, ManyLabelsOfAnyOddsDoNotOverflow) {
  BitMatrix sets(3, 500);
  for (std::size_t k = 0; k < 400; ++k) sets.set(0, k);
  for (std::size_t k = 0; k < 250; ++k) sets.set(1, k);
  const LabelSetPrior prior = learn_set_prior(index_label_sets(sets));
  for (const double weight : log_degree_weights(prior)) EXPECT_TRUE(std::isfinite(weight));
}

TEST(LabelSetPrior, SurvivesARecord) {
  LabelSetPrior prior = learnt();
  prior.log_degree[4] = -std::numeric_limits<double>::infinity();
  const LabelSetPrior back = set_prior_from(parse_json(to_json(to_value(prior), 0), "test"));
  EXPECT_EQ(back, prior);
}

TEST(LabelSetPrior, RefusesARecordThatCannotBe) {
  const auto message = [](const char* key, Value wrong) {
    Value value = to_value(learnt());
    value.set(key, std::move(wrong));
    return error_of([&] { set_prior_from(value); }, ErrorKind::bad_data);
  };
  EXPECT_EQ(message("labels", 0), "field 'labels' is 0; from 1 to 1000000 is allowed");
  EXPECT_EQ(message("sets", Value::list({Value::list({5})})), "field 'sets' has label 5; there are 5, the first is 0");
  EXPECT_EQ(message("log_degree", Value::list({-1.0})), "field 'log_degree' has 1 numbers; it must have 6");
  EXPECT_EQ(message("log_degree", Value::list({1.0})), "field 'log_degree' has a probability above 1");
  EXPECT_EQ(message("novel", 1.5), "field 'novel' is outside [0, 1]");
  EXPECT_EQ(message("counts", Value::list({1, 2, 3, 4, 5, 0})), "field 'counts' has a count not above 0");
}

}  // namespace
}  // namespace motet::multilabel::set_prior_test
