// What answers say about rows: examples of classes, and of the background.
//
// An answer is about an event, not a row: beside its row count those around it that look alike, the rows n within the
// radius whose whitened values go more than half the way from the background's centre to those of the answered row r,
// z_n . z_r > |z_r|^2 / 2, with pauses of two rows at most.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/discover/answers.h"
#include "motet/discover/discovery.h"
#include "motet/discover/spread/whitened_rows.h"

namespace motet::discover {

constexpr std::size_t longest_pause = 2;  // rows of an event that do not look like it, one after the other

struct Example {
  std::int32_t of_class = 0;      // 0: background
  std::vector<std::size_t> rows;  // the answered one first; empty: an example from another project
  std::vector<float> mean;        // of the rows, whitened
  double length = 1.0;            // how many rows look alike
};

// Rows that look like `row`, which is the first, and no row that is held to be of another class.
std::vector<std::size_t> rows_alike(const WhitenedRows& whitened, const Sequences& cut, const HeldAnswers& held,
                                    std::size_t row, std::size_t radius);

// One for each answer that says something, in the order of rows.
std::vector<Example> examples_of(const WhitenedRows& whitened, const Sequences& cut, const HeldAnswers& held,
                                 std::size_t radius);

double squared_distance(std::span<const float> a, std::span<const float> b);

}  // namespace motet::discover
