// Learning from clips on several threads, with machines alone: ThreadSanitizer runs these tests, and it cannot see into
// the threads that XGBoost starts for itself.
#include "audio/scenes/study_cases.h"
#include "motet/audio/scenes/learner.h"
#include "support/threads.h"

namespace motet::audio::learning_threads_test {
namespace {

RunContext run_on(Threads threads) {
  RunContext run;
  run.threads = threads;
  return run;
}

TEST(LearningThreads, GiveTheSameMachine) {
  const Blobs blobs = class_blobs(60, 3, 5, 2.0);
  for (const LearnMethod method : {LearnMethod::svm_linear, LearnMethod::svm_rbf}) {
    StartedThreads four(4);
    const auto record = [&](Threads threads) {
      Learned learned = learn(blobs.rows, blobs.target, blobs.groups, {method, 5, 40}, run_on(threads));
      for (std::size_t d = 0; d < blobs.rows.width; ++d) learned.columns.push_back("x" + std::to_string(d));
      return to_record(learned);
    };
    EXPECT_EQ(record({1}), record(four));
  }
}

TEST(LearningThreads, WeighFeaturesAlike) {
  StartedThreads four(4);
  const Clips clips = clips_of(class_blobs(40, 2, 4, 1.0));
  const Study one = study(clips, quick(LearnMethod::svm_rbf), {});
  const Study other = study(clips, quick(LearnMethod::svm_rbf), run_on(four));
  EXPECT_EQ(one.ways[0].errors, other.ways[0].errors);
  EXPECT_EQ(one.importance[0].increase, other.importance[0].increase);
}

}  // namespace
}  // namespace motet::audio::learning_threads_test
