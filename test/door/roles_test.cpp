#include "motet/roles.h"

#include <map>

#include "door/support.h"
#include "support/errors.h"
#include "support/words.h"

namespace motet::roles {
namespace {

Access sample_access() {
  std::vector<NamedGrant> grants;
  const auto lines = door::lines_of(door::sample_file("roles/access.csv"));
  for (std::size_t i = 1; i < lines.size(); ++i) grants.push_back({lines[i][0], lines[i][1]});
  return access_from(grants);
}

Attributes sample_attributes(const Access& access) {
  const auto lines = door::lines_of(door::sample_file("roles/hr.csv"));
  Attributes attributes{{lines[0].begin() + 1, lines[0].end()}, {}};
  std::map<std::string, std::vector<std::string>> of_user;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    of_user[lines[i][0]] = {lines[i].begin() + 1, lines[i].end()};
    of_user[lines[i][0]].resize(attributes.names.size());
  }
  for (const std::string& user : access.users) {
    std::vector<std::string>& words = of_user[user];
    words.resize(attributes.names.size());
    attributes.words.insert(attributes.words.end(), words.begin(), words.end());
  }
  return attributes;
}

class RolesDoor : public CommandTest {
 protected:
  void mine_sample(const Words& more = {}) const {
    const Words words = Words("roles mine --roles 4 --model @m.json --exceptions @e.csv") + more;
    ASSERT_EQ(motet(words + Words{door::sample_file("roles/access.csv")}).code, 0);
  }
};

TEST_F(RolesDoor, GivesTheBytesOfTheCommandLine) {
  mine_sample();
  const Access access = sample_access();
  const Mined found = mine(access, 4);
  EXPECT_EQ(to_text(found.model), folder.read("m.json"));
  const auto lines = door::lines_of(folder / "e.csv");
  ASSERT_EQ(lines.size(), found.exceptions.size() + 1);
  ASSERT_FALSE(found.exceptions.empty());
  EXPECT_EQ(lines[1][0], access.users[found.exceptions[0].user]);
  EXPECT_EQ(lines[1][1], access.permissions[found.exceptions[0].permission]);
}

TEST_F(RolesDoor, AttributesAndOptionsReachTheFit) {
  mine_sample({"--attributes", door::sample_file("roles/hr.csv"), "--noise", "flip", "--seed", "3"});
  const Access access = sample_access();
  const motet::Run run{.seed = 3};
  EXPECT_EQ(to_text(mine(access, 4, {{"noise", "flip"}}, run, sample_attributes(access)).model), folder.read("m.json"));
}

TEST_F(RolesDoor, AssignFindsTheRolesOfTheUsersItWasMinedFrom) {
  const Access access = sample_access();
  const Mined found = mine(access, 4);
  const Assignments again = assign(model_from_text(to_text(found.model)), access);
  EXPECT_EQ(again.sets, found.assignments.sets);
  ASSERT_EQ(again.probability.size(), access.users.size() * 4);
  std::size_t members = 0;
  for (const auto& set : again.sets) members += std::count(set.begin(), set.end(), 0U);
  EXPECT_EQ(members, found.roles[0].members);
}

TEST_F(RolesDoor, RulesReachTheFit) {
  const Access access = sample_access();
  const auto& name = access.permissions;
  folder.write("keep.csv", "role,permission\nold," + name[0] + "\nold," + name[2] + "\nother," + name[2] + "\n");
  folder.write("apart.csv", "first,second\n" + name[0] + "," + name[1] + "\n");
  folder.write("users.csv", "first,second\nold,other\n");
  const Words files("--keep @keep.csv --never-share-role @apart.csv --never-share-user @users.csv");
  mine_sample(files);
  const Rules rules{{{0, 1}}, {{"old", {0, 2}}, {"other", {2}}}, {{0, 1}}};
  const Mined found = mine(access, 4, {}, {}, {}, rules);
  EXPECT_EQ(to_text(found.model), folder.read("m.json"));
  EXPECT_EQ(found.model.roles()[0], "old");
  EXPECT_EQ(found.model.granted(0), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(found.model.granted(2), found.roles[2].permissions);
  const auto usage = [&](const Rules& wrong) {
    return folder.error_of([&] { mine(access, 4, {}, {}, {}, wrong); }, ErrorKind::usage);
  };
  EXPECT_EQ(folder.error_of(
                [&] {
                  mine(access, 4, {{"method", "dbps"}}, {}, {}, rules);
                },
                ErrorKind::usage),
            "constraints and kept roles work with --method mac or sac only");
  EXPECT_EQ(usage({{{0, 999}}, {}, {}}), "rules: a permission has a number beyond the list of names");
  EXPECT_EQ(usage({{}, {{"old", {999}}}, {}}), "rules: a permission has a number beyond the list of names");
  EXPECT_EQ(usage({{}, {{"old", {0}}}, {{0, 1}}}), "rules: a role has a number beyond the list of those that are kept");
}

TEST_F(RolesDoor, ChoosesTheNumberOfTheCommandLine) {
  const Words words("roles mine --roles 2..6 --model @m.json");
  ASSERT_EQ(motet(words + Words{door::sample_file("roles/access.csv")}).code, 0);
  const Access access = sample_access();
  EXPECT_EQ(choose_count(access, 2, 6), model_from_text(folder.read("m.json")).roles().size());
  const auto usage = [&](const auto& body) { return folder.error_of(body, ErrorKind::usage); };
  EXPECT_EQ(usage([&] { choose_count(access, 3, 2); }), "--roles: 3..2 is not a range of numbers of roles");
  EXPECT_EQ(usage([&] {
              choose_count(access, 2, 3, {{"method", "dbps"}});
            }),
            "--roles: the range 2..3 works with --method mac or sac only; give one number");
  EXPECT_EQ(folder.error_of(
                [] {
                  choose_count({{"u"}, {"p"}, {{0, 0}}}, 7, 9);
                },
                ErrorKind::unanswerable),
            "1 users are too few to choose the number of roles; give it with --roles");
}

TEST_F(RolesDoor, BadInputIsRefused) {
  EXPECT_EQ(folder.error_of(
                [] {
                  mine({{"u"}, {"p"}, {{1, 0}}}, 1);
                },
                ErrorKind::usage),
            "access: a user or permission has a number beyond the list of names");
  EXPECT_EQ(folder.error_of([] {
    mine({{"u"}, {"p"}, {{0, 0}}}, 1, {}, {}, {{"site"}, {}});
  }),
            "attributes: words: 0 values where there must be 1");
}

TEST_F(RolesDoor, SimulatesAsTheCommandLine) {
  ASSERT_EQ(motet("roles simulate --users 20 --attribute-values 3 --seed 4 --out @a.csv --attributes-out @h.csv").code,
            0);
  const Simulated made = simulate({{"users", 20}, {"attribute_values", 3}}, {.seed = 4});
  const auto lines = door::lines_of(folder / "a.csv");
  ASSERT_EQ(lines.size(), made.access.grants.size() + 1);
  for (std::size_t i = 0; i < made.access.grants.size(); ++i) {
    const Grant& one = made.access.grants[i];
    EXPECT_EQ(lines[i + 1][0], made.access.users[one.user]);
    EXPECT_EQ(lines[i + 1][1], made.access.permissions[one.permission]);
  }
  const auto words = door::lines_of(folder / "h.csv");
  for (std::size_t n = 0; n < 20; ++n) EXPECT_EQ(words[n + 1][1], made.attributes.words[n]);
  EXPECT_EQ(made.roles.size(), 6U);
  EXPECT_EQ(made.assignments.size(), 20U);
  EXPECT_FALSE(made.assignments[0].empty());
  EXPECT_EQ(simulate_options()[0].name, "users");
}

}  // namespace
}  // namespace motet::roles
