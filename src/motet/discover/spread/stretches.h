// Stretches of rows that look like a class, and what speaks for each.
//
// Each row has the class that the scores of the rows around it, cut off at 5 and averaged over a tenth of the radius to
// each side, favour most. A stretch of a class begins where its score is above 0, goes on to both sides while it is
// above -1, and never leaves its sequence. Answers hold: a row that a person gave to a class is of a stretch of it,
// a row where nothing is and a row of another class are of none. So stretches do not share rows, whatever their
// classes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/discover/spread/class_scores.h"
#include "motet/discover/spread/examples.h"
#include "motet/discover/spread/whitened_rows.h"

namespace motet::discover {

// Whatever answers have taught, and what it was learned from.
struct SpreadModel {
  const WhitenedRows& whitened;
  const Sequences& cut;
  std::size_t radius = 0;
  HeldAnswers held;
  std::vector<Example> examples;
  ClassScores scores;
};

enum class Evidence : std::uint8_t {
  score,      // the largest score of its rows
  nearness,   // mean over the rows of log (d_other / d_own), cut off at 4: squared distances to the nearest example of
              // the class and of anything else, the background's centre among it, each plus D / 10
  nearest,    // the largest of these
  shortness,  // log length less the mean log length of the examples, at most 0
  examples,   // log of their number
  near_nothing,  // 1: within half the radius of an answer that nothing is there
  near_own,      // 1: within half the radius of an answer of the class
  rivals,        // log of the number of stretches of the class without an answer: what is everywhere is no rare event
  count,
};
using EvidenceValues = std::array<double, static_cast<std::size_t>(Evidence::count)>;

struct SpreadStretch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::int32_t of_class = 0;
  bool is_answered = false;  // a person gave one of its rows to the class
  EvidenceValues evidence{};
  double probability = 0.0;  // that it touches an event of its class
};

// How many stretches without an answer each class has among those of all rows.
std::vector<double> rivals_of(std::span<const SpreadStretch> stretches, std::size_t classes);
void set_rivals(std::span<const double> rivals, SpreadStretch& stretch);

// Without rivals. Those that begin in these rows of one sequence, or of all where they are all rows; in the order of
// rows.
std::vector<SpreadStretch> spread_stretches(const SpreadModel& model, RowRange range, Threads threads);

}  // namespace motet::discover
