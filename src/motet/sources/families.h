// The families of families/, one function each.
#pragma once

#include "motet/sources/family.h"

namespace motet {

SourceFamily gaussian_family();
SourceFamily bernoulli_family();
SourceFamily exponential_family();
SourceFamily gamma_family();
SourceFamily poisson_family();
SourceFamily lognormal_family();
SourceFamily negative_binomial_family();

}  // namespace motet
