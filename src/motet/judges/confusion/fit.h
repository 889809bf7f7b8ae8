// One fit of the confusion model: starts, EM, and the guard against swapped classes.
#pragma once

#include <string>
#include <vector>

#include "motet/engine/em.h"
#include "motet/judges/confusion/confusion_em.h"

namespace motet::judges {

struct ConfusionFit {
  EmResult result;
  std::vector<std::string> starts;  // names of what was tried
  std::size_t winner = 0;
  bool relabelled = false;  // the classes had been swapped and were put back
};

// Starts, in this order: vote shares, equal accuracies, annealed, then random ones.
// Which class is called what cannot be told from votes alone; the fit is named such
// that judges are right as often as possible, and ends in which the votes are worse
// than chance lose against others.
ConfusionFit fit_confusion(const VoteTable& table, const ConfusionSpec& spec, std::size_t start_count,
                           const EmRule& rule, const RunContext& run, std::string_view stage = {});

}  // namespace motet::judges
