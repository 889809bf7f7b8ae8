#include "motet/roles/choice/select.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "roles/mine_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::select_test {
namespace {

TEST(SelectRolesSlow, PicksThePlantedNumber) {
  SelectOptions select;
  select.repeats = 1;
  for (const double noise : {0.1, 0.3}) {
    const PlantedAccess planted = chapter9(Chapter9Sources::overlapping, noise, 0.5, 21, 100);
    const Selection found = select_roles(planted.access, {1, 6}, two_a_user(), select, {}, {});
    ASSERT_EQ(found.rows.size(), 6U);
    EXPECT_EQ(found.held_out, 3U) << noise;
    EXPECT_EQ(found.bic, 3U) << noise;
    EXPECT_EQ(found.description_length, 3U) << noise;
    EXPECT_TRUE(found.empty.empty());
    EXPECT_EQ(found.generalization.has_value() && found.stability.has_value() && found.capacity.has_value(), true);
  }
}

// Paired by the models' own posteriors users agreed on every further role, and 4 to 6 were picked.
TEST(SelectRoles, CapacityDoesNotGoOnBeyondThePlantedRoles) {
  const SimulateAccessOptions data{.users = 240, .permissions = 40, .roles = 3, .noise_fraction = 0.05};
  SelectOptions select;
  select.repeats = 1;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const PlantedAccess planted = simulate_access(data, Rng(Seed{seed}));
    EXPECT_EQ(select_roles(planted.access, {1, 6}, two_a_user(), select, {false, false, true}, {}).capacity, 3U)
        << seed;
  }
}

TEST(SelectRolesSlow, IsTheSameOnAnyNumberOfThreads) {
  const PlantedAccess planted = chapter9(Chapter9Sources::orthogonal, 0.2, 0.5, 22, 20);
  SelectOptions select;
  select.repeats = 1;
  const Selection one = select_roles(planted.access, {2, 4}, two_a_user(), select, {}, with_threads({1}));
  const Selection two = select_roles(planted.access, {2, 4}, two_a_user(), select, {}, with_threads(StartedThreads(2)));
  ASSERT_EQ(one.rows.size(), two.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].held_out, two.rows[i].held_out);
    EXPECT_EQ(one.rows[i].capacity, two.rows[i].capacity);
    EXPECT_EQ(one.rows[i].generalization, two.rows[i].generalization);
    EXPECT_EQ(one.rows[i].stability, two.rows[i].stability);
  }
}

TEST(SelectRoles, BadQuestionsAreRefused) {
  const auto refused = [](const std::function<void()>& body) { return error_of(body); };
  EXPECT_EQ(refused([] { parse_role_range("many"); }),
            "--roles: 'many' is not a number of roles such as 8, or a range such as 2..12");
  EXPECT_EQ(refused([] { parse_role_range("0"); }),
            "--roles: '0' is not a number of roles such as 8, or a range such as 2..12");
  EXPECT_EQ(refused([] { parse_role_range("5..3"); }), "--roles: '5..3' ends before it begins; write it as 3..5");
  EXPECT_EQ(parse_role_range("7").high, 7U);
  EXPECT_EQ(parse_role_range("2..9").low, 2U);
  Access few;
  for (int n = 0; n < 7; ++n) few.users.push_back(std::to_string(n));
  few.permissions.push_back("p");
  few.held = BitMatrix(7, 1);
  EXPECT_EQ(refused([&] {
              select_roles(few, {1, 2}, {}, {}, {}, {});
            }),
            "7 users are too few to choose the number of roles; give it with --roles");
  Access alike = few;
  alike.users = {};
  for (int n = 0; n < 20; ++n) alike.users.push_back(std::to_string(n));
  alike.held = BitMatrix(20, 1);
  EXPECT_EQ(refused([&] {
              select_roles(alike, {2, 3}, {}, {}, {}, {});
            }),
            "--roles 2 is more than the 1 distinct user; ask for at most 1");
}

TEST(SelectRoles, MeasuresWhatIsWantedAndNoMoreRolesThanUsersDiffer) {
  const Access access = clean_access();  // three distinct users
  SelectOptions select;
  select.repeats = 1;
  const Selection found = select_roles(access, {1, 9}, two_a_user(), select, {false, true, false}, {});
  ASSERT_EQ(found.rows.size(), 3U);
  EXPECT_EQ(found.held_out, 2U);
  EXPECT_EQ(found.bic, 2U);
  EXPECT_TRUE(found.stability.has_value());
  EXPECT_FALSE(found.generalization.has_value() || found.capacity.has_value());
}

// Thirty users of one role and one of another: one half has one kind of users only.
TEST(SelectRoles, SaysWhyAnythingIsEmpty) {
  Access access;
  access.held = BitMatrix(31, 8);
  for (std::size_t n = 0; n < 31; ++n) {
    access.users.push_back(std::to_string(n));
    for (std::size_t d = 0; d < 4; ++d) access.held.set(n, n < 30 ? d : d + 4);
  }
  for (std::size_t d = 0; d < 8; ++d) access.permissions.push_back("p" + std::to_string(d));
  SelectOptions select;
  select.repeats = 1;
  const Selection found = select_roles(access, {1, 2}, two_a_user(), select, {}, {});
  std::size_t empty = 0;
  for (const SelectionRow& row : found.rows) {
    const std::pair<Criterion, double> values[] = {{Criterion::held_out, row.held_out},
                                                   {Criterion::generalization, row.generalization},
                                                   {Criterion::stability, row.stability},
                                                   {Criterion::capacity, row.capacity},
                                                   {Criterion::bic, row.bic},
                                                   {Criterion::description_length, row.description_length}};
    for (const auto& [criterion, value] : values) {
      const auto told = std::count_if(found.empty.begin(), found.empty.end(), [&](const EmptyScore& one) {
        return one.roles == row.roles && one.criterion == criterion && !one.reason.empty();
      });
      EXPECT_EQ(told, std::isnan(value) ? 1 : 0) << row.roles << ' ' << static_cast<int>(criterion);
      empty += std::isnan(value) ? 1 : 0;
    }
  }
  EXPECT_GT(empty, 0U);
  EXPECT_EQ(empty, found.empty.size());
}

TEST(SelectRoles, TellsItsSearchesAndStopsWhenItIsTold) {
  const Access access = clean_access();
  SelectOptions select;
  select.repeats = 1;
  CancelFlag flag;
  RunContext run;
  run.cancel = &flag;
  std::size_t told = 0;
  run.observer = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "choosing the number of roles");
    EXPECT_EQ(progress.done, static_cast<double>(++told));
    if (told == 2) flag.set(2);
  };
  EXPECT_EQ(error_of(
                [&] {
                  select_roles(access, {1, 2}, two_a_user(), select, {}, run);
                },
                ErrorKind::interrupted),
            "interrupted");
  EXPECT_EQ(told, 2U);
}

}  // namespace
}  // namespace motet::roles::select_test
