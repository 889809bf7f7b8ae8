#include "motet/roles/mac/search_starts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "roles/mac_cases.h"
#include "roles/planted_cases.h"
#include "support/threads.h"

namespace motet::roles::search_starts_test {
namespace {

struct Planted {
  BitMatrix roles = chapter9_sources(Chapter9Sources::overlapping);
  MergedMatrix data = merge_equal(
      chapter9_data(roles, {.single_items = 15, .multiple_items = 15, .noise_fraction = 0.1}, Rng(Seed{4})).access.held,
      {true, false});

  SearchRules rules() const {
    SearchRules rules;
    rules.degree = 2;
    return rules;
  }
};

TEST(SearchStarts, RolesGrowOneAfterTheOther) {
  const Planted planted;
  RoleSearch search(planted.data, planted.rules(), {});
  Rng rng(Seed{1});
  const std::vector<RoleState> path = growth_path(search, 3, rng);
  ASSERT_EQ(path.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(path[i].count(), i + 1);
    if (i > 0) {
      EXPECT_GT(path[i].objective, path[i - 1].objective);
    }
  }
  EXPECT_EQ(role_error(path.back().roles, planted.roles), 0.0);
}

TEST(SearchStarts, GrowthBeginsWithTheKeptRoles) {
  const Planted planted;
  SearchRules rules = planted.rules();
  rules.keep = planted.roles.rows_of(std::vector{0U, 1U});
  RoleSearch search(planted.data, rules, {});
  Rng rng(Seed{1});
  const std::vector<RoleState> path = growth_path(search, 3, rng);
  ASSERT_EQ(path.size(), 1U);
  EXPECT_EQ(path[0].roles.rows_of(std::vector{0U, 1U}), rules.keep);
  EXPECT_EQ(role_error(path[0].roles, planted.roles), 0.0);
  const std::vector<RoleState> kept = growth_path(search, 2, rng);  // none beside them
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].roles, rules.keep);
}

TEST(SearchStarts, WhereNobodyHoldsAnythingNothingGrows) {
  const MergedMatrix data = each_alone(BitMatrix(5, 4));
  RoleSearch search(data, {}, {});
  Rng rng(Seed{1});
  EXPECT_TRUE(growth_path(search, 2, rng).empty());
}

TEST(SearchStarts, AreOneOfEachKindTheBestFirst) {
  const Planted planted;
  RoleSearch search(planted.data, planted.rules(), {});
  StartRules rules;
  rules.annealings = 2;
  rules.previous = &planted.roles;
  double told = 0.0, total = 0.0;
  const RunContext run;
  KeptSearch kept(run, 24);
  const std::vector<SearchStart> starts = search_starts(search, 3, rules, run, kept, [&](double done, double of) {
    told = done;
    total = of;
  });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    names.push_back(starts[i].name);
    EXPECT_EQ(starts[i].state.count(), 3U);
    if (i > 0) {
      EXPECT_LE(starts[i].state.objective, starts[i - 1].state.objective);
    }
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"annealing 1", "annealing 2", "association", "association reshaped",
                                             "associations of 0.3", "associations of 0.5", "associations of 0.7",
                                             "one after the other", "previous model"}));
  EXPECT_EQ(told, 9.0);
  EXPECT_EQ(total, 9.0);
  EXPECT_EQ(role_error(starts.front().state.roles, planted.roles), 0.0);
}

TEST(SearchStarts, TheWholeSearchFindsTheRolesAndOrdersItsEnds) {
  const Planted planted;
  std::size_t told = 0;
  RunContext run;
  run.observer = [&](const Progress& progress) { told += progress.stage == "searching for roles" ? 1U : 0U; };
  const auto searched = [&](const RunContext& context) {
    RoleSearch search(planted.data, planted.rules(), context);
    StartRules rules;
    rules.annealings = 1;
    return search_roles(search, 3, rules, context).ends;
  };
  const std::vector<SearchStart> ends = searched(run);
  EXPECT_GT(told, 3U);
  ASSERT_FALSE(ends.empty());
  EXPECT_EQ(role_error(ends.front().state.roles, planted.roles), 0.0);
  for (std::size_t i = 1; i < ends.size(); ++i) {
    EXPECT_LE(ends[i].state.objective, ends[i - 1].state.objective);
  }
  const std::vector<SearchStart> again = searched(with_threads(StartedThreads(2)));
  ASSERT_EQ(again.size(), ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) EXPECT_EQ(again[i].state.objective, ends[i].state.objective) << i;
}

// What --method sac would find, as states of the search over all sets.
TEST(SearchStarts, EndsWithOneRolePerUserAreThoseOfThatSearch) {
  const Planted planted;
  RoleSearch search(planted.data, planted.rules(), {});
  StartRules rules;
  rules.annealings = 1;
  const std::vector<SearchStart> ends = single_ends(search, 3, rules, {});
  SearchRules one = planted.rules();
  one.degree = 1;
  RoleSearch alone(planted.data, one, {});
  const std::vector<SearchStart> wanted = search_roles(alone, 3, rules, {}).ends;
  ASSERT_EQ(ends.size(), wanted.size());
  const LabelSets& sets = search.shape(3).sets;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_EQ(ends[i].name, wanted[i].name + ", one role per user");
    EXPECT_EQ(ends[i].state.roles, wanted[i].state.roles);
    EXPECT_EQ(ends[i].state.objective, wanted[i].state.objective);
    ASSERT_EQ(ends[i].state.share.size(), sets.size());
    double single = 0.0;
    for (std::size_t l = 0; l < sets.size(); ++l) single += sets[l].size() < 2 ? ends[i].state.share[l] : 0.0;
    EXPECT_GT(single, 0.99);
    EXPECT_LT(single, 1.0);
  }
}

// Moves, warm restarts and single cells turned must leave kept roles and forbidden pairs alone.
TEST(SearchStarts, TheWholeSearchRespectsTheRules) {
  const Planted planted;
  SearchRules rules = planted.rules();
  rules.keep = planted.roles.rows_of(std::vector{1U});
  rules.never_with.resize(24);
  rules.never_with[0] = {1};
  rules.never_with[1] = {0};
  RoleSearch search(planted.data, rules, {});
  StartRules starts;
  starts.annealings = 1;
  for (const SearchStart& end : search_roles(search, 3, starts, {}).ends) {
    EXPECT_EQ(end.state.roles.rows_of(std::vector{0U}), rules.keep) << end.name;
    for (std::size_t k = 1; k < 3; ++k) EXPECT_FALSE(end.state.roles(k, 0) && end.state.roles(k, 1)) << end.name;
  }
}

}  // namespace
}  // namespace motet::roles::search_starts_test
