// Access data with known roles: for tests, samples and the experiments of chapter 9.
//
// A user holds what his roles grant, x = OR of their rows; then each cell is replaced with
// probability e (the noise fraction) by a random bit that is 1 with probability r (mixture
// noise, section 9.1.2).
#pragma once

#include <optional>

#include "motet/base/fields.h"
#include "motet/base/rng.h"
#include "motet/data/access.h"

namespace motet::roles {

struct SimulateAccessOptions {
  std::size_t users = 200;
  std::size_t permissions = 60;
  std::size_t roles = 6;
  std::size_t max_roles_per_user = 2;
  double role_density = 0.15;
  double noise_fraction = 0.05;
  double set_probability = 0.5;
  std::size_t attribute_values = 0;
  double coupling = 0.8;
  bool telling_names = false;
};

template <class V>
void visit_fields(V& v, SimulateAccessOptions& o) {
  v("users", o.users, Range<std::size_t>{1, 10'000'000}, "number of users");
  v("permissions", o.permissions, Range<std::size_t>{1, 1'000'000}, "number of permissions");
  v("roles", o.roles, Range<std::size_t>{1, 10'000}, "number of roles");
  v("max_roles_per_user", o.max_roles_per_user, Range<std::size_t>{1, 1000},
    "most roles a user has; every number from 1 to this is equally likely");
  v("role_density", o.role_density, Range<double>{0.0, 1.0}, "share of the permissions that a role grants");
  v("noise_fraction", o.noise_fraction, Range<double>{0.0, 1.0}, "share of the cells replaced by random bits");
  v("set_probability", o.set_probability, Range<double>{0.0, 1.0}, "chance that a random bit is 1");
  v("attribute_values", o.attribute_values, Range<std::size_t>{0, 10'000},
    "departments of the users; 0: no attribute is made");
  v("coupling", o.coupling, Range<double>{0.0, 1.0},
    "chance that a user's roles are one of the three sets typical of the department");
  v("telling_names", o.telling_names, "names such as anna.b and mail.read instead of u1 and p1");
}

struct PlantedAccess {
  Access access;
  BitMatrix roles;        // roles x permissions
  BitMatrix assignments;  // users x roles
  BitMatrix clean;        // users x permissions, before the noise
  std::optional<Attributes> attributes;
};

// Every user has a random stream of his own, so more users leave the first ones as they are.
PlantedAccess simulate_access(const SimulateAccessOptions& options, const Rng& rng);

// The three sources of chapter 9 over 24 permissions (figure 9.2): ones in 0-7, 8-15, 16-23,
// or overlapping in 0-9, 7-16, 14-23.
enum class Chapter9Sources { orthogonal, overlapping };
BitMatrix chapter9_sources(Chapter9Sources sources);

struct Chapter9Options {
  std::size_t single_items = 50;    // of each of {}, {1}, {2}, {3}
  std::size_t multiple_items = 50;  // of each of {1,2}, {1,3}, {2,3}; figure 9.6 varies the two
  double noise_fraction = 0.0;
  double set_probability = 0.5;
  bool rising_noise = false;  // e rises from 0 at the first permission to 2 e at the last (figure 9.5)
};

// Users in the order of their label sets, as listed above.
PlantedAccess chapter9_data(const BitMatrix& sources, const Chapter9Options& options, const Rng& rng);

}  // namespace motet::roles
