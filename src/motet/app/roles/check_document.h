// A catalogue of roles beside what users hold, told once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "motet/app/roles/violations_part.h"
#include "motet/data/access.h"
#include "motet/report/document.h"
#include "motet/roles/catalogue/check.h"
#include "motet/roles/catalogue/what_if.h"

namespace motet::roles {

// What --remove and --merge would do.
struct WhatIf {
  std::vector<std::string> removed;
  std::vector<std::string> merged;
  std::string merged_name;  // of the new role
  std::size_t roles_after = 0;
  GrantCount before;
  GrantCount after;
  ChangeEffect effect;
};

struct CheckReport {
  const Access& access;
  const RoleCatalogue& catalogue;
  const BitMatrix& assignments;
  const CatalogueCheck& check;
  std::string source = {};  // of the access data
  std::string mode = {};    // a sentence: where the roles of users come from
  WhatAndValue options = {};
  std::size_t unproved = 0;  // users whose roles might be chosen better
  Violations violations = {};
  std::optional<WhatIf> what_if = {};
  std::vector<std::string> warnings = {};
};

Document roles_check_document(const CheckReport& report, Wanted wanted = {});

}  // namespace motet::roles
