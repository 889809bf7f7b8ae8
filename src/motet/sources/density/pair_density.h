// One dimension of a label set whose pair of family and combination has no density in closed form for all sizes.
//
// By a formula:
//   min            f(x) = sum_k f_k(x) prod_{j != k} S_j(x), S the upper tail; Poisson: P(all >= x) - P(all > x)
//   bernoulli sum  the distribution of a count of unequal coins, coin after coin
//   poisson, gamma sum and mean: rates and shapes add, a mean is a sum in another unit
//   exponential sum and mean: divided differences of the exponential function, see divided_exp.h
// By integration (pair_integral.h), to about 1e-9 in the logarithm, with the error told:
//   sums of lognormal emissions, and products: member after member
#pragma once

#include <cstddef>
#include <vector>

#include "motet/sources/density/marginal.h"
#include "motet/sources/density/pair_integral.h"
#include "motet/sources/density/set_density.h"
#include "motet/sources/sources.h"

namespace motet {

// Throws Error{usage} for sources whose pair has no density: no meaning, noise without a closed form, or, of Gaussian
// and lognormal sources without one, dimensions that are not independent.
void require_density(const Sources& sources);
void require_density(Family family, Combination combination, Covariance covariance, bool noise);

enum class Asked { density, emissions };

class PairDensity {
 public:
  // At least one member. What does not depend on x is made here, for emissions more than for the density alone.
  PairDensity(std::vector<Marginal> members, Combination combination, Asked asked = Asked::density);

  EstimatedDensity log_density(double x) const;

  // Posterior of each member's emission, in the order of the members; only where it was asked for.
  std::vector<MeanVariance> emissions(double x) const;

 private:
  double exact_log_density(double x) const;
  std::vector<MeanVariance> exact_emissions(double x) const;
  double unit() const;  // y = unit x, y the sum

  std::vector<Marginal> members_;
  Combination combination_;
  std::vector<PairIntegral> integrals_;  // one member and the others; empty: there is a formula
};

}  // namespace motet
