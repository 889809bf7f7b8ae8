#include "motet/engine/kept_tasks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/parallel.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::kept_tasks_test {
namespace {

struct Job {
  RunContext run;
  Checkpoint kept;
  std::size_t taken = 0;

  explicit Job(Checkpoint from = {}) : kept(std::move(from)) {
    run.save = [this](const Checkpoint& state) { kept = state; };
    run.resume = [this](std::string_view stage) { return kept.stage == stage ? &kept : nullptr; };
  }

  // Four tasks of growing size; `stop_at` is interrupted.
  std::vector<double> go(std::size_t stop_at = 99) {
    std::vector<double> all;
    KeptTasks tasks(run, "job");
    for (std::size_t i = 0; i < 4; ++i) {
      const std::vector<double> part = tasks.once(i, [&] {
        if (i == stop_at) fail(ErrorKind::interrupted, "interrupted");
        ++taken;
        return std::vector<double>(i, 10.0 * static_cast<double>(i));
      });
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
};

TEST(KeptTasks, AJobTakenUpAgainRepeatsNothingAndEndsTheSame) {
  Job whole;
  const std::vector<double> expected = whole.go();
  EXPECT_EQ(expected, (std::vector<double>{10, 20, 20, 30, 30, 30}));
  Job first;
  EXPECT_THROW(first.go(2), Error);
  EXPECT_EQ(first.taken, 2U);
  EXPECT_TRUE(first.kept.urgent);
  Job second(first.kept);
  EXPECT_EQ(second.go(), expected);
  EXPECT_EQ(second.taken, 2U);
}

TEST(KeptTasks, ATaskDuringWhichTheRunWasCancelledIsNotKept) {
  Job job;
  CancelFlag cancel;
  job.run.cancel = &cancel;
  KeptTasks tasks(job.run, "job");
  tasks.once(0, [] { return std::vector<double>{1.0}; });
  cancel.set(2);
  tasks.once(1, [] { return std::vector<double>{2.0}; });
  EXPECT_EQ(job.kept.parameters, (std::vector<double>{0.0, 1.0, 1.0}));
}

TEST(KeptTasks, ThreadsMayFinishTasksInAnyOrder) {
  Job job;
  KeptTasks tasks(job.run, "job");
  for_each_task(40, StartedThreads(4), [&](std::size_t task) {
    tasks.add(task, {static_cast<double>(task), -INFINITY});
  });
  Job later(job.kept);
  const KeptTasks again(later.run, "job");
  for (std::size_t task = 0; task < 40; ++task) {
    ASSERT_NE(again.find(task), nullptr);
    EXPECT_EQ(*again.find(task), (std::vector<double>{static_cast<double>(task), -INFINITY}));
  }
  EXPECT_EQ(again.find(40), nullptr);
}

TEST(KeptTasks, ADamagedCheckpointIsRefused) {
  Job job(Checkpoint{"job", 1, {0.0, 5.0, 1.0}, {}});
  EXPECT_EQ(error_of([&] { job.go(); }, ErrorKind::bad_data), "the checkpoint is damaged; start without --resume");
}

}  // namespace
}  // namespace motet::kept_tasks_test
