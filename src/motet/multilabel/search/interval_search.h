// Branch and bound where what a set's density depends on adds up over its labels, dimension by
// dimension.
//
//   gaussian     means and variances (diagonal covariances)
//   poisson      rates               exponential  rates
//   gamma        shapes              bernoulli    or: -log(1 - b)   and: -log b
//
// Below a node with r labels still to come a sum lies between those of the r least and of the r
// largest values left. A Gaussian then costs at least log s + q / s over the interval of variances,
// q the squared distance of x from the interval of means: least at s = q, or the end nearest to it.
// The other families have log densities that fall on both sides of one mode: the point of the
// interval nearest to the mode is best. So a branch that is cut cannot hold a better set.
#pragma once

#include <memory>

#include "motet/multilabel/search/search_terms.h"
#include "motet/sources/sources.h"

namespace motet::multilabel {

// Gaussian, with covariances and noise that have no entry off the diagonal.
bool is_diagonal(const Sources& sources);

std::unique_ptr<const SearchPlan> make_interval_plan(const Sources& sources, const SearchTerms& terms);

}  // namespace motet::multilabel
