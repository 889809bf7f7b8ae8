// One dimension of a label set whose pair of family and combination has no closed form.
//
// Exact, where the emissions meet in a formula:
//   min            f(x) = sum_k f_k(x) prod_{j != k} S_j(x), S the upper tail; Poisson: P(all >= x) - P(all > x)
//   bernoulli sum  the distribution of a count of unequal coins, coin after coin
//   poisson, gamma sum and mean: rates and shapes add, a mean is a sum in another unit
// By samples, y being the sum or the product (a mean times m):
//   exponential sum  uniform shares of y, weighted by all densities
//   lognormal sum   for each k in turn the largest: the others drawn below y, weighted by f_k of the
//                   rest where the rest is the largest (Asmussen and Kroese 2006), so that far tails are right
//   else            all but the widest drawn, weighted by the density of the widest at the rest (5.12)
// Points are 16 shifted copies of one lattice, so that the spread of their results is the error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/sources/marginal.h"
#include "motet/sources/set_density.h"
#include "motet/sources/sources.h"

namespace motet {

constexpr std::size_t sample_batches = 16;

// Throws Error{usage} for sources whose pair has no density: no meaning, or with noise and no closed form.
void require_sampled_pair(const Sources& sources);

class PairSampler {
 public:
  // At least one member. `stream` makes the shifts of this dimension its own.
  PairSampler(std::vector<Marginal> members, Combination combination, std::size_t samples, std::uint64_t stream);

  EstimatedDensity log_density(double x) const;

  // Posterior of each member's emission, in the order of the members.
  std::vector<Moments2> emissions(double x) const;

 private:
  enum class Way { exact, simplex, largest, rest };

  struct Weights {
    std::vector<double> log_weight;  // sample_batches x entries
    std::vector<double> values;      // entries x members, when asked for
  };
  Weights weigh(double y, bool with_values) const;
  void weigh_simplex(double y, Weights& to, bool with_values) const;
  void weigh_largest(double y, Weights& to, bool with_values) const;
  void weigh_rest(double y, Weights& to, bool with_values) const;
  void draw(std::uint64_t stream);
  double exact_log_density(double x) const;
  std::vector<Moments2> exact_emissions(double x) const;
  double unit() const;  // y = unit x

  std::vector<Marginal> members_;
  Combination combination_;
  Way way_ = Way::exact;
  std::size_t points_ = 0;     // of a batch
  std::size_t terms_ = 1;      // entries a point
  std::size_t last_ = 0;       // of `rest`: the widest member
  std::vector<double> table_;  // an entry a line: shares, levels or emissions, what does not depend on x
};

}  // namespace motet
