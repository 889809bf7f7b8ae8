// How good answers are, where the truth is known: pure functions of both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "motet/error.h"
#include "motet/run.h"

#pragma GCC visibility push(default)
namespace motet::measure {

// A table of yes and no, row by row: labels of items, permissions of roles, roles of users.
struct YesNo {
  std::size_t columns = 0;
  std::vector<std::uint8_t> values{};  // 0 or not

  std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
};

struct Figure {
  std::string name;
  double value = 0.0;
  double standard_error = std::numeric_limits<double>::quiet_NaN();  // NaN: none is told
};

// Sets of labels: error_rate, balanced_error_rate, hamming_loss, and precision, recall and f1 per item, of all pairs of
// item and label together (micro_) and averaged over labels (macro_).
std::vector<Figure> label_sets(const YesNo& truth, const YesNo& predicted);

// Whether probabilities mean what they say, in bins of equal width; those without items are left out.
struct Bin {
  double probability = 0.0;  // mean
  double right = 0.0;        // share
  double standard_error = 0.0;
  std::size_t items = 0;
};
struct Reliability {
  std::vector<Bin> bins;
  double expected_calibration_error = 0.0;
};
Reliability reliability(std::span<const double> probability, std::span<const std::uint8_t> right,
                        std::size_t bins = 10);

// The error among the items that are kept when the least sure are set aside.
struct Rejection {
  double threshold = 0.0;
  double coverage = 0.0;  // share that is kept
  double error = 0.0;
};
std::vector<Rejection> reject_curve(std::span<const double> probability, std::span<const std::uint8_t> right,
                                    std::size_t points = 21);

// Roles against those that were planted, under the matching that makes the error smallest.
struct RoleMatch {
  double error = 0.0;                 // share of wrong cells
  std::vector<std::int64_t> partner;  // by true role: that it is matched with, -1: none
};
RoleMatch match_roles(const YesNo& truth, const YesNo& found);

// Share of cells in which two tables differ, and of the cells held those that the other holds too.
double reconstruction_error(const YesNo& reconstruction, const YesNo& data);
double coverage(const YesNo& reconstruction, const YesNo& data);

// Whether two ways put the same users into the same sets of roles: the share of users whose sets differ under the best
// matching of roles, and 1 minus that share over the one of chance.
struct Stability {
  double instability = 0.0;
  double corrected = 0.0;
};
Stability stability(const YesNo& first, const YesNo& second, std::size_t draws = 20, const Run& run = {});

}  // namespace motet::measure
#pragma GCC visibility pop
