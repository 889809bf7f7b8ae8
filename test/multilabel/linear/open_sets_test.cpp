#include "motet/multilabel/linear/open_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/base/rng.h"
#include "multilabel/set_cases.h"

namespace motet::multilabel::open_sets_test {
namespace {

LabelSetPrior prior_of_five() {
  const BitMatrix rows = sets_of({"10000", "10000", "01000", "11000", "11000", "00110", "00001", "10011"});
  return learn_set_prior(index_label_sets(rows));
}

BitMatrix all_sets(std::size_t labels) {
  BitMatrix sets(std::size_t{1} << labels, labels);
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    for (std::size_t k = 0; k < labels; ++k) sets.set(j, k, (j >> k & 1U) != 0);
  }
  return sets;
}

// Against all 32 sets, one by one: the sum, the best set, the marginals.
TEST(OpenSets, SayWhatAllSetsSayOneByOne) {
  const LabelSetPrior prior = prior_of_five();
  const BitMatrix every = all_sets(5);
  const std::vector<double> log_prior = log_priors(prior, every);
  Rng rng(Seed{3});
  std::size_t found_unseen = 0;
  for (const std::size_t most : {no_set, std::size_t{2}}) {
    const OpenSets open(prior, most);
    for (int item = 0; item < 50; ++item) {
      std::vector<double> z(5);
      for (double& value : z) value = 3.0 * rng.normal();
      const OpenItem found = open.of(z);
      double total = 0.0;
      double best = -1e300;
      std::vector<double> marginal(5, 0.0);
      for (std::size_t j = 0; j < every.rows(); ++j) {
        if (every.count(j) > most) continue;
        double joint = log_prior[j];
        for_each_bit(every.row(j), [&](std::size_t k) { joint += z[k]; });
        EXPECT_NEAR(open.log_joint(z, every.row(j)), joint, 1e-12);
        total += std::exp(joint);
        best = std::max(best, joint);
        for_each_bit(every.row(j), [&](std::size_t k) { marginal[k] += std::exp(joint); });
      }
      EXPECT_NEAR(found.log_sum, std::log(total), 1e-12);
      const double of_observed = *std::max_element(found.observed.begin(), found.observed.end());
      const double of_unseen =
          found.log_joint.empty() ? -1e300 : *std::max_element(found.log_joint.begin(), found.log_joint.end());
      EXPECT_NEAR(std::max(of_observed, of_unseen), best, 1e-12);
      found_unseen += of_unseen > of_observed ? 1 : 0;
      for (std::size_t j = 0; j < found.unseen.rows(); ++j) {
        EXPECT_EQ(find_set(prior.sets, found.unseen.row(j)), no_set);
        EXPECT_NEAR(open.log_joint(z, found.unseen.row(j)), found.log_joint[j], 1e-12);
      }
      const std::vector<double> told = open.marginals(z, found);
      for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(told[k], marginal[k] / total, 1e-12);
    }
  }
  EXPECT_GT(found_unseen, 10U);
}

}  // namespace
}  // namespace motet::multilabel::open_sets_test
