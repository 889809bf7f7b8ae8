#include "motet/data/access.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"

namespace motet {
namespace {

// By permission of the file: its number in the model, or NameTable::absent.
std::vector<std::uint32_t> model_numbers(const Access& access, const std::vector<std::string>& permissions) {
  const NameTable table{NameList(permissions)};
  std::vector<std::uint32_t> numbers(access.permission_count());
  for (std::size_t d = 0; d < numbers.size(); ++d) numbers[d] = table.find(access.permissions[d]);
  return numbers;
}

std::vector<UnknownPermission> unknown_to_model(const Access& access, const std::vector<std::uint32_t>& numbers) {
  std::vector<std::size_t> holders(numbers.size());
  for (std::size_t n = 0; n < access.user_count(); ++n) {
    for_each_bit(access.held.row(n), [&](std::size_t d) { ++holders[d]; });
  }
  std::vector<UnknownPermission> unknown;
  for (std::size_t d = 0; d < numbers.size(); ++d) {
    if (numbers[d] == NameTable::absent) unknown.push_back({std::string(access.permissions[d]), holders[d]});
  }
  return unknown;
}

// By ones, which are few: access data are sparse.
BitMatrix moved_columns(const BitMatrix& from, const std::vector<std::uint32_t>& numbers, std::size_t columns) {
  BitMatrix to(from.rows(), columns);
  for (std::size_t n = 0; n < from.rows(); ++n) {
    for_each_bit(from.row(n), [&](std::size_t d) {
      if (numbers[d] != NameTable::absent) to.set(n, numbers[d]);
    });
  }
  return to;
}

BitMatrix known_cells(const BitMatrix& known, const AlignedAccess& aligned, const std::vector<std::uint32_t>& numbers,
                      AbsentPermission absent) {
  const bool all_known = known.rows() == 0;
  if (all_known && (absent == AbsentPermission::not_held || aligned.absent.empty())) return {};
  BitMatrix cells(aligned.held.rows(), aligned.held.columns());
  if (!all_known) cells = moved_columns(known, numbers, cells.columns());
  for (std::size_t n = 0; n < cells.rows(); ++n) {
    for (std::size_t d = 0; all_known && d < cells.columns(); ++d) cells.set(n, d);
    for (const std::uint32_t d : aligned.absent) cells.set(n, d, absent == AbsentPermission::not_held);
  }
  return cells;
}

}  // namespace

AlignedAccess align_permissions(const Access& access, const std::vector<std::string>& permissions,
                                const BitMatrix& known, AbsentPermission absent) {
  const std::vector<std::uint32_t> numbers = model_numbers(access, permissions);
  AlignedAccess aligned;
  aligned.held = moved_columns(access.held, numbers, permissions.size());
  aligned.unknown = unknown_to_model(access, numbers);
  std::vector<bool> is_named(permissions.size());
  for (const std::uint32_t number : numbers) {
    if (number != NameTable::absent) is_named[number] = true;
  }
  for (std::uint32_t d = 0; d < permissions.size(); ++d) {
    if (!is_named[d]) aligned.absent.push_back(d);
  }
  aligned.known = known_cells(known, aligned, numbers, absent);
  return aligned;
}

std::vector<std::uint32_t> excluded_users(const Attributes& attributes, std::string_view rule) {
  const std::size_t sign = rule.find('=');
  if (sign == std::string_view::npos) {
    fail(ErrorKind::usage, fmt::format("'{}' is not COLUMN=VALUE, such as status=dormant", rule));
  }
  const std::string_view name = rule.substr(0, sign);
  const std::string_view word = rule.substr(sign + 1);
  const auto found = std::find(attributes.names.begin(), attributes.names.end(), name);
  if (found == attributes.names.end()) {
    fail(ErrorKind::usage,
         fmt::format("the attributes have no column '{}'; they have {}", name, quoted_list(attributes.names)));
  }
  const auto attribute = static_cast<std::size_t>(found - attributes.names.begin());
  const NameList& words = attributes.values[attribute];
  std::uint32_t number = Attributes::missing;
  for (std::uint32_t i = 0; i < words.size() && !word.empty(); ++i) {
    if (words[i] == word) number = i;
  }
  if (number == Attributes::missing && !word.empty()) {
    fail(ErrorKind::usage, words.empty() ? fmt::format("nobody has a value of attribute '{}'", name)
                                         : fmt::format("attribute '{}' is never '{}'; it is {}", name, word,
                                                       quoted_list(words.to_vector())));
  }
  std::vector<std::uint32_t> users;
  for (std::size_t n = 0; n * attributes.count() < attributes.value.size(); ++n) {
    if (attributes.of(n, attribute) == number) users.push_back(static_cast<std::uint32_t>(n));
  }
  return users;
}

std::vector<std::uint32_t> other_users(std::size_t count, std::span<const std::uint32_t> excluded) {
  std::vector<std::uint32_t> users;
  for (std::uint32_t n = 0; n < count; ++n) {
    if (!std::binary_search(excluded.begin(), excluded.end(), n)) users.push_back(n);
  }
  return users;
}

Access with_users(const Access& access, std::span<const std::uint32_t> users) {
  Access some;
  for (const std::uint32_t n : users) some.users.push_back(access.users[n]);
  some.permissions = access.permissions;
  some.held = access.held.rows_of(users);
  return some;
}

Attributes with_users(const Attributes& attributes, std::span<const std::uint32_t> users) {
  Attributes some{attributes.names, attributes.values, {}};
  for (const std::uint32_t n : users) {
    for (std::size_t a = 0; a < attributes.count(); ++a) some.value.push_back(attributes.of(n, a));
  }
  return some;
}

}  // namespace motet
