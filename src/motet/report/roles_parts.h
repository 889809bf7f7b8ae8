// Words and tables that the text and the page of mined roles share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "motet/data/table.h"
#include "motet/report/roles_report.h"

namespace motet::roles_parts {

struct ExceptionCount {
  std::size_t extra = 0;
  std::size_t missing = 0;
};
ExceptionCount exception_count(const RoleFit& fit);

std::string fit_sentence(const RoleFit& fit);  // "converged after 23 iterations, log-likelihood -12.345"
std::string noise_sentence(const RolesReport& report);
std::string changes_sentence(const RoleChanges& changes);  // "3 roles the same, 1 changed, ..."

Table role_table(const RolesReport& report);
Table comparison_table(const std::vector<ComparisonRow>& rows);
Table changes_table(const RolesReport& report);  // matched roles that differ, then new and vanished ones
Table finding_table(const RolesReport& report);  // role, attribute, share of entropy explained

std::vector<std::string> all_warnings(const RolesReport& report);

// "a, b and 3 more", every name shortened.
std::string some_names(const std::vector<std::string>& names, std::size_t most);

}  // namespace motet::roles_parts
