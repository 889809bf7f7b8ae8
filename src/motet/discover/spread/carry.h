// Answers of one project as examples for another: classes learned once are recognised elsewhere.
//
// An answer goes along as the mean of the smoothed rows that looked alike around it, in the units of the columns: what
// a sound is does not depend on the background it was met in, which whitening does. Both projects have the same
// columns.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motet/discover/discovery.h"
#include "motet/discover/spread/examples.h"

namespace motet::discover {

// All answers that say something, and what the project had taken along itself.
Carried carried_answers(const Features& features, const Discovery& discovery, const std::string& project,
                        const RunContext& run);

// The names of classes with those of carried examples that are not among them.
std::vector<std::string> with_carried(std::vector<std::string> classes, const Carried& carried);

// Carried examples in the units of these rows, of classes by their place in `names`.
void add_carried(const WhitenedRows& whitened, const Carried& carried, std::span<const std::string> names,
                 std::vector<Example>& examples);

}  // namespace motet::discover
