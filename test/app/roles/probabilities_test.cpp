// Every probability and share that a verb of `motet roles` writes is from 0 to 1, to the last bit.
#include <gtest/gtest.h>

#include <set>

#include "app/roles/support.h"

namespace motet::roles::probabilities_test {
namespace {

class RolesProbabilities : public RolesCommand {
 protected:
  void expect_column(std::string_view file) const {
    const std::vector<std::string> lines = lines_of(file);
    ASSERT_GT(lines.size(), 1U) << file;
    ASSERT_TRUE(lines[0].ends_with(",probability")) << lines[0];
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::string text = lines[i].substr(lines[i].rfind(',') + 1);
      if (text.empty()) continue;
      EXPECT_GE(std::stod(text), 0.0) << file << ": " << lines[i];
      EXPECT_LE(std::stod(text), 1.0) << file << ": " << lines[i];
    }
  }

  static void expect_within(const Value& value, const std::string& where) {
    if (value.is_number()) {
      EXPECT_GE(value.as_number(), 0.0) << where;
      EXPECT_LE(value.as_number(), 1.0) << where;
    } else if (value.is_list()) {
      for (const Value& one : value.as_list()) expect_within(one, where);
    } else if (value.is_object()) {
      for (const auto& [key, one] : value.as_object()) expect_within(one, where + "." + key);
    }
  }

  // Looks through the whole result for keys that are probabilities or shares.
  static void expect_keys(const Value& value, const std::string& where) {
    static const std::set<std::string, std::less<>> keys = {"fraction",
                                                            "fraction_interval",
                                                            "set_probability",
                                                            "set_probability_interval",
                                                            "training_error",
                                                            "coverage",
                                                            "confidence",
                                                            "dropped_mass",
                                                            "generalization_error",
                                                            "standard_error",
                                                            "of_members",
                                                            "of_all",
                                                            "membership",
                                                            "explained",
                                                            "mean_overlap",
                                                            "reveal",
                                                            "noise_fraction"};
    if (value.is_list()) {
      for (const Value& one : value.as_list()) expect_keys(one, where);
    } else if (value.is_object()) {
      for (const auto& [key, one] : value.as_object()) {
        if (keys.contains(key)) expect_within(one, where + "." + key);
        expect_keys(one, where + "." + key);
      }
    }
  }
};

TEST_F(RolesProbabilities, OfMineAreFromZeroToOne) {
  const Ran ran = mine({"--attributes", roles_sample("hr.csv"), "--roles-out", "@r.csv", "--assignments", "@a.csv",
                        "--least-probability", "0", "--exceptions", "@e.csv", "--json", "@j.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* file : {"r.csv", "a.csv", "e.csv"}) expect_column(file);
  expect_keys(json_of("j.json"), "mine");
}

TEST_F(RolesProbabilities, OfTheShippedSampleAreFromZeroToOne) {
  ASSERT_EQ(
      motet({"roles", "mine", roles_sample(), "--roles", "6", "--model", "@m.json", "--assignments", "@a.csv"}).code,
      0);
  expect_column("a.csv");
  const Ran assigned = done({"roles", "assign", roles_sample(), "--model", "@m.json", "--assignments", "@b.csv",
                             "--least-probability", "0", "--exceptions", "@e.csv", "--json", "@j.json"});
  expect_column("b.csv");
  expect_column("e.csv");
  expect_keys(json_of("j.json"), "assign");
  ASSERT_EQ(motet({"roles", "evaluate", roles_sample(), "--model", "@m.json", "--json", "@v.json"}).code, 0);
  expect_keys(json_of("v.json"), "evaluate");
}

TEST_F(RolesProbabilities, OfUsersWithoutRolesAreFromZeroToOne) {
  folder.write("a.csv", small_access);
  ASSERT_EQ(motet("roles mine @a.csv --layout matrix --roles 2 --model @m.json").code, 0);
  folder.write("new.csv", "user,a,b,c,d,e\nx,?,?,?,?,?\ny,0,0,0,0,0\nz,1,0,?,0,1\n");
  ASSERT_EQ(motet("roles assign @new.csv --model @m.json --layout matrix --assignments @b.csv").code, 0);
  expect_column("b.csv");
}

}  // namespace
}  // namespace motet::roles::probabilities_test
