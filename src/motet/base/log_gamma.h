// log |gamma(x)| with the bits of std::lgamma, which writes the sign to a variable that all threads share.
#pragma once

#include <cmath>

namespace motet {

inline double lgamma_alone(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace motet
