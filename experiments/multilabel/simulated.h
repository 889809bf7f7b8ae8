// Items drawn from known sources, trained and classified: what the figures of chapters 5 and 6 share.
#pragma once

#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/measure/label_sets.h"
#include "motet/multilabel/one_against_all.h"
#include "motet/multilabel/options.h"
#include "motet/sources/sources.h"

namespace motet::multilabel {

struct DrawnItems {
  BitMatrix sets;         // items x labels
  std::vector<double> x;  // items x D
};

// As many items of each set as `counts` says.
DrawnItems draw_items(const Sources& sources, const BitMatrix& sets, std::span<const std::size_t> counts,
                      const Rng& rng);
// Sets by lot with equal chances, each at least `least` times (else drawn again).
std::vector<std::size_t> draw_counts(std::size_t sets, std::size_t items, std::size_t least, Rng rng);

constexpr Training five_trainings[] = {Training::ignore, Training::fresh, Training::cross, Training::probabilistic,
                                       Training::deconvolution};

// Sources as a training sees them; of `new` one per set.
struct TrainedSources {
  Training method = Training::deconvolution;
  Sources sources;
  BitMatrix sets;                             // label sets of the training items, those of one label for `ignore`
  std::vector<double> counts;                 // their items
  std::optional<OneAgainstAll> against = {};  // of cross and probabilistic training
};
// Maximum likelihood, or covariances shrunk as by default.
TrainedSources train_drawn(const DrawnItems& items, const Sources& kind, Training method, bool shrunk,
                           const RunContext& run);

// Square of the error of each location: of sources, of `new` that of each set's combination.
std::vector<double> squared_errors(const TrainedSources& trained, const Sources& truth);

// The most probable set of each row among `candidates` (empty: those of the training items), by the
// combination of the sources; with the shares of the training items as prior when `use_prior`.
BitMatrix classify(const TrainedSources& trained, const BitMatrix& candidates, std::span<const double> x,
                   bool use_prior);

// The labels of each row that are more probable than not, each by itself (one_against_all.h).
BitMatrix classify_labels(const TrainedSources& trained, std::span<const double> x);

const char* word_of(Training method);

}  // namespace motet::multilabel
