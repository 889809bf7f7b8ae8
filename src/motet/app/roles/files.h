// Files of the roles task: what several of its verbs read and write.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motet/base/fields.h"
#include "motet/io/access_csv.h"
#include "motet/roles/mac/posterior.h"
#include "motet/roles/mine.h"
#include "motet/roles/simulate.h"

namespace motet::roles {

struct AccessFileOptions {
  AccessLayout layout = AccessLayout::pairs;
  std::string delimiter = ",";
  OtherColumns other_columns = OtherColumns::refuse;
};

template <class V>
void visit_fields(V& v, AccessFileOptions& o) {
  v("layout", o.layout, Choices{{"pairs", "matrix"}}, "one user and permission a line, or one 0/1 column a permission");
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between fields, of all tables that are read; 'tab' is possible");
  v("other_columns", o.other_columns, Choices{{"refuse", "ignore"}},
    "columns of pairs that are neither the user nor the permission");
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

// ASSIGN.csv: of each user the roles with at least that probability.
void write_assignments_csv(const RoleModel& model, const UserPosteriors& posteriors, const NameList& users,
                           double least_probability, const std::string& path);

// EXC.csv.
void write_exceptions_csv(const std::vector<FoundException>& exceptions, const NameList& users,
                          const std::vector<std::string>& permissions, const std::string& path);

void write_access_csv(const Access& access, AccessLayout layout, const std::string& path);
void write_attributes_csv(const Attributes& attributes, const NameList& users, const std::string& path);

}  // namespace motet::roles
