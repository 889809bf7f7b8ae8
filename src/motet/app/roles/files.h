// Files of the roles task: what several of its verbs read and write.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motet/app/verb.h"
#include "motet/io/access_csv.h"
#include "motet/io/permission_columns.h"
#include "motet/roles/mac/posterior.h"
#include "motet/roles/mine.h"
#include "motet/roles/simulate.h"

namespace motet::roles {

inline constexpr Argument access_data{"ACCESS.csv", "pairs (user,permission) or a matrix; '-' is standard input"};

struct AccessFileOptions {
  AccessLayout layout = AccessLayout::pairs;
  std::string delimiter = ",";
  OtherColumns other_columns = OtherColumns::refuse;
  std::string user_column;
  std::string permission_column;
  std::string separator;
  bool no_header = false;
};

template <class V>
void visit_fields(V& v, AccessFileOptions& o) {
  v("layout", o.layout, Choices{{"pairs", "matrix", "spaced", "ldif"}},
    "one user and permission per line, one 0/1 column per permission, pairs with blanks between them, or a directory's "
    "entries");
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between fields, of all tables that are read; 'tab' is possible");
  v("other_columns", o.other_columns, Choices{{"refuse", "ignore"}},
    "columns of pairs that are neither the user nor the permission");
  v("user_column", o.user_column, Text{"NAME"}, "heading of the users, where it is none of those that are known");
  v("permission_column", o.permission_column, Text{"NAME"},
    "heading of the permissions, where it is none of those that are known");
  v("separator", o.separator, Text{"TEXT"}, "between several permissions in one field, as in memberOf");
  v("no_header", o.no_header, "the first line of pairs is data: the user, then the permission");
}

AccessFormat access_format(const AccessFileOptions& options);

RoleModel read_role_model(const std::string& path);

// Users and what is known of them, without those that were excluded.
struct People {
  Access access;
  BitMatrix known;  // as in AccessFile
  std::optional<Attributes> attributes;
  std::vector<std::string> warnings;
};

struct PeopleFiles {
  std::string access;
  AccessFormat format;
  std::string attributes;  // may be empty
  std::string exclude;     // COLUMN=VALUE,COLUMN=VALUE,...; may be empty
};

People read_people(const PeopleFiles& files, const RunContext& run);

// ROLES.csv.
void write_roles_csv(const RoleModel& model, const std::string& path);

// The same, or YAML when the name ends in .yaml or .yml, or XML for midPoint when it ends in .xml. `members` are by
// role, or none.
void write_roles_file(const RoleModel& model, const std::vector<std::size_t>& members, const std::string& path);

// ASSIGN.csv: of each user the told roles (users x roles), with their probability.
void write_assignments_csv(const RoleModel& model, const UserPosteriors& posteriors, const BitMatrix& told,
                           const NameList& users, const std::string& path);

// EXC.csv, with the columns that come along after the others.
void write_exceptions_csv(const std::vector<FoundException>& exceptions, const NameList& users,
                          const std::vector<std::string>& permissions, const std::string& path,
                          const PermissionColumns& columns = {});

void write_access_csv(const Access& access, AccessLayout layout, const std::string& path);
void write_attributes_csv(const Attributes& attributes, const NameList& users, const std::string& path);

}  // namespace motet::roles
