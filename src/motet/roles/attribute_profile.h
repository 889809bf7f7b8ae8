// Who the members of a role are: business attributes against membership.
//
// How much of membership Z_k an attribute S explains is the relative reduction of
// entropy 1 - h(Z_k | S) / h(Z_k) (spec/roles.md, section 5). Counted plainly, h(Z | S)
// of an attribute with few users a value is far too small: a personnel number would
// explain every role. So both entropies are those of predicting each user from the
// others: with z_n = P(user n has role k),
//   h = -(1/N) sum_n [z_n log p_n + (1 - z_n) log(1 - p_n)],
//   h(Z):     p_n = share of members among the other users,
//   h(Z | S): p_n = (members + p) / (users + 1) over the others with the same value,
// p the share over all others: one pseudo user keeps a lonely value at the general rate.
// A value no two users share then explains nothing. What is left below zero is told as 0.
//
// An attribute that explains a role need not be its cause, and the roles were perhaps
// found with the help of the same attribute.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motet/data/access.h"

namespace motet::roles {

struct ValueShare {
  std::uint32_t attribute = 0;
  std::uint32_t value = 0;
  double of_members = 0.0;  // share among members, of those whose value is known
  double of_all = 0.0;      // share among all users
  double membership = 0.0;  // share of the users with this value who have the role
};

struct RoleProfile {
  std::vector<ValueShare> values;            // most typical first: by of_members - of_all, at most `most_values`
  std::vector<double> explained;             // by attribute: in [0, 1]; NaN when all or none have the role
  std::uint32_t best = Attributes::missing;  // attribute that explains most; missing below `least_explained`
};

struct AttributeProfile {
  std::vector<std::string> names;                // of the attributes
  std::vector<std::vector<std::string>> values;  // by attribute
  std::vector<RoleProfile> roles;
};

struct ProfileRule {
  std::size_t most_values = 4;    // a role
  double least_explained = 0.05;  // to be called the best attribute
};

// `membership` is [user * roles + role], P(user has role).
AttributeProfile attribute_profile(std::span<const double> membership, std::size_t roles, const Attributes& attributes,
                                   const ProfileRule& rule = {});

// By role: the words of the value that names it, or "" when none does: a value of at
// least 3/4 of the members, and of its holders at least 1/2 are members.
std::vector<std::string> naming_values(const AttributeProfile& profile);

}  // namespace motet::roles
