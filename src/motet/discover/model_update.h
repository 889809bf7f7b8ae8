// What the answers of a batch change in the model.
#pragma once

#include "motet/base/parallel.h"
#include "motet/discover/discovery.h"

namespace motet::discover {

// Densities and states under the mixture as it is, with the answers heeded. The states then are the components
// that own the rows: a fixed point of iterated conditional modes is the argmax of the responsibilities.
void bring_states(const Features& features, Discovery& discovery, Threads threads);

// The likeliest component of each row, from `first_row` on: where rows that were not seen before begin.
void take_states(const Features& features, Discovery& discovery, std::size_t first_row, Threads threads);

// EM iterations from the present mixture and states until the objective rises by less than `rise` per row, at
// most `most`. Densities and states are those of the last mixture.
void fit_further(const Features& features, Discovery& discovery, std::size_t most, double rise, Threads threads);

// What a batch of answers moves: one iteration; as published, iterations until the objective changes by less than
// 1e-6 per row, at most 100 (Algorithm 6.1, lines 7 to 11).
void update_model(const Features& features, Discovery& discovery, Threads threads);

// A component for a class that was just seen for the first time (6.1) to (6.4), or for interleave one of
// those made beforehand. Throws Error{usage} when there are 255 already.
void add_class(const Features& features, Discovery& discovery, const std::string& name, std::size_t row,
               Threads threads);

// Forgets classes without answers, and their components.
void drop_unanswered_classes(const Features& features, Discovery& discovery);

}  // namespace motet::discover
