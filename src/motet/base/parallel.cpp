#include "motet/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <mutex>
#include <thread>

namespace motet {
namespace {

// A complete binary tree over the tasks, root at 1, leaves at [width, 2 width).
// Tasks past the end are empty nodes: merging with one changes nothing.
class SumTree {
 public:
  explicit SumTree(std::size_t task_count)
      : width_(std::bit_ceil(std::max<std::size_t>(task_count, 1))), task_count_(task_count), sums_(2 * width_) {}

  // Stores a leaf and merges upwards while the other half is there already.
  void store(std::size_t task, std::vector<double> sum) {
    std::size_t node = width_ + task;
    while (node > 1) {
      const std::size_t sibling = node ^ 1U;
      std::vector<double> other;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (sums_[sibling].empty() && !is_void(sibling)) {
          sums_[node] = std::move(sum);
          return;
        }
        other = std::move(sums_[sibling]);
        sums_[sibling].clear();
      }
      sum = node < sibling ? merged(std::move(sum), other) : merged(std::move(other), sum);
      node /= 2;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    sums_[1] = std::move(sum);
  }

  std::vector<double> take_root() { return std::move(sums_[1]); }

 private:
  bool is_void(std::size_t node) const {  // no task below it
    std::size_t first = node;
    while (first < width_) first *= 2;
    return first - width_ >= task_count_;
  }

  static std::vector<double> merged(std::vector<double> left, const std::vector<double>& right) {
    if (left.empty()) return right;
    for (std::size_t i = 0; i < right.size(); ++i) left[i] += right[i];
    return left;
  }

  std::size_t width_;
  std::size_t task_count_;
  std::mutex mutex_;
  std::vector<std::vector<double>> sums_;
};

}  // namespace

std::size_t worker_count(Threads threads, std::size_t task_count) {
  const std::size_t wanted = threads.count == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads.count;
  return std::max<std::size_t>(1, std::min(wanted, task_count));
}

Threads threads_for(Threads threads, double work) {
  constexpr double least_work = 500'000.0;  // a thread costs some 50 microseconds to start and join
  if (work < least_work && !threads.always) threads.count = 1;
  return threads;
}

void for_each_task(std::size_t task_count, Threads threads, const std::function<void(std::size_t)>& body) {
  std::mutex error_mutex;
  std::exception_ptr error;
  std::size_t error_task = task_count;
  std::atomic<std::size_t> next_task{0};
  const auto work = [&] {
    for (std::size_t task = next_task++; task < task_count; task = next_task++) {
      try {
        body(task);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(error_mutex);
        if (task < error_task) {
          error_task = task;
          error = std::current_exception();
        }
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < worker_count(threads, task_count); ++i) helpers.emplace_back(work);
    if (threads.started != nullptr) *threads.started += helpers.size();
    work();
  }  // helpers join here
  if (error) std::rethrow_exception(error);
}

std::vector<double> sum_over_tasks(std::size_t task_count, std::size_t size, Threads threads, const SumTask& leaf) {
  if (threads.collective != nullptr) return threads.collective->sum(task_count, size, threads.here(), leaf);
  if (task_count == 0) return std::vector<double>(size, 0.0);
  SumTree tree(task_count);
  for_each_task(task_count, threads, [&](std::size_t task) {
    std::vector<double> sum(size, 0.0);
    leaf(task, sum);
    tree.store(task, std::move(sum));
  });
  return tree.take_root();
}

}  // namespace motet
