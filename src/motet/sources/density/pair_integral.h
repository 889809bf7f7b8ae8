// The density of a sum or a product of two, in logarithms.
//
// With u = log|xi| and w = log|y|, and p_1, p_2, p the densities of u_1, u_2 and w (log_operand.h):
//   product  p(w) = integral of p_1(w / 2 + v) p_2(w / 2 - v) dv, both signs of each
//   sum      p(w) = integral of p_1(w - log(1 + e^-v)) p_2(w - log(1 + e^v)) dv, xi_1 = y / (1 + e^-v), emissions above
//   0
// The integrands are analytic and fall off on both sides, where equal steps are the best rule there is: its error falls
// exponentially with the number of points. Every second point alone gives a second answer; the error of both together
// is about the square of their difference, and steps are halved until it is below 1e-10. The rule is deterministic and
// smooth in parameters, so that a likelihood made of it can be climbed and does not stop short of its maximum.
#pragma once

#include <optional>
#include <vector>

#include "motet/sources/density/log_operand.h"
#include "motet/sources/density/set_density.h"

namespace motet {

class PairIntegral {
 public:
  PairIntegral(LogOperand one, LogOperand rest, bool is_product);

  // log p(w) of y with this sign, and its error.
  EstimatedDensity log_density(double w, Sign sign) const;

  // Posterior of the emission of `one`, given y = e^w or -e^w; none where that cannot be.
  std::optional<MeanVariance> emission(double w, Sign sign) const;

  // Both together as one operand.
  LogOperand table() const;

 private:
  struct Total;
  Total integrate(double w, Sign one, Sign rest, bool with_moments) const;
  Total walk(double w, Sign one, Sign rest, double step, bool with_moments) const;
  // use(sign of one, total) for the signs with which the two make this one.
  template <class Use>
  void for_each_part(double w, Sign sign, bool with_moments, const Use& use) const;
  double softened(double v, double step, long i) const;
  LogTable make_table(Sign sign, double step) const;

  LogOperand one_;
  LogOperand rest_;
  bool is_product_;
  double step_;
  std::vector<double> soft_;  // log(1 + e^-v) at the steps of v from 0 on: the same for all items
};

}  // namespace motet
