// Repeated simulations of binary judges and the errors of their estimated accuracies.
#pragma once

#include <cstddef>
#include <vector>

#include "motet/base/numeric.h"
#include "motet/base/run.h"

namespace motet::judges {

struct SimulationPlan {
  std::size_t items = 100;
  std::size_t judges = 1;
  double accuracy = 0.75;
  double prior = 0.75;          // true share of the first class
  double assumed_prior = 0.75;  // what the estimate believes
  std::size_t repeats = 400;
};

// Mean absolute errors over the judges, one value per repeat.
struct SimulatedErrors {
  std::vector<double> together;    // the collaborative estimate, started at 0.7
  std::vector<double> alone;       // each judge by equation (9)
  std::vector<double> supervised;  // share of right votes, labels seen
};

// Repeat r draws from stream r of the seed, so the numbers do not depend on the threads.
SimulatedErrors simulate_errors(const SimulationPlan& plan, const RunContext& run);

}  // namespace motet::judges
