#include "motet/superset/lsb_cmm/stick.h"

#include <cmath>

namespace motet::superset {

void log_stick(std::span<const double> u, std::span<double> log_phi) {
  double left = 0.0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double rest = std::log1p(std::exp(-std::abs(u[k])));
    log_phi[k] = left + (u[k] < 0.0 ? u[k] : 0.0) - rest;
    left -= (u[k] > 0.0 ? u[k] : 0.0) + rest;
  }
  log_phi[u.size()] = left;
}

}  // namespace motet::superset
