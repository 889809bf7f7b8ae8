// How rows are cut into sequences in time order. Nothing that looks at neighbours in time looks across the border of
// a sequence.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace motet {

// When rows are frames of a recording: row i of its sequence covers
// [i hop, i hop + window) seconds. hop = 0: rows have no time.
struct FrameClock {
  double hop = 0.0;
  double window = 0.0;

  bool has_time() const { return hop > 0.0; }
  double begin(std::size_t row) const { return whole_nanoseconds(static_cast<double>(row) * hop); }
  double end(std::size_t row) const { return whole_nanoseconds(static_cast<double>(row) * hop + window); }

  static double whole_nanoseconds(double seconds) {
    return std::round(seconds * 1e9) / 1e9;
  }  // 0.3, not 0.30000000000000004

  bool operator==(const FrameClock&) const = default;
};

struct Sequences {
  std::vector<std::size_t> starts{0};  // first row of each sequence, and the number of rows at the end
  std::vector<std::string> sequences;  // names, one per sequence
  FrameClock clock;
};

// The sequence that row n belongs to.
std::size_t sequence_of(const Sequences& cut, std::size_t n);

// The sequences of `more` after those of `cut`. Throws Error{bad_data} when the clocks differ.
void append(Sequences& cut, const Sequences& more);

}  // namespace motet
