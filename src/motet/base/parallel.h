// The only place that starts threads.
//
// Work comes as numbered tasks whose boundaries depend on the data alone, and
// partial sums are merged along a fixed binary tree over the task numbers. A sum
// of doubles therefore has the same bits with 1 thread and with 64.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace motet {

struct Threads {
  unsigned count = 0;  // 0 means one a hardware thread
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
std::vector<double> sum_over_tasks(std::size_t task_count, std::size_t size, Threads threads,
                                   const std::function<void(std::size_t, std::span<double>)>& leaf);

}  // namespace motet
