// How the number of roles was chosen, told once.
#pragma once

#include "motet/report/document.h"
#include "motet/roles/choice/select.h"

namespace motet::roles {

// What one number of roles scored, by criterion. NaN: not measured.
struct RoleSelectionRow {
  std::size_t roles = 0;
  std::vector<double> value;
  std::vector<double> standard_error;
};

// An empty cell of the table, and why it is empty.
struct EmptyCell {
  std::size_t roles = 0;
  std::string criterion;  // as JSON key
  std::string reason;
};

struct RoleSelection {
  std::string source;                 // file the access data came from
  std::vector<std::string> criteria;  // as JSON keys: "capacity_bits", "generalization_error", "stability"
  std::string criterion;              // the one that decided
  std::size_t chosen = 0;             // number of roles
  std::string reason;                 // one sentence: why this number
  std::vector<RoleSelectionRow> rows;
  std::vector<EmptyCell> empty;
  std::vector<std::string> warnings;
};

// The table of a selection with the choice of one criterion, in words. Throws Error{unanswerable}
// when that criterion could not be measured at any number of roles.
RoleSelection told_selection(const Selection& selection, Criterion criterion, RoleRange range,
                             const std::string& source);

// Its one section has a line for each criterion, with bands of one standard error.
Document roles_select_document(const RoleSelection& selection);

}  // namespace motet::roles
