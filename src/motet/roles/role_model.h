// Overlapping roles behind who-may-do-what data: multi-assignment clustering.
//
// A user with the set L of roles holds permission d with probability
//   q_Ld = p1_d - (p1_d - p0_d) beta_Ld,   beta_Ld = prod over k in L of beta_kd,
// beta_kd the probability that role k lacks permission d. One family holds all noise
// models of section 9.1.2 (errata in spec/roles.md): mixture p0 = e r, p1 = 1 - e (1 - r);
// flip p0 = e0, p1 = 1 - e1; symmetric flip p0 = 1 - p1; none p0 = 0, p1 = 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/roles/mac/label_sets.h"

namespace motet::roles {

inline constexpr double least_noise = 1e-6;  // p0 and 1 - p1 stay above, so that no cell is impossible
inline constexpr double least_q = 1e-9;      // soft cells of noise-free models

enum class RoleNoise { mixture, none, flip, symmetric_flip };
enum class NoiseScope { global, permission, user };
enum class RoleMethod { mac, sac, asso, dbps, bica, ino, cover };

// As on the command line and in model files.
std::string_view name_of(RoleNoise noise);
std::string_view name_of(NoiseScope scope);
std::string_view name_of(RoleMethod method);

// Label sets given business attributes: p(L | attributes) is a mixture of p(L) and of
// one distribution per attribute, chosen by the user's value of it.
struct AttributePrior {
  std::vector<std::string> names;                           // of the attributes
  std::vector<std::vector<std::string>> values;             // by attribute: the known words
  std::vector<double> share;                                // [0] of p(L), [1 + a] of attribute a; sum 1
  std::vector<std::vector<std::vector<double>>> set_given;  // [attribute][value][set]; the last value is a missing one
  double weight = 1.0;                                      // exponent of p(L | attributes)
  std::vector<double> marginal;                             // p(L) over all users, for those of unknown attributes
};

// Where all sets of roles are too many to list, `sets` are those that users were found to have, and any other set of
// at most so many roles has the share `unseen` times what independent roles would make it (sparse/grown_sets.h).
struct GrownPrior {
  std::size_t most_roles = 1;
  double unseen = 0.0;                                                  // probability of a set that is not in the list
  std::vector<double> role_share;                                       // by role: the share of the users who have it
  std::vector<std::pair<std::uint32_t, std::uint32_t>> never_together;  // roles
};

struct RoleModel {
  static constexpr std::string_view kind = "roles";
  static constexpr int newest_version = 1;

  RoleMethod method = RoleMethod::mac;
  std::vector<std::string> permissions;
  std::vector<std::string> roles;  // names
  std::vector<double> absence;     // beta, [role * permissions + permission]
  RoleNoise noise = RoleNoise::mixture;
  NoiseScope scope = NoiseScope::global;
  std::vector<double> p0;  // one, or one per permission; of user-wise noise the mean
  std::vector<double> p1;
  LabelSets sets;
  std::vector<double> set_share;  // p(L), sum 1
  std::optional<AttributePrior> attributes;
  std::optional<GrownPrior> grown;   // never with attributes, always with one noise level and yes/no roles
  std::vector<std::uint8_t> frozen;  // by role: given by the user and left as it was
  std::vector<double> user_noise;    // user-wise noise: a, b of the Beta distributions of p0 and of p1
  double users = 0.0;                // the fit has seen
  // Price of a permission that roles would newly grant, against one that stays individual: then users are told the
  // set of roles that costs least (told_roles.h). Infinite: never grant anything that is not held.
  std::optional<double> over_grant_cost;

  std::size_t role_count() const { return roles.size(); }
  std::size_t permission_count() const { return permissions.size(); }
  double beta(std::size_t role, std::size_t permission) const {
    return absence[role * permissions.size() + permission];
  }
  double p0_of(std::size_t permission) const { return p0.size() == 1 ? p0[0] : p0[permission]; }
  double p1_of(std::size_t permission) const { return p1.size() == 1 ? p1[0] : p1[permission]; }
  bool has(std::size_t role, std::size_t permission) const { return beta(role, permission) < 0.5; }  // (9.27)
};

// Given by the user and left as it was.
bool is_frozen(const RoleModel& model, std::size_t role);

// beta_Ld of a label set, and q_Ld, kept from 0 and 1.
double union_beta(const RoleModel& model, std::size_t set, std::size_t permission);
double held_probability(const RoleModel& model, std::size_t permission, double beta);

// The rounded roles, u = 1 where beta < 1/2.
BitMatrix rounded_roles(const RoleModel& model);

// Noise in the words of section 9.1.2; a mean over permissions when there are several.
double noise_fraction(const RoleModel& model);   // e = p0 + 1 - p1
double set_probability(const RoleModel& model);  // r = p0 / e; 0.5 when e = 0

// The same model with its roles in another order: role i of the result was order[i].
RoleModel with_role_order(const RoleModel& model, const std::vector<std::size_t>& order);
// Frozen roles first, as they are; the others by how many users have them, most first.
std::vector<std::size_t> order_by_members(const RoleModel& model);

}  // namespace motet::roles
