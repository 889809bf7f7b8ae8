// Four doubles at a time, for the passes over rows.
//
// The number of lanes is fixed and nothing is fused or reordered, so a function made of
// these gives the same bits compiled for AVX2, for SSE2 or for another processor. All of
// it must be inlined into a function that says which instructions may be used.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "motet/base/logarithm.h"

namespace motet {

// Nothing here is called, everything is inlined. The warning comes at the end of a file, so it stays off.
#pragma GCC diagnostic ignored "-Wpsabi"

constexpr std::size_t lane_count = 4;
typedef double Lanes __attribute__((vector_size(32)));
typedef std::int64_t LaneBits __attribute__((vector_size(32)));    // what comparisons give
typedef std::uint64_t LaneWords __attribute__((vector_size(32)));  // may wrap around

// Room for numbers, zeros at first, that begins where no four of them lie in two cache lines.
class LaneRoom {
 public:
  explicit LaneRoom(std::size_t size = 0) : groups_((size + lane_count - 1) / lane_count) {}
  double* data() { return reinterpret_cast<double*>(groups_.data()); }
  const double* data() const { return reinterpret_cast<const double*>(groups_.data()); }

 private:
  struct alignas(32) Group {
    double of[lane_count] = {};
  };
  std::vector<Group> groups_;
};

[[gnu::always_inline]] inline Lanes load_lanes(const double* from) {
  Lanes to;
  std::memcpy(&to, from, sizeof to);
  return to;
}

[[gnu::always_inline]] inline void store_lanes(double* to, const Lanes& from) { std::memcpy(to, &from, sizeof from); }

[[gnu::always_inline]] inline Lanes all_lanes(double value) { return Lanes{value, value, value, value}; }

// where ? a : b, lane by lane.
[[gnu::always_inline]] inline Lanes select_lanes(const LaneBits& where, const Lanes& a, const Lanes& b) {
  return reinterpret_cast<Lanes>((where & reinterpret_cast<LaneBits>(a)) | (~where & reinterpret_cast<LaneBits>(b)));
}

[[gnu::always_inline]] inline Lanes max_lanes(const Lanes& a, const Lanes& b) { return select_lanes(a > b, a, b); }

[[gnu::always_inline]] inline double sum_of_lanes(const Lanes& a) { return (a[0] + a[1]) + (a[2] + a[3]); }

// e^x for x <= 0 to about one unit in the last place; 0 below -708, where doubles lose digits.
// x = n log 2 + r with |r| <= log(2) / 2, and e^r by its series to the 13th power: the next term is below 1e-17.
[[gnu::always_inline]] inline Lanes exp_of_negative(const Lanes& exponents) {
  constexpr double log2_e = 1.4426950408889634;
  constexpr double log_2_high = 0x1.62e42fefa0000p-1;  // 20 trailing zeros, so that n times it is exact
  constexpr double log_2_low = 0x1.cf79abc9e3b3ap-40;
  constexpr double shift = 0x1.8p52;  // adding it leaves the nearest whole number in the last bits
  constexpr double least = -708.0;
  const LaneBits is_zero = exponents < all_lanes(least);
  const Lanes x = max_lanes(exponents, all_lanes(least));
  const Lanes shifted = x * all_lanes(log2_e) + all_lanes(shift);
  const Lanes n = shifted - all_lanes(shift);
  const Lanes r = (x - n * all_lanes(log_2_high)) - n * all_lanes(log_2_low);
  // Pairs of powers, so that the additions need not wait for each other.
  const Lanes r2 = r * r;
  const Lanes r4 = r2 * r2;
  const Lanes r8 = r4 * r4;
  const auto pair = [r](double even, double odd) __attribute__((always_inline)) {
    return all_lanes(even) + r * all_lanes(odd);
  };
  const Lanes low = pair(1.0 / 2, 1.0 / 6) + r2 * pair(1.0 / 24, 1.0 / 120);
  const Lanes middle = pair(1.0 / 720, 1.0 / 5040) + r2 * pair(1.0 / 40320, 1.0 / 362880);
  const Lanes high = pair(1.0 / 3628800, 1.0 / 39916800) + r2 * pair(1.0 / 479001600, 1.0 / 6227020800);
  const Lanes tail = low + r4 * middle + r8 * high;
  const Lanes power = all_lanes(1.0) + (r + r2 * tail);
  const LaneWords exponent = reinterpret_cast<LaneWords>(shifted) << 52;
  const Lanes scaled = reinterpret_cast<Lanes>(reinterpret_cast<LaneWords>(power) + exponent);
  return select_lanes(is_zero, all_lanes(0.0), scaled);
}

}  // namespace motet
