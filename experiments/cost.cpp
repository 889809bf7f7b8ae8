#include "experiments/cost.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "experiments/peak_memory.h"

namespace motet {

namespace {

double highest_megabytes() {
  const double megabytes = peak_megabytes();
  return megabytes > 0.0 ? megabytes : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Cost cost_of(const std::function<void()>& work) {
  forget_peak();
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  return {passed.count(), highest_megabytes()};
}

std::string seconds_text(const Cost& cost) { return fmt::format("{:.1f} s", cost.seconds); }

std::string megabytes_text(const Cost& cost) {
  return std::isnan(cost.megabytes) ? std::string() : fmt::format("{:.0f} MB", cost.megabytes);
}

}  // namespace motet
