// Sums and maxima over all labellings of one sequence, over tuples of h components.
//
// The tuple t_n = (z_{n-h+1}, ..., z_n) is a number with z_n as its last digit in base K,
// shorter in the first rows. With g_n(t) = sum over the labellings of rows 1 ... n that
// end in t,
//   g_{n+1}(r, k) = p(x_{n+1} | k) e^{M(r, k)} sum_o g_n(o, r) e^{w_h [o = k]}
// where o is the digit that drops out and M(r, k) the weights of the digits of r equal to
// k. Everything is a logarithm: weights of thousands of nats neither overflow nor vanish.
// Tables of about sqrt(N) rows are kept, and those in between found again when needed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/temporal/field/neighbours.h"

namespace motet::temporal {

class ExactChain {
 public:
  // densities: log p(x_n | k) at [k * stride + n]; -inf where a label forbids k.
  ExactChain(const Neighbours& neighbours, std::size_t components, const double* densities, std::size_t stride);

  // p(z_n = k) at [k * stride + n]; returns the log of the sum over all labellings.
  double marginals(double* responsibilities, std::size_t stride);
  double mode(std::span<std::uint8_t> states);  // returns its logarithm

  // Of tuples for the longest neighbourhood in a sequence of `rows` rows; `most` + 1 when there are more.
  static std::size_t tuples(std::size_t rows, std::size_t radius, std::size_t components, std::size_t most);

 private:
  using Table = std::vector<double>;

  std::size_t size_at(std::size_t n) const;  // tuples at row n
  void set_matches(std::size_t n);           // M and w_h for row n
  void first(Table& table) const;
  template <class Merge>
  void forward(std::size_t n, const Table& before, Table& table, Merge merge);  // from row n to n + 1
  void backward(std::size_t n, const Table& after, Table& table);               // from row n + 1 to n
  template <class Merge>
  void keep_tables(Merge merge);  // of every step_-th row
  template <class Merge>
  void fill_block(std::size_t block, Merge merge);  // the rows between two that are kept
  double density(std::size_t n, std::size_t k) const { return densities_[k * stride_ + n]; }

  const Neighbours& neighbours_;
  std::size_t components_;
  const double* densities_;
  std::size_t stride_;
  std::size_t rows_;
  std::size_t radius_;    // no longer than the sequence
  std::size_t rest_ = 1;  // tuples without their oldest digit: K^(radius - 1)
  std::size_t step_;
  Table matches_;                                          // M of (r, k)
  double oldest_weight_ = 0.0;                             // w_h
  std::size_t matches_of_ = static_cast<std::size_t>(-1);  // the row they hold for
  std::vector<Table> kept_;
  std::vector<Table> block_;
};

}  // namespace motet::temporal
