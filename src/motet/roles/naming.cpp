#include "motet/roles/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace motet::roles {
namespace {

constexpr std::string_view ellipsis = "\xE2\x80\xA6";
constexpr std::size_t longest_word = 14;     // of an attribute value in a name
constexpr std::size_t most_permissions = 3;  // in a name
constexpr double unit = 1e6;

bool starts_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

// The byte at which code point `index` starts.
std::size_t place_of(std::string_view text, std::size_t index) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at) {
    if (starts_code_point(text[at]) && seen++ == index) break;
  }
  return at;
}

// Permissions often differ in their last letters only, so the middle is left out.
std::string cut_middle(std::string text, std::size_t most) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F; }, ' ');
  const std::size_t width = width_of(text);
  if (width <= most) return text;
  const std::size_t head = most / 2;
  const std::size_t tail = most - 1 - head;
  return text.substr(0, place_of(text, head)).append(ellipsis).append(text.substr(place_of(text, width - tail)));
}

using Millionths = std::vector<std::int64_t>;  // u, [role * permissions + permission]

std::vector<std::vector<std::uint32_t>> most_telling(const Millionths& present, std::size_t roles,
                                                     std::span<const std::string> permissions, std::size_t most) {
  const std::size_t d_count = permissions.size();
  std::vector<std::int64_t> total(d_count, 0);
  for (std::size_t k = 0; k < roles; ++k) {
    for (std::size_t d = 0; d < d_count; ++d) total[d] += present[k * d_count + d];
  }
  std::vector<std::vector<std::uint32_t>> telling(roles);
  std::vector<double> score(d_count);
  for (std::size_t k = 0; k < roles; ++k) {
    for (std::size_t d = 0; d < d_count; ++d) {
      const std::int64_t u = present[k * d_count + d];
      if (2 * u <= static_cast<std::int64_t>(unit)) continue;
      score[d] = static_cast<double>(u) * static_cast<double>(u) / static_cast<double>(total[d]);
      telling[k].push_back(static_cast<std::uint32_t>(d));
    }
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
      return score[a] != score[b] ? score[a] > score[b] : permissions[a] < permissions[b];
    };
    const std::size_t kept = std::min(most, telling[k].size());
    std::partial_sort(telling[k].begin(), telling[k].begin() + static_cast<std::ptrdiff_t>(kept), telling[k].end(),
                      before);
    telling[k].resize(kept);
  }
  return telling;
}

Millionths millionths(const RoleModel& model) {
  Millionths present(model.absence.size());
  for (std::size_t i = 0; i < present.size(); ++i) {
    present[i] = static_cast<std::int64_t>(std::llround(unit * (1.0 - model.absence[i])));
  }
  return present;
}

Millionths millionths(const BitMatrix& roles) {
  Millionths present(roles.rows() * roles.columns(), 0);
  for (std::size_t k = 0; k < roles.rows(); ++k) {
    for_each_bit(roles.row(k),
                 [&](std::size_t d) { present[k * roles.columns() + d] = static_cast<std::int64_t>(unit); });
  }
  return present;
}

// What a role is called when `shown` of its permissions may be named.
std::string name_with(const std::vector<std::uint32_t>& telling, std::size_t size,
                      std::span<const std::string> permissions, std::string_view word, std::size_t shown) {
  const std::string start = word.empty() ? "" : cut_middle(std::string(word), longest_word) + ": ";
  if (telling.empty()) return start + "no permissions";
  const std::size_t count = std::min(shown, telling.size());
  const std::string rest = size > count ? fmt::format(" +{}", size - count) : "";
  const std::size_t taken = width_of(start) + width_of(rest) + 2 * (count - 1);
  const std::size_t room = (longest_role_name - taken) / count;
  std::string name = start;
  for (std::size_t i = 0; i < count; ++i) {
    name += (i > 0 ? ", " : "") + cut_middle(permissions[telling[i]], room);
  }
  return name + rest;
}

// "name (2)" without its number.
std::string_view without_number(std::string_view name) {
  if (!name.ends_with(')')) return name;
  const std::size_t open = name.rfind(" (");
  if (open == std::string_view::npos) return name;
  const std::string_view number = name.substr(open + 2, name.size() - open - 3);
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number ? name.substr(0, open) : name;
}

// A name of the form of name_with, taken apart.
struct MadeName {
  std::string_view word;            // before ": ", or empty
  std::vector<std::uint32_t> told;  // permissions
};

// `text` as "p, q" of `permissions`, cut as name_with cuts them when `taken` of the name is something else.
std::optional<std::vector<std::uint32_t>> told_in(std::string_view text, std::span<const std::string> permissions,
                                                  std::size_t taken) {
  for (std::size_t count = 1; count <= most_permissions; ++count) {
    if (taken + 2 * (count - 1) + count > longest_role_name) break;
    const std::size_t room = (longest_role_name - taken - 2 * (count - 1)) / count;
    std::vector<std::uint32_t> told;
    std::string_view rest = text;
    while (told.size() < count) {
      std::size_t longest = 0;
      std::uint32_t found = 0;
      for (std::uint32_t d = 0; d < permissions.size(); ++d) {
        const std::string shown = cut_middle(permissions[d], room);
        const bool fits =
            rest.starts_with(shown) &&
            (told.size() + 1 == count ? rest.size() == shown.size() : rest.substr(shown.size()).starts_with(", "));
        if (!fits || shown.size() <= longest) continue;
        longest = shown.size();
        found = d;
      }
      if (longest == 0) break;
      told.push_back(found);
      rest.remove_prefix(std::min(rest.size(), longest + 2));
    }
    if (told.size() == count) return told;
  }
  return {};
}

