// The transfer matrix over the ways in which the last `reach` rows of a sequence can be
// equal and unequal in their components; see partition_function.h.
//
// A way is a string of block numbers, oldest row first, in which a new block has the next
// number: "0010" is a row of one component, the same, another, the first again. The next
// row joins a block, or one of the K - blocks components that are not there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motet/temporal/field/neighbours.h"

namespace motet::temporal {

class EqualityChain {
 public:
  // Pairs further apart than `reach` >= 1 are left out.
  EqualityChain(const Neighbours& neighbours, std::size_t components, std::size_t reach);

  // The logarithm of the sum over all labellings of the first `lengths` rows of the sequence each; lengths rise from 1
  // on to all rows. Whole cliques are known for all rows only.
  std::vector<double> log_sums(std::span<const std::size_t> lengths);

  // Ways for `reach` rows; `most` + 1 when there are more.
  static std::size_t states(std::size_t reach, std::size_t components, std::size_t most);

 private:
  struct Arc {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    char block = 0;
  };
  std::vector<double> weights_at(std::size_t n) const;  // of the rows at distance 1 ... reach before n
  double factor(const std::string& way, char block, const std::vector<double>& weights) const;
  void grow(std::size_t n);  // to row n, while there are fewer than reach before it
  void set_arcs();
  void step(const std::vector<double>& weights, bool is_regular);
  void normalise();
  void advance(std::size_t n);  // from row n - 1 to row n

  const Neighbours& neighbours_;
  std::size_t components_;
  std::size_t reach_;
  std::vector<std::string> ways_;
  std::vector<double> shares_;  // of Z so far, by way
  double log_total_ = 0.0;      // its logarithm
  double log_growth_ = 0.0;     // in the last step
  std::vector<Arc> arcs_;
  std::vector<double> factors_;  // of the arcs, for regular rows
  bool has_settled_ = false;     // regular rows add log_growth_ each from here on
};

}  // namespace motet::temporal
