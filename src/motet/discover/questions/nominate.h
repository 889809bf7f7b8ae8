// The next batch of questions (6.2.2).
//
// Each component lists the unanswered rows it owns, least likely first (erratum E1),
// and the components take turns; an empty list is passed over (A3). No row is asked
// within g rows of an answer or of another question of the batch. Rows that look like
// noise come after all others, and rows that were answered with "not sure" after those.
// The strategies nndm, random and grid go through the rows in their own order instead, others by a score of each row
// (asking.h). Where these have covered everything, they go on with half the exclusion, and so on: shorter events.
#pragma once

#include "motet/discover/discovery.h"

namespace motet::discover {

// Densities and states of the discovery, or its scout, must be up to date.
std::vector<Nomination> nominate(const Features& features, const Discovery& discovery, Threads threads);

// Evenly through the recordings, with as few rows as the guarantee takes, by lot.
std::vector<std::uint32_t> grid_order(const Features& features, std::size_t g, Seed seed);

// Questions between two updates when the options do not say.
std::size_t batch_size(const Discovery& discovery);

}  // namespace motet::discover
