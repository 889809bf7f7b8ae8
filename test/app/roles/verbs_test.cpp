// `motet roles assign`, `evaluate`, `select` and `simulate`.
#include "motet/app/roles/verbs.h"

#include <gtest/gtest.h>

#include "app/roles/support.h"

namespace motet::roles::verbs_test {
namespace {

// How the sample was made, but for the number of users.
std::vector<std::string> sample_options(const std::string& users) {
  return {"roles",
          "simulate",
          "--users",
          users,
          "--permissions",
          "48",
          "--roles",
          "6",
          "--role-density",
          "0.14",
          "--noise-fraction",
          "0.03",
          "--set-probability",
          "0.2",
          "--attribute-values",
          "5",
          "--coupling",
          "0.85",
          "--telling-names",
          "--seed",
          "3"};
}

class AssignVerb : public RolesCommand {
 protected:
  AssignVerb() {
    folder.write("a.csv", small_access);
    const Ran ran = motet("roles mine @a.csv --layout matrix --roles 2 --model @m.json");
    EXPECT_EQ(ran.code, 0) << ran.err;
  }
  Ran assign(std::string_view content, const Words& more) const {
    folder.write("new.csv", content);
    return motet(joined({"roles", "assign", "@new.csv", "--model", "@m.json"}, more));
  }
};

class RolesEvaluateVerb : public RolesCommand {};
class SelectVerb : public RolesCommand {};
class RolesSimulateVerb : public RolesCommand {};

TEST_F(AssignVerb, GivesTheAssignmentsOfTheFit) {
  ASSERT_EQ(mine("--model @s.json --assignments @a1.csv --exceptions @e1.csv").code, 0);
  const Ran ran = done({"roles", "assign", roles_sample(), "--model", "@s.json", "--assignments", "@a2.csv",
                        "--exceptions", "@e2.csv", "--json", "@r.json", "--report", "@r.html"});
  EXPECT_EQ(folder.read("a1.csv"), folder.read("a2.csv"));
  EXPECT_EQ(folder.read("e1.csv"), folder.read("e2.csv"));
  EXPECT_TRUE(ran.out.starts_with("200 users, 200 with a role (100.0 %); ")) << ran.out;
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("users").as_whole(), 200);
  EXPECT_EQ(json.at("roles").as_list().size(), 6U);
  EXPECT_FALSE(folder.read("r.html").empty());
}

TEST_F(AssignVerb, UsesTheAttributesTheModelHasLearned) {
  ASSERT_EQ(mine({"--attributes", roles_sample("hr.csv"), "--model", "@s.json", "--assignments", "@a1.csv"}).code, 0);
  const Ran ran = done({"roles", "assign", roles_sample(), "--model", "@s.json", "--attributes", roles_sample("hr.csv"),
                        "--assignments", "@a2.csv"});
  EXPECT_EQ(folder.read("a1.csv"), folder.read("a2.csv"));
}

TEST_F(AssignVerb, WorksWithCellsThatNobodyKnows) {
  const Ran ran =
      assign("user,a,b,c,d,e\nx,1,?,,0,0\ny,?,?,?,1,1\n", "--layout matrix --assignments - --exceptions @e.csv");
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "user,role,probability");
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("x,a +2,")) << line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("y,d +1,")) << line;
  // A cell that nobody knows is no exception.
  EXPECT_EQ(folder.read("e.csv"), "user,permission,kind,probability\n");
}

TEST_F(AssignVerb, APermissionThatPairsDoNotNameIsUnknown) {
  const Ran unknown = assign("user,permission\nx,a\nx,b\ny,b\n", "--assignments @s.csv --json @r.json");
  ASSERT_EQ(unknown.code, 0) << unknown.err;
  EXPECT_EQ(json_of("r.json").at("absent_permissions").as_whole(), 3);
  EXPECT_TRUE(unknown.out.ends_with("warning: 3 permissions of the model are not in new.csv: taken as unknown\n"))
      << unknown.out;
  const Ran not_held = assign("user,permission\nx,a\nx,b\ny,b\n", "--assignments @s.csv --absent not-held");
  EXPECT_TRUE(not_held.out.ends_with("warning: 3 permissions of the model are not in new.csv: taken as not held\n"))
      << not_held.out;
}

