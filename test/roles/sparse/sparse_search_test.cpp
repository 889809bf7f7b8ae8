#include "motet/roles/sparse/sparse_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "roles/planted_cases.h"
#include "roles/sparse/sparse_cases.h"
#include "support/threads.h"

namespace motet::roles::sparse_search_test {
namespace {

SparseRules most_three() {
  SparseRules rules;
  rules.growth.most_roles = 3;
  return rules;
}

std::size_t found_in(const SparseRows& roles, const SparsePlanted& planted) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < planted.roles.rows(); ++k) {
    for (std::size_t j = 0; j < roles.rows(); ++j) count += std::ranges::equal(planted.roles[k], roles[j]) ? 1U : 0U;
  }
  return count;
}

TEST(SparseSearch, FindsThePlantedRoles) {
  const SparsePlanted planted = planted_sparse({900, 300, 25, 12, 3, 0.05}, Seed{1});
  SparseQuestion question;
  question.roles = 25;
  question.kept.columns = 300;
  const std::vector<NamedSparse> ends = search_sparse(sparse_rows(planted.access.held), question, most_three(), {});
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].name, "co-occurrence");
  EXPECT_EQ(found_in(ends[0].state.roles, planted), 25U);
}

// Two roles in one and one role in two halves: a move mends it.
TEST(SparseSearch, MovesMendABadStart) {
  const SparsePlanted planted = planted_sparse({900, 300, 10, 12, 2, 0.05}, Seed{2});
  const SparseRows held = sparse_rows(planted.access.held);
  SparseRows wrong;
  wrong.columns = 300;
  Permissions both;
  std::ranges::set_union(planted.roles[0], planted.roles[1], std::back_inserter(both));
  wrong.add(both);
  wrong.add(planted.roles[2].first(6));
  wrong.add(planted.roles[2].last(6));
  for (std::size_t k = 3; k < 10; ++k) wrong.add(planted.roles[k]);
  const SparseRules rules = most_three();
  const SparseFit alone = fit_sparse(held, sparse_start(wrong, held, 3), rules, {50, 1e-6}, {});
  EXPECT_LT(found_in(alone.state.roles, planted), 10U);  // EM does not leave it
  SparseQuestion question;
  question.roles = 10;
  question.kept = wrong;  // all kept: the same roles, and no moves
  SparseRules kept = rules;
  kept.kept = 10;
  EXPECT_EQ(search_sparse(held, question, kept, {}).front().state.roles, wrong);
  question.kept = {};
  question.kept.columns = 300;
  question.starts.push_back({"wrong", sparse_start(wrong, held, 3)});
  EXPECT_EQ(found_in(search_sparse(held, question, rules, {}).front().state.roles, planted), 10U);
}

TEST(SparseSearch, KeptRolesComeFirst) {
  const SparsePlanted planted = planted_sparse({500, 200, 8, 12, 2, 0.05}, Seed{3});
  SparseRows kept;
  kept.columns = 200;
  kept.add(planted.roles[5]);
  kept.add(std::vector<std::uint32_t>{0, 1, 2});
  SparseQuestion question{kept, 9};
  SparseRules rules = most_three();
  rules.kept = 2;
  const SparseRoles state = search_sparse(sparse_rows(planted.access.held), question, rules, {}).front().state;
  EXPECT_TRUE(std::ranges::equal(state.roles[0], kept[0]));
  EXPECT_TRUE(std::ranges::equal(state.roles[1], kept[1]));
  EXPECT_EQ(found_in(state.roles, planted), 8U);
}

TEST(SparseSearch, SameOnAnyNumberOfThreads) {
  const SparsePlanted planted = planted_sparse({600, 200, 12, 10, 3, 0.1}, Seed{4});
  const SparseRows held = sparse_rows(planted.access.held);
  SparseQuestion question;
  question.roles = 12;
  question.kept.columns = 200;
  const SparseRoles one = search_sparse(held, question, most_three(), with_threads({1})).front().state;
  StartedThreads threads(3);
  const SparseRoles three = search_sparse(held, question, most_three(), with_threads(threads)).front().state;
  EXPECT_EQ(three.roles, one.roles);
  EXPECT_EQ(three.objective, one.objective);
}

TEST(SparseSearch, LossIsWhatAUserCannotReplace) {
  SparsePosteriors posteriors;
  posteriors.of = {{{{0}, 0.75}, {{1}, 0.25}}, {{{0, 2}, 1.0}}};
  const std::vector<double> loss = removal_losses(posteriors, 4, 0);
  EXPECT_NEAR(loss[0], -std::log(0.25) + near_sets, 1e-12);
  EXPECT_NEAR(loss[1], -std::log(0.75), 1e-12);
  EXPECT_NEAR(loss[2], near_sets, 1e-12);
  EXPECT_EQ(loss[3], 0.0);
  EXPECT_TRUE(std::isinf(removal_losses(posteriors, 4, 1)[0]));
}

}  // namespace
}  // namespace motet::roles::sparse_search_test
