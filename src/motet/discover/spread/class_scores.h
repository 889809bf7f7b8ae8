// A ridge multinomial logistic regression that tells classes from the background, learned from few examples.
//
//   minimise  sum_i w_i (log(1 + sum_c e^{g_c(z_i)}) - g_{y_i}(z_i)) + lambda/2 sum_c |u_c|^2,
//   g_c(z) = u_c . z / sqrt(D) + v_c,  g_0 = 0: the background
//
// The rows of one example share its weight. Rows that nobody spoke of are mostly background: up to 2,000 of them,
// evenly spread and none within the radius of an event, count as such with a weight of 20 together, whatever their
// number. Convex; fitted by engine/descent.
#pragma once

#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/discover/spread/examples.h"

namespace motet::discover {

struct ClassScores {
  std::size_t classes = 0;  // without the background
  std::size_t dimensions = 0;
  std::vector<double> weights;  // classes x (dimensions + 1), the last v_c; scaled for whitened rows

  // g_1 ... g_C of a row.
  void score(std::span<const float> z, std::span<double> scores) const;
};

ClassScores fit_class_scores(const WhitenedRows& whitened, const Sequences& cut, std::span<const Example> examples,
                             std::size_t classes, std::size_t radius, const RunContext& run);

}  // namespace motet::discover
