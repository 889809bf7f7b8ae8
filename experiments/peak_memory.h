// The most memory this process used, for experiments and benchmarks.
#pragma once

#include <fstream>
#include <string>

namespace motet {

// 0 where the system does not tell.
inline double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0.0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes / 1024.0;
  }
  return 0.0;
}

// The peak is counted anew from here, where the system allows it.
inline void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace motet
