// Tasks that threads finish in any order, kept in a checkpoint with the numbers they gave: a run that is
// taken up again repeats none of them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include "motet/base/run.h"

namespace motet {

class KeptTasks {
 public:
  // Takes up what the run has kept of this stage; throws Error{bad_data} if that is damaged.
  KeptTasks(const RunContext& run, std::string_view stage);

  // Null unless a run before this one has finished the task. Numbers may be -inf, but not NaN.
  const std::vector<double>* find(std::size_t task) const;

  // What the task gave before, else what `compute` gives now. A task that ends by an interruption (an Error, or
  // a cancelled run) is not kept, those before it are.
  std::vector<double> once(std::size_t task, const std::function<std::vector<double>()>& compute);

  // Safe to call from several threads.
  void add(std::size_t task, std::vector<double> numbers);

  // The run ends here: writes what is finished, whatever the clock says.
  void stop();

 private:
  void save(bool urgent);

  const RunContext& run_;
  std::string_view stage_;
  std::map<std::size_t, std::vector<double>> before_;  // of an earlier run
  std::map<std::size_t, std::vector<double>> done_;
  std::mutex mutex_;
};

}  // namespace motet
