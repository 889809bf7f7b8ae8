#include "motet/superset/stack.h"

#include <gtest/gtest.h>

#include <cmath>

#include "superset/candidate_cases.h"

namespace motet::superset::stack_test {
namespace {

TEST(SupersetStack, TheLikelihoodNeverFallsAndTheBetterMemberGetsTheWeight) {
  const EvidenceMatrix evidence{4, 2, {1, 0, 1, 0, 0, 1, 0, 1}};
  const std::vector<std::vector<double>> members{{0.9, 0.1, 0.8, 0.2, 0.1, 0.9, 0.2, 0.8},
                                                 {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}};
  const Stack stack = fit_stack(evidence, members);
  for (std::size_t i = 1; i < stack.summary.objective.size(); ++i) {
    EXPECT_GE(stack.summary.objective[i], stack.summary.objective[i - 1] - 1e-12);
  }
  EXPECT_GT(stack.weight[0], 0.99);
  EXPECT_NEAR(stack.weight[0] + stack.weight[1], 1.0, 1e-12);
}

TEST(SupersetStack, MembersThatAreRightOnDifferentItemsShareTheWeight) {
  const EvidenceMatrix evidence{2, 2, {1, 0, 0, 1}};
  const std::vector<std::vector<double>> members{{0.9, 0.1, 0.9, 0.1}, {0.1, 0.9, 0.1, 0.9}};
  EXPECT_NEAR(fit_stack(evidence, members).weight[0], 0.5, 1e-6);
}

TEST(SupersetStack, TheSharpnessThatMadeTheLabelsIsFoundFromCandidates) {
  // Labels drawn from softmax(2 g), each hidden among candidates; 4000 items tell s within 0.2,
  // about three standard errors.
  Rng rng(Seed{5});
  EvidenceMatrix evidence{4000, 3, {}};
  std::vector<double> g;
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    std::vector<double> row{rng.normal(), rng.normal(), rng.normal()};
    g.insert(g.end(), row.begin(), row.end());
    const std::vector<double> p = sharpened(row, 3, 2.0);
    const std::size_t truth = rng.categorical(p);
    const std::size_t other = (truth + 1 + rng.below(2)) % 3;
    for (std::size_t l = 0; l < 3; ++l) evidence.values.push_back(l == truth || l == other ? 1.0 : 0.0);
  }
  EXPECT_NEAR(fit_sharpness(evidence, g), 2.0, 0.2);
}

}  // namespace
}  // namespace motet::superset::stack_test
