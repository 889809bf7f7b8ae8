// How a search for rare classes goes: what decides the next question.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "motet/base/fields.h"
#include "motet/temporal/mixture/mixture.h"

namespace motet::discover {

// temporal: each component of a mixture with a field over time nominates the row that
// fits it least (Algorithm 6.1, erratum E1). static_mixture: the same without the field.
// As published, to compare with: literal is Algorithm 6.1, line by line: the literal energy, seeds (6.1) to (6.4), EM
// to convergence, no exclusion. static_gmm: the same without the field (Static-GMM of chapter 7). interleave: one
// component per class, fixed beforehand. nndm: the row where the density of neighbours falls off most sharply.
// random: any row.
// adaptive: several ways of asking, the more often the more classes they found (questions/asking.h); distance,
// farthest_first, isolation_forest, energy and density are such ways by themselves. grid: rows evenly apart.
enum class Strategy {
  temporal,
  static_mixture,
  literal,
  interleave,
  nndm,
  random,
  static_gmm,
  adaptive,
  farthest_first,
  isolation_forest,
  energy,
  density,
  grid,
  distance
};
std::string_view name_of(Strategy strategy);

// literal, static_gmm, interleave: rounds of EM to convergence, no floor worth speaking of.
bool is_as_published(Strategy strategy);

// The rows of a component that nobody asks by need not be brought up to date after each answer.
bool asks_by_mixture(Strategy strategy);
// The first three as temporal::MixtureCovariance; `chosen` becomes one of them when a search starts.
enum class CovarianceChoice { full, diagonal, tied, chosen };

struct DiscoverOptions {
  Strategy strategy = Strategy::adaptive;
  std::size_t radius = 0;  // h; 0: chosen from the data
  bool unordered = false;
  std::size_t components = 0;  // K0; 0: chosen from the data
  double label_weight = -1.0;  // alpha; below 0: chosen
  int exclusion = -1;          // g; below 0: the radius (0 for the literal algorithm)
  std::size_t batch = 0;       // questions between two updates of the model; 0: one per component
  std::size_t isolation = 5;   // rows further from their `isolation`-th neighbour than 3 medians are noise; 0: none
  double nomination_coupling = -1.0;   // J in nats; below 0: by maximum pseudo-likelihood, at most 4
  double propagation_coupling = 16.0;  // J in nats for the segments shown to people
  std::optional<double> floor{};       // least variance, as a share of that of all rows; none: chosen
  temporal::WeightShape weights = temporal::WeightShape::linear;  // f_h of (5.27)
  std::string weight_values{};                                    // of custom weights, for distance 1, 2 ...
  CovarianceChoice covariance = CovarianceChoice::chosen;
};

template <class V>
void visit_fields(V& v, DiscoverOptions& o) {
  v("strategy", o.strategy,
    Choices{{"temporal", "static", "literal", "interleave", "nndm", "random", "static-gmm", "adaptive",
             "farthest-first", "isolation-forest", "energy", "density", "grid", "distance"}},
    "adaptive: rows unlike the rest and unlike what was answered, in ways that take turns by what they found; "
    "distance, farthest-first, isolation-forest, energy, density: one way alone; temporal, static: each component of a "
    "mixture "
    "nominates, with or without a pull of neighbours; literal: Algorithm 6.1 as published; static-gmm, interleave, "
    "nndm: "
    "as published too; random; grid: evenly, to compare with");
  v("radius", o.radius, Range<std::size_t>{0, 1'000'000},
    "half the length of the events you look for, in rows; 0: chosen from the data");
  v("unordered", o.unordered,
    "rows are in no order of time: no radius, no exclusion; found by itself where neighbouring rows are as unlike as "
    "any");
  v("components", o.components, Range<std::size_t>{0, 200}, "of the background; 0: chosen from the data");
  v("label_weight", o.label_weight, Range<double>{-1.0, 0.99},
    "share of a class's parameters that answers decide at least; below 0: 0.02 with exclusion, else 0.1");
  v("exclusion", o.exclusion, Range<int>{-1, 1'000'000},
    "never ask within this many rows of an answer; below 0: the radius");
  v("batch", o.batch, Range<std::size_t>{0, 10'000},
    "questions between two updates of the model; 0: one per component");
  v("isolation", o.isolation, Range<std::size_t>{0, 100},
    "leave single odd rows for last: those far from this many nearest rows; 0: do not");
  v("nomination_coupling", o.nomination_coupling, Range<double>{-1.0, 1e6},
    "pull of neighbours in nats when choosing questions; below 0: from the data");
  v("propagation_coupling", o.propagation_coupling, Range<double>{0.0, 1e6},
    "pull of neighbours in nats when answers spread to segments");
  v("floor", o.floor, Range<double>{1e-9, 1.0},
    "least variance, as a share of that of all rows; auto: 0.001, and 1e-9 for literal, static-gmm and interleave");
  v("weights", o.weights, Choices{{"linear", "quadratic", "gaussian", "custom"}},
    "how the pull of neighbours falls off with distance; custom: as --weight-values say");
  v("weight_values", o.weight_values, Text{"W1,W2,..."},
    "weight of a neighbour at distance 1, 2 ... for custom weights; their number is the radius");
  v("covariance", o.covariance, Choices{{"full", "diagonal", "tied", "auto"}},
    "of the components; auto: tied for temporal and static, full for the others, as published");
}

// What is asked within, coarse to fine: the exclusion, and for strategies that are not published its halves down to 0.
std::vector<std::size_t> exclusion_levels(const DiscoverOptions& options);

}  // namespace motet::discover