TEST_F(AssignVerb, NamesPermissionsTheModelDoesNotKnow) {
  const Ran ran = assign("user,a,b,c,d,e,fly\nx,1,1,1,0,0,1\n", "--layout matrix --assignments @s.csv");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.ends_with("warning: 1 permission the model does not know was left out: fly\n")) << ran.out;
}

TEST_F(AssignVerb, TellsThatAttributesWereNotUsed) {
  folder.write("hr.csv", "user,site\nx,Bern\n");
  const Ran ran =
      assign(small_access.substr(0, 15) + "x,1,1,1,0,0\n", "--layout matrix --assignments @s.csv --attributes @hr.csv");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.ends_with("warning: the model was mined without attributes: they were not used\n")) << ran.out;
}

TEST_F(RolesEvaluateVerb, WritesTheKeysOfTheContract) {
  ASSERT_EQ(mine({"--model", "@m.json"}).code, 0);
  ASSERT_EQ(motet(joined(sample_options("300"), {"--out", "@all.csv"})).code, 0);
  const Ran ran = done({"roles", "evaluate", "@all.csv", "--model", "@m.json", "--training", roles_sample(), "--json",
                        "@r.json", "--report", "@r.html", "--reveal", "0.2", "--repeats", "5"});
  const Value json = json_of("r.json");
  EXPECT_GT(json.at("generalization_error").as_number(), 0.0);
  EXPECT_LT(json.at("generalization_error").as_number(), 0.2);
  EXPECT_GT(json.at("standard_error").as_number(), 0.0);
  EXPECT_EQ(json.at("reveal").as_number(), 0.2);
  EXPECT_EQ(json.at("repeats").as_whole(), 5);
  for (const char* name : {"nothing", "majority", "nearest neighbour"}) {
    EXPECT_GT(json.at("references").at(name).at("error").as_number(), 0.0) << name;
  }
  expect_in(ran.out, {"roles, by posterior"});
  EXPECT_FALSE(folder.read("r.html").empty());
}

