#include "motet/roles/mac/set_unions.h"

namespace motet::roles {

BitMatrix set_unions(const RoleModel& model) {
  BitMatrix members(model.sets.size(), model.role_count());
  for (std::size_t l = 0; l < model.sets.size(); ++l) {
    for (const std::uint32_t k : model.sets[l]) members.set(l, k);
  }
  return boolean_product(members, rounded_roles(model));
}

}  // namespace motet::roles
