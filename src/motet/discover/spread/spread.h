// How answers spread to rows that nobody was asked about: stretches that look like a class, each with the chance
// that it touches an event of it.
//
// Everything follows from the rows, the radius and the answers; nothing of it is saved. The work is that of whitening
// (O(N D^2), once for the rows: keep WhitenedRows and hand it on where answers come one after the other), of eleven
// regressions on some thousands of rows, and O(N C D) for the scores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/discover/discovery.h"
#include "motet/discover/questions/propagate.h"
#include "motet/discover/spread/chance.h"
#include "motet/discover/spread/stretches.h"

namespace motet::discover {

struct Spread {
  std::vector<std::string> classes;      // those of the mixture, then those of another project that nobody has met here
  std::vector<SpreadStretch> stretches;  // in the order of rows; no two share a row
  Correction correction;
  std::size_t tried = 0;  // answers that the correction was learned from
};

// corrected: by the answers of this search, which takes ten more regressions. as_learned: as other recordings have
// taught.
enum class ChanceRule : std::uint8_t { corrected, as_learned };

Spread spread_answers(const Features& features, const Discovery& discovery, const RunContext& run,
                      ChanceRule rule = ChanceRule::corrected);
Spread spread_answers(const WhitenedRows& whitened, const Features& features, const Discovery& discovery,
                      const RunContext& run, ChanceRule rule = ChanceRule::corrected);

// The chance from which a stretch is shown to people and exported. Where chances are what they say, at least four in
// five of the segments then touch an event of their class: the few near the threshold are outweighed by those far
// above.
constexpr double usual_threshold = 0.6;

// Rows of stretches with at least this chance, or with an answer, have the class of their stretch; all others are
// background.
Propagation rows_of_stretches(const Spread& spread, std::size_t rows, double threshold);

}  // namespace motet::discover
