// `motet roles mine --cover exact`: what it writes, and what does not go with it.
#include "motet/app/roles/cover_usage.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "app/roles/support.h"
#include "motet/io/csv.h"

namespace motet::roles::cover_usage_test {
namespace {

class CoverVerb : public RolesCommand {
 protected:
  Ran cover(const Words& more) const {
    return motet(joined({"roles", "mine", roles_sample(), "--cover", "exact", "--threads", "1"}, more));
  }

  static std::vector<std::vector<std::string>> rows_of(const std::string& path) {
    CsvReader reader(path);
    std::vector<std::vector<std::string>> all;
    for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
      for (std::size_t i = 0; i < rows.size(); ++i) all.emplace_back(rows[i].begin(), rows[i].end());
    }
    return all;
  }

  // What ROLES, ASSIGN and EXC say together, as pairs.
  std::set<std::pair<std::string, std::string>> rebuilt() const {
    std::map<std::string, std::vector<std::string>> permissions;
    for (const auto& row : rows_of(folder / "r.csv")) permissions[row[0]].push_back(row[1]);
    std::set<std::pair<std::string, std::string>> pairs;
    for (const auto& row : rows_of(folder / "a.csv")) {
      for (const std::string& permission : permissions[row[1]]) pairs.emplace(row[0], permission);
    }
    for (const auto& row : rows_of(folder / "e.csv")) {
      EXPECT_EQ(row[2], "extra");
      EXPECT_TRUE(pairs.emplace(row[0], row[1]).second) << row[0] << " " << row[1];
    }
    return pairs;
  }

