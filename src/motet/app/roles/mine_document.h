// Roles that were mined, told once.
#pragma once

#include "motet/app/roles/select_document.h"
#include "motet/app/roles/violations_part.h"
#include "motet/data/access.h"
#include "motet/report/document.h"
#include "motet/roles/attribute_profile.h"
#include "motet/roles/changes.h"
#include "motet/roles/compare.h"
#include "motet/roles/cover/cover_fit.h"
#include "motet/roles/member_changes.h"
#include "motet/roles/outliers.h"

namespace motet::roles {

struct RolesReport {
  const RoleFit& fit;
  const Access& access;
  std::string source = {};    // file the access data came from
  WhatAndValue options = {};  // shown with the fit
  double confidence = 0.95;
  std::vector<MethodScore> comparison = {};   // the fit first, then simpler methods; may be empty
  const RoleSelection* selection = nullptr;   // how the number of roles was chosen; may be null
  const AttributeProfile* profile = nullptr;  // may be null
  const RoleChanges* changes = nullptr;       // since a previous model; may be null
  const CoverFit* cover = nullptr;            // when the roles are a cover; may be null
  const MemberChanges* members = nullptr;     // who joined and left since then; may be null, and is without changes
  Violations violations = {};                 // of the pairs given, among today's users and roles
  const UserEstimates* estimates = nullptr;   // of the users; may be null
  OutlierOptions outliers = {};               // that those were made with
  std::vector<std::string> warnings = {};     // beside those of the fit
};
Document roles_mine_document(const RolesReport& report, Wanted wanted = {});

}  // namespace motet::roles
