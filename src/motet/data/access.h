// Who may do what, and what is known of the people: the evidence of the roles task.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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

// What a permission of the model is that the file does not name: one that nobody holds
// (a list of holdings), or one that was not looked at (a table without that column).
enum class AbsentPermission { not_held, unknown };

struct UnknownPermission {
  std::string name;
  std::size_t holders = 0;
};

// Access in the permissions of a model and their order.
struct AlignedAccess {
  BitMatrix held;
  BitMatrix known;                         // 1 = known; no rows when all cells are
  std::vector<UnknownPermission> unknown;  // to the model: left out here
  std::vector<std::uint32_t> absent;       // permissions of the model that the file does not name
};

// `known` has the shape of access.held, or no rows when all cells are known.
AlignedAccess align_permissions(const Access& access, const std::vector<std::string>& permissions,
                                const BitMatrix& known = {}, AbsentPermission absent = AbsentPermission::not_held);

// Users chosen by an attribute, such as "status=dormant"; without a value, "status=", those
// for whom it is missing. Throws Error{usage} for a column or value that does not occur.
std::vector<std::uint32_t> excluded_users(const Attributes& attributes, std::string_view rule);

// The users 0 ... count - 1 that are not among `excluded`, which rises.
std::vector<std::uint32_t> other_users(std::size_t count, std::span<const std::uint32_t> excluded);

// The same data of some users only, in the order given. Permissions and words stay, also
// those that no longer occur.
Access with_users(const Access& access, std::span<const std::uint32_t> users);
Attributes with_users(const Attributes& attributes, std::span<const std::uint32_t> users);

}  // namespace motet
