// The only place that starts threads, and the only one that knows of other processes.
//
// Work comes as numbered tasks whose boundaries depend on the data alone, and
// partial sums are merged along a fixed binary tree over the task numbers. A sum
// of doubles therefore has the same bits with 1 thread and with 64, and on any number of ranks.
//
// The rule of the tasks: what is added up over items is added by sum_over_tasks, which asks the collective; what every
// process holds whole (parameters, label sets, columns) is added with Threads::here(). Whatever has a place of its
// own to write to (an item, a fold, a start) goes through for_each_task.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace motet {

using SumTask = std::function<void(std::size_t task, std::span<double> sums)>;
class Collective;

struct Threads {
  unsigned count = 0;                      // 0 means one for each hardware thread
  bool always = false;                     // also where the work does not repay starting them
  const Collective* collective = nullptr;  // who adds over the items of all processes; null: there is only this one
  std::atomic<std::size_t>* started = nullptr;  // counts the threads that were started beside the caller; may be null

  Threads here() const { return {count, always, nullptr, started}; }
};

// The tasks of a sum lie in several processes, each of which calls the same sums in the same order.
class Collective {
 public:
  virtual ~Collective() = default;

  // The sum over all tasks along the tree of sum_over_tasks, returned to every process. `task` is called for those that
  // lie in this process, on its `threads`.
  virtual std::vector<double> sum(std::size_t task_count, std::size_t size, Threads threads,
                                  const SumTask& task) const = 0;
};

std::size_t worker_count(Threads threads, std::size_t task_count);

// One thread where the work, in steps of about a nanosecond, would not repay starting more.
Threads threads_for(Threads threads, double work);

// Calls body(0) ... body(task_count - 1), each once. The error of the lowest
// failing task is rethrown, so a failing run reports the same error each time.
void for_each_task(std::size_t task_count, Threads threads, const std::function<void(std::size_t)>& body);

// leaf(task, sums): adds the task's share to sums, which arrives as zeros.
// Returns the sum over all tasks. A node is merged as soon as both its halves
// are there, so about (threads + log2 tasks) partial sums exist at a time.
std::vector<double> sum_over_tasks(std::size_t task_count, std::size_t size, Threads threads, const SumTask& leaf);

}  // namespace motet
