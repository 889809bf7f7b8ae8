#include "motet/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "motet/base/rng.h"
#include "support/threads.h"

namespace motet::parallel_test {
namespace {

TEST(Parallel, EveryTaskRunsOnce) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::vector<std::atomic<int>> ran(100);
    for_each_task(100, StartedThreads(threads), [&](std::size_t task) { ++ran[task]; });
    for (const auto& count : ran) EXPECT_EQ(count, 1);
  }
}

TEST(Parallel, SumsHaveTheSameBitsForAnyThreadCountAndAnyTaskCount) {
  for (const std::size_t tasks : {0U, 1U, 2U, 3U, 7U, 64U, 65U, 1000U}) {
    const auto leaf = [](std::size_t task, std::span<double> sums) {
      Rng rng = Rng(Seed{7}).child(task);
      for (double& sum : sums) sum += rng.normal() * 1e8 + rng.normal();  // where order would show
    };
    const std::vector<double> one = sum_over_tasks(tasks, 3, {1}, leaf);
    ASSERT_EQ(one.size(), 3U);
    for (const unsigned threads : {2U, 3U, 4U, 8U}) {
      std::atomic<std::size_t> started{0};
      EXPECT_EQ(sum_over_tasks(tasks, 3, {threads, false, nullptr, &started}, leaf), one)
          << tasks << " tasks, " << threads << " threads";
      EXPECT_EQ(started > 0, tasks > 1);
    }
  }
}

TEST(Parallel, SumIsRight) {
  const auto leaf = [](std::size_t task, std::span<double> sums) { sums[0] += static_cast<double>(task); };
  EXPECT_EQ(sum_over_tasks(101, 1, {3}, leaf)[0], 5050.0);
}

TEST(Parallel, ErrorOfTheLowestTaskIsReported) {
  for (const unsigned threads : {1U, 4U}) {
    try {
      for_each_task(50, {threads}, [](std::size_t task) {
        if (task % 10 == 3) throw std::runtime_error(std::to_string(task));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "3");
    }
  }
}

TEST(ThreadsFor, SmallWorkIsDoneByOne) {
  EXPECT_EQ(threads_for({4}, 1e3).count, 1U);
  EXPECT_EQ(threads_for({4}, 1e9).count, 4U);
  EXPECT_EQ(threads_for({0}, 1e9).count, 0U);
}

TEST(ThreadsFor, SmallWorkIsDividedWhereThatIsAskedFor) {
  StartedThreads four(4);
  const Threads small = threads_for(four, 1.0);
  EXPECT_EQ(small.count, 4U);
  for_each_task(4, small, [](std::size_t) {});
}

TEST(Parallel, ThreadsBesideTheCallerAreCounted) {
  std::atomic<std::size_t> started{0};
  for_each_task(10, {3, false, nullptr, &started}, [](std::size_t) {});
  EXPECT_EQ(started, 2U);
  for_each_task(1, {3, false, nullptr, &started}, [](std::size_t) {});
  EXPECT_EQ(started, 2U);  // one task needs no one else
}

class CountedCollective final : public Collective {
 public:
  std::vector<double> sum(std::size_t task_count, std::size_t size, Threads threads,
                          const SumTask& task) const override {
    ++asked;
    EXPECT_EQ(threads.collective, nullptr);
    return sum_over_tasks(task_count, size, threads, task);
  }
  mutable int asked = 0;
};

TEST(Parallel, SumsOverItemsAskTheCollectiveAndOthersDoNot) {
  const CountedCollective collective;
  const auto leaf = [](std::size_t task, std::span<double> sums) { sums[0] += static_cast<double>(task); };
  const Threads threads{2, false, &collective, nullptr};
  EXPECT_EQ(sum_over_tasks(5, 1, threads, leaf)[0], 10.0);
  EXPECT_EQ(collective.asked, 1);
  EXPECT_EQ(sum_over_tasks(5, 1, threads_for(threads, 1.0), leaf)[0], 10.0);
  EXPECT_EQ(collective.asked, 2);  // however small the work
  EXPECT_EQ(sum_over_tasks(5, 1, threads.here(), leaf)[0], 10.0);
  EXPECT_EQ(collective.asked, 2);
}

}  // namespace
}  // namespace motet::parallel_test
