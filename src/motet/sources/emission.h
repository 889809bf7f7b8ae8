// What each source contributed to an item: the posterior of its emission.
//
//   gaussian sum  xi_k | x ~ N(mu_k + S_k S_L^-1 (x - mu_L), S_k - S_k S_L^-1 S_k)
//   mean          with S_k / m in place of the first S_k, S_k / m^2 within S_L
//   or            P(xi_k = 1 | x = 1) = b_k / b_L, 0 for x = 0
//   and           1 for x = 1, P(xi_k = 1 | x = 0) = (b_k - b_L) / (1 - b_L)
//   exp-min       x with probability r_k / r_L, else x + an exponential: E = x + 1/r_k - 1/r_L
//   poisson       binomial: x l_k / l_L                    gamma    x times a beta: x p_k / p_L
//   lognormal     the Gaussian posterior of the logarithm, taken back: e^(m + v/2)
//   one-of        x with the responsibility of the source, p_k(x) / sum p_j(x); else the item tells
//                 nothing of it, and it is any of its emissions
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "motet/sources/sources.h"

namespace motet {

struct Emission {
  std::size_t source = 0;
  std::vector<double> mean;  // D: expected emission
  std::vector<double> sd;    // D: its posterior standard deviation
};

// A label set made ready: what does not depend on x is computed once. Safe to ask from several threads.
class SetEmissions {
 public:
  SetEmissions(const Sources& sources, std::span<const std::uint64_t> set);
  ~SetEmissions();
  SetEmissions(SetEmissions&&) noexcept;

  std::vector<Emission> at(std::span<const double> x) const;

 private:
  struct Plan;
  std::unique_ptr<const Plan> plan_;
};

// One entry per member of the set, background included; none for the empty set without one.
// Without a closed form by integrals, see pair_density.h.
std::vector<Emission> emissions(const Sources& sources, std::span<const std::uint64_t> set, std::span<const double> x);

}  // namespace motet
