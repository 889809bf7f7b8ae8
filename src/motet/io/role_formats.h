// Roles in the forms that other tools read: YAML, and the XML that midPoint imports.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "motet/io/file.h"

namespace motet {

struct RoleGrant {
  std::string permission;
  double probability = 1.0;
};

struct RoleText {
  std::string name;
  std::optional<std::size_t> members = {};
  std::vector<std::pair<std::string, std::string>> notes = {};  // such as owner and sign-off: what, value
  std::vector<RoleGrant> permissions = {};
};

// A list `roles` of `name`, `members`, the notes under their names, and `permissions`, each a `name` and a
// `probability`. All texts stand in quotes.
void write_roles_yaml(AtomicFile& file, std::span<const RoleText> roles);

// One <role> each, in the state `proposed`, which grants nothing until somebody activates it. A permission is an
// inducement of the role of that name, which must be there when the file is imported. Notes and members go into the
// description. Throws Error{bad_data} for a name with a character that XML cannot hold.
void write_roles_midpoint(AtomicFile& file, std::span<const RoleText> roles);

}  // namespace motet
