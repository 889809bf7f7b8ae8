// A confidence interval, both ends included. NaN at both ends when there is none.
#pragma once

#pragma GCC visibility push(default)
namespace motet {

struct Interval {
  double low = 0.0;
  double high = 0.0;

  bool contains(double x) const { return low <= x && x <= high; }
  bool operator==(const Interval&) const = default;
};

}  // namespace motet
#pragma GCC visibility pop
