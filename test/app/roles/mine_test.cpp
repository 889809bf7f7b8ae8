// `motet roles mine`: what it writes, what its options do, and everything that can be wrong with them.
#include "motet/app/roles/mine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/roles/support.h"
#include "motet/io/csv.h"

namespace motet::roles::mine_test {
namespace {

class MineVerb : public RolesCommand {};
class MineVerbSlow : public RolesCommand {};

std::vector<std::vector<std::string>> rows_of(const std::string& path, const std::vector<std::string>& header) {
  CsvReader reader(path);
  EXPECT_EQ(reader.header(), header);
  std::vector<std::vector<std::string>> all;
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i) all.emplace_back(rows[i].begin(), rows[i].end());
  }
  return all;
}

TEST_F(MineVerb, WritesTheKeysOfTheContract) {
  const Ran ran = mine("--json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(
      ran.out.starts_with("6 roles cover 98.0 % of 2,262 grants, would newly grant 59, 45 stay individual\n"
                          "200 users, 42 permissions; converged after "))
      << ran.out;
  const Value json = json_of("r.json");
  const Value::List& roles = json.at("roles").as_list();
  ASSERT_EQ(roles.size(), 6U);
  for (const Value& role : roles) {
    EXPECT_FALSE(role.at("name").as_text().empty());
    EXPECT_EQ(role.at("permissions").as_list().size(), 7U);
    EXPECT_GT(role.at("members").as_whole(), 20);
  }
  EXPECT_NEAR(json.at("noise").at("fraction").as_number(), 0.03, 0.01);
  EXPECT_NEAR(json.at("noise").at("set_probability").as_number(), 0.2, 0.1);
  EXPECT_NEAR(json.at("training_error").as_number(), 0.0124, 1e-4);
  EXPECT_GT(json.at("coverage").as_number(), 0.97);
  EXPECT_EQ(json.at("free_energy").as_number(), -json.at("log_likelihood").as_number());
  EXPECT_GT(json.at("capacity_bits").as_number(), 3.0);
  EXPECT_TRUE(json.at("converged").as_bool());
  EXPECT_EQ(json.at("comparison").as_list().size(), 2U);
  EXPECT_TRUE(json.at("comparison").as_list()[0].at("generalization_error").is_null());
  EXPECT_TRUE(json.at("warnings").is_list());
}

TEST_F(MineVerb, FindsTheRolesOfTheSample) {
  ASSERT_EQ(mine("--roles-out @r.csv").code, 0);
  const std::vector<std::string> header = {"role", "permission", "probability"};
  const auto sets = [&](const std::string& path) {
    std::map<std::string, std::set<std::string>> by_role;
    for (const auto& row : rows_of(path, header)) by_role[row[0]].insert(row[1]);
    std::set<std::set<std::string>> all;
    for (const auto& [name, permissions] : by_role) all.insert(permissions);
    return all;
  };
  EXPECT_EQ(sets(folder / "r.csv"), sets(roles_sample("roles.csv")));
}

TEST_F(MineVerb, WritesTheRolesOfEveryUserAndTheExceptions) {
  ASSERT_EQ(mine("--assignments @a.csv --exceptions @e.csv --json @r.json").code, 0);
  const auto assigned = rows_of(folder / "a.csv", {"user", "role", "probability"});
  std::set<std::string> users;
  for (const auto& row : assigned) {
    users.insert(row[0]);
    EXPECT_GE(std::stod(row[2]), 0.5);
  }
  EXPECT_EQ(users.size(), 200U);
  EXPECT_EQ(assigned.size(), rows_of(roles_sample("assignments.csv"), {"user", "role", "probability"}).size());

  const auto exceptions = rows_of(folder / "e.csv", {"user", "permission", "kind", "probability"});
  const Value json = json_of("r.json");
  std::int64_t extra = 0;
  for (const auto& row : exceptions) {
    EXPECT_TRUE(row[2] == "extra" || row[2] == "missing") << row[2];
    extra += row[2] == "extra" ? 1 : 0;
  }
  EXPECT_EQ(extra, 45);
  EXPECT_EQ(exceptions.size(), 104U);
  EXPECT_EQ(json.at("exceptions").at("extra").as_whole(), 45);
}

