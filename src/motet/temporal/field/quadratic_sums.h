// Sums of the neighbours' weights (h + 1 - d)^2 that slide along: see neighbour_sums.h.
//
// Before the row A_p = sum_d (h + 1 - d)^p x_{n-d}, behind it B_p likewise, d = 1 ... h;
// one step on
//   A_2 - 2 A_1 + A_0 + h^2 x_n,                  A_1 - A_0 + h x_n,        A_0 + x_n - x_{n-h}
//   B_2 + 2 B_1 + B_0 - (h+1)^2 x_{n+1} + x_m,    B_1 + B_0 - (h+1) x_{n+1} + x_m,
//   B_0 - x_{n+1} + x_m,   m = n + 1 + h.
// Rows near the ends whose cliques are clipped are summed by the definition.
#pragma once

#include "motet/temporal/field/neighbour_sums.h"

namespace motet::temporal {

template <class Source>
class QuadraticSums {
 public:
  static constexpr std::size_t fixed_components = 0;

  QuadraticSums(const Neighbours& neighbours, const Source& source, std::size_t components)
      : neighbours_(&neighbours),
        source_(source),
        h_(neighbours.radius()),
        clipped_(neighbours, source, components),
        a0_(components),
        a1_(components),
        a2_(components),
        b0_(components),
        b1_(components),
        b2_(components) {}

  void start(std::size_t n) {
    n_ = n;
    for (Sums* sums : {&a0_, &a1_, &a2_, &b0_, &b1_, &b2_}) std::fill(sums->begin(), sums->end(), 0);
    for (std::size_t m = n > h_ ? n - h_ : 0; m < n; ++m) add_all(m, h_ + 1 - (n - m), a0_, a1_, a2_);
    const std::size_t end = std::min(neighbours_->rows(), n + h_ + 1);
    for (std::size_t m = n + 1; m < end; ++m) add_all(m, h_ + 1 - (m - n), b0_, b1_, b2_);
    if (neighbours_->is_clipped(n_)) clipped_.start(n_);
  }

  void step() {
    for (std::size_t k = 0; k < a0_.size(); ++k) {
      a2_[k] += a0_[k] - 2 * a1_[k];
      a1_[k] -= a0_[k];
      b2_[k] += 2 * b1_[k] + b0_[k];
      b1_[k] += b0_[k];
    }
    add_all(n_, h_, a0_, a1_, a2_);
    if (n_ >= h_) source_.template add<0>(n_ - h_, Wrapping{0} - 1, a0_);
    ++n_;
    if (n_ >= neighbours_->rows()) return;
    source_.template add<0>(n_, Wrapping{0} - 1, b0_);
    source_.template add<0>(n_, Wrapping{0} - (h_ + 1), b1_);
    source_.template add<0>(n_, Wrapping{0} - (h_ + 1) * (h_ + 1), b2_);
    if (n_ + h_ < neighbours_->rows()) add_all(n_ + h_, 1, b0_, b1_, b2_);
    if (neighbours_->is_clipped(n_)) clipped_.start(n_);
  }

  double operator[](std::size_t k) const {
    if (neighbours_->is_clipped(n_)) return clipped_[k];
    return static_cast<double>(static_cast<std::int64_t>(a2_[k] + b2_[k])) * source_.unit();
  }

 private:
  using Sums = std::vector<Wrapping>;

  void add_all(std::size_t row, std::size_t weight, Sums& zeroth, Sums& first, Sums& second) const {
    source_.template add<0>(row, 1, zeroth);
    source_.template add<0>(row, weight, first);
    source_.template add<0>(row, weight * weight, second);
  }

  const Neighbours* neighbours_;
  Source source_;
  std::size_t h_;
  std::size_t n_ = 0;
  DirectSums<Source> clipped_;
  Sums a0_, a1_, a2_, b0_, b1_, b2_;
};

// Calls use(sums) with the cheapest kind of sums for the field; start() first.
template <class Source, class Use>
decltype(auto) with_sums(const Neighbours& neighbours, const Source& source, std::size_t components, Use&& use) {
  if (!neighbours.is_image() && neighbours.field().shape == WeightShape::linear) {
    if (components == 2) {
      LinearSums<Source, 2> sums(neighbours, source, components);
      return use(sums);
    }
    LinearSums<Source, 0> sums(neighbours, source, components);
    return use(sums);
  }
  if (!neighbours.is_image() && neighbours.field().shape == WeightShape::quadratic) {
    QuadraticSums<Source> sums(neighbours, source, components);
    return use(sums);
  }
  DirectSums<Source> sums(neighbours, source, components);
  return use(sums);
}

// Calls body(n, sums) for each row n of all sequences, with the sums over the states of its neighbours.
template <class Body>
void for_each_row(std::span<const std::size_t> starts, const TimeField& field, std::span<const std::uint8_t> states,
                  std::size_t components, Body&& body) {
  const FieldTables tables(field);
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    if (starts[i + 1] == starts[i]) continue;
    const Neighbours neighbours(tables, starts[i + 1] - starts[i]);
    with_sums(neighbours, StateSource(states.data() + starts[i]), components, [&](auto& sums) {
      sums.start(0);
      for (std::size_t n = starts[i]; n < starts[i + 1]; ++n, sums.step()) body(n, sums);
    });
  }
}

}  // namespace motet::temporal
