#include "motet/superset/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/errors.h"

namespace motet::superset::simulate_test {
namespace {

BlobOptions few() {
  BlobOptions options{.items = 2000};
  return options;
}

TEST(SimulateSuperset, BlobsHaveTheirTruthAsOnlyCandidate) {
  const CandidateItems items = simulate_blobs(few(), Rng(Seed{3}));
  check_candidates(items);
  ASSERT_EQ(items.rows(), 2000U);
  EXPECT_EQ(items.features.dimensions(), 4U);
  std::vector<double> count(5);
  for (std::size_t n = 0; n < items.rows(); ++n) {
    ASSERT_EQ(items.candidates(n).size(), 1U);
    EXPECT_EQ(static_cast<std::int32_t>(items.candidates(n)[0]), items.truth[n]);
    count[items.candidates(n)[0]] += 1.0;
  }
  for (const double c : count) EXPECT_NEAR(c, 400.0, 5.0 * std::sqrt(400.0 * 0.8));  // five standard errors
}

TEST(SimulateSuperset, MoreItemsLeaveTheFirstAsTheyAre) {
  BlobOptions options = few();
  const CandidateItems all = simulate_blobs(options, Rng(Seed{3}));
  options.items = 10;
  const CandidateItems first = simulate_blobs(options, Rng(Seed{3}));
  EXPECT_TRUE(std::equal(first.features.values.begin(), first.features.values.end(), all.features.values.begin()));
}

TEST(SimulateSuperset, AShareOfTheItemsGetsSoManyCandidates) {
  const CandidateItems items = simulate_blobs(few(), Rng(Seed{3}));
  const CandidateItems made = simulate_candidates(items, {0.3, 2, 0.0}, Rng(Seed{4}));
  check_candidates(made);
  double ambiguous = 0.0;
  for (std::size_t n = 0; n < made.rows(); ++n) {
    const auto set = made.candidates(n);
    EXPECT_TRUE(set.size() == 1 || set.size() == 3);
    EXPECT_TRUE(std::find(set.begin(), set.end(), static_cast<std::uint32_t>(made.truth[n])) != set.end());
    ambiguous += set.size() == 3 ? 1.0 : 0.0;
  }
  EXPECT_NEAR(ambiguous, 600.0, 5.0 * std::sqrt(2000 * 0.3 * 0.7));
}

TEST(SimulateSuperset, ThePartnerComesWithItsProbability) {
  const CandidateItems items = simulate_blobs(few(), Rng(Seed{3}));
  const CandidateItems made = simulate_candidates(items, {1.0, 1, 0.7}, Rng(Seed{4}));
  double together = 0.0;
  for (std::size_t n = 0; n < made.rows(); ++n) {
    const auto set = made.candidates(n);
    ASSERT_EQ(set.size(), 2U);
    const auto partner = static_cast<std::uint32_t>((made.truth[n] + 1) % 5);
    together += std::find(set.begin(), set.end(), partner) != set.end() ? 1.0 : 0.0;
  }
  EXPECT_NEAR(together, 1400.0, 5.0 * std::sqrt(2000 * 0.7 * 0.3));
}

TEST(SimulateSuperset, BadRequestsHaveTheirMessages) {
  const auto message_of = [](const AmbiguityOptions& options, bool with_truth) -> std::string {
    CandidateItems items = simulate_blobs({10, 5, 3, 4, 4.0}, Rng(Seed{3}));
    if (!with_truth) items.truth.clear();
    return error_of([&] { simulate_candidates(items, options, Rng(Seed{1})); });
  };
  EXPECT_EQ(message_of({1.0, 5, 0.0}, true),
            "--extra: 5 candidates beside the true one are too many; there are 5 classes");
  EXPECT_EQ(message_of({1.5, 1, 0.0}, true), "--share 1.5 is outside [0, 1]");
  EXPECT_EQ(message_of({1.0, 1, 0.0}, false), "row 1: the true label is not known");
}

}  // namespace
}  // namespace motet::superset::simulate_test
