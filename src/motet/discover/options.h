// How a search for rare classes goes: what decides the next question.
#pragma once

#include <cstddef>
#include <string>

#include "motet/base/fields.h"

namespace motet::discover {

// temporal: each component of a mixture with a field over time nominates the row that
// fits it least (Algorithm 6.1, erratum E1). static_mixture: the same without the field.
// literal: Algorithm 6.1 as published, with the literal energy and no exclusion.
// interleave: one component a class, fixed beforehand. nndm: the row where the density
// of neighbours falls off most sharply. random: any row.
enum class Strategy { temporal, static_mixture, literal, interleave, nndm, random };
std::string_view name_of(Strategy strategy);

struct DiscoverOptions {
  Strategy strategy = Strategy::temporal;
  std::size_t radius = 0;      // h; 0: chosen from the data
  std::size_t components = 0;  // K0; 0: chosen from the data
  double label_weight = -1.0;  // alpha; below 0: chosen
  int exclusion = -1;          // g; below 0: the radius (0 for the literal algorithm)
  std::size_t batch = 0;       // questions between two updates of the model; 0: one a component
  std::size_t isolation = 5;   // rows further from their `isolation`-th neighbour than 3 medians are noise; 0: none
  double nomination_coupling = -1.0;   // J in nats; below 0: by maximum pseudo-likelihood, at most 4
  double propagation_coupling = 16.0;  // J in nats for the segments shown to people
  double floor = 1e-3;                 // least variance, as a share of that of all rows
};

template <class V>
void visit_fields(V& v, DiscoverOptions& o) {
  v("strategy", o.strategy, Choices{{"temporal", "static", "literal", "interleave", "nndm", "random"}},
    "temporal: the model over time nominates; static: a model that does not look at time; literal: as published, "
    "without exclusion; interleave, nndm, random: to compare with");
  v("radius", o.radius, Range<std::size_t>{0, 1'000'000},
    "half the length of the events you look for, in rows; 0: chosen from the data");
  v("components", o.components, Range<std::size_t>{0, 200}, "of the background; 0: chosen from the data");
  v("label_weight", o.label_weight, Range<double>{-1.0, 0.99},
    "share of a class's parameters that answers decide at least; below 0: 0.02 with exclusion, else 0.1");
  v("exclusion", o.exclusion, Range<int>{-1, 1'000'000},
    "never ask within this many rows of an answer; below 0: the radius");
  v("batch", o.batch, Range<std::size_t>{0, 10'000}, "questions between two updates of the model; 0: one a component");
  v("isolation", o.isolation, Range<std::size_t>{0, 100},
    "leave single odd rows for last: those far from this many nearest rows; 0: do not");
  v("nomination_coupling", o.nomination_coupling, Range<double>{-1.0, 1e6},
    "pull of neighbours in nats when choosing questions; below 0: from the data");
  v("propagation_coupling", o.propagation_coupling, Range<double>{0.0, 1e6},
    "pull of neighbours in nats when answers spread to segments");
  v("floor", o.floor, Range<double>{1e-9, 1.0}, "least variance, as a share of that of all rows");
}

}  // namespace motet::discover
