// Densities of pairs of family and combination that have no closed form, by sampling.
//
// p_L(x) = E over the emissions of all sources of L but one, of the density of the last one
// at the emission that would complete them to x (5.12), or a variant of it with less spread;
// minima and counts are exact. Every such family is independent over dimensions, so it is done
// dimension by dimension, see pair_sampler.h. The samples are a fixed low-discrepancy sequence:
// the same input gives the same bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "motet/sources/set_density.h"
#include "motet/sources/sources.h"

namespace motet {

constexpr std::size_t default_samples = 4096;

// A label set made ready: what does not depend on x is drawn once. Safe to ask from several threads.
class SampledDensity {
 public:
  SampledDensity(const Sources& sources, std::span<const std::uint64_t> set, std::size_t samples);
  ~SampledDensity();
  SampledDensity(SampledDensity&&) noexcept;

  EstimatedDensity at(std::span<const double> x) const;

 private:
  struct Plan;
  std::unique_ptr<const Plan> plan_;
};

// Throws Error{usage} for a pair without a meaning, and for noise or covariances that only closed forms can have.
// A closed form is answered by itself, but for sums, means and products without noise: those are sampled.
EstimatedDensity monte_carlo_log_density(const Sources& sources, std::span<const std::uint64_t> set,
                                         std::span<const double> x, std::size_t samples = default_samples);

}  // namespace motet