TEST_F(MineVerbSlow, ATableMayGoToStandardOutput) {
  ASSERT_EQ(mine("--roles-out @r.csv").code, 0);
  const Ran ran = mine("--roles-out -");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, folder.read("r.csv"));
}

TEST_F(MineVerbSlow, AMatrixGivesWhatPairsGive) {
  ASSERT_EQ(motet("roles simulate --out @p.csv --set-probability 1").code, 0);
  ASSERT_EQ(motet("roles simulate --out @m.csv --set-probability 1 --layout matrix").code, 0);
  const auto run = [&](const std::string& file, const std::string& layout) {
    return motet({"roles", "mine", file, "--layout", layout, "--roles", "6", "--starts", "1", "--threads", "1"});
  };
  const Ran pairs = run("@p.csv", "pairs");
  const Ran matrix = run("@m.csv", "matrix");
  ASSERT_EQ(pairs.code, 0) << pairs.err;
  EXPECT_EQ(pairs.out.substr(0, pairs.out.find('\n')), matrix.out.substr(0, matrix.out.find('\n')));
  EXPECT_EQ(pairs.out.substr(pairs.out.find("training error"), 30),
            matrix.out.substr(matrix.out.find("training error"), 30));
}

TEST_F(MineVerbSlow, LeavesOutUsersByAnAttribute) {
  const Ran ran = mine({"--attributes", roles_sample("hr.csv"), "--exclude", "status=dormant", "--assignments",
                        "@a.csv", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("\n187 users, 42 permissions; "), std::string::npos) << ran.out;
  expect_in(ran.out, {"\nwarning: 13 users with status=dormant left out\n", "best attribute"});
  EXPECT_EQ(folder.read("a.csv").find("\nxenia.a,"), std::string::npos);  // dormant
  EXPECT_EQ(json_of("r.json").at("attributes").as_list().size(), 6U);
  const Ran two = mine({"--attributes", roles_sample("hr.csv"), "--exclude", "status=dormant,department=legal"});
  EXPECT_NE(two.out.find("\n153 users, "), std::string::npos) << two.out;
}

TEST_F(MineVerbSlow, KeepsRolesAndCountsTheOthersBesideThem) {
  folder.write("keep.csv", "role,permission\nReaders,files.read\nReaders,files.admin\n");
  const Ran ran = mine("--keep @keep.csv --roles-out @r.csv --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value::List roles = json_of("r.json").at("roles").as_list();
  ASSERT_EQ(roles.size(), 7U);
  EXPECT_EQ(roles[0].at("name").as_text(), "Readers");
  EXPECT_TRUE(roles[0].at("frozen").as_bool());
  EXPECT_EQ(texts_at(roles[0], "permissions"), (std::vector<std::string>{"files.read", "files.admin"}));
  EXPECT_FALSE(roles[1].at("frozen").as_bool());
}

TEST_F(MineVerbSlow, NoRoleHoldsAPairThatMustNotShareOne) {
  ASSERT_EQ(mine("--roles-out @r.csv").code, 0);
  const std::vector<std::string> free_lines = lines_of("r.csv");
  const auto has = [&](const std::string& role, const std::string& permission) {
    const std::vector<std::string> lines = lines_of("r.csv");
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.starts_with(role + "," + permission + ","); });
  };
  ASSERT_TRUE(has("files.export +6", "files.export") && has("files.export +6", "invoices.read"));
  folder.write("never.csv", "permission,permission\nfiles.export,invoices.read\n");
  const Ran ran = mine("--never-share-role @never.csv --roles-out @r.csv --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  // The barred permission stays with its users: 59 cells are missing without the pair, and 131 were while it went into
  // three unrelated roles.
  EXPECT_LT(json.at("exceptions").at("missing").as_whole(), 70);
  EXPECT_GT(json.at("violations").at("users").as_list().size(), 50U);  // today's users hold both
  for (const Value& role : json.at("roles").as_list()) {
    const std::vector<std::string> permissions = texts_at(role, "permissions");
    const auto holds = [&](const char* name) {
      return std::find(permissions.begin(), permissions.end(), name) != permissions.end();
    };
    EXPECT_FALSE(holds("files.export") && holds("invoices.read"));
  }
}

TEST_F(MineVerbSlow, NoUserHasKeptRolesThatMustNotShareOne) {
  ASSERT_EQ(mine("--roles-out @keep.csv --assignments @a.csv").code, 0);
  folder.write("never.csv", "role,role\nfiles.approve +6,files.admin +6\n");
  const auto both = [&] {
    std::set<std::string> approvers;
    std::size_t count = 0;
    const auto rows = rows_of(folder / "a.csv", {"user", "role", "probability"});
    for (const auto& row : rows) {
      if (row[1] == "files.approve +6") approvers.insert(row[0]);
    }
    for (const auto& row : rows) count += row[1] == "files.admin +6" ? approvers.count(row[0]) : 0;
    return count;
  };
  ASSERT_GT(both(), 0U);
  const Ran ran = done({"roles", "mine", roles_sample(), "--roles", "1", "--starts", "1", "--threads", "1", "--keep",
                        "@keep.csv", "--never-share-user", "@never.csv", "--assignments", "@a.csv"});
  EXPECT_EQ(both(), 0U);
}

TEST_F(MineVerbSlow, ChoosesTheNumberByTheDescription) {
  const Ran ran = done({"roles", "mine", roles_sample(), "--roles", "5..7", "--starts", "1", "--threads", "1",
                        "--select-repeats", "1", "--json", "@r.json"});
  expect_in(ran.out, {"\n6 roles by description length\n"});
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("roles").as_list().size(), 6U);
  EXPECT_EQ(json.at("selection").as_list().size(), 3U);
}

