// The pseudo-likelihood of a labelling as a function of the field's strength.
//
//   l(s) = sum_n log p(z_n | neighbours),  p ~ exp(s S_k(n))                    (5.24)
//
// with S_k(n) the literal weights of the neighbours in state k. Concave in s, so its
// maximum is found safely.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "motet/temporal/field/field.h"

namespace motet::temporal {

class PseudoLikelihood {
 public:
  // The strength of `field` is not looked at.
  PseudoLikelihood(std::span<const std::size_t> starts, std::size_t components, const TimeField& field,
                   std::span<const std::uint8_t> states);

  struct Value {
    double value = 0.0;
    double slope = 0.0;
    double curvature = 0.0;
  };
  Value at(double strength) const;

 private:
  // Rows with the same neighbours but for the names of the components: there are few kinds of them in smooth states
  // or with a small radius.
  struct Kind {
    std::size_t first = 0;         // of its differences S_k - S_z, falling, of the components around it but its own
    std::size_t count = 0;         // of those
    double absent = 0.0;           // the difference of components that are not around it
    std::size_t absent_count = 0;  // their number
    std::size_t rows = 0;
    std::size_t next = no_kind;  // another with the same hash
  };
  static constexpr std::size_t no_kind = static_cast<std::size_t>(-1);

  void add(std::span<const double> differences, double absent, std::size_t absent_count);
  bool is_kind(const Kind& kind, std::span<const double> differences, double absent) const;

  std::vector<Kind> kinds_;
  std::unordered_map<std::uint64_t, std::size_t> by_hash_;
  std::size_t last_ = 0;  // the kind of the row added last
  std::vector<double> differences_;
};

// The strength of the field that maximises the pseudo-likelihood prod_n p(z_n | neighbours) of the states
// (I2): concave in one dimension. The total weight is kept between 0 and `most_total` nats; states without
// a change go to the cap, and 0 comes back when there is nothing to choose from: one component, no
// neighbours. The strength that `field` has is not looked at.
double pseudo_likelihood_strength(std::span<const std::size_t> starts, std::size_t components, const TimeField& field,
                                  std::span<const std::uint8_t> states, double most_total);

}  // namespace motet::temporal
