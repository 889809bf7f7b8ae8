// What a piece of work costs: seconds by the clock, and the memory of the process at its highest meanwhile.
//
// Both differ from run to run and from machine to machine. Tables tell them as text with their unit ("1.2 s", "85 MB"),
// which tools/run_experiments.py leaves out when it compares.
#pragma once

#include <functional>
#include <string>

namespace motet {

struct Cost {
  double seconds = 0.0;
  double megabytes = 0.0;  // NaN where the system does not tell
};

// Where the system cannot forget the highest memory so far (other than Linux), earlier work counts too.
Cost cost_of(const std::function<void()>& work);

std::string seconds_text(const Cost& cost);
std::string megabytes_text(const Cost& cost);  // empty for NaN

}  // namespace motet
