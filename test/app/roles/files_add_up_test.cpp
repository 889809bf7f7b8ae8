// What `motet roles` writes adds up: the roles of ROLES.csv given to users as ASSIGN.csv says, with the exceptions of
// EXC.csv, are the access data, cell by cell; and every figure that is told is that of the files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "app/roles/support.h"

namespace motet::roles::files_add_up_test {
namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;

class FilesAddUp : public RolesCommand {
 protected:
  std::vector<std::vector<std::string>> table(const std::string& file) const {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : lines_of(file)) {
      std::vector<std::string>& row = rows.emplace_back();
      std::istringstream fields(line + ",");
      for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    }
    rows.erase(rows.begin());
    return rows;
  }

  struct Sum {
    Pairs granted;
    std::size_t extra = 0;
    std::size_t missing = 0;
    std::map<std::string, std::int64_t> members;
  };

  // The data again from three files.
  Sum sum_of_files(const Pairs& held, bool known_only = false) const {
    std::map<std::string, std::vector<std::string>> role;
    for (const auto& row : table("r.csv")) {
      role[row[0]];
      if (!row[1].empty()) role[row[0]].push_back(row[1]);
      if (!row[1].empty()) {
        EXPECT_GE(std::stod(row[2]), 0.5);
      }
    }
    Sum sum;
    for (const auto& row : table("a.csv")) {
      if (row[1].empty()) continue;
      EXPECT_TRUE(role.contains(row[1])) << row[1];
      EXPECT_FALSE(role[row[1]].empty()) << "a role that grants nothing has members: " << row[1];
      ++sum.members[row[1]];
      for (const std::string& permission : role[row[1]]) sum.granted.emplace(row[0], permission);
    }
    Pairs again = sum.granted;
    for (const auto& row : table("e.csv")) {
      const double probability = std::stod(row[3]);
      EXPECT_TRUE(probability >= 0.0 && probability <= 1.0) << row[3];
      if (row[2] == "extra") {
        EXPECT_TRUE(again.emplace(row[0], row[1]).second);
        ++sum.extra;
      } else {
        EXPECT_EQ(row[2], "missing");
        EXPECT_EQ(again.erase({row[0], row[1]}), 1U);
        ++sum.missing;
      }
    }
    if (!known_only) {
      EXPECT_TRUE(again == held) << "the files do not give the data back";
    }
    return sum;
  }

  // Pairs of a.csv-like access data with columns user, permission.
  Pairs held_in(const std::string& file) const {
    Pairs held;
    for (const auto& row : table(file)) {
      if (!row[1].empty()) held.emplace(row[0], row[1]);
    }
    return held;
  }

  void expect_sum(const std::string& file, const Words& options) const {
    const Pairs held = held_in(file);
    const Ran ran = done(joined({"roles", "mine", "@" + file, "--roles-out", "@r.csv", "--assignments", "@a.csv",
                                 "--exceptions", "@e.csv", "--json", "@j.json", "--starts", "1", "--threads", "1"},
                                options));
    const Sum sum = sum_of_files(held);
    const Value json = json_of("j.json");
    const auto whole = [&](const char* key) { return static_cast<std::size_t>(json.at(key).as_whole()); };
    EXPECT_EQ(whole("grants"), held.size());
    EXPECT_EQ(whole("individual"), sum.extra);
    EXPECT_EQ(whole("newly_granted"), sum.missing);
    EXPECT_EQ(static_cast<std::size_t>(json.at("exceptions").at("extra").as_whole()), sum.extra);
    EXPECT_EQ(static_cast<std::size_t>(json.at("exceptions").at("missing").as_whole()), sum.missing);
    const double cells = static_cast<double>(whole("users") * whole("permissions"));
    EXPECT_NEAR(json.at("training_error").as_number(), static_cast<double>(sum.extra + sum.missing) / cells, 1e-12);
    EXPECT_NEAR(json.at("coverage").as_number(),
                1.0 - static_cast<double>(sum.extra) / static_cast<double>(held.size()), 1e-12);
    for (const Value& role : json.at("roles").as_list()) {
      const auto found = sum.members.find(role.at("name").as_text());
      EXPECT_EQ(role.at("members").as_whole(), found == sum.members.end() ? 0 : found->second);
    }
    EXPECT_NE(ran.out.find("; exceptions: " + std::to_string(sum.extra) + " extra, " + std::to_string(sum.missing) +
                           " missing\n"),
              std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.substr(0, ran.out.find('\n')).find(" would newly grant "), std::string::npos) << ran.out;
  }

  // Overlapping roles of 60 users; the noise is even, or sets bits only.
  void simulate(const std::string& file, const std::string& noise, const std::string& set, const std::string& seed,
                const std::string& users = "60") const {
    ASSERT_EQ(motet({"roles", "simulate", "--users", users, "--permissions", "18", "--roles", "4", "--noise-fraction",
                     noise, "--set-probability", set, "--seed", seed, "--out", "@" + file})
                  .code,
              0);
  }
};

TEST_F(FilesAddUp, WithEveryMethod) {
  simulate("x.csv", "0.15", "0.3", "3");
  for (const char* method : {"mac", "sac", "asso", "dbps", "bica", "ino"}) {
    SCOPED_TRACE(method);
    expect_sum("x.csv", {"--roles", "4", "--method", method});
  }
}

