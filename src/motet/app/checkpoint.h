// Checkpoints of a long fit in a file: written whole or not at all, and only taken
// up again with the same data and options.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/base/run.h"
#include "motet/data/fingerprint.h"

namespace motet {

struct CheckpointOptions {
  std::string checkpoint;
  double checkpoint_every = 60.0;
  bool resume = false;
};

template <class V>
void visit_fields(V& v, CheckpointOptions& o) {
  v("checkpoint", o.checkpoint, Writes{"FILE"}, "keep the state of the fit here, to go on after an interruption");
  v("checkpoint_every", o.checkpoint_every, Range<double>{0.0, 1e6}, "seconds between two checkpoints");
  v("resume", o.resume, "go on from --checkpoint if it exists; else start");
}

class CheckpointFile {
 public:
  // `add_shaping` adds the data and the options that shape the answer; asked only when there is a file.
  CheckpointFile(const CheckpointOptions& options, const std::function<void(Fingerprint&)>& add_shaping);

  // Lets a run save here and, when asked to, resume from here. The file outlives the run.
  void attach(RunContext& run);

  // The fit is done: the checkpoint has served.
  void remove();

  // What to tell someone who interrupted the run.
  std::string how_to_go_on() const;

 private:
  void save(const Checkpoint& state);

  CheckpointOptions options_;
  std::string fingerprint_;
  std::optional<Checkpoint> kept_;
  std::chrono::steady_clock::time_point last_save_;
  bool saved_ = false;  // there is something to go on from
};

// One for a run that is to be kept, its seed among what shapes the answer.
std::shared_ptr<CheckpointFile> keep_checkpoints(const CheckpointOptions& options, RunContext& run,
                                                 const std::function<void(Fingerprint&)>& add_shaping);

// What `fit` gives; an interruption is told together with how to go on, or what would have kept the run.
template <class Fit>
auto fit_with(const CheckpointFile& checkpoint, const Fit& fit) {
  try {
    return fit();
  } catch (const Error& error) {
    const std::string advice = checkpoint.how_to_go_on();
    if (error.kind() != ErrorKind::interrupted || advice.empty()) throw;
    fail(ErrorKind::interrupted, error.what() + ("; " + advice));
  }
}

}  // namespace motet
