// One dimension of one source, for pairs of family and combination without a closed form.
#pragma once

#include <cstddef>
#include <vector>

#include "motet/sources/family_fit.h"
#include "motet/sources/sources.h"

namespace motet {

struct Marginal {
  Family family = Family::gaussian;
  double location = 0.0;  // as in Sources
  double spread = 1.0;    // gaussian, lognormal: standard deviation; else what all sources share

  double log_density(double x) const;
  double log_survival(double x) const;  // log P(xi > x)
  double quantile(double level) const;  // of the continuous families, 0 < level < 1
  MeanVariance moments() const;
  MeanVariance moments_above(double x) const;  // given xi > x
};

// Of a Gaussian source its dimensions are to be independent, see require_density.
Marginal marginal_of(const Sources& sources, std::size_t source, std::size_t dimension);

// Mean and variance of a source's emission before any item is seen, dimension by dimension.
std::vector<MeanVariance> source_moments(const Sources& sources, std::size_t source);

double normal_log_survival(double z);  // log P(N(0, 1) > z), also where the probability is no double

}  // namespace motet
