#include "experiments/roles/real_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "motet/base/error.h"
#include "motet/io/file.h"
#include "motet/roles/merge.h"

namespace motet::roles {

namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::string_view row_end = "0";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

Access access_of(NameTable users, NameTable permissions,
                 const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  Access access;
  access.users = users.take_names();
  access.permissions = permissions.take_names();
  access.held = BitMatrix(access.user_count(), access.permission_count());
  for (const auto& [user, permission] : pairs) access.held.set(user, permission);
  return access;
}

Access parse(const std::string& path, const std::string& text, bool rows) {
  NameTable users;
  NameTable permissions;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::vector<std::string_view> words = words_of(std::string_view(text).substr(at, end - at));
    at = end + 1;
    ++number;
    if (words.empty()) continue;
    if (rows) {
      if (words.back() == row_end) words.pop_back();
      const std::uint32_t user = users.id_of(std::to_string(number));
      for (const std::string_view item : words) pairs.emplace_back(user, permissions.id_of(item));
    } else if (words.size() == 2) {
      pairs.emplace_back(users.id_of(words[0]), permissions.id_of(words[1]));
    } else {
      fail(ErrorKind::bad_data,
           fmt::format("{}:{}: {} words are not a user and a permission", path, number, words.size()));
    }
  }
  return access_of(std::move(users), std::move(permissions), pairs);
}

}  // namespace

std::optional<Access> read_real_set(const ExperimentContext& context, const std::string& file) {
  const std::string path = data_folder(context, "roles") + "/" + file;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return parse(path, read_whole(path), file.ends_with(".dat"));
}

UserSplit split_users(std::size_t users, std::size_t train, Rng rng) {
  std::vector<std::uint32_t> order(users);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = 0; i + 1 < users; ++i) std::swap(order[i], order[i + rng.below(users - i)]);
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(train, users));
  UserSplit split{{order.begin(), middle}, {middle, order.end()}};
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.test.begin(), split.test.end());
  return split;
}

std::vector<std::uint32_t> commonest_permissions(const BitMatrix& held, std::size_t count) {
  const BitMatrix columns = held.transposed();
  std::vector<std::uint32_t> order(columns.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::size_t> holders;
  for (std::size_t d = 0; d < columns.rows(); ++d) holders.push_back(columns.count(d));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return holders[a] > holders[b]; });
  order.resize(std::min(order.size(), count));
  return order;
}

ModifiedSet modified_set(const Access& access, double noise, Rng rng) {
  constexpr std::size_t used = 1000;
  const std::vector<std::uint32_t> common = commonest_permissions(access.held, used);
  const std::size_t half = common.size() / 2;
  ModifiedSet modified;
  modified.access.users = access.users;
  modified.clean = BitMatrix(access.user_count(), half);
  for (std::size_t d = 0; d < half; ++d) {
    modified.access.permissions.push_back(
        fmt::format("{}|{}", access.permissions[common[d]], access.permissions[common[d + half]]));
    for (std::size_t n = 0; n < access.user_count(); ++n) {
      if (access.held(n, common[d]) || access.held(n, common[d + half])) modified.clean.set(n, d);
    }
  }
  modified.access.held = modified.clean;
  for (std::size_t n = 0; n < access.user_count(); ++n) {
    Rng own = rng.child(n);
    for (std::size_t d = 0; d < half; ++d) {
      if (own.uniform() < noise) modified.access.held.set(n, d, own.uniform() < 0.5);
    }
  }
  return modified;
}

Access with_permissions(const Access& access, std::span<const std::uint32_t> permissions) {
  Access chosen;
  chosen.users = access.users;
  for (const std::uint32_t d : permissions) chosen.permissions.push_back(access.permissions[d]);
  chosen.held = access.held.columns_of(permissions);
  return chosen;
}

std::size_t possible_roles(const ExperimentContext& context, const Access& access, std::size_t roles) {
  const std::size_t distinct = merge_equal(access.held, {true, false}).bits.rows();
  return std::min(context.quick ? std::min<std::size_t>(roles, 3) : roles, distinct);
}

}  // namespace motet::roles
