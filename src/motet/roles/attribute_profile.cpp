#include "motet/roles/attribute_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"

namespace motet::roles {
namespace {

constexpr double least_of_members = 0.75;
constexpr double least_member = 0.5;
constexpr double smallest_probability = 1e-12;  // keeps the logarithm finite

struct Counts {
  double users = 0.0;
  double members = 0.0;
};

// Of one attribute and one role, over the users whose value is known.
struct Crossing {
  Counts all;
  std::vector<Counts> by_value;
};

Crossing cross(std::span<const double> membership, std::size_t roles, std::size_t role, const Attributes& attributes,
               std::size_t attribute) {
  Crossing crossing;
  crossing.by_value.resize(attributes.values[attribute].size());
  for (std::size_t user = 0; user * roles < membership.size(); ++user) {
    const std::uint32_t value = attributes.of(user, attribute);
    if (value == Attributes::missing) continue;
    const double z = membership[user * roles + role];
    for (Counts* counts : {&crossing.all, &crossing.by_value[value]}) {
      counts->users += 1.0;
      counts->members += z;
    }
  }
  return crossing;
}

double cross_entropy(double z, double p) {
  const double bounded = std::clamp(p, smallest_probability, 1.0 - smallest_probability);
  return -z * std::log(bounded) - (1.0 - z) * std::log1p(-bounded);
}

double explained_share(const Crossing& crossing, std::span<const double> membership, std::size_t roles,
                       std::size_t role, const Attributes& attributes, std::size_t attribute) {
  const bool is_constant =
      crossing.all.members <= smallest_probability || crossing.all.users - crossing.all.members <= smallest_probability;
  if (crossing.all.users < 2.0 || is_constant) return std::numeric_limits<double>::quiet_NaN();
  double plain = 0.0;
  double given = 0.0;
  for (std::size_t user = 0; user * roles < membership.size(); ++user) {
    const std::uint32_t value = attributes.of(user, attribute);
    if (value == Attributes::missing) continue;
    const double z = membership[user * roles + role];
    const Counts& same = crossing.by_value[value];
    const double p = (crossing.all.members - z) / (crossing.all.users - 1.0);
    plain += cross_entropy(z, p);
    given += cross_entropy(z, (same.members - z + p) / same.users);
  }
  return plain <= 0.0 ? std::numeric_limits<double>::quiet_NaN() : std::clamp(1.0 - given / plain, 0.0, 1.0);
}

void add_values(const Crossing& crossing, std::size_t attribute, std::vector<ValueShare>& values) {
  if (crossing.all.members <= 0.0) return;
  for (std::size_t v = 0; v < crossing.by_value.size(); ++v) {
    const Counts& counts = crossing.by_value[v];
    if (counts.members <= 0.0) continue;
    values.push_back({static_cast<std::uint32_t>(attribute), static_cast<std::uint32_t>(v),
                      counts.members / crossing.all.members, counts.users / crossing.all.users,
                      counts.members / counts.users});
  }
}

}  // namespace

AttributeProfile attribute_profile(std::span<const double> membership, std::size_t roles, const Attributes& attributes,
                                   const ProfileRule& rule) {
  if (membership.size() * attributes.count() != attributes.value.size() * roles) {
    fail(ErrorKind::internal,
         fmt::format("attribute_profile: membership of {} cells does not fit {} roles", membership.size(), roles));
  }
  AttributeProfile profile;
  profile.names = attributes.names;
  for (const NameList& words : attributes.values) profile.values.push_back(words.to_vector());
  profile.roles.resize(roles);
  for (std::size_t k = 0; k < roles; ++k) {
    RoleProfile& role = profile.roles[k];
    for (std::size_t a = 0; a < attributes.count(); ++a) {
      const Crossing crossing = cross(membership, roles, k, attributes, a);
      add_values(crossing, a, role.values);
      role.explained.push_back(explained_share(crossing, membership, roles, k, attributes, a));
      const double best = role.best == Attributes::missing ? rule.least_explained : role.explained[role.best];
      if (role.explained[a] > best) role.best = static_cast<std::uint32_t>(a);
    }
    const auto words = [&](const ValueShare& share) -> const std::string& {
      return profile.values[share.attribute][share.value];
    };
    std::sort(role.values.begin(), role.values.end(), [&](const ValueShare& x, const ValueShare& y) {
      const double gain_x = x.of_members - x.of_all;
      const double gain_y = y.of_members - y.of_all;
      if (gain_x != gain_y) return gain_x > gain_y;
      return x.attribute != y.attribute ? x.attribute < y.attribute : words(x) < words(y);
    });
    role.values.resize(std::min(role.values.size(), rule.most_values));
  }
  return profile;
}

std::vector<std::string> naming_values(const AttributeProfile& profile) {
  std::vector<std::string> names;
  for (const RoleProfile& role : profile.roles) {
    const auto names_it = [](const ValueShare& share) {
      return share.of_members >= least_of_members && share.membership >= least_member;
    };
    const auto found = std::find_if(role.values.begin(), role.values.end(), names_it);
    names.push_back(found == role.values.end() ? "" : profile.values[found->attribute][found->value]);
  }
  return names;
}

}  // namespace motet::roles