  static std::set<std::pair<std::string, std::string>> sample_pairs() {
    std::set<std::pair<std::string, std::string>> pairs;
    for (const auto& row : rows_of(roles_sample())) pairs.emplace(row[0], row[1]);
    return pairs;
  }
};

class CoverVerbSlow : public CoverVerb {};

class BadCover : public BadMine {
 protected:
  BadCover() { command = {"roles", "mine", "@a.csv", "--layout", "matrix", "--cover", "exact"}; }
};

TEST_F(CoverVerb, TheFilesGiveBackTheDataCellByCell) {
  const Ran ran = cover("--roles-out @r.csv --assignments @a.csv --exceptions @e.csv --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(rebuilt(), sample_pairs());
  EXPECT_EQ(rows_of(folder / "e.csv").size(), 0U);
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("training_error").as_number(), 0.0);
  EXPECT_EQ(json.at("coverage").as_number(), 1.0);
  EXPECT_EQ(json.at("method").as_text(), "cover");
  EXPECT_EQ(json.at("noise").at("model").as_text(), "none");
  EXPECT_TRUE(json.at("capacity_bits").is_null());
  const Value told = json.at("cover");
  EXPECT_EQ(told.at("exact_roles").as_whole(), static_cast<std::int64_t>(json.at("roles").as_list().size()));
  EXPECT_LE(told.at("at_least").as_whole(), told.at("exact_roles").as_whole());
  EXPECT_EQ(told.at("curve").as_list().back().at("errors").as_whole(), 0);
}

TEST_F(CoverVerbSlow, AllowedErrorsAreExceptionsAndMakeFewerRoles) {
  ASSERT_EQ(cover("--json @exact.json").code, 0);
  const Ran ran =
      cover("--cover-errors 0.1 --roles-out @r.csv --assignments @a.csv --exceptions @e.csv --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(rebuilt(), sample_pairs());
  const std::size_t errors = rows_of(folder / "e.csv").size();
  EXPECT_GT(errors, 0U);
  EXPECT_LE(errors, 226U);  // a tenth of 2262
  EXPECT_LT(json_of("r.json").at("roles").as_list().size(), json_of("exact.json").at("roles").as_list().size());
  EXPECT_EQ(json_of("r.json").at("cover").at("errors").as_whole(), static_cast<std::int64_t>(errors));
}

TEST_F(CoverVerbSlow, WritesTheSameBytesWithAnyNumberOfThreads) {
  std::vector<std::string> seen;
  for (const char* threads : {"1", "2"}) {
    const Ran ran = done(Words("roles mine --cover exact --json @r.json --model @m.json --roles-out @r.csv "
                               "--assignments @a.csv --report @r.html --threads") +
                         Words{threads, roles_sample(), "--attributes", roles_sample("hr.csv")});
    std::string all = ran.out;
    for (const char* name : {"r.json", "m.json", "r.csv", "a.csv", "r.html"}) all += folder.read(name);
    seen.push_back(std::move(all));
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST_F(CoverVerb, ItsModelAssignsAndIsAPreviousOne) {
  folder.write("a.csv", small_access);
  const Ran ran = done("roles mine @a.csv --layout matrix --cover exact --model @m.json");
  EXPECT_EQ(ran.out,
            "2 roles cover 100 % of 30 grants, would newly grant 0, 0 stay individual\n"
            "10 users, 5 permissions; converged after 1 iteration, log-likelihood -10.549\n"
            "no noise assumed: every exception is taken at its word\n"
            "training error 0.0000, coverage 1.0000; exceptions: 0 extra, 0 missing\n\n"
            "role  permissions  members  expected  confidence  most telling\n"
            "a +2            3        6       6.0       1.000  a, b, c\n"
            "d +1            2        6       6.0       1.000  d, e\n\n"
            "2 roles together grant exactly what is held, and fewer cannot (proved)\n\n"
            "share of what is held  roles that cover it  cells without a role\n"
            "                 0.50                    1                    12\n"
            "                 0.80                    2                     0\n"
            "                 0.90                    2                     0\n"
            "                 0.95                    2                     0\n"
            "                 0.99                    2                     0\n"
            "                 1.00                    2                     0\n");
  EXPECT_EQ(motet("roles assign @a.csv --layout matrix --model @m.json --assignments @s.csv").code, 0);
  EXPECT_EQ(lines_of("s.csv").size(), 13U);
  EXPECT_EQ(motet("roles evaluate @a.csv --layout matrix --model @m.json").code, 0);
  expect_in(motet("roles mine @a.csv --layout matrix --cover exact --previous @m.json").out,
            {"since the previous model: 2 roles the same, 0 changed, 0 appeared, 0 vanished"});
}

TEST_F(CoverVerb, UsesAttributesAndLeavesOutUsers) {
  const Ran ran = cover({"--attributes", roles_sample("hr.csv"), "--exclude", "status=dormant"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.find("\n187 users, 42 permissions; ") != std::string::npos) << ran.out;
  expect_in(ran.out, {"best attribute", "warning: 13 users with status=dormant left out\n"});
}

TEST_F(CoverVerbSlow, AnInterruptedSearchWritesWhatItHasAndGoesOn) {
  // Hard for its size: half of the cells by lot.
  ASSERT_EQ(
      motet("roles simulate --users 40 --permissions 40 --noise-fraction 1 --set-probability 0.5 --out @a.csv").code,
      0);
  const Words mined = "roles mine @a.csv --cover exact --threads 1";
  const Ran whole = done(mined + "--roles-out @whole.csv");
  const Ran stopped_run =
      stopped(mined + "--checkpoint @ck --roles-out @r.csv --assignments @s.csv", {"looking for fewer roles", 3});
  EXPECT_EQ(stopped_run.code, 130);
  expect_in(stopped_run.err, {"motet: interrupted while looking for fewer than ",
                              " roles; the tables and the model of what was found are written; the checkpoint is in "});
  EXPECT_GT(lines_of("s.csv").size(), 40U);
  const Ran resumed = done(mined + "--checkpoint @ck --resume --roles-out @r.csv");
  EXPECT_EQ(folder.read("r.csv"), folder.read("whole.csv"));
}

TEST_F(BadCover, WithWhatIsMeantForFits) {
  expect_refused({"--roles", "2"}, 2, "--cover exact finds the number of roles itself; leave out --roles");
  expect_refused({"--noise", "none"}, 2, "--cover exact does not work with --noise; leave it out");
  expect_refused({"--method", "mac"}, 2, "--cover exact does not work with --method; leave it out");
  expect_refused({"--max-roles-per-user", "2"}, 2,
                 "--cover exact does not work with --max-roles-per-user; leave it out");
  expect_refused({"--compare"}, 2, "--cover exact does not work with --compare; leave it out");
  expect_refused({"--select-repeats", "2"}, 2, "--cover exact does not work with --select-repeats; leave it out");
  folder.write("keep.csv", "role,permission\nClerk,a\n");
  expect_refused({"--keep", "@keep.csv"}, 2, "--cover exact does not work with --keep; leave it out");
}

TEST_F(BadCover, ErrorsThatMakeNoSense) {
  expect_refused({"--cover-errors", "30"}, 2,
                 "--cover-errors 30 lets all 30 held cells stay without a role; allow fewer");
  expect_refused({"--cover-errors", "-1"}, 2, "--cover-errors -1 is outside [0, 1e+15]");
  expect_refused({"--cover-over-grants", "1"}, 2,
                 "--cover-over-grants: needs --cover-errors, of which they are a part");
  for (const std::string option : {"--cover-errors", "--cover-over-grants"}) {
    expect_error({"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "2", option, "1"}, 2,
                 option + ": needs --cover exact");
  }
}

TEST_F(BadCover, NobodyHoldsAnything) {
  folder.write("a.csv", "user,a,b\nann,0,0\nbob,0,0\n");
  expect_refused({}, 4, "nobody holds anything; there are no roles to find");
}

}  // namespace
}  // namespace motet::roles::cover_usage_test
