// Tables of roles: what `motet roles` writes, and what constrains it.
//
// The writers take plain names and numbers, so that io/ need not know the model.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/io/csv_writer.h"
#include "motet/io/known_names.h"

namespace motet {

// role,permission,probability: the permissions of each role with absence < 1/2, the most
// probable first (then in order of their names), probability = 1 - absence. `absence` is
// [role * permissions.size() + permission]. A role without permissions is one line with
// an empty permission.
void write_roles(CsvWriter& csv, std::span<const std::string> roles, std::span<const std::string> permissions,
                 std::span<const double> absence);

// user,role,probability: the roles of a user, the most probable first. A user without any is one line with an empty
// role and the probability of having none.
void write_assignments_header(CsvWriter& csv);
struct UserRoles {
  std::string_view user;
  std::span<const std::uint32_t> roles;  // that the user has
  std::span<const double> probability;   // by role
  double of_none = 0.0;                  // P(the user has no role)
};
void write_assignments(CsvWriter& csv, std::span<const std::string> roles, const UserRoles& user);

// user,permission,kind,probability: kind is `extra` (held, but no role explains it) or
// `missing`. Columns that come along stand after these.
void write_exceptions_header(CsvWriter& csv, std::span<const std::string> along = {});
void write_exception(CsvWriter& csv, std::string_view user, std::string_view permission, std::string_view kind,
                     double probability, std::span<const std::string> along = {});

struct NamedRoles {
  std::vector<std::string> names;                               // in order of first appearance
  BitMatrix permissions;                                        // names.size() x permissions
  std::vector<std::pair<std::uint32_t, std::uint32_t>> grants;  // role, permission: the same line by line
};

// Roles to be kept: columns role, permission and, if it is there, probability; lines with
// a probability below 1/2 grant nothing. Reads what write_roles writes. Every rule broken
// is Error{bad_data} with file and line.
NamedRoles read_roles(const std::string& path, char delimiter, const KnownNames& permissions);

// The same of a catalogue that may also grant what nobody holds: new names are added to `permissions`.
NamedRoles read_roles(const std::string& path, char delimiter, NameTable& permissions);

// Who has which role: what write_assignments writes. A line without a role, or with a probability below 1/2, assigns
// nothing.
struct NamedAssignments {
  NameList users;   // in order of first appearance
  BitMatrix roles;  // users x roles
};
NamedAssignments read_assignments(const std::string& path, char delimiter, const KnownNames& roles);

// Pairs of things that must not come together: two columns, whatever they are called.
// The lower number is first, no pair comes twice.
std::vector<std::pair<std::uint32_t, std::uint32_t>> read_name_pairs(const std::string& path, char delimiter,
                                                                     const KnownNames& known);

}  // namespace motet
