#include "motet/engine/kept_steps.h"

#include "motet/base/error.h"

namespace motet {

// The numbers of a step stand behind how many there are.
KeptSteps::KeptSteps(const RunContext& run, std::string stage) : run_(run) {
  state_.stage = std::move(stage);
  if (!run.resume) return;
  const Checkpoint* const kept = run.resume(state_.stage);
  if (kept == nullptr) return;
  state_ = *kept;
  kept_ = state_.parameters.size();
}

std::vector<double> KeptSteps::next(const std::function<std::vector<double>()>& step) {
  std::vector<double>& numbers = state_.parameters;
  if (place_ < kept_) {
    const double size = numbers[place_];
    if (!(size >= 0.0) || size > static_cast<double>(kept_ - place_ - 1)) {
      fail(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume");
    }
    const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(place_) + 1;
    place_ += 1 + static_cast<std::size_t>(size);
    return {from, numbers.begin() + static_cast<std::ptrdiff_t>(place_)};
  }
  std::vector<double> found;
  try {
    found = step();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) save(true);
    throw;
  }
  if (!run_.save) return found;
  if (run_.cancelled()) {
    save(true);
    return found;
  }
  numbers.push_back(static_cast<double>(found.size()));
  numbers.insert(numbers.end(), found.begin(), found.end());
  ++state_.iteration;
  save(false);
  return found;
}

void KeptSteps::save(bool urgent) {
  if (!run_.save) return;
  state_.urgent = urgent;
  run_.save(state_);
}

}  // namespace motet
