// The density of u = log|xi|, for each sign of xi: one side of an integral of pair_integral.h.
//
// In u the densities of all continuous families are smooth and fall off fast on both sides, which is what the rule of
// that integral wants. What several sources make together is kept as a table of log densities over equal steps of u,
// read by interpolation of degree 7; beyond its ends the logarithm goes on as a parabola, as tails of lognormal sums
// do.
#pragma once

#include <array>
#include <vector>

#include "motet/sources/density/marginal.h"
#include "motet/sources/family.h"

namespace motet {

enum class Sign { plus, minus };

// Equal steps of u and a log density at each.
struct LogTable {
  double first = 0.0;
  double step = 1.0;
  std::vector<double> values;  // empty: the sign does not occur

  double at(double u) const;
  double mode() const;
};

class LogOperand {
 public:
  explicit LogOperand(const Marginal& marginal);  // of a continuous family
  LogOperand(LogTable plus, LogTable minus, double width, double error);

  double at(double u, Sign sign) const;
  bool has(Sign sign) const;
  double mode(Sign sign) const { return mode_[static_cast<std::size_t>(sign)]; }
  double width() const { return width_; }  // over which it changes, like the standard deviation of a lognormal's log
  double error() const { return error_; }  // of the logarithm where the density is high; 0 of a single source

 private:
  Marginal marginal_;
  LogForm form_;
  std::array<LogTable, 2> tables_;
  std::array<double, 2> mode_{};
  double width_ = 1.0;
  double error_ = 0.0;
  bool is_table_ = false;
};

}  // namespace motet
