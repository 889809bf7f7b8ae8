#include "motet/app/roles/cover_part.h"

#include <gtest/gtest.h>

#include "motet/report/document.h"

namespace motet::roles::cover_part_test {
namespace {

CoverFit some_cover(std::size_t roles, std::size_t at_least) {
  CoverFit cover;
  cover.exact_roles = roles;
  cover.at_least = at_least;
  cover.assignments = 7;
  cover.cells = 20;
  cover.remaining = 5;
  cover.parts = 2;
  cover.curve = {{0.5, 1, 9}, {1.0, roles, 0}};
  cover.fit.model.roles.resize(roles);
  return cover;
}

TEST(CoverPartOfReport, SaysWhetherItIsTheLeast) {
  EXPECT_TRUE(cover_part(some_cover(3, 3))
                  .text.starts_with("3 roles together grant exactly what is held, and fewer cannot (proved)\n\n"));
  EXPECT_TRUE(cover_part(some_cover(3, 2))
                  .text.starts_with("3 roles together grant exactly what is held; at least 2 are needed (proved)\n\n"));
  EXPECT_TRUE(cover_part(some_cover(1, 1)).text.starts_with("1 role grants exactly what is held, and fewer cannot"));
}

TEST(CoverPartOfReport, SaysWhatStaysWithoutARole) {
  CoverFit cover = some_cover(3, 3);
  cover.fit.model.roles.resize(2);
  cover.fit.exceptions.resize(4);
  EXPECT_TRUE(
      cover_part(cover).text.starts_with("3 roles together grant exactly what is held, and fewer cannot "
                                         "(proved); the 2 roles here leave 4 cells without a role\n\n"));
}

TEST(CoverPartOfReport, SaysWhatIsNewlyGranted) {
  CoverFit cover = some_cover(3, 3);
  cover.fit.model.roles.resize(2);
  cover.fit.exceptions.resize(4);
  cover.over_grants = 3;
  EXPECT_TRUE(
      cover_part(cover).text.starts_with("3 roles together grant exactly what is held, and fewer cannot (proved); "
                                         "the 2 roles here leave 1 cell without a role and newly grant 3\n\n"));
}

TEST(CoverPartOfReport, TellsMachinesAndThePage) {
  const Document part = cover_part(some_cover(3, 2));
  EXPECT_FALSE(part.json.at("optimal").as_bool());
  EXPECT_EQ(part.json.at("exact_roles").as_whole(), 3);
  EXPECT_EQ(part.json.at("at_least").as_whole(), 2);
  EXPECT_EQ(part.json.at("assignments").as_whole(), 7);
  EXPECT_EQ(part.json.at("distinct_cells").as_whole(), 20);
  EXPECT_EQ(part.json.at("cells_after_reduction").as_whole(), 5);
  EXPECT_EQ(part.json.at("parts").as_whole(), 2);
  const Value::List& curve = part.json.at("curve").as_list();
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_EQ(curve[0].at("share").as_number(), 0.5);
  EXPECT_EQ(curve[0].at("roles").as_whole(), 1);
  EXPECT_EQ(curve[0].at("errors").as_whole(), 9);
  ASSERT_EQ(part.sections.size(), 1U);
  EXPECT_EQ(part.sections[0].title, "How many roles for how much?");
}

}  // namespace
}  // namespace motet::roles::cover_part_test
