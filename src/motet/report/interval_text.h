// An interval as results tell it: for a table and for JSON.
#pragma once

#include <string>

#include "motet/base/interval.h"
#include "motet/data/value.h"

namespace motet {

std::string interval_text(const Interval& interval, int digits);  // "0.814 to 0.908"
Value interval_value(const Interval& interval);                   // [low, high]

}  // namespace motet