TEST_F(MineVerbSlow, TellsWhatChangedSinceThePreviousModel) {
  ASSERT_EQ(mine({"--attributes", roles_sample("hr.csv"), "--model", "@old.json"}).code, 0);
  // Next month: a permission is gone, another is new, and a role of five has been renamed by hand.
  std::string access = folder.read("old.json");
  std::size_t at = access.find("sales: invoices.admin +6");
  ASSERT_NE(at, std::string::npos);
  access.replace(at, 24, "Invoice office");
  folder.write("old.json", without_checksum(access));
  std::string lines = "user,permission\n";
  CsvReader reader(roles_sample());
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string permission(rows[i][1]);
      if (permission == "invoices.delete") continue;
      lines += std::string(rows[i][0]) + "," + permission + "\n";
      if (permission == "invoices.admin") lines += std::string(rows[i][0]) + ",invoices.archive\n";
    }
  }
  folder.write("new.csv", lines);
  const Ran ran = done("roles mine @new.csv --roles 6 --starts 1 --threads 1 --previous @old.json --json @r.json");
  expect_in(ran.out, {"since the previous model: 5 roles the same, 1 changed, 0 appeared, 0 vanished; "
                      "permissions: 1 new, 1 gone\n"});
  const Value changed = json_of("r.json").at("changes").at("changed").as_list().at(0);
  EXPECT_EQ(changed.at("name").as_text(), "Invoice office");
  EXPECT_EQ(texts_at(changed, "added"), (std::vector<std::string>{"invoices.archive"}));
  EXPECT_EQ(texts_at(changed, "removed"), (std::vector<std::string>{"invoices.delete"}));
}

// The capacity needs two halves that have something in common; the roles do not.
TEST_F(MineVerb, FourLinesOfPairsAreEnough) {
  for (const char* pairs : {"ann,read\nbob,read\ncid,write\ndee,write\n", "ann,read\nann,write\nbob,read\nbob,admin\n",
                            "ann,a\nbob,b\ncid,c\ndee,d\n"}) {
    folder.write("x.csv", std::string("user,permission\n") + pairs);
    for (const char* roles : {"1", "2"}) {
      const Ran ran = motet({"roles", "mine", "@x.csv", "--roles", roles, "--json", "@r.json", "--report", "@r.html"});
      EXPECT_EQ(ran.code, 0) << pairs << ran.err;
    }
  }
}