std::optional<MadeName> taken_apart(std::string_view name, std::span<const std::string> permissions) {
  std::string_view body = without_number(name);
  std::size_t suffix = 0;
  if (const std::size_t plus = body.rfind(" +"); plus != std::string_view::npos) {
    const std::string_view number = body.substr(plus + 2);
    if (!number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos) {
      suffix = body.size() - plus;
      body = body.substr(0, plus);
    }
  }
  // A permission may hold ": " itself, so that no word is tried first.
  for (std::size_t begin = 0;;) {
    const std::size_t word_end = begin == 0 ? 0 : begin - 2;
    if (const auto told = told_in(body.substr(begin), permissions, width_of(body.substr(0, begin)) + suffix)) {
      const bool tells_all = told->size() == permissions.size();
      if (tells_all == (suffix == 0)) return MadeName{body.substr(0, word_end), *told};
    }
    const std::size_t colon = body.find(": ", begin);
    if (colon == std::string_view::npos) return {};
    begin = colon + 2;
  }
}

std::vector<bool> repeated(const std::vector<std::string>& names) {
  std::map<std::string_view, std::size_t> count;
  for (const std::string& name : names) ++count[name];
  std::vector<bool> is_repeated;
  is_repeated.reserve(names.size());
  for (const std::string& name : names) is_repeated.push_back(count[name] > 1);
  return is_repeated;
}

// Roles by the sorted names of all their permissions: an order of its own, whatever the data's.
std::vector<std::size_t> by_content(const std::vector<std::vector<std::uint32_t>>& contents,
                                    std::span<const std::string> permissions) {
  std::vector<std::vector<std::string_view>> keys;
  for (const std::vector<std::uint32_t>& content : contents) {
    std::vector<std::string_view>& key = keys.emplace_back();
    for (const std::uint32_t d : content) key.push_back(permissions[d]);
    std::sort(key.begin(), key.end());
  }
  std::vector<std::size_t> order(contents.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return order;
}

std::vector<std::string> names_of(const Millionths& present, std::size_t roles,
                                  std::span<const std::string> permissions, std::span<const std::string> words) {
  const auto telling = most_telling(present, roles, permissions, permissions.size());
  std::vector<std::string> names(roles);
  std::vector<bool> is_open(roles, true);
  for (std::size_t shown = 1; shown <= most_permissions; ++shown) {
    for (std::size_t k = 0; k < roles; ++k) {
      const std::string_view word = words.empty() ? std::string_view() : words[k];
      if (is_open[k]) names[k] = name_with(telling[k], telling[k].size(), permissions, word, shown);
    }
    is_open = repeated(names);
  }
  const std::vector<std::size_t> order = by_content(telling, permissions);
  std::vector<std::string> sorted;
  sorted.reserve(order.size());
  for (const std::size_t k : order) sorted.push_back(names[k]);
  sorted = unique_names(std::move(sorted));
  for (std::size_t i = 0; i < roles; ++i) names[order[i]] = sorted[i];
  return names;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> telling_permissions(const RoleModel& model, std::size_t most) {
  return most_telling(millionths(model), model.role_count(), model.permissions, most);
}

std::vector<std::vector<std::uint32_t>> telling_permissions(const BitMatrix& roles,
                                                            std::span<const std::string> permissions,
                                                            std::size_t most) {
  return most_telling(millionths(roles), roles.rows(), permissions, most);
}

std::vector<std::string> role_names(const BitMatrix& roles, std::span<const std::string> permissions,
                                    std::span<const std::string> words) {
  return names_of(millionths(roles), roles.rows(), permissions, words);
}

std::vector<std::string> role_names(const RoleModel& model, std::span<const std::string> words) {
  return names_of(millionths(model), model.role_count(), model.permissions, words);
}

std::string renewed_name(const std::string& name, std::span<const std::string> before, std::span<const std::string> now,
                         const std::string& fresh) {
  if (before.empty()) return without_number(name).ends_with("no permissions") && !now.empty() ? fresh : name;
  const std::optional<MadeName> made = taken_apart(name, before);
  if (!made) return name;
  std::vector<std::uint32_t> told;
  for (const std::uint32_t d : made->told) {
    const auto place = std::find(now.begin(), now.end(), before[d]);
    if (place == now.end()) return fresh;
    told.push_back(static_cast<std::uint32_t>(place - now.begin()));
  }
  std::string renewed = name_with(told, now.size(), now, made->word, told.size());
  return renewed == without_number(name) ? name : renewed;
}

std::vector<std::string> unique_names(std::vector<std::string> names) {
  std::unordered_set<std::string> taken(names.begin(), names.end());
  std::unordered_set<std::string> used;
  for (std::string& name : names) {
    if (used.insert(name).second) continue;
    for (std::size_t number = 2;; ++number) {
      const std::string suffix = fmt::format(" ({})", number);
      std::string candidate = cut_middle(name, longest_role_name - suffix.size()) + suffix;
      if (!taken.insert(candidate).second) continue;
      used.insert(candidate);
      name = std::move(candidate);
      break;
    }
  }
  return names;
}

}  // namespace motet::roles
