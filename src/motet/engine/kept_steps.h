// The steps of a long job, kept in a checkpoint: a job that is taken up again repeats none of those it
// had done. Steps come in a fixed order and each gives numbers; whatever follows from these is not kept.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "motet/base/run.h"

namespace motet {

class KeptSteps {
 public:
  // Takes up what the run has kept of this stage; throws Error{bad_data} if that is damaged.
  KeptSteps(const RunContext& run, std::string stage);

  // What the next step gives: as it was kept, or by taking it. A step that ends by an interruption
  // (an Error, or a cancelled run) is not kept, those before it are.
  std::vector<double> next(const std::function<std::vector<double>()>& step);

 private:
  void save(bool urgent);

  const RunContext& run_;
  Checkpoint state_;
  std::size_t place_ = 0;  // in the numbers that were kept
  std::size_t kept_ = 0;   // numbers a run before this one has left
};

}  // namespace motet
