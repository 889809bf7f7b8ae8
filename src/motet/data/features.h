// Numbers in time order: one row an item (a frame of a recording, a line of a log),
// cut into sequences. Nothing that looks at neighbours in time looks across the
// border of a sequence.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
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

struct Features {
  std::vector<std::string> columns;    // names, one a dimension
  std::vector<double> values;          // row by row, all finite
  std::vector<std::size_t> starts{0};  // first row of each sequence, and the number of rows at the end
  std::vector<std::string> sequences;  // names, one a sequence
  std::vector<std::string> items;      // ids; empty: an item is named by its row, the first is 1
  FrameClock clock;

  std::size_t dimensions() const { return columns.size(); }
  std::size_t rows() const { return starts.back(); }
  std::span<const double> row(std::size_t n) const { return {values.data() + n * dimensions(), dimensions()}; }
};

// The sequence that row n belongs to.
std::size_t sequence_of(const Features& features, std::size_t n);

std::string item_name(const Features& features, std::size_t n);

// Some rows as one sequence; they keep the names that the whole gives them.
Features rows_of(const Features& features, std::span<const std::uint32_t> rows);

// The rows of `more` after those of `features`, as new sequences. Throws Error{bad_data} when the
// columns or the clocks differ.
void append(Features& features, const Features& more);

}  // namespace motet
