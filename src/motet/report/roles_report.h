// Roles that were mined, told to a terminal, to machines and to a browser. Nothing is
// computed here but the order in which things are shown.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "motet/data/access.h"
#include "motet/data/value.h"
#include "motet/report/page.h"
#include "motet/report/roles_select_report.h"
#include "motet/roles/attribute_profile.h"
#include "motet/roles/changes.h"
#include "motet/roles/mine.h"

namespace motet {

// One method on the same data. NaN: not measured.
struct ComparisonRow {
  std::string method;
  std::size_t roles = 0;
  double training_error = 0.0;
  double coverage = 0.0;
  double mean_overlap = std::numeric_limits<double>::quiet_NaN();  // Jaccard of permissions, over pairs of roles
  double generalization_error = std::numeric_limits<double>::quiet_NaN();
  double standard_error = std::numeric_limits<double>::quiet_NaN();  // of generalization_error
};

struct RolesReport {
  const RoleFit& fit;
  const Access& access;
  std::string source = {};                                        // file the access data came from
  std::vector<std::pair<std::string, std::string>> options = {};  // shown with the fit: what, value
  double confidence = 0.95;
  std::vector<ComparisonRow> comparison = {};  // the fit first, then simpler methods; may be empty
  const RoleSelection* selection = nullptr;    // how the number of roles was chosen; may be null
  const AttributeProfile* profile = nullptr;   // may be null
  const RoleChanges* changes = nullptr;        // since a previous model; may be null
  std::vector<std::string> warnings = {};      // beside those of the fit
};

std::string roles_text(const RolesReport& report);
Value roles_json(const RolesReport& report);
Page roles_page(const RolesReport& report);

// The sentence that weighs the fit, the first row, against the simpler methods: one of
// them does as well when its generalization error is within one standard error of the
// fit's (or, where that was not measured, its training error is not larger with no more
// roles). "" when there is nothing to weigh.
std::string comparison_sentence(const std::vector<ComparisonRow>& rows);

}  // namespace motet
