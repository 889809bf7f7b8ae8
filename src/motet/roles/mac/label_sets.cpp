#include "motet/roles/mac/label_sets.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"

namespace motet::roles {

void LabelSets::add(std::span<const std::uint32_t> members) {
  members_.insert(members_.end(), members.begin(), members.end());
  ends_.push_back(members_.size());
}

LabelSets LabelSets::up_to(std::size_t roles, std::size_t degree,
                           std::span<const std::pair<std::uint32_t, std::uint32_t>> forbidden, std::size_t most) {
  if (forbidden.empty() && label_set_count(roles, degree) > static_cast<double>(most)) {
    fail(ErrorKind::machine_limit,
         fmt::format(
             "{} roles, at most {} per user, make {:.3g} sets of roles; {} is the limit; allow fewer roles per user",
             roles, degree, label_set_count(roles, degree), most));
  }
  const auto is_forbidden = [&](std::uint32_t a, std::uint32_t b) {
    return std::any_of(forbidden.begin(), forbidden.end(), [&](const auto& pair) {
      return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
    });
  };
  LabelSets sets;
  sets.add({});
  std::size_t begin = 0;  // of the sets with one member less
  std::vector<std::uint32_t> longer;
  for (std::size_t size = 1; size <= std::min(degree, roles); ++size) {
    const std::size_t end = sets.size();
    for (std::size_t s = begin; s < end; ++s) {
      const std::uint32_t next = size == 1 ? 0 : sets[s].back() + 1;
      for (std::uint32_t k = next; k < roles; ++k) {
        longer.assign(sets[s].begin(), sets[s].end());
        if (std::any_of(longer.begin(), longer.end(), [&](std::uint32_t j) { return is_forbidden(j, k); })) continue;
        longer.push_back(k);
        sets.add(longer);
        if (sets.size() > most) {
          fail(ErrorKind::machine_limit,
               fmt::format("{} roles, at most {} per user, make more than {} sets of roles; allow fewer roles per user",
                           roles, degree, most));
        }
      }
    }
    begin = end;
  }
  return sets;
}

double label_set_count(std::size_t roles, std::size_t degree) {
  double total = 0.0;
  double choose = 1.0;
  for (std::size_t size = 0; size <= std::min(degree, roles); ++size) {
    total += choose;
    choose = choose * static_cast<double>(roles - size) / static_cast<double>(size + 1);
    if (total > 1e18) return 1e18;
  }
  return total;
}

std::vector<std::vector<std::uint32_t>> sets_by_role(const LabelSets& sets, std::size_t roles) {
  std::vector<std::vector<std::uint32_t>> by_role(roles);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const std::uint32_t k : sets[s]) by_role[k].push_back(static_cast<std::uint32_t>(s));
  }
  return by_role;
}

}  // namespace motet::roles
