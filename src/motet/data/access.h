// Who may do what, and what is known of the people: the evidence of the roles task.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/data/names.h"

namespace motet {

struct Access {
  NameList users;
  NameList permissions;
  BitMatrix held;  // users x permissions

  std::size_t user_count() const { return users.size(); }
  std::size_t permission_count() const { return permissions.size(); }
};

// Business attributes of users, such as department and site: values in words.
struct Attributes {
  static constexpr std::uint32_t missing = 0xFFFFFFFFU;

  std::vector<std::string> names;
  std::vector<NameList> values;      // by attribute: the words that occur
  std::vector<std::uint32_t> value;  // [user * names.size() + attribute], a number in `values` or missing

  std::size_t count() const { return names.size(); }
  std::uint32_t of(std::size_t user, std::size_t attribute) const { return value[user * count() + attribute]; }
};

}  // namespace motet
