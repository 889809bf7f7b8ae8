#include "motet/app/roles/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/csv_output.h"
#include "motet/app/verb.h"
#include "motet/base/error.h"
#include "motet/io/attributes_csv.h"
#include "motet/io/record_file.h"
#include "motet/io/role_formats.h"
#include "motet/io/roles_csv.h"
#include "motet/roles/role_order.h"
#include "motet/roles/role_record.h"

namespace motet::roles {
namespace {

std::vector<std::string> split_rules(const std::string& text) {
  std::vector<std::string> rules;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    rules.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return rules;
}

void leave_out(People& people, const std::string& exclude) {
  std::vector<std::uint32_t> excluded;
  for (const std::string& rule : split_rules(exclude)) {
    const std::vector<std::uint32_t> some =
        with_frame("--exclude", [&] { return excluded_users(*people.attributes, rule); });
    people.warnings.push_back(
        fmt::format("{} user{} with {} left out", some.size(), some.size() == 1 ? "" : "s", rule));
    excluded.insert(excluded.end(), some.begin(), some.end());
  }
  std::sort(excluded.begin(), excluded.end());
  excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
  const std::vector<std::uint32_t> rest = other_users(people.access.user_count(), excluded);
  if (rest.empty()) fail(ErrorKind::usage, fmt::format("--exclude: '{}' leaves no users", exclude));
  people.access = with_users(people.access, rest);
  people.attributes = with_users(*people.attributes, rest);
  if (people.known.rows() > 0) people.known = people.known.rows_of(rest);
}

}  // namespace

AccessFormat access_format(const AccessFileOptions& options) {
  AccessFormat format;
  format.layout = options.layout;
  format.delimiter = parse_delimiter(options.delimiter);
  format.other_columns = options.other_columns;
  format.user_column = options.user_column;
  format.permission_column = options.permission_column;
  format.separator = options.separator;
  format.no_header = options.no_header;
  return format;
}

RoleModel read_role_model(const std::string& path) {
  const Record record = read_record(path);
  return with_frame(path, [&] { return roles_from_record(record); });
}

People read_people(const PeopleFiles& files, const RunContext& run) {
  if (!files.exclude.empty() && files.attributes.empty()) {
    fail(ErrorKind::usage, "--exclude: needs --attributes HR.csv, whose columns it names");
  }
  AccessFile file = read_access(files.access, files.format, run);
  People people{std::move(file.access), std::move(file.known), {}, {}};
  if (file.repeated_pairs > 0) {
    people.warnings.push_back(fmt::format("{} line{} of {} said what an earlier one had said", file.repeated_pairs,
                                          file.repeated_pairs == 1 ? "" : "s", files.access));
  }
  if (file.first_line_is_data) {
    people.warnings.push_back(fmt::format("{} has no header: its first line was taken as data", files.access));
  }
  if (files.attributes.empty()) return people;
  const KnownNames users{NameTable(people.access.users), "user", files.access};
  AttributesFile attributes = read_attributes(files.attributes, files.format.delimiter, users, run);
  people.attributes = std::move(attributes.attributes);
  if (attributes.users_left_out > 0) {
    people.warnings.push_back(fmt::format("{} of {} users have no line in {}: their attributes are unknown",
                                          attributes.users_left_out, people.access.user_count(), files.attributes));
  }
  if (attributes.strangers > 0) {
    people.warnings.push_back(fmt::format("{} user{} of {} {} not in {}: left out", attributes.strangers,
                                          attributes.strangers == 1 ? "" : "s", files.attributes,
                                          attributes.strangers == 1 ? "is" : "are", files.access));
  }
  if (!files.exclude.empty()) leave_out(people, files.exclude);
  return people;
}

void write_roles_csv(const RoleModel& model, const std::string& path) {
  CsvOutput out(path);
  write_roles(out.csv(), model.roles, model.permissions, model.absence);
  out.finish();
}

void write_roles_file(const RoleModel& model, const std::vector<std::size_t>& members, const std::string& path) {
  const bool is_yaml = path.ends_with(".yaml") || path.ends_with(".yml");
  if (!is_yaml && !path.ends_with(".xml")) {
    write_roles_csv(model, path);
    return;
  }
  std::vector<RoleText> roles;
  for (std::size_t k = 0; k < model.role_count(); ++k) {
    RoleText& role = roles.emplace_back();
    role.name = model.roles[k];
    if (!members.empty()) role.members = members[k];
    for (std::size_t d = 0; d < model.permission_count(); ++d) {
      if (model.has(k, d)) role.permissions.push_back({model.permissions[d], 1.0 - model.beta(k, d)});
    }
  }
  AtomicFile file(path);
  if (is_yaml) {
    write_roles_yaml(file, roles);
  } else {
    with_frame(path, [&] { write_roles_midpoint(file, roles); });
  }
  file.commit();
}

void write_assignments_csv(const RoleModel& model, const UserPosteriors& posteriors, const BitMatrix& told,
                           const NameList& users, const std::string& path) {
  CsvOutput out(path);
  write_assignments_header(out.csv());
  for (std::size_t n = 0; n < posteriors.user_count(); ++n) {
    const std::vector<double> shares = role_shares(model, posteriors.of(n));
    const double none = no_role_share(model, posteriors.of(n));
    write_assignments(out.csv(), model.roles, {users[n], ones_of(told, n), shares, none});
  }
  out.finish();
}

void write_exceptions_csv(const std::vector<FoundException>& exceptions, const NameList& users,
                          const std::vector<std::string>& permissions, const std::string& path,
                          const PermissionColumns& columns) {
  CsvOutput out(path);
  write_exceptions_header(out.csv(), columns.names);
  for (const FoundException& exception : exceptions) {
    const std::span<const std::string> along =
        columns.names.empty() ? std::span<const std::string>() : columns.values[exception.permission];
    write_exception(out.csv(), users[exception.user], permissions[exception.permission],
                    exception.kind == ExceptionKind::extra ? "extra" : "missing", exception.probability, along);
  }
  out.finish();
}

void write_access_csv(const Access& access, AccessLayout layout, const std::string& path) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  csv.text("user");
  if (layout == AccessLayout::pairs) csv.text("permission");
  for (std::size_t d = 0; layout == AccessLayout::matrix && d < access.permission_count(); ++d) {
    csv.text(access.permissions[d]);
  }
  csv.end_row();
  for (std::size_t n = 0; n < access.user_count(); ++n) {
    if (layout == AccessLayout::matrix) {
      csv.text(access.users[n]);
      for (std::size_t d = 0; d < access.permission_count(); ++d) csv.text(access.held(n, d) ? "1" : "0");
      csv.end_row();
      continue;
    }
    for_each_bit(access.held.row(n),
                 [&](std::size_t d) { csv.text(access.users[n]).text(access.permissions[d]).end_row(); });
    if (access.held.count(n) == 0) csv.text(access.users[n]).text("").end_row();
  }
  out.finish();
}

void write_attributes_csv(const Attributes& attributes, const NameList& users, const std::string& path) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  csv.text("user");
  for (const std::string& name : attributes.names) csv.text(name);
  csv.end_row();
  for (std::size_t n = 0; n < users.size(); ++n) {
    csv.text(users[n]);
    for (std::size_t a = 0; a < attributes.count(); ++a) {
      const std::uint32_t value = attributes.of(n, a);
      csv.text(value == Attributes::missing ? std::string_view() : attributes.values[a][value]);
    }
    csv.end_row();
  }
  out.finish();
}

}  // namespace motet::roles
