// The experiments on roles: their helpers, and that each runs on small data.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "data/bits.h"
#include "experiments/panel.h"
#include "experiments/roles/real_sets.h"
#include "experiments/roles/synthetic.h"
#include "experiments/support.h"
#include "support/errors.h"

namespace motet::roles::roles_experiments_test {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

TEST(RolesExperiments, TheLastExactLevelEndsAtTheFirstError) {
  const std::vector<double> x = {0.1, 0.2, 0.3};
  EXPECT_EQ(last_exact(x, {{0, 0}, {0, 0.5}, {0, 0}}), 0.1);
  EXPECT_EQ(last_exact(x, {{0}, {0}, {0}}), 0.3);
  EXPECT_TRUE(std::isnan(last_exact(x, {{0.5}, {0}, {0}})));
}

TEST(RolesExperiments, DataSetsThatASlowMethodSkippedCountNeitherForNorAgainstIt) {
  EXPECT_EQ(last_exact({0.1, 0.2}, {{0, no_number}, {0, no_number}}), 0.2);
}

TEST(RolesExperiments, MeansLeaveOutWhatWasNotMeasured) {
  EXPECT_EQ(mean_text({1.0, 3.0, no_number}, 1), "2.0 ± 1.0");
  EXPECT_EQ(mean_text({2.0}, 2), "2.00");
  EXPECT_EQ(mean_text({no_number}), "");
}

TEST(RolesExperiments, WhetherAClaimAgreesComesFromTheFigures) {
  const std::vector<double> x = {0.1, 0.2, 0.3};
  EXPECT_EQ(exact_verdict(x, {{0}, {0}, {1}}, 0.2), "yes");
  EXPECT_EQ(exact_verdict(x, {{0}, {1}, {0}}, 0.2), "no");
  EXPECT_EQ(exact_verdict(x, {{0}, {0}, {0}}, 0.2), "no, further");
  EXPECT_EQ(exact_verdict(x, {{1}, {0}, {0}}, 0.2), "no");
  ExperimentWriter writer("name", "title");
  writer.section("section", "");
  Claims claims;
  claims.add("a", "5", "5", verdict(true));
  claims.add("b", "large", "3", "");
  claims.add("c", "to 0.2", "to 0.3", "no, further");
  claims.write(writer);
  const std::string text = writer.finish().text;
  EXPECT_TRUE(text.ends_with("note: 1 of 2 claims agree; these do not: c\n")) << text;
}

TEST(RolesExperiments, OfTooManyRolesTheBestAreCompared) {
  const BitMatrix truth = bits_of({"1100", "0011"});
  EXPECT_EQ(role_error(truth, bits_of({"1111", "0011", "1100"})), 0.0);
  EXPECT_EQ(role_error(truth, bits_of({"1111", "0111", "1100"})), 1.0 / 8.0);
  EXPECT_EQ(role_error(truth, bits_of({"1100"})), 2.0 / 8.0);
}

TEST(RolesExperiments, ProxyCentroidsAreTheUnionsThatOccur) {
  const PlantedAccess planted =
      planted_from(bits_of({"1100", "0110"}), {{0}, {1}, {0, 1}, {1}}, 0.0, 0.5, Rng(Seed{1}));
  EXPECT_EQ(proxy_centroids(planted), bits_of({"1100", "0110", "1110"}));
  EXPECT_EQ(planted.access.held, planted.clean);
}

TEST(RolesExperiments, NoiseReplacesTheShareOfCellsAskedFor) {
  const PlantedAccess planted =
      planted_from(BitMatrix(1, 100), std::vector<std::vector<std::uint32_t>>(200), 0.4, 0.75, Rng(Seed{3}));
  // 20000 cells, each 1 with probability 0.3: four standard deviations are 0.013.
  EXPECT_NEAR(static_cast<double>(planted.access.held.count()) / 20000.0, 0.3, 0.013);
}

TEST(RolesExperiments, TheModifiedSetJoinsTheHalvesOfTheCommonestPermissions) {
  Access access;
  for (const char* name : {"a", "b", "c"}) access.users.push_back(name);
  for (const char* name : {"p", "q", "r", "s"}) access.permissions.push_back(name);
  access.held = bits_of({"0110", "0011", "0010"});  // holders: r 3, q 1, s 1, p 0
  const ModifiedSet modified = modified_set(access, 0.0, Rng(Seed{1}));
  EXPECT_EQ(modified.access.permissions.to_vector(), (std::vector<std::string>{"r|s", "q|p"}));
  EXPECT_EQ(modified.clean, bits_of({"11", "10", "10"}));
  EXPECT_EQ(modified.access.held, modified.clean);
}

TEST(RolesExperiments, ASplitHasEveryUserOnce) {
  const UserSplit split = split_users(10, 6, Rng(Seed{5}));
  EXPECT_EQ(split.train.size(), 6U);
  std::vector<std::uint32_t> all = split.train;
  all.insert(all.end(), split.test.begin(), split.test.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

class RolesExperimentFiles : public PublicData {
 protected:
  RolesExperimentFiles() : PublicData("roles") {}
};

TEST_F(RolesExperimentFiles, PairsAndRowsAreRead) {
  folder.write("roles/pairs.txt", "   2   1\n 2 3\r\n\n7 1\n");
  folder.write("roles/rows.dat", "1 3  0\n2 3 9 0\n");
  const Access pairs = read_real_set(context, "pairs.txt").value();
  EXPECT_EQ(pairs.users.to_vector(), (std::vector<std::string>{"2", "7"}));
  EXPECT_EQ(pairs.held, bits_of({"11", "10"}));
  const Access rows = read_real_set(context, "rows.dat").value();
  EXPECT_EQ(rows.permissions.to_vector(), (std::vector<std::string>{"1", "3", "2", "9"}));
  EXPECT_EQ(rows.held, bits_of({"1100", "0111"}));
}

TEST_F(RolesExperimentFiles, AnAbsentFileIsNoneAndABadLineIsAnError) {
  EXPECT_FALSE(read_real_set(context, "none.txt").has_value());
  folder.write("roles/bad.txt", "1 2\n1 2 3\n");
  EXPECT_EQ(folder.error_of([&] { read_real_set(context, "bad.txt"); }),
            "roles/bad.txt:2: 3 words are not a user and a permission");
}

// --- each experiment ----------------------------------------------------------------

class RolesExperimentsSlow : public ExperimentTest {
 protected:
  // Three roles in groups of ten permissions, and a few strays.
  void write_data() const {
    std::filesystem::create_directory(folder / "roles");
    std::string pairs;
    for (int user = 1; user <= 60; ++user) {
      for (int permission = 1; permission <= 30; ++permission) {
        const bool granted = permission % 3 == user % 3 || permission % 3 == (user / 3) % 3;
        const bool stray = (user * 7 + permission * 11) % 29 == 0;
        if (granted != stray) pairs += std::to_string(user) + "  " + std::to_string(permission) + "\n";
      }
    }
    folder.write("roles/hc.txt", pairs);
    folder.write("roles/americas_small.txt", pairs);
  }
};

TEST_P(RolesExperimentsSlow, RunsOnSmallDataTheSameOnAnyNumberOfThreads) {
  write_data();
  expect_the_same_on_any_number_of_threads();
}

INSTANTIATE_TEST_SUITE_P(All, RolesExperimentsSlow,
                         testing::Values("roles-fig9.3", "roles-fig9.4", "roles-fig9.5", "roles-fig9.6", "roles-fig9.7",
                                         "roles-fig9.8", "roles-fig9.10", "roles-fig9.11", "roles-fig10.1",
                                         "roles-fig10.2", "roles-fig10.3", "roles-fig10.4", "roles-delta",
                                         "roles-chapter9-exactness", "roles-planted", "roles-real", "roles-number"),
                         plain_name);

using RolesExperimentVerb = CommandTest;

TEST_F(RolesExperimentVerb, AbsentDataAreSaid) {
  expect_error({"reproduce", "roles-real", "--data", "@none"}, 3,
               "the public data 'roles' are not here; name their folder with --data or MOTET_DATA");
  std::filesystem::create_directory(folder / "roles");
  const Ran ran = motet({"reproduce", "roles-fig9.10", "--data", "@"});
  EXPECT_EQ(ran.code, 0);
  expect_in(ran.out, {"roles/americas_small.txt is not there: skipped"});
}

TEST_F(RolesExperimentVerb, ExperimentsOfOneSizeRefuseAnother) {
  expect_error({"reproduce", "judges-constants", "--quick"}, 2,
               "judges-constants has one size; --repeats and --quick are for those of other tasks");
}

}  // namespace
}  // namespace motet::roles::roles_experiments_test
