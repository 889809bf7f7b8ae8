#include "motet/report/roles_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "motet/io/json.h"
#include "report/roles_cases.h"

namespace motet {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Set MOTET_UPDATE_GOLDEN=1 to rewrite, then look at the diff before committing.
void expect_golden(const std::string& text, const std::string& name) {
  const auto path = std::filesystem::path(MOTET_TEST_DIR) / "golden" / "roles" / name;
  if (std::getenv("MOTET_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  EXPECT_EQ(text, read_file(path)) << path;
}

std::vector<std::string> keys_of(const Value& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.as_object()) keys.push_back(key);
  return keys;
}

const double none = std::nan("");

std::vector<ComparisonRow> comparison() {
  return {{"mac", 2, 0.0667, 0.9412, 0.2, 0.05, 0.01}, {"asso", 2, 0.0667, 0.9412, 0.2, 0.055, 0.012}};
}

RoleSelection selection() {
  return {"access.csv",
          {"capacity_bits", "generalization_error"},
          "generalization_error",
          2,
          "The smallest number within one standard error of the best.",
          {{1, {0.4, 0.21}, {0.02, 0.02}}, {2, {1.5, 0.05}, {0.03, 0.01}}, {3, {none, 0.049}, {none, 0.01}}},
          {}};
}

AttributeProfile profile() {
  AttributeProfile profile{{"department"}, {{"Finance", "Store"}}, {}};
  profile.roles = {{{{0, 0, 0.9, 0.4, 0.8}}, {0.62}, 0}, {{{0, 1, 0.7, 0.6, 0.4}}, {0.01}, Attributes::missing}};
  return profile;
}

RoleChanges changes() {
  RoleChanges changes;
  changes.matched = {{0, 0, "ledger +2", 0.75, {"mail"}, {"fax"}}};
  changes.appeared = {1};
  changes.vanished = {"fax +1"};
  changes.permissions_removed = {"fax"};
  return changes;
}

struct Whole {
  RolesCase data = roles_case();
  RoleSelection selected = selection();
  AttributeProfile profiled = profile();
  RoleChanges changed = changes();

  RolesReport report() const {
    RolesReport report{data.fit, data.access, "access.csv"};
    report.options = {{"max roles per user", "2"}};
    report.comparison = comparison();
    report.selection = &selected;
    report.profile = &profiled;
    report.changes = &changed;
    report.warnings = {"user 'fay' has no role"};
    return report;
  }
};

TEST(RolesReport, GoldenText) {
  const RolesCase data = roles_case();
  expect_golden(roles_text({data.fit, data.access, "access.csv"}), "roles_text.txt");
  const Whole whole;
  expect_golden(roles_text(whole.report()), "roles_text_whole.txt");
}

TEST(RolesReport, JsonHasTheKeysOfTheContract) {
  const Whole whole;
  const Value json = roles_json(whole.report());
  EXPECT_EQ(keys_of(json),
            (std::vector<std::string>{
                "roles",          "noise",        "training_error", "coverage",   "free_energy", "capacity_bits",
                "log_likelihood", "iterations",   "converged",      "stop",       "method",      "starts",
                "winning_start",  "dropped_mass", "exceptions",     "comparison", "selection",   "changes",
                "users",          "permissions",  "confidence",     "warnings",   "objective",   "attributes"}));
  EXPECT_EQ(keys_of(json.at("roles").as_list()[0]),
            (std::vector<std::string>{"name", "permissions", "members", "expected_members", "confidence", "frozen"}));
  EXPECT_EQ(keys_of(json.at("noise")), (std::vector<std::string>{"fraction", "fraction_interval", "set_probability",
                                                                 "set_probability_interval", "scope", "model"}));
  expect_golden(to_json(json, 1) + "\n", "roles.json");
}

TEST(RolesReport, WhatWasNotMeasuredIsNull) {
  const RolesCase data = roles_case();
  const Value json = parse_json(to_json(roles_json({data.fit, data.access, "access.csv"}), 0), "json");
  EXPECT_TRUE(json.at("capacity_bits").is_null());
  EXPECT_TRUE(json.at("changes").is_null());
  EXPECT_TRUE(json.at("starts").as_list()[1].at("held_out").is_null());
  EXPECT_TRUE(json.at("comparison").as_list().empty());
}

TEST(RolesReport, PageHasASectionForEachFinding) {
  const Whole whole;
  const Page page = roles_page(whole.report());
  std::vector<std::string> titles;
  for (const Section& section : page.sections) titles.push_back(section.title);
  EXPECT_EQ(titles, (std::vector<std::string>{"What to know first", "The access matrix", "The roles",
                                              "Exceptions to review", "Where roles overlap", "How many roles?",
                                              "How noisy are the data?", "Against simpler methods",
                                              "What attributes say", "Since the previous model", "The fit"}));
  const MatrixPicture& picture = page.sections[1].pictures.at(0);
  EXPECT_EQ(picture.rows.names, (std::vector<std::string>{"ann", "bob", "cid", "dee", "eva", "fay"}));
  EXPECT_EQ(picture.columns.names, (std::vector<std::string>{"mail", "pay", "ledger", "truck", "stock"}));
  EXPECT_EQ(picture.rows.bands.at(2).name, "ledger +2 + stock +2");
  EXPECT_EQ(picture.rows.bands.back().name, "no role");
  EXPECT_EQ(std::get<std::int64_t>(picture.table.rows[1][1]), 1);  // extra
  EXPECT_EQ(std::get<std::int64_t>(picture.table.rows[2][1]), 1);  // missing
  EXPECT_EQ(page.sections[2].cards.size(), 2U);
  EXPECT_EQ(page.sections[3].tables[0].table.rows.size(), 2U);
  EXPECT_NE(to_html(page).find("drawPictures"), std::string::npos);
}

TEST(RolesReport, PageWithoutTheRest) {
  const RolesCase data = roles_case();
  const Page page = roles_page({data.fit, data.access, "access.csv"});
  EXPECT_EQ(page.sections.size(), 7U);
}

TEST(RolesReport, ManyRolesAndNoUsers) {
  RoleFit fit;
  Access access;
  fit.model.sets = LabelSets::up_to(0, 0);
  fit.model.p0 = {0.0};
  fit.model.p1 = {1.0};
  fit.capacity_bits = none;
  EXPECT_FALSE(roles_text({fit, access, "none.csv"}).empty());
  EXPECT_FALSE(to_html_body(roles_page({fit, access, "none.csv"})).empty());
}

TEST(ComparisonSentence, SaysWhenASimplerMethodDoesAsWell) {
  std::vector<ComparisonRow> rows = comparison();
  EXPECT_EQ(comparison_sentence(rows),
            "The simpler method 'asso' predicts held-out users as well: 0.0550 against 0.0500.");
  rows[1].generalization_error = 0.07;
  EXPECT_EQ(comparison_sentence(rows), "No simpler method tried does as well.");
  rows[1].generalization_error = none;
  EXPECT_EQ(comparison_sentence(rows),
            "The simpler method 'asso' reproduces the data as well: error 0.0667 against 0.0667.");
  rows.resize(1);
  EXPECT_EQ(comparison_sentence(rows), "");
}

TEST(RoleSelection, Told) {
  EXPECT_EQ(select_text(selection()),
            "2 roles by generalization error\n"
            "The smallest number within one standard error of the best.\n"
            "\n"
            "roles  capacity bits      +-  generalization error      +-  chosen\n"
            "    1         0.4000  0.0200                0.2100  0.0200\n"
            "    2         1.5000  0.0300                0.0500  0.0100  yes\n"
            "    3                                       0.0490  0.0100\n");
  const Value json = select_json(selection());
  EXPECT_EQ(json.at("criterion").as_text(), "generalization_error");
  EXPECT_EQ(json.at("chosen").as_whole(), 2);
  EXPECT_EQ(keys_of(json.at("rows").as_list()[0]),
            (std::vector<std::string>{"roles", "capacity_bits", "capacity_bits_standard_error", "generalization_error",
                                      "generalization_error_standard_error"}));
  EXPECT_EQ(select_page(selection()).sections[0].plots.size(), 2U);
}

}  // namespace
}  // namespace motet
