// Votes with known truth, to try things with: what `motet judges simulate` writes.
#pragma once

#include <string>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/rng.h"
#include "motet/base/run.h"
#include "motet/data/votes.h"

namespace motet::judges {

struct SimulateOptions {
  std::size_t items = 200;
  std::size_t judges = 5;
  std::size_t classes = 2;
  std::string accuracy = "0.6..0.9";
  std::string prior = "uniform";
  double answered = 1.0;
  double bias = 0.0;
  double copying = 0.0;
};

template <class V>
void visit_fields(V& v, SimulateOptions& o) {
  v("items", o.items, Range<std::size_t>{1, 100'000'000}, "how many items");
  v("judges", o.judges, Range<std::size_t>{1, 1'000'000}, "how many judges");
  v("classes", o.classes, Range<std::size_t>{2, 1000}, "how many classes, named a, b, c, ...");
  v("accuracy", o.accuracy, Text{"LO..HI"},
    "accuracies of the judges: drawn from a range, one for all, or a list such as 0.9,0.7,0.6");
  v("prior", o.prior, Text{"PRIOR"}, "shares of the classes: 'uniform' or such as a=0.75,b=0.25");
  v("answered", o.answered, Range<double>{0.001, 1.0}, "share of the items that a judge votes on");
  v("bias", o.bias, Range<double>{0.0, 1.0}, "0: errors fall on all classes alike; 1: all on the next class");
  v("copying", o.copying, Range<double>{0.0, 1.0},
    "chance that the last judge repeats the one before instead of judging");
}

struct SimulatedVotes {
  Votes votes;
  std::vector<std::int32_t> truth;  // by item
  std::vector<double> accuracy;     // by judge, as planted
};

// Only progress and cancellation are taken from `run`.
SimulatedVotes simulate_votes(const SimulateOptions& options, Seed seed, const RunContext& run = {});

// Class names a, b, ..., z, or c1, c2, ... when there are more than 26.
NameList simulated_classes(std::size_t count);

}  // namespace motet::judges
