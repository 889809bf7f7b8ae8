// A logarithm with the same bits on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace motet {

// log x of a finite x that is not subnormal; the library's own may differ in the last bit from one processor to the
// next. x = m 2^n with m about 1, and log m = 2 atanh((m - 1) / (m + 1)).
inline double log_of_positive(double x) {
  constexpr double log_2_high = 0x1.62e42fefa0000p-1;
  constexpr double log_2_low = 0x1.cf79abc9e3b3ap-40;
  constexpr double root_of_2 = 1.4142135623730951;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  double n = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
  double m = std::bit_cast<double>((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > root_of_2) {
    m *= 0.5;
    n += 1.0;
  }
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double series = 0.0;
  for (int k = 21; k >= 3; k -= 2) series = (series + 1.0 / k) * s2;
  return n * log_2_high + (n * log_2_low + 2.0 * s * series + 2.0 * s);
}

}  // namespace motet
