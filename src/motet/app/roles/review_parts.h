// What a person reviews of mined roles, as sections of the page: the roles themselves, the cells they do not explain,
// and what they have in common.
#pragma once

#include "motet/app/roles/mine_document.h"

namespace motet::roles {

// One card per role, with all its permissions and members to unfold, and the table of all roles. `assignments` are
// users x roles.
void add_role_cards(Document& document, const RolesReport& report, const BitMatrix& assignments, Table table);

// Exceptions, those that concern the same permission together. `roles` are roles x permissions.
void add_exceptions(Document& document, const RolesReport& report, const BitMatrix& roles,
                    const BitMatrix& assignments);

// Which roles hold much of others.
void add_overlap(Document& document, const RoleModel& model, const BitMatrix& roles, const BitMatrix& assignments);

}  // namespace motet::roles
