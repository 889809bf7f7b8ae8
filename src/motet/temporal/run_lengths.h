// How long components last: runs of rows, within sequences.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/data/features.h"

namespace motet::temporal {

// Rows of one component that follow one another.
struct RunLengths {
  std::size_t rows = 0;  // of the component
  std::size_t runs = 0;
  double mean = 0.0;  // rows per run; 0 without any
  std::size_t median = 0;
  std::size_t longest = 0;
};
std::vector<RunLengths> run_lengths(const Features& features, const std::vector<std::uint8_t>& states,
                                    std::size_t components);

}  // namespace motet::temporal
