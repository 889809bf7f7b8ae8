#include "motet/engine/cross_fit.h"

#include <algorithm>
#include <mutex>
#include <string>

#include "motet/base/error.h"

namespace motet {
namespace {

// What a fit of a part runs in.
RunContext inner_run(const RunContext& run, bool is_alone) {
  RunContext inner = run;
  inner.save = {};
  inner.resume = {};
  if (is_alone) return inner;
  inner.threads = {1};
  inner.observer = {};  // they would speak at the same time
  return inner;
}

class Tasks {
 public:
  Tasks(const Parts& parts, const CrossFitRule& rule, const RunContext& run)
      : parts_(parts), rule_(rule), run_(run), count_(rule.rounds * parts.count) {}

  // body(task, part, run of the fit): true when there was something to do.
  template <class Body>
  void go(const Body& body) {
    const std::size_t workers = std::min(rule_.at_a_time, worker_count(run_.threads, count_));
    const RunContext inner = inner_run(run_, workers <= 1);
    const auto one = [&](std::size_t task) {
      require_time();
      const std::size_t part = task % parts_.count;
      const std::vector<std::uint32_t> unseen = parts_.rows_of(part);
      if (unseen.empty()) return;
      const std::vector<std::uint32_t> seen = parts_.others(part);
      tell(body(task, HeldOutPart{task / parts_.count, part, seen, unseen}, inner));
    };
    if (workers > 1) {
      Threads side_by_side = run_.threads;
      side_by_side.count = static_cast<unsigned>(workers);
      return for_each_task(count_, side_by_side, one);
    }
    for (std::size_t task = 0; task < count_; ++task) one(task);  // the first error ends it
  }

  // A fit that was cut short is none.
  void require_time() const {
    if (rule_.doing.empty() || !run_.cancelled()) return;
    fail(ErrorKind::interrupted, "interrupted while " + std::string(rule_.doing));
  }

 private:
  void tell(bool is_new) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++done_;
    if (!is_new || rule_.unit.empty() || !run_.observer) return;
    run_.observer({rule_.doing, static_cast<double>(done_), static_cast<double>(count_), rule_.unit});
  }

  const Parts& parts_;
  const CrossFitRule& rule_;
  const RunContext& run_;
  std::size_t count_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

}  // namespace

void cross_fit(const Parts& parts, const CrossFitRule& rule, const RunContext& run, KeptTasks& kept,
               std::size_t first_task, const FitPart& fit, const TakePart& take) {
  Tasks tasks(parts, rule, run);
  try {
    tasks.go([&](std::size_t task, const HeldOutPart& part, const RunContext& inner) {
      if (const std::vector<double>* const before = kept.find(first_task + task)) {
        take(part, *before);
        return false;
      }
      std::vector<double> numbers = fit(part, inner);
      tasks.require_time();
      take(part, numbers);
      if (!run.cancelled()) kept.add(first_task + task, std::move(numbers));
      return true;
    });
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) kept.stop();
    throw;
  }
}

void cross_fit(const Parts& parts, const CrossFitRule& rule, const RunContext& run, const FitWhole& fit) {
  Tasks(parts, rule, run).go([&](std::size_t, const HeldOutPart& part, const RunContext& inner) {
    fit(part, inner);
    return true;
  });
}

}  // namespace motet
