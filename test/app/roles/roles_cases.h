// What goes with a small fit of two roles, for tests of how results are told.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "motet/app/roles/mine_document.h"
#include "roles/two_roles_case.h"

namespace motet::roles {

inline std::vector<MethodScore> compared_methods() {
  return {{"mac", 2, 0.0667, 0.9412, 0.2, 0.05, 0.01}, {"asso", 2, 0.0667, 0.9412, 0.2, 0.055, 0.012}};
}

inline RoleSelection two_selected() {
  return {"access.csv",
          {"capacity_bits", "generalization_error"},
          "generalization_error",
          2,
          "The smallest number within one standard error of the best.",
          {{1, {0.4, 0.21}, {0.02, 0.02}},
           {2, {1.5, 0.05}, {0.03, 0.01}},
           {3, {std::nan(""), 0.049}, {std::nan(""), 0.01}}},
          {{3, "capacity_bits", "half of the users ask for no more than 2 roles"}},
          {}};
}

inline std::vector<std::string> keys_of(const Value& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.as_object()) keys.push_back(key);
  return keys;
}

}  // namespace motet::roles
