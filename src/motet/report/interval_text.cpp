#include "motet/report/interval_text.h"

#include <fmt/format.h>

#include <cmath>

namespace motet {

std::string interval_text(const Interval& interval, int digits) {
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return "";
  return fmt::format("{:.{}f} to {:.{}f}", interval.low, digits, interval.high, digits);
}

Value interval_value(const Interval& interval) { return Value::list({interval.low, interval.high}); }

}  // namespace motet
