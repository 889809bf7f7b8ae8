// Densities of label sets whose pair of family and combination has no closed form (5.12).
//
// Every such family is independent over dimensions, so it is done dimension by dimension: by a formula where there is
// one, else by integrals, see pair_density.h.
#pragma once

#include <memory>
#include <span>

#include "motet/sources/density/set_density.h"
#include "motet/sources/sources.h"

namespace motet {

// A label set made ready: what does not depend on x is computed once. Safe to ask from several threads.
class IntegratedDensity {
 public:
  // Throws Error{usage} for a pair without a meaning, and for noise or covariances that only closed forms can have.
  IntegratedDensity(const Sources& sources, std::span<const std::uint64_t> set);
  ~IntegratedDensity();
  IntegratedDensity(IntegratedDensity&&) noexcept;

  EstimatedDensity at(std::span<const double> x) const;

 private:
  struct Plan;
  std::unique_ptr<const Plan> plan_;
};

}  // namespace motet
