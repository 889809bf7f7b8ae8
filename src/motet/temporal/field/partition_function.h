// log Z = log sum_Z exp(-U(Z)) of the field alone, which log p(X) = log sum_Z exp(-U(Z)) p(X | Z) - log Z needs.
//
// Exactly: U knows only which rows have the same component, not which one it is, so a
// transfer matrix over the ways in which the last h rows can be equal and unequal is
// enough: 52 states at h = 5 for any K, where tuples would be K^5. The growth per row
// settles at once, and the rest of a long sequence is a multiplication.
//
// From above, where these are too many or rows are pixels. log Z is convex in the weights, so for shares rho
//   log Z(w) <= sum_d rho_d log Z(w_d / rho_d),
// and pairs at one distance (one offset, in an image) are chains, whose Z is a product:
//   log Z(w_d / rho_d) = N log K + sum over the pairs of log((e^(w_d / rho_d) + K - 1) / K).
// rho_d = w_d / T with T = sum_d w_d is the best choice but for the ends of the sequence: the
// derivative of rho phi(w / rho) depends on w / rho only. Where this is larger, log Z of the
// nearest distances plus the weights of all the other pairs is taken.
#pragma once

#include <cstddef>
#include <span>

#include "motet/temporal/field/field.h"

namespace motet::temporal {

// Ways of being equal and unequal up to which log Z is exact: radius 16 with two components, 11 with
// three, 9 with any number.
constexpr std::size_t most_partition_states = 32'768;

struct LogPartition {
  double value = 0.0;
  bool is_exact = true;  // false: an upper bound
};

// Of all sequences; those of equal length cost once.
LogPartition log_partition(std::span<const std::size_t> starts, std::size_t components, const TimeField& field);

// Of one sequence, by chains of one distance each: the bound above.
double log_partition_of_chains(std::size_t rows, std::size_t components, const TimeField& field);
// Of one sequence: exact for the distances up to `near`, and all other pairs taken as equal. near = 0 .. radius.
double log_partition_of_near(std::size_t rows, std::size_t components, const TimeField& field, std::size_t near);

}  // namespace motet::temporal
