#include "motet/app/roles/role_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"

namespace motet::roles {
namespace {

struct Step {
  std::size_t from = 0;
  std::uint32_t role = NameTable::absent;
  std::size_t names = 0;  // up to here; 0: not reached
};

std::string_view without_space(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}

}  // namespace

std::vector<std::uint32_t> roles_in(std::string_view text, const NameTable& roles, std::string_view flag,
                                    std::string_view source) {
  std::vector<std::size_t> ends;  // of pieces between commas
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == ',') ends.push_back(i);
  }
  // By the end of a piece: the fewest names that end there.
  std::vector<Step> best(ends.size());
  for (std::size_t last = 0; last < ends.size(); ++last) {
    for (std::size_t first = 0; first <= last; ++first) {
      if (first > 0 && best[first - 1].names == 0) continue;
      const std::size_t begin = first == 0 ? 0 : ends[first - 1] + 1;
      const std::string_view piece = text.substr(begin, ends[last] - begin);
      std::uint32_t role = roles.find(piece);
      if (role == NameTable::absent) role = roles.find(without_space(piece));
      const std::size_t names = 1 + (first == 0 ? 0 : best[first - 1].names);
      if (role != NameTable::absent && (best[last].names == 0 || names < best[last].names)) {
        best[last] = {first, role, names};
      }
    }
  }
  if (best.back().names == 0) {
    std::size_t reached = 0;
    for (std::size_t i = 0; i < best.size(); ++i) reached = best[i].names > 0 ? i + 1 : reached;
    const std::string_view rest = reached == 0 ? text : text.substr(ends[reached - 1] + 1);
    fail(ErrorKind::usage, fmt::format("{}: '{}' is no role of {}; it has {}", flag, without_space(rest), source,
                                       quoted_list(roles.names().to_vector())));
  }
  std::vector<std::uint32_t> found;
  for (std::size_t at = best.size(); at > 0; at = best[at - 1].from) found.push_back(best[at - 1].role);
  std::reverse(found.begin(), found.end());
  std::vector<std::uint32_t> distinct;
  for (const std::uint32_t role : found) {
    if (std::find(distinct.begin(), distinct.end(), role) == distinct.end()) distinct.push_back(role);
  }
  return distinct;
}

}  // namespace motet::roles
