#include "motet/engine/kept_tasks.h"

#include <limits>
#include <string>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet {
namespace {

constexpr double written_nothing = std::numeric_limits<double>::lowest();  // a file has no infinity

}  // namespace

// A task is its number, how many numbers it gave, and these.
KeptTasks::KeptTasks(const RunContext& run, std::string_view stage) : run_(run), stage_(stage) {
  const Checkpoint* const kept = run.resume ? run.resume(stage) : nullptr;
  if (kept == nullptr) return;
  const std::vector<double>& numbers = kept->parameters;
  for (std::size_t at = 0; at < numbers.size();) {
    const double left = static_cast<double>(numbers.size() - at) - 2.0;
    if (left < 0.0 || !(numbers[at] >= 0.0) || !(numbers[at + 1] >= 0.0 && numbers[at + 1] <= left)) {
      fail(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume");
    }
    std::vector<double>& task = before_[static_cast<std::size_t>(numbers[at])];
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(at) + 2;
    task.assign(first, first + static_cast<std::ptrdiff_t>(numbers[at + 1]));
    for (double& number : task) number = number == written_nothing ? -infinity : number;
    at += 2 + task.size();
  }
  done_ = before_;
}

const std::vector<double>* KeptTasks::find(std::size_t task) const {
  const auto found = before_.find(task);
  return found == before_.end() ? nullptr : &found->second;
}

std::vector<double> KeptTasks::once(std::size_t task, const std::function<std::vector<double>()>& compute) {
  if (const std::vector<double>* const before = find(task)) return *before;
  std::vector<double> found;
  try {
    found = compute();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) stop();
    throw;
  }
  run_.cancelled() ? stop() : add(task, found);
  return found;
}

void KeptTasks::add(std::size_t task, std::vector<double> numbers) {
  if (!run_.save) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  done_[task] = std::move(numbers);
  save(false);
}

void KeptTasks::stop() {
  if (!run_.save) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  save(true);
}

void KeptTasks::save(bool urgent) {
  Checkpoint state{std::string(stage_), done_.size(), {}, {}, urgent};
  for (const auto& [task, numbers] : done_) {
    state.parameters.push_back(static_cast<double>(task));
    state.parameters.push_back(static_cast<double>(numbers.size()));
    for (const double number : numbers) state.parameters.push_back(number == -infinity ? written_nothing : number);
  }
  run_.save(state);
}

}  // namespace motet
