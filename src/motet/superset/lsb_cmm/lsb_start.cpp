#include "motet/superset/lsb_cmm/lsb_start.h"

#include <cmath>

namespace motet::superset {
namespace {

constexpr double usual_jitter = 0.01;
constexpr double own_count = 11.0;  // against 1 for the other classes

}  // namespace

LsbStart class_start(std::size_t components, std::size_t classes, std::span<const std::uint32_t> order) {
  LsbStart start;
  start.components = components;
  start.jitter = usual_jitter;
  start.concentration.assign(components * classes, 1.0);
  const double total = 0.5 * static_cast<double>(components) * static_cast<double>(components + 1);
  for (std::size_t k = 0; k < components; ++k) {
    start.shares.push_back(static_cast<double>(components - k) / total);
    start.concentration[k * classes + order[k % classes]] = own_count;
  }
  return start;
}

void free_shares(const LsbStart& start, const Rng& jitter, std::size_t n, std::span<double> phi) {
  Rng row = jitter.child(n);
  const bool is_common = start.shares.size() == start.components;
  const double* const shares = start.shares.data() + (is_common ? 0 : n * start.components);
  const double half_width = start.jitter * std::sqrt(3.0);  // of the uniform distribution with this deviation
  for (std::size_t k = 0; k < phi.size(); ++k) {
    phi[k] = half_width > 0.0 ? shares[k] * std::exp(half_width * row.uniform(-1.0, 1.0)) : shares[k];
  }
}

}  // namespace motet::superset
