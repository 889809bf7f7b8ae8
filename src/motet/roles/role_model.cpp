#include "motet/roles/role_model.h"

#include <numeric>

namespace motet {
namespace {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

BitMatrix rounded_roles(const RoleModel& model) {
  BitMatrix roles(model.role_count(), model.permission_count());
  for (std::size_t k = 0; k < model.role_count(); ++k) {
    for (std::size_t d = 0; d < model.permission_count(); ++d) roles.set(k, d, model.has(k, d));
  }
  return roles;
}

double noise_fraction(const RoleModel& model) { return mean(model.p0) + 1.0 - mean(model.p1); }

double set_probability(const RoleModel& model) {
  const double fraction = noise_fraction(model);
  return fraction > 0.0 ? mean(model.p0) / fraction : 0.5;
}

}  // namespace motet