TEST_F(RolesEvaluateVerb, ASingleDrawHasNoStandardError) {
  ASSERT_EQ(mine({"--model", "@m.json"}).code, 0);
  const Ran ran =
      motet({"roles", "evaluate", roles_sample(), "--model", "@m.json", "--repeats", "1", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(json_of("r.json").at("standard_error").is_null());
}

TEST_F(RolesEvaluateVerb, TellsOfOtherPermissions) {
  folder.write("a.csv", small_access);
  ASSERT_EQ(motet("roles mine @a.csv --layout matrix --roles 2 --model @m.json").code, 0);
  folder.write("b.csv", "user,permission\nx,a\nx,b\nx,fly\ny,d\ny,c\n");
  const Ran ran = done("roles evaluate @b.csv --model @m.json --json @r.json");
  EXPECT_EQ(json_of("r.json").at("warnings").as_list().size(), 2U);
  EXPECT_TRUE(
      ran.out.ends_with("warning: 1 permission of b.csv that the model does not know was left out\n"
                        "warning: 1 permission of the model is not in b.csv: taken as not held\n"))
      << ran.out;
}

TEST_F(SelectVerb, ShowsEveryCriterionAndTakesTheOneThatWasAskedFor) {
  for (const char* criterion : {"held-out", "bic", "description-length"}) {
    const Ran ran = done({"roles", "select", roles_sample(), "--roles", "5..7", "--repeats", "1", "--criterion",
                          criterion, "--json", "@r.json", "--report", "@r.html"});
    const Value json = json_of("r.json");
    EXPECT_EQ(json.at("chosen").as_whole(), 6) << criterion << "\n" << ran.out;
    ASSERT_EQ(json.at("rows").as_list().size(), 3U);
    const Value& row = json.at("rows").as_list()[1];
    EXPECT_EQ(row.at("roles").as_whole(), 6);
    for (const char* key : {"held_out_log_likelihood", "generalization_error", "stability", "capacity_bits", "bic",
                            "description_length"}) {
      EXPECT_TRUE(row.at(key).is_number()) << key;
    }
  }
  EXPECT_FALSE(folder.read("r.html").empty());
}

TEST_F(SelectVerb, TellsThatTheRangeEndsTooEarly) {
  const Ran ran = done({"roles", "select", roles_sample(), "--roles", "3..5", "--repeats", "1"});
  EXPECT_TRUE(ran.out.ends_with("warning: the largest number of the range was chosen: more than 5 may be better\n"))
      << ran.out;
}

TEST_F(RolesSimulateVerb, MakesTheSampleAgain) {
  const Ran ran = done(joined(sample_options("200"),
                              {"--dormant", "0.06", "--out", "@access.csv", "--truth", "@roles.csv", "--assignments",
                               "@assignments.csv", "--attributes-out", "@hr.csv", "--json", "@r.json"}));
  EXPECT_EQ(ran.out, "2262 permissions held by 200 users of 6 roles written to access.csv\n");
  for (const std::string name : {"access.csv", "roles.csv", "assignments.csv", "hr.csv"}) {
    std::ifstream sample(roles_sample(name), std::ios::binary);
    EXPECT_EQ(folder.read(name), std::string(std::istreambuf_iterator<char>(sample), {})) << name;
  }
  EXPECT_EQ(json_of("r.json").at("roles").as_list()[0].at("permissions").as_whole(), 7);
}

TEST_F(RolesSimulateVerb, NeedsAttributesToWriteThem) {
  expect_error("roles simulate --attributes-out @hr.csv --out @a.csv", 2,
               "--attributes-out: needs --attribute-values or --dormant; else there are no attributes");
}

TEST_F(SelectVerb, TooFewUsersToChooseTheNumber) {
  folder.write("a.csv", "user,permission\nann,a\nbob,b\n");
  expect_error({"roles", "select", "@a.csv", "--roles", "1..2"}, 4,
               "2 users are too few to choose the number of roles; give it with --roles");
}

class BadRolesVerbs : public RolesCommand {
 protected:
  BadRolesVerbs() { folder.write("a.csv", small_access); }
};

TEST_F(BadRolesVerbs, WhatIsMissing) {
  expect_error({"roles", "assign", "@a.csv"}, 2, "assign: needs --model and --assignments");
  expect_error({"roles", "evaluate", "@a.csv"}, 2, "evaluate: needs --model");
  expect_error({"roles", "select", "@a.csv"}, 2, "select: needs --roles");
}

TEST_F(BadRolesVerbs, MoreRolesThanDistinctUsers) {
  expect_error({"roles", "select", "@a.csv", "--layout", "matrix", "--roles", "4..6"}, 4,
               "--roles 4 is more than the 3 distinct users; ask for at most 3");
}

TEST_F(BadRolesVerbs, OutputsThatWouldDestroySomething) {
  folder.write("keep.csv", "role,permission\nClerk,a\n");
  folder.write("m.json", "{}");
  expect_error({"roles", "assign", "@a.csv", "--model", "@keep.csv", "--assignments", "@keep.csv"}, 2,
               "keep.csv: would overwrite an input; choose another name");
  expect_error({"roles", "evaluate", "@a.csv", "--model", "@m.json", "--training", "@keep.csv", "--json", "@keep.csv"},
               2, "keep.csv: would overwrite an input; choose another name");
  expect_error({"roles", "simulate", "--out", "@x", "--truth", "@x"}, 2, "x: is named for two outputs");
  EXPECT_EQ(folder.read("a.csv"), small_access);
}

TEST_F(BadRolesVerbs, AFullDisk) {
  const std::string full = "/dev/full: cannot be written: No space left on device";
  expect_error({"roles", "simulate", "--out", "/dev/full"}, 5, full);
  for (const char* option : {"--truth", "--assignments"}) {
    expect_error({"roles", "simulate", "--out", "@x.csv", option, "/dev/full"}, 5, full);
  }
  expect_error({"roles", "simulate", "--out", "@x.csv", "--dormant", "0.5", "--attributes-out", "/dev/full"}, 5, full);
}

}  // namespace
}  // namespace motet::roles::verbs_test
