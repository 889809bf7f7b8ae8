#include "motet/app/roles/mine_document.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/roles/roles_cases.h"
#include "motet/io/json.h"
#include "support/texts.h"

namespace motet::roles::mine_document_test {
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

const double none = std::nan("");

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
  RoleSelection selected = two_selected();
  AttributeProfile profiled = profile();
  RoleChanges changed = changes();

  RolesReport report() const {
    RolesReport report{data.fit, data.access, "access.csv"};
    report.options = {{"max roles per user", "2"}};
    report.comparison = compared_methods();
    report.selection = &selected;
    report.profile = &profiled;
    report.changes = &changed;
    report.warnings = {"user 'fay' has no role"};
    return report;
  }
};

TEST(RolesMineDocument, GoldenText) {
  const RolesCase data = roles_case();
  expect_golden(roles_mine_document({data.fit, data.access, "access.csv"}).text, "roles_text.txt");
  const Whole whole;
  expect_golden(roles_mine_document(whole.report()).text, "roles_text_whole.txt");
}

TEST(RolesMineDocument, JsonHasTheKeysOfTheContract) {
  const Whole whole;
  const Value json = roles_mine_document(whole.report()).json;
  EXPECT_EQ(keys_of(json),
            (std::vector<std::string>{
                "roles",          "noise",         "training_error", "coverage", "free_energy",   "capacity_bits",
                "log_likelihood", "iterations",    "converged",      "stop",     "method",        "keeps_association",
                "starts",         "winning_start", "dropped_mass",   "grants",   "newly_granted", "individual",
                "exceptions",     "comparison",    "selection",      "changes",  "hierarchy",     "violations",
                "users",          "permissions",   "confidence",     "warnings", "objective",     "attributes"}));
  EXPECT_EQ(keys_of(json.at("roles").as_list()[0]),
            (std::vector<std::string>{"name", "permissions", "members", "expected_members", "confidence", "frozen"}));
  EXPECT_EQ(keys_of(json.at("noise")), (std::vector<std::string>{"fraction", "fraction_interval", "set_probability",
                                                                 "set_probability_interval", "scope", "model"}));
  expect_golden(to_json(json, 1) + "\n", "roles.json");
}

TEST(RolesMineDocument, WhatWasNotMeasuredIsNull) {
  const RolesCase data = roles_case();
  const Value json = parse_json(to_json(roles_mine_document({data.fit, data.access, "access.csv"}).json, 0), "json");
  EXPECT_TRUE(json.at("capacity_bits").is_null());
  EXPECT_TRUE(json.at("changes").is_null());
  EXPECT_TRUE(json.at("starts").as_list()[1].at("held_out").is_null());
  EXPECT_TRUE(json.at("comparison").as_list().empty());
}

TEST(RolesMineDocument, PageHasASectionForEachFinding) {
  const Whole whole;
  const Document page = roles_mine_document(whole.report());
  std::vector<std::string> titles;
  for (const Section& section : page.sections) titles.push_back(section.title);
  EXPECT_EQ(titles, (std::vector<std::string>{"In short", "What to know first", "The access matrix", "The roles",
                                              "Exceptions to review", "Which roles hold much of others",
                                              "How many roles?", "How noisy are the data?", "Against simpler methods",
                                              "What attributes say", "Since the previous model", "The fit"}));
  const MatrixPicture& picture = page.sections[2].pictures.at(0);
  EXPECT_EQ(picture.rows.names, (std::vector<std::string>{"ann", "bob", "cid", "dee", "eva", "fay"}));
  EXPECT_EQ(picture.columns.names, (std::vector<std::string>{"mail", "pay", "ledger", "truck", "stock"}));
  EXPECT_EQ(picture.rows.bands.at(2).name, "ledger +2 + stock +2");
  EXPECT_EQ(picture.rows.bands.back().name, "no role");
  EXPECT_EQ(std::get<std::int64_t>(picture.table.rows[1][1]), 1);  // extra
  EXPECT_EQ(std::get<std::int64_t>(picture.table.rows[2][1]), 1);  // missing
  EXPECT_EQ(page.sections[3].cards.size(), 2U);
  EXPECT_EQ(page.sections[4].tables[0].table.rows.size(), 2U);
  expect_in(to_html(page), {"drawPictures"});
}

TEST(RolesMineDocument, PageWithoutTheRest) {
  const RolesCase data = roles_case();
  const Document page = roles_mine_document({data.fit, data.access, "access.csv"});
  EXPECT_EQ(page.sections.size(), 8U);
}

TEST(RolesMineDocument, ManyRolesAndNoUsers) {
  RoleFit fit;
  Access access;
  fit.model.sets = LabelSets::up_to(0, 0);
  fit.model.p0 = {0.0};
  fit.model.p1 = {1.0};
  fit.capacity_bits = none;
  EXPECT_FALSE(roles_mine_document({fit, access, "none.csv"}).text.empty());
  EXPECT_FALSE(to_html_body(roles_mine_document({fit, access, "none.csv"})).empty());
}

TEST(RolesMineDocument, LeavesOutWhatNobodyWants) {
  const Whole whole;
  const Document text = roles_mine_document(whole.report(), {.json = false, .page = false});
  EXPECT_EQ(text.text, roles_mine_document(whole.report()).text);
  EXPECT_TRUE(text.json.is_null());
  EXPECT_TRUE(text.sections.empty());
}

}  // namespace
}  // namespace motet::roles::mine_document_test
