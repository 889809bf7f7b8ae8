// `motet roles check`: what it writes, what its options do, and everything that can be wrong with them.
#include "motet/app/roles/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "app/roles/support.h"

namespace motet::roles::check_test {
namespace {

class CheckVerb : public RolesCommand {
 protected:
  using Cells = std::set<std::pair<std::string, std::string>>;

  Ran check(const Words& more) const {
    return motet(joined({"roles", "check", roles_sample(), "--keep", roles_sample("roles.csv")}, more));
  }

  // The first two columns of a table, without lines where the second is empty.
  Cells pairs_in(const std::string& name, const std::string& kind = "") const {
    Cells cells;
    const std::vector<std::string> lines = lines_of(name);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::size_t first = lines[i].find(',');
      const std::size_t second = std::min(lines[i].find(',', first + 1), lines[i].size());
      const std::string right = lines[i].substr(first + 1, second - first - 1);
      if (right.empty() || (!kind.empty() && lines[i].find("," + kind + ",") == std::string::npos)) continue;
      cells.insert({lines[i].substr(0, first), right});
    }
    return cells;
  }

  // ROLES x ASSIGN with EXC.
  Cells rebuilt(const std::string& roles, const std::string& assignments, const std::string& exceptions) const {
    std::multimap<std::string, std::string> granted;
    for (const auto& [role, permission] : pairs_in(roles)) granted.emplace(role, permission);
    Cells cells;
    for (const auto& [user, role] : pairs_in(assignments)) {
      const auto [begin, end] = granted.equal_range(role);
      for (auto it = begin; it != end; ++it) cells.insert({user, it->second});
    }
    for (const auto& cell : pairs_in(exceptions, "extra")) EXPECT_TRUE(cells.insert(cell).second);
    for (const auto& cell : pairs_in(exceptions, "missing")) EXPECT_EQ(cells.erase(cell), 1U);
    return cells;
  }
};

class BadCheck : public RolesCommand {
 protected:
  BadCheck() {
    folder.write("a.csv", "user,permission\nann,p\nann,q\nbob,p\nbob,r\n");
    folder.write("k.csv", "role,permission\nA,p\nB,q\n");
    command = {"roles", "check", "@a.csv", "--keep", "@k.csv"};
  }
};

TEST_F(CheckVerb, WritesTheKeysOfTheContract) {
  const Ran ran = check({"--json", "@c.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("c.json");
  EXPECT_EQ(json.at("grants").as_whole(), 2262);
  EXPECT_EQ(json.at("covered").as_whole() + json.at("individual").as_whole(), 2262);
  EXPECT_EQ(json.at("newly_granted").as_whole(), 0);
  EXPECT_EQ(json.at("users_not_proved").as_whole(), 0);
  const Value::List roles = json.at("roles").as_list();
  ASSERT_EQ(roles.size(), 6U);
  for (const Value& role : roles) {
    EXPECT_EQ(role.at("permissions").as_list().size(), 7U);
    // Nobody has a role who does not hold all of it.
    EXPECT_EQ(role.at("members").as_whole(), role.at("exact_members").as_whole());
    EXPECT_GT(role.at("nearly_members").as_whole(), 0);
  }
  EXPECT_TRUE(json.at("what_if").is_null());
  EXPECT_EQ(json.at("hierarchy").as_list().size(), 0U);
  EXPECT_TRUE(
      ran.out.starts_with("6 roles cover " + std::to_string(json.at("covered").as_whole()) + " of 2262 grants ("))
      << ran.out;
  expect_in(ran.out,
            {"would newly grant 0, and ", "every user has the roles that fit without granting anything new\n"});
}

TEST_F(CheckVerb, FilesGiveBackTheDataCellByCell) {
  Cells held;
  {
    std::ifstream in(roles_sample());
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) held.insert({line.substr(0, line.find(',')), line.substr(line.find(',') + 1)});
  }
  folder.write("r.csv", [] {
    std::ifstream in(roles_sample("roles.csv"));
    return std::string(std::istreambuf_iterator<char>(in), {});
  }());
  for (const std::string cost : {"never", "0.5", "2", "0"}) {
    ASSERT_EQ(check({"--over-grant-cost", cost, "--assignments", "@s.csv", "--exceptions", "@e.csv"}).code, 0);
    EXPECT_EQ(rebuilt("r.csv", "s.csv", "e.csv"), held) << cost;
  }
  const Ran given =
      check({"--assignments-in", roles_sample("assignments.csv"), "--assignments", "@s.csv", "--exceptions", "@e.csv"});
  ASSERT_EQ(given.code, 0) << given.err;
  EXPECT_EQ(rebuilt("r.csv", "s.csv", "e.csv"), held);
  EXPECT_EQ(pairs_in("s.csv").size(), 330U);
}

TEST_F(CheckVerb, APriceForOverGrantsCoversMore) {
  const auto grants = [&](const std::string& cost) {
    check({"--over-grant-cost", cost, "--json", "@c.json"});
    const Value json = json_of("c.json");
    return std::pair(json.at("individual").as_whole(), json.at("newly_granted").as_whole());
  };
  const auto never = grants("never");
  const auto dear = grants("5");
  const auto cheap = grants("0.5");
  EXPECT_EQ(never.second, 0);
  EXPECT_GE(never.first, dear.first);
  EXPECT_GT(dear.first, cheap.first);
  EXPECT_GT(cheap.second, dear.second);
  // No dearer than without any over-grant, which is a choice as well.
  EXPECT_LE(static_cast<double>(cheap.first) + 0.5 * static_cast<double>(cheap.second),
            static_cast<double>(never.first));
}

TEST_F(CheckVerb, TellsWhatTheCatalogueLeavesOpen) {
  folder.write("a.csv", "user,permission\nann,p\nann,q\nbob,p\nbob,r\ncid,s\ndan,\n");
  folder.write("k.csv", "role,permission\nA,p\nAB,p\nAB,q\nagain,p\nfuture,z\nnone,\n");
  const Ran ran = done("roles check @a.csv --keep @k.csv --json @c.json --report @c.html");
  EXPECT_EQ(ran.out,
            "5 roles cover 3 of 5 grants (60.0 %), would newly grant 0, and 2 stay individual\n"
            "every user has the roles that fit without granting anything new\n"
            "4 users, 5 permissions\n"
            "\n"
            "role    permissions  members  exact  nearly  only here  newly granted\n"
            "A                 1        1      2       0          1              0\n"
            "AB                2        1      1       1          2              0\n"
            "again             1        0      2       0          0              0\n"
            "future            1        0      0       0          0              0\n"
            "none              0        0      0       0          0              0\n"
            "\n"
            "2 permissions somebody holds are in no role: r, s\n"
            "1 user holds something and has no role: cid\n"
            "3 roles nobody has: again, future, none\n"
            "\n"
            "hierarchy: 1 role contains others, 1 role is the same as another\n"
            "role   contains  same as\n"
            "AB     A\n"
            "again            A\n"
            "\n"
            "warning: 1 permission of k.csv is held by nobody\n");
  const Value json = json_of("c.json");
  EXPECT_EQ(json.at("hierarchy").as_list().size(), 2U);
  EXPECT_EQ(json.at("users_without_role"), Value::list({"cid"}));
  EXPECT_EQ(json.at("permissions_without_role").as_list()[0].at("holders").as_whole(), 1);
  EXPECT_EQ(json.at("roles_without_members"), Value::list({"again", "future", "none"}));
  expect_in(folder.read("c.html"), {"Which role contains which", "What the catalogue leaves open", "Hierarchy"});
}

TEST_F(CheckVerb, ListsViolationsOfTodaysUsers) {
  folder.write("a.csv", "user,permission\nann,p\nann,q\nbob,p\nbob,r\ncid,p\ncid,q\ncid,r\n");
  folder.write("k.csv", "role,permission\nA,p\nB,q\nC,r\nC,p\n");
  folder.write("users.csv", "role,role\nA,B\n");
  folder.write("pairs.csv", "permission,permission\np,r\n");
  const Ran ran = done(
      "roles check @a.csv --keep @k.csv --never-share-user @users.csv --never-share-role @pairs.csv "
      "--violations @v.csv --assignments @s.csv --json @c.json");
  EXPECT_EQ(folder.read("v.csv"),
            "user,kind,first,first_through,second,second_through\n"
            "ann,roles,A,holds all of it,B,holds all of it\n"
            "cid,roles,A,holds all of it,B,holds all of it\n"
            "bob,permissions,p,C,r,C\n"
            "cid,permissions,p,C,r,C\n");
  expect_in(ran.out, {"4 violations of pairs that must not come together, 1 role that grants such a pair\n"});
  const Value violations = json_of("c.json").at("violations");
  EXPECT_EQ(violations.at("users").as_list().size(), 4U);
  EXPECT_EQ(violations.at("roles").as_list()[0].at("role").as_text(), "C");
  // Found assignments keep the pair apart: nobody has both A and B.
  EXPECT_EQ(folder.read("s.csv"), "user,role,probability\nann,A,1\nbob,C,1\ncid,B,1\ncid,C,1\n");
  folder.write("given.csv", "user,role\nann,A\nann,B\ndan,A\n");
  const Ran given = motet(
      "roles check @a.csv --keep @k.csv --never-share-user @users.csv --assignments-in @given.csv "
      "--violations @v.csv");
  EXPECT_EQ(lines_of("v.csv")[1], "ann,roles,A,assigned,B,assigned");
  expect_in(given.out, {"roles of users as given.csv has them\n",
                        "warning: 1 user of given.csv is not in a.csv, and was left out: 'dan'\n"});
}

TEST_F(CheckVerb, TellsWhatWouldHappenWithoutARole) {
  folder.write("a.csv", "user,permission\nann,p\nann,q\nbob,p\nbob,r\ncid,p\n");
  folder.write("k.csv", "role,permission\nA,p\nB,q\n\"C, D\",p\n\"C, D\",r\n");
  const Ran ran = done({"roles", "check", "@a.csv", "--keep", "@k.csv", "--remove", "C, D", "--json", "@c.json"});
  EXPECT_TRUE(ran.out.ends_with(
      "\n"
      "without C, D: 2 roles; 1 grant loses cover, 0 gain it, 0 newly granted, 0 no longer; 1 user touched\n"
      "what            before  after\n"
      "grants covered       5      4\n"
      "newly granted        0      0\n"
      "individual           0      1\n"
      "roles of users       4      4\n"))
      << ran.out;
  const Value what_if = json_of("c.json").at("what_if");
  EXPECT_EQ(what_if.at("lost_cover"), Value::list({Value::object({{"user", "bob"}, {"permission", "r"}})}));
  EXPECT_EQ(what_if.at("users_touched"), Value::list({"bob"}));
}

TEST_F(CheckVerb, MergingGivenRolesGrantsWhatTheOtherHas) {
  folder.write("a.csv", "user,permission\nann,p\nbob,q\n");
  folder.write("k.csv", "role,permission\nA,p\nB,q\n");
  folder.write("s.csv", "user,role\nann,A\nbob,B\n");
  const Ran ran = done(
      "roles check @a.csv --keep @k.csv --assignments-in @s.csv --merge A,B --roles-out @r.csv "
      "--json @c.json --report @c.html");
  expect_in(ran.out,
            {"with A, B as one: 1 role; 0 grants lose cover, 0 gain it, 2 newly granted, 0 no longer; 2 users"});
  EXPECT_EQ(folder.read("r.csv"), "role,permission,probability\nA + B,p,1\nA + B,q,1\n");
  EXPECT_EQ(json_of("c.json").at("what_if").at("merged_name").as_text(), "A + B");
  expect_in(folder.read("c.html"), {"What if?", "Newly granted"});
}

TEST_F(CheckVerb, FilesOfAChangedCatalogueAddUp) {
  folder.write("a.csv", "user,permission\nann,p\nann,q\nbob,q\ncid,p\ncid,q\ncid,r\n");
  folder.write("k.csv", "role,permission\nA,p\nB,q\nC,r\n");
  folder.write("s.csv", "user,role\nann,A\nbob,B\ncid,C\n");
  const Cells held = pairs_in("a.csv");
  for (const std::string change : {"--merge A,B", "--remove B", "--remove A,C"}) {
    for (const std::string given : {"", " --assignments-in @s.csv"}) {
      SCOPED_TRACE(change + given);
      done("roles check @a.csv --keep @k.csv " + change + given +
           " --roles-out @r.csv --assignments @who.csv --exceptions @e.csv");
      EXPECT_EQ(rebuilt("r.csv", "who.csv", "e.csv"), held);
      Cells roles;
      for (const auto& [role, permission] : pairs_in("r.csv")) roles.insert({role, ""});
      for (const auto& [user, role] : pairs_in("who.csv")) EXPECT_TRUE(roles.contains({role, ""})) << role;
    }
  }
}

TEST_F(CheckVerb, RiskMakesOverGrantsDearAndColumnsComeAlong) {
  folder.write("a.csv", "user,permission\nann,p\nbob,q\n");
  folder.write("k.csv", "role,permission\nA,p\nA,q\n");
  folder.write("perms.csv", "permission,risk,owner\nq,5,cid\np,0.5,\nz,9,zed\n");
  const Ran ran = done(
      "roles check @a.csv --keep @k.csv --over-grant-cost 0.5 --permission-columns @perms.csv "
      "--exceptions @e.csv --json @c.json");
  // For bob the role grants p at 0.25; for ann it would grant q at 2.5, dearer than to leave p individual.
  EXPECT_EQ(folder.read("e.csv"),
            "user,permission,kind,probability,risk,owner\nann,p,extra,1,0.5,\nbob,p,missing,1,0.5,\n");
  EXPECT_EQ(json_of("c.json").at("risk").as_number(), 0.5);
}

TEST_F(CheckVerb, WritesTheRolesInOtherForms) {
  ASSERT_EQ(check({"--roles-out", "@r.yaml"}).code, 0);
  expect_in(folder.read("r.yaml"),
            {"roles:\n  - name: \"files.delete +6\"\n    permissions:\n", "      - name: \"files.delete\"\n"});
  ASSERT_EQ(check({"--roles-out", "@r.xml"}).code, 0);
  expect_in(folder.read("r.xml"), {"<name>files.delete +6</name>", "<q:value>files.delete</q:value>"});
}

TEST_F(BadCheck, ANameThatXmlCannotHoldIsRefused) {
  folder.write("k.csv", "role,permission\nA\x01,p\n");
  expect_refused("--roles-out @r.xml", 3,
                 "r.xml: 'A ' holds a character that XML cannot hold; rename it, or write .csv or .yaml");
}

TEST_F(BadCheck, UsageIsRefused) {
  folder.write("s.csv", "user,role\nann,A\n");
  folder.write("never.csv", "role,role\nA,B\n");
  expect_error("roles check @a.csv", 2, "check: needs --keep");
  expect_refusals(2, {{"--over-grant-cost dear", "--over-grant-cost: 'dear' is no number from 0 on, and not 'never'"},
                      {"--over-grant-cost -1", "--over-grant-cost: '-1' is no number from 0 on, and not 'never'"},
                      {"--over-grant-cost 2 --assignments-in @s.csv",
                       "--over-grant-cost: does not work with --assignments-in, which says who has which role"},
                      {"--remove X", "--remove: 'X' is no role of k.csv; it has 'A', 'B'"},
                      {"--remove A,B", "--remove: no role would be left"},
                      {"--merge A", "--merge: 'A' is one role; name two or more with commas between them"},
                      {"--merge A,B --remove A", "--remove and --merge: both name role 'A'"},
                      {"--merge A,B --never-share-user @never.csv",
                       "--merge: roles 'A' and 'B' must never share a user; they cannot become one"}});
}

TEST_F(BadCheck, BadFilesAreRefused) {
  folder.write("s.csv", "user,role\nann,X\n");
  folder.write("never.csv", "role,role\nA,C\n");
  expect_refused("--assignments-in @s.csv", 3, "s.csv:2: role 'X' is not in k.csv");
  expect_refused("--never-share-user @never.csv", 3, "never.csv:2: role 'C' is not in k.csv");
  expect_refused("--never-share-role @never.csv", 3, "never.csv:2: permission 'A' is not in a.csv");
}

}  // namespace
}  // namespace motet::roles::check_test
