#include "motet/engine/cross_fit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <numeric>

#include "support/cancelled.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::cross_fit_test {
namespace {

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

// A "fit" is the sum over the seen rows; asked about a row it adds the row's number, and in a later round more.
struct SumFit {
  const Parts& parts;
  std::size_t rounds = 1;
  std::vector<double> said = std::vector<double>(parts.of_row.size() * rounds);
  std::atomic<std::size_t> fits = 0;

  void go(const CrossFitRule& rule, const RunContext& run, std::size_t first_task = 0) {
    KeptTasks kept(run, "sums");
    cross_fit(
        parts, rule, run, kept, first_task,
        [&](const HeldOutPart& part, const RunContext&) {
          ++fits;
          const double sum = std::accumulate(part.seen.begin(), part.seen.end(), 0.0);
          std::vector<double> numbers;
          for (const std::uint32_t n : part.unseen)
            numbers.push_back(sum + n + 1000.0 * static_cast<double>(part.round));
          return numbers;
        },
        [&](const HeldOutPart& part, std::span<const double> numbers) {
          ASSERT_EQ(numbers.size(), part.unseen.size());
          for (std::size_t i = 0; i < numbers.size(); ++i) {
            said[part.round * parts.of_row.size() + part.unseen[i]] = numbers[i];
          }
        });
  }
};

TEST(CrossFit, EveryRowIsAskedOfAFitThatDidNotSeeIt) {
  const Parts parts = given_parts({0, 2, 2, 0, 4});  // 1 and 3 are empty
  SumFit fit{parts};
  fit.go({}, {});
  EXPECT_EQ(fit.fits, 3U);
  const double all = 0 + 1 + 2 + 3 + 4;
  EXPECT_EQ(fit.said, (std::vector<double>{all - 3 + 0, all - 3 + 1, all - 3 + 2, all - 3 + 3, all - 4 + 4}));
}

TEST(CrossFit, TheResultIsTheSameOnAnyNumberOfThreadsAndFitsAtATime) {
  const Parts parts = random_parts(200, 13, Rng(Seed{1}));
  std::vector<double> expected;
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const std::size_t at_a_time : {std::size_t{1}, std::size_t{2}, any_number}) {
      const bool is_alone = at_a_time == 1;  // has all threads, and adds nothing that could be shared out
      StartedThreads started(is_alone ? 1 : threads);
      RunContext run;
      run.threads = is_alone ? Threads{threads} : started;
      SumFit fit{parts, 3};
      fit.go({"adding", "fits", 3, at_a_time}, run);
      EXPECT_EQ(fit.fits, 39U);
      if (expected.empty()) expected = fit.said;
      EXPECT_EQ(fit.said, expected) << threads << " " << at_a_time;
    }
  }
}

TEST(CrossFit, FitsSideBySideHaveOneThreadAndFitsAloneHaveAll) {
  const Parts parts = random_parts(20, 4, Rng(Seed{1}));
  RunContext run;
  run.threads = {4};
  run.save = [](const Checkpoint&) {};
  run.observer = [](const Progress&) {};
  for (const bool alone : {true, false}) {
    cross_fit(parts, {.at_a_time = alone ? 1 : any_number}, run, [&](const HeldOutPart&, const RunContext& inner) {
      EXPECT_EQ(inner.threads.count, alone ? 4U : 1U);
      EXPECT_FALSE(inner.save);  // the checkpoint is that of the whole
      EXPECT_EQ(static_cast<bool>(inner.observer), alone);
    });
  }
}

// A run that is cancelled in its fifth fit; what it had finished is in `kept`.
struct Interrupted : StoppedRun {
  Parts parts = random_parts(60, 4, Rng(Seed{1}));

  Interrupted() {
    run.threads = {1};
    run.resume = [this](std::string_view stage) { return kept.stage == stage ? &kept : nullptr; };
  }
};

TEST(CrossFit, AnInterruptedRunKeepsFinishedPartsAndRepeatsNone) {
  Interrupted world;
  SumFit whole{world.parts, 2};
  whole.go({"adding", "fits", 2}, {});
  SumFit first{world.parts, 2};
  world.run.observer = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "adding");
    EXPECT_EQ(progress.total, 8.0);
    if (progress.done == 5.0) world.cancel.set(2);
  };
  EXPECT_EQ(error_of(
                [&] {
                  first.go({"adding", "fits", 2}, world.run);
                },
                ErrorKind::interrupted),
            "interrupted while adding");
  EXPECT_EQ(first.fits, 5U);
  EXPECT_TRUE(world.kept.urgent);
  world.cancel.set(0);
  world.run.observer = {};
  SumFit second{world.parts, 2};
  second.go({"adding", "fits", 2}, world.run);
  EXPECT_EQ(second.fits, 3U);
  EXPECT_EQ(second.said, whole.said);
}

TEST(CrossFit, SeveralCrossFitsShareOneCheckpoint) {
  Interrupted world;
  SumFit first{world.parts};
  first.go({}, world.run);
  SumFit second{world.parts};
  second.go({}, world.run, 4);
  EXPECT_EQ(second.fits, 4U);  // not those of the first
  SumFit again{world.parts};
  again.go({}, world.run, 4);
  EXPECT_EQ(again.fits, 0U);
  EXPECT_EQ(again.said, second.said);
}

TEST(CrossFit, TheFirstErrorEndsFitsThatFollowEachOther) {
  const Parts parts = random_parts(20, 4, Rng(Seed{1}));
  std::size_t fits = 0;
  EXPECT_THROW(cross_fit(parts, {}, {},
                         [&](const HeldOutPart& part, const RunContext&) {
                           ++fits;
                           if (part.part == 1) fail(ErrorKind::unanswerable, "no");
                         }),
               Error);
  EXPECT_EQ(fits, 2U);
}

}  // namespace
}  // namespace motet::cross_fit_test
