// Intervals by resampling items: slower than the information, right also where the
// likelihood is far from a parabola.
#pragma once

#include <span>
#include <vector>

#include "motet/engine/em.h"
#include "motet/judges/confusion/confusion_em.h"
#include "motet/judges/confusion/information.h"

namespace motet::judges {

struct Bootstrap {
  std::vector<Interval> accuracy;  // by judge, percentiles
  std::vector<double> accuracy_sd;
  std::vector<std::vector<Interval>> cells;  // by judge, [truth * K + said]
  std::vector<Interval> prior;
};

// Each sample draws as many items with replacement and fits again from `parameters`.
// Sample b uses stream b of the seed, so the result does not depend on the threads.
Bootstrap bootstrap_judges(const VoteTable& table, const ConfusionSpec& spec, std::span<const double> parameters,
                           const EmRule& rule, std::size_t samples, double confidence, const RunContext& run);

}  // namespace motet::judges