TEST_F(MineVerb, TellsThatTheNumberOfInoIsItsOwn) {
  folder.write("a.csv", small_access);
  const Ran ran = done("roles mine @a.csv --layout matrix --method ino --roles 3");
  expect_in(ran.out, {"warning: ino chooses the number of roles itself: --roles was not used\n"});
  EXPECT_EQ(motet("roles mine @a.csv --layout matrix --method ino").code, 0);
}

TEST_F(MineVerb, EveryMethodMinesAndItsModelAssigns) {
  folder.write("a.csv", small_access);
  for (const char* method : {"mac", "sac", "asso", "dbps", "bica", "ino"}) {
    const Ran ran = motet({"roles", "mine", "@a.csv", "--layout", "matrix", "--method", method, "--roles", "2",
                           "--model", "@m.json", "--json", "@r.json"});
    ASSERT_EQ(ran.code, 0) << method << ran.err;
    EXPECT_EQ(json_of("r.json").at("method").as_text(), method);
    EXPECT_EQ(motet("roles assign @a.csv --layout matrix --model @m.json --assignments @s.csv").code, 0) << method;
    EXPECT_EQ(lines_of("s.csv").size() > 10, true) << method;
  }
}

TEST_F(MineVerbSlow, WritesTheSameBytesWithAnyNumberOfThreads) {
  std::vector<std::string> seen;
  for (const char* threads : {"1", "2"}) {
    const Ran ran =
        motet(Words("roles mine --roles 6 --starts 1 --seed 7 --json @r.json --model @m.json --roles-out @r.csv "
                    "--assignments @a.csv --exceptions @e.csv --report @r.html --threads") +
              Words{threads, roles_sample(), "--attributes", roles_sample("hr.csv")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    std::string all = ran.out;
    for (const char* name : {"r.json", "m.json", "r.csv", "a.csv", "e.csv", "r.html"}) {
      EXPECT_FALSE(folder.read(name).empty()) << name;
      all += folder.read(name);
    }
    seen.push_back(std::move(all));
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST_F(MineVerbSlow, ThePageTellsHowSimplerMethodsPredict) {
  const Ran ran = mine("--report @r.html --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value::List methods = json_of("r.json").at("comparison").as_list();
  ASSERT_EQ(methods.size(), 4U);
  EXPECT_EQ(methods[2].at("method").as_text(), "nearest neighbour");
  for (const Value& method : methods) EXPECT_GT(method.at("standard_error").as_number(), 0.0);
  expect_in(folder.read("r.html"), {"nearest neighbour"});
  EXPECT_EQ(mine("--compare").out, ran.out);
}

TEST_F(BadMine, WhatIsMissing) {
  expect_error({"roles", "mine", "@a.csv"}, 2, "mine: needs --roles");
  expect_refused({"--resume"}, 2, "--resume: needs --checkpoint FILE");
}

TEST_F(BadMine, TheNumberOfRoles) {
  expect_errors(
      2, {{{"roles", "mine", "@a.csv", "--roles", "many"},
           "--roles: 'many' is not a number of roles such as 8, or a range such as 2..12"},
          {{"roles", "mine", "@a.csv", "--roles", "0"},
           "--roles: '0' is not a number of roles such as 8, or a range such as 2..12"},
          {{"roles", "mine", "@a.csv", "--roles", "9..2"}, "--roles: '9..2' ends before it begins; write it as 2..9"},
          {{"roles", "mine", "@a.csv", "--roles", "2..3", "--method", "asso"},
           "--roles: the range 2..3 works with --method mac or sac only; give one number"},
          {{"roles", "mine", "@a.csv", "--roles", "2..3", "--keep", "@keep.csv"},
           "--roles: the range 2..3 does not work with --keep; give the number of new roles"}});
}

TEST_F(BadMine, ConstraintsThatContradictEachOther) {
  folder.write("keep.csv", "role,permission\nClerk,a\nClerk,b\n");
  folder.write("never.csv", "permission,permission\nb,a\n");
  expect_refused({"--keep", "@keep.csv", "--never-share-role", "@never.csv"}, 3,
                 "kept role 'Clerk' holds 'a' and 'b', which must never share a role; change the role or leave out the "
                 "pair");
}

TEST_F(BadMine, ConstraintsOfUnknownThings) {
  folder.write("never.csv", "permission,permission\na,fly\n");
  expect_refused({"--never-share-role", "@never.csv"}, 3, "never.csv:2: permission 'fly' is not in a.csv");
  folder.write("never.csv", "permission,permission\na,a\n");
  expect_refused({"--never-share-role", "@never.csv"}, 3,
                 "never.csv:2: permission 'a' is paired with itself; a pair needs two different permissions");
  folder.write("keep.csv", "role,permission\nClerk,fly\n");
  expect_refused({"--keep", "@keep.csv"}, 3, "keep.csv:2: permission 'fly' is not in a.csv");
  folder.write("keep.csv", "role,permission\nClerk,a\nBoss,b\n");
  folder.write("never.csv", "role,role\nClerk,King\n");
  expect_refused({"--keep", "@keep.csv", "--never-share-user", "@never.csv"}, 3,
                 "never.csv:2: role 'King' is not in keep.csv");
}

TEST_F(BadMine, ConstraintsThatNeedSomethingElse) {
  folder.write("never.csv", "role,role\nClerk,Boss\n");
  expect_refused({"--never-share-user", "@never.csv"}, 2,
                 "--never-share-user: needs --keep ROLES.csv, whose roles it names");
  folder.write("keep.csv", "role,permission\nClerk,a\nBoss,b\n");
  for (const char* method : {"asso", "dbps", "bica", "ino"}) {
    expect_refused({"--keep", "@keep.csv", "--method", method}, 2,
                   "constraints and kept roles work with --method mac or sac only");
  }
  folder.write("never.csv", "permission,permission\na,b\n");
  expect_refused({"--never-share-role", "@never.csv", "--method", "asso"}, 2,
                 "constraints and kept roles work with --method mac or sac only");
}

TEST_F(BadMine, OutputsThatWouldDestroySomething) {
  folder.write("keep.csv", "role,permission\nClerk,a\n");
  folder.write("m.json", "{}");
  expect_refusals(
      2,
      {{{"--roles-out", "@a.csv"}, "a.csv: would overwrite an input; choose another name"},
       {{"--checkpoint", "@./a.csv"}, "./a.csv: would overwrite an input; choose another name"},
       {{"--keep", "@keep.csv", "--roles-out", "@keep.csv"}, "keep.csv: would overwrite an input; choose another name"},
       {{"--previous", "@m.json", "--model", "@m.json"}, "m.json: would overwrite an input; choose another name"},
       {{"--assignments", "@x", "--exceptions", "@./x"}, "./x: is named for two outputs"},
       {{"--assignments", "-", "--exceptions", "-"},
        "-: standard output can take only one output; name a file for the other"}});
  EXPECT_EQ(folder.read("a.csv"), small_access);
}

TEST_F(BadMine, AFullDisk) {
  for (const char* option : {"--json", "--report", "--model", "--roles-out", "--assignments", "--exceptions"}) {
    expect_refused({option, "/dev/full"}, 5, "/dev/full: cannot be written: No space left on device");
  }
}

TEST_F(BadMine, MoreRolesThanDistinctUsers) {
  folder.write("b.csv", "user,a,b\nann,1,1\nbob,1,1\n");
  expect_error({"roles", "mine", "@b.csv", "--layout", "matrix", "--roles", "2"}, 4,
               "--roles 2 is more than the 1 distinct user; ask for at most 1");
  expect_error({"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "4"}, 4,
               "--roles 4 is more than the 3 distinct users; ask for at most 3");
}

TEST_F(BadMine, NobodyHoldsAnything) {
  folder.write("a.csv", "user,a,b\nann,0,0\nbob,0,0\n");
  expect_refused({}, 4, "nobody holds anything; there are no roles to find");
}

TEST_F(BadMine, MoreRolesThanTheDataSupportAreTold) {
  const Ran ran = motet({"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "3", "--max-roles-per-user", "1"});
  ASSERT_EQ(ran.code, 0) << ran.err;  // three kinds of users, each a role of its own
  const Ran more = done({"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "3"});
  EXPECT_NE(more.out.find("the data may support fewer roles\n"), std::string::npos) << more.out;
}

}  // namespace
}  // namespace motet::roles::mine_test
