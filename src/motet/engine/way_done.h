// How far a fit has come, for progress.
//
// EM closes in geometrically, so the logarithm of the change of one iteration measures
// the way from the first change to the tolerance.
#pragma once

#include <algorithm>
#include <cmath>

namespace motet {

class WayDone {
 public:
  explicit WayDone(double tolerance) : tolerance_(tolerance) {}

  // After an iteration with this change, in percent; it never falls.
  double percent(double change) {
    const double end = std::max(tolerance_, 1e-300);
    if (first_ == 0.0) first_ = std::max(change, tolerance_);
    const double way = std::log(std::max(first_ / end, 1.0));
    const double left = std::log(std::max(change / end, 1.0));
    furthest_ = std::max(furthest_, way > 0.0 ? 1.0 - left / way : 1.0);
    return 100.0 * furthest_;
  }

 private:
  double tolerance_;
  double first_ = 0.0;
  double furthest_ = 0.0;
};

}  // namespace motet
