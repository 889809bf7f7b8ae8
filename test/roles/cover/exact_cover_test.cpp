#include "motet/roles/cover/exact_cover.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "motet/roles/baselines/factorization.h"
#include "roles/cover_cases.h"

namespace motet::roles::exact_cover_test {
namespace {

RC_GTEST_PROP(ExactCover, GivesBackTheMatrix, ()) {
  const std::size_t rows = *rc::gen::inRange<std::size_t>(1, 40);
  const std::size_t columns = *rc::gen::inRange<std::size_t>(1, 90);
  const std::uint64_t seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const double density = *rc::gen::inRange(1, 20) / 20.0;
  // Repeated rows and columns, as in access data.
  const BitMatrix few = random_bits(rows, columns, density, Rng(Seed{seed}));
  Rng rng(Seed{seed + 1});
  std::vector<std::uint32_t> again;
  for (std::size_t i = 0; i < 2 * rows; ++i) again.push_back(static_cast<std::uint32_t>(rng.below(rows)));
  const BitMatrix held = few.rows_of(again);
  const MergedMatrix merged = merge_equal(held);
  const ExactCover cover = exact_cover(merged, {});
  const Factorization all = unmerged({cover.roles, cover.assignments}, merged);
  RC_ASSERT(boolean_product(all.assignments, all.roles) == held);
  RC_ASSERT(cover.at_least <= cover.roles.rows());
  RC_ASSERT(cover.roles.rows() <= std::min(merged.bits.rows(), merged.bits.columns()));
  const BitMatrix members = cover.assignments.transposed();
  for (std::size_t k = 0; k < members.rows(); ++k) RC_ASSERT(members.count(k) > 0);
}

TEST(ExactCover, RolesAreAsLargeAsTheirUsersAllow) {
  // One role is enough for columns 0 and 1 and rows 0 and 1; all holders of column 1 hold column 0 too.
  const ExactCover cover = exact_cover(merge_equal(bits_of({"110", "110", "101"})), {});
  ASSERT_EQ(cover.roles.rows(), 2U);
  EXPECT_EQ(cover.at_least, 2U);
  EXPECT_EQ(boolean_product(cover.assignments, cover.roles), bits_of({"110", "101"}));
}

TEST(ExactCover, OfAMatrixOfOnesIsOneRole) {
  const ExactCover cover = exact_cover(merge_equal(bits_of({"111", "000", "111"})), {});
  EXPECT_EQ(cover.roles.rows(), 1U);
  EXPECT_EQ(cover.at_least, 1U);
  EXPECT_EQ(cover.cells, 1U);
}

// Real access data of two companies and of firewalls (Ene and others 2008), one "user permission" per line.
class PublicAccess : public testing::TestWithParam<std::pair<const char*, std::size_t>> {
 protected:
  static std::string path(const std::string& name) {
    const char* const folder = std::getenv("MOTET_DATA");
    return folder == nullptr ? "" : std::string(folder) + "/roles/" + name + ".txt";
  }
};

TEST_P(PublicAccess, NeedsAsManyRolesAsIsKnownAndNotMore) {
  const auto& [name, known] = GetParam();
  if (!std::filesystem::exists(path(name))) GTEST_SKIP() << "set MOTET_DATA to the folder of data sets";
  std::ifstream file(path(name));
  BitMatrix held(3500, 1600);
  std::size_t user = 0;
  std::size_t permission = 0;
  while (file >> user >> permission) held.set(user, permission);
  const MergedMatrix merged = merge_equal(held);
  const ExactCover cover = exact_cover(merged, {});
  EXPECT_EQ(cover.roles.rows(), known);
  EXPECT_EQ(cover.at_least, known);
  const Factorization all = unmerged({cover.roles, cover.assignments}, merged);
  EXPECT_EQ(boolean_product(all.assignments, all.roles), held);
}

INSTANTIATE_TEST_SUITE_P(ExactCover, PublicAccess,
                         testing::Values(std::pair("hc", 14U), std::pair("domino", 20U), std::pair("fire1", 64U),
                                         std::pair("americas_small", 178U)),
                         [](const auto& test) { return std::string(test.param.first); });

}  // namespace
}  // namespace motet::roles::exact_cover_test
