// How the number of roles was chosen, told to a terminal, to machines and to a browser.
#pragma once

#include <string>
#include <vector>

#include "motet/data/table.h"
#include "motet/data/value.h"
#include "motet/report/page.h"

namespace motet {

// What one number of roles scored, by criterion. NaN: not measured.
struct RoleSelectionRow {
  std::size_t roles = 0;
  std::vector<double> value;
  std::vector<double> standard_error;
};

struct RoleSelection {
  std::string source;                 // file the access data came from
  std::vector<std::string> criteria;  // as JSON keys: "capacity_bits", "generalization_error", "stability"
  std::string criterion;              // the one that decided
  std::size_t chosen = 0;             // number of roles
  std::string reason;                 // one sentence: why this number
  std::vector<RoleSelectionRow> rows;
  std::vector<std::string> warnings;
};

Table selection_table(const RoleSelection& selection);
Section selection_section(const RoleSelection& selection);  // a line for each criterion, bands of one standard error

std::string select_text(const RoleSelection& selection);
Value selection_rows_value(const RoleSelection& selection);  // [{"roles", criterion, criterion_standard_error, ...}]
Value select_json(const RoleSelection& selection);
Page select_page(const RoleSelection& selection);

}  // namespace motet