TEST_F(FilesAddUp, WithEveryNoiseScopeAndKindOfCentroids) {
  simulate("x.csv", "0.3", "0.5", "5");
  for (const char* noise : {"mixture", "flip", "symmetric-flip", "none"}) {
    for (const char* scope : {"global", "permission", "user"}) {
      for (const char* centroids : {"best", "soft", "rounded"}) {
        const std::string by = scope;
        const std::string kind = noise;
        if (by == "user" && (kind == "none" || kind == "symmetric-flip" || std::string(centroids) == "soft")) continue;
        if (by == "permission" && kind == "none") continue;
        SCOPED_TRACE(kind + " " + by + " " + centroids);
        expect_sum("x.csv", {"--roles", "3", "--noise", noise, "--noise-scope", scope, "--centroids", centroids});
      }
    }
  }
}

TEST_F(FilesAddUp, WhateverTheLeastProbability) {
  simulate("x.csv", "0.4", "0.5", "7");
  for (const char* least : {"0", "0.05", "0.5", "0.95", "1"}) {
    SCOPED_TRACE(least);
    expect_sum("x.csv", {"--roles", "4", "--least-probability", least});
  }
}

TEST_F(FilesAddUp, WhateverANewGrantCosts) {
  simulate("x.csv", "0.15", "0.3", "9");
  for (const char* price : {"0.3", "1", "5", "never"}) {
    for (const char* method : {"mac", "sac", "asso", "dbps"}) {
      SCOPED_TRACE(std::string(price) + " " + method);
      expect_sum("x.csv", {"--roles", "4", "--over-grant-cost", price, "--method", method});
      if (std::string(price) == "never") {
        EXPECT_EQ(json_of("j.json").at("newly_granted").as_whole(), 0);
      }
    }
  }
}

TEST_F(FilesAddUp, WithAttributesAndKeptRoles) {
  simulate("x.csv", "0.1", "0.3", "11");
  std::string people = "user,site\n";
  std::set<std::string> users;
  for (const auto& [user, permission] : held_in("x.csv")) users.insert(user);
  for (const std::string& user : users) people += user + (user.size() % 2 == 0 ? ",north\n" : ",south\n");
  folder.write("hr.csv", people);
  expect_sum("x.csv", {"--roles", "3", "--attributes", "@hr.csv"});
  folder.write("keep.csv", "role,permission\nold," + held_in("x.csv").begin()->second + "\nnone,\n");
  for (const char* price : {"1", "never"}) {
    expect_sum("x.csv", {"--roles", "3", "--keep", "@keep.csv", "--over-grant-cost", price});
  }
  expect_sum("x.csv", {"--roles", "3", "--keep", "@keep.csv"});
}

TEST_F(FilesAddUp, OfUsersAssignedLater) {
  simulate("x.csv", "0.2", "0.3", "13");
  for (const Words& options : {Words{}, Words{"--over-grant-cost", "never"}, Words{"--over-grant-cost", "2"}}) {
    expect_sum("x.csv", joined({"--roles", "4", "--model", "@m.json"}, options));
    const std::string mined = folder.read("a.csv") + folder.read("e.csv");
    for (const Words& least : {Words{}, Words{"--least-probability", "0.1"}}) {
      const Ran ran = done(joined(
          {"roles", "assign", "@x.csv", "--model", "@m.json", "--assignments", "@a.csv", "--exceptions", "@e.csv"},
          least));
      const Sum sum = sum_of_files(held_in("x.csv"));
      EXPECT_NE(ran.out.find("exceptions: " + std::to_string(sum.extra) + " extra, " + std::to_string(sum.missing) +
                             " missing\n"),
                std::string::npos);
      if (least.empty()) {
        EXPECT_EQ(folder.read("a.csv") + folder.read("e.csv"), mined);
      }
    }
  }
}

class BadPrice : public BadMine {};

TEST_F(BadPrice, IsRefused) {
  expect_error(joined(command, {"--over-grant-cost", "dear"}), 2,
               "--over-grant-cost: 'dear' is not a number from 1e-06 to 1e+12 nor never");
  expect_error(joined(command, {"--over-grant-cost", "2", "--least-probability", "0.3"}), 2,
               "--least-probability does not work with --over-grant-cost, which says who gets which role");
}

class FilesAddUpSlow : public FilesAddUp {};

TEST_F(FilesAddUpSlow, OfPublicData) {
  const char* const data = std::getenv("MOTET_DATA");
  if (data == nullptr) GTEST_SKIP() << "MOTET_DATA is not set";
  for (const char* name : {"hc", "domino", "fire1"}) {
    std::istringstream pairs(read_whole(std::string(data) + "/roles/" + name + ".txt"));
    std::string text = "user,permission\n";
    for (std::string user, permission; pairs >> user >> permission;) {
      text += "u" + user + ",p" + permission + "\n";
    }
    folder.write("x.csv", text);
    for (const char* method : {"mac", "asso", "dbps"}) {
      for (const Words& options : {Words{}, Words{"--over-grant-cost", "never"}, Words{"--centroids", "soft"}}) {
        if (std::string(method) != "mac" && !options.empty() && options[0] == "--centroids") continue;
        SCOPED_TRACE(std::string(name) + " " + method + (options.empty() ? "" : " " + options[1]));
        expect_sum("x.csv", joined({"--roles", "10", "--method", method}, options));
      }
    }
  }
}

}  // namespace
}  // namespace motet::roles::files_add_up_test
