#include "motet/temporal/hmm/source_hmm.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "temporal/hmm/hmm_cases.h"

namespace motet::temporal::source_hmm_test {
namespace {

constexpr double exact = 1e-12;  // of sums of a few numbers of size 1

TEST(SourceHmm, IsInTheLongRunWhereItsChainComesToRest) {
  const std::vector<double> shares = long_run_shares({{1.0, 0.0}, {0.8, 0.2, 0.3, 0.7}});
  EXPECT_NEAR(shares[0], 0.6, exact);
  EXPECT_NEAR(shares[1], 0.4, exact);
  const std::vector<double> in_turn = long_run_shares({{1.0, 0.0}, {0.0, 1.0, 1.0, 0.0}});
  EXPECT_NEAR(in_turn[0], 0.5, exact);
}

TEST(SourceHmm, EmitsOnAverageTheMeansOfItsStatesByTheirShares) {
  const SourceHmm source = some_source(1.0);
  const std::vector<double> mean = mean_emission(source);
  EXPECT_NEAR(mean[0], 0.6 * 1.0 + 0.4 * 4.0, 1e-11);
  EXPECT_NEAR(mean[1], 0.6 * 0.5 + 0.4 * 3.5, 1e-11);
}

TEST(SourceHmm, IsTheSameFromItsParametersAndItsValue) {
  const SourceHmm source = some_source(-2.0, 3);
  std::vector<double> parameters;
  write_parameters(source, parameters);
  EXPECT_EQ(parameters.size(), parameter_count(2, 3));
  EXPECT_EQ(source_at(parameters, 2, 3), source);
  EXPECT_EQ(source_from_value(to_value(source), 3), source);
}

TEST(SourceHmm, OfAFileIsChecked) {
  const auto told = [](const std::string& field, Value value, std::size_t dimensions = 2) {
    Value changed = to_value(some_source(0.0));
    changed.set(field, std::move(value));
    return refusal([&] { source_from_value(changed, dimensions); });
  };
  EXPECT_EQ(told("states", 2), "accepted");
  EXPECT_EQ(told("states", 17), "field 'states' is 17; 1 to 16 are allowed");
  EXPECT_NE(told("start", Value::list_of(std::vector<double>{0.5, 0.6})), "accepted");
  EXPECT_NE(told("transition", Value::list_of(std::vector<double>{1.0, 0.0, 0.5, 0.5})), "accepted");
  EXPECT_NE(told("variances", Value::list_of(std::vector<double>{1.0, 0.0, 1.0, 1.0})), "accepted");
  EXPECT_NE(told("states", 2, 3), "accepted");
}

}  // namespace
}  // namespace motet::temporal::source_hmm_test
