// What `auto` chose, kept in a checkpoint together with the state of the fit that follows: a run that is
// taken up again neither tries the ways once more nor fits from the start.
#pragma once

#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

class KeptChoice {
 public:
  KeptChoice(const RunContext& run, const std::vector<TrainOptions>& ways);

  // Those of an earlier run; empty when it had not come so far. Throws Error{bad_data} if they are damaged.
  std::vector<Trial> trials() const;

  // From here on what is saved has the trials in front; they are written at once.
  void keep(const std::vector<Trial>& trials);

  // For the fit of the chosen way. This object outlives it.
  RunContext fit_run();

 private:
  const RunContext& run_;
  const std::vector<TrainOptions>& ways_;
  const Checkpoint* kept_ = nullptr;
  std::vector<double> head_;  // of what is saved: how many trials, and their numbers
  Checkpoint fit_;            // of an earlier run
};

}  // namespace motet::multilabel
