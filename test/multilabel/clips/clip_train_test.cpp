#include "motet/multilabel/clips/clip_train.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "multilabel/clips/clip_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::multilabel::clip_train_test {
namespace {

ClipFit fitted(const MadeClips& clips, ClipTraining training, const RunContext& run = {}) {
  ClipOptions options;
  options.method = training;
  return train_clips(clips.labelled(), options, run);
}

std::size_t wrong_of(const ClipModel& model, const MadeClips& test) {
  std::size_t wrong = 0;
  const std::vector<ClipPrediction> found = predict_clips(test.features, model, {1});
  for (std::size_t i = 0; i < found.size(); ++i) wrong += model.sets[found[i].set] == test.of_clip[i] ? 0 : 1;
  return wrong;
}

TEST(TrainClips, TellsSourcesApartAlsoWhereTheySoundTogether) {
  const MadeClips clips = made_clips(24, 40, Seed{1});
  const MadeClips test = made_clips(80, 40, Seed{2});
  EXPECT_EQ(wrong_of(fitted(clips, ClipTraining::deconvolution).model, test), 0U);
  EXPECT_EQ(wrong_of(fitted(clips, ClipTraining::own_model).model, test), 0U);
}

// What sources are learnt as if alone from clips of two is too wide and in the wrong place.
TEST(TrainClips, FindsSourcesThatTheSimplerTrainingsBlur) {
  const MadeClips clips = made_clips(40, 60, Seed{3});
  const auto least_mean = [&](ClipTraining training) {
    const temporal::SourceHmm source = fitted(clips, training).model.sources[0];
    return std::max(source.means[0], source.means[2]);  // of noise, in its louder state: 3
  };
  EXPECT_NEAR(least_mean(ClipTraining::deconvolution), 3.0, 0.15);
  EXPECT_GT(std::abs(least_mean(ClipTraining::cross) - 3.0), 0.3);
}

TEST(TrainClips, DoesNotDependOnTheOrderOfClipsOrThreads) {
  const MadeClips clips = made_clips(16, 20, Seed{4});
  const ClipModel model = fitted(clips, ClipTraining::deconvolution).model;
  for (const unsigned threads : {2U, 4U}) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    EXPECT_EQ(fitted(clips, ClipTraining::deconvolution, run).model, model);
    const std::vector<double> one = set_log_likelihoods(clips.features, model, {1});
    EXPECT_EQ(set_log_likelihoods(clips.features, model, run.threads), one);
  }
}

TEST(TrainClips, GivesProbabilitiesOfSets) {
  const MadeClips clips = made_clips(16, 20, Seed{5});
  for (const ClipTraining training : every_training) {
    const ClipModel model = fitted(clips, training).model;
    EXPECT_EQ(model.set_shares, (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
    for (const ClipPrediction& one : predict_clips(clips.features, model, {1})) {
      EXPECT_GT(one.probability, 0.25);
      EXPECT_LE(one.probability, 1.0 + 1e-12);
    }
  }
}

TEST(TrainClips, LearnsALabelThatIsNeverAlone) {
  MadeClips clips = made_clips(32, 40, Seed{6});
  for (ClipLabels& set : clips.of_clip) {
    if (set == ClipLabels{2}) set = {1, 2};
  }
  const ClipModel model = fitted(clips, ClipTraining::deconvolution).model;
  EXPECT_EQ(model.sets.size(), 4U);
  EXPECT_LE(wrong_of(model, clips), 1U);
}

TEST(TrainClips, SaysWhatCannotBeLearnt) {
  MadeClips clips = made_clips(8, 10, Seed{7});
  const auto told = [&] {
    return refusal([&] { fitted(clips, ClipTraining::deconvolution); }, ErrorKind::unanswerable);
  };
  clips.labels.emplace_back("rain");
  EXPECT_EQ(told(), "label 'rain' has no clip");
  clips.labels.pop_back();
  clips.of_clip[3].clear();
  EXPECT_EQ(told(), "clip 'clip4' has no label; give silence a label of its own");
  clips.of_clip.assign(8, {0});
  clips.labels = {"noise"};
  EXPECT_EQ(told(), "all clips have the same labels; there is nothing to tell apart");
}

TEST(TrainClips, CanBeInterrupted) {
  const MadeClips clips = made_clips(8, 10, Seed{9});
  CancelFlag cancel;
  cancel.set(2);
  RunContext run;
  run.cancel = &cancel;
  EXPECT_EQ(refusal([&] { fitted(clips, ClipTraining::deconvolution, run); }, ErrorKind::interrupted),
            "interrupted while learning sources");
}

TEST(TrainClips, KnowsItsColumns) {
  const MadeClips clips = made_clips(8, 10, Seed{8});
  const ClipModel model = fitted(clips, ClipTraining::cross).model;
  Features other = clips.features;
  other.columns = {"b", "a"};
  EXPECT_EQ(refusal([&] { predict_clips(other, model, {1}); }),
            "the columns are not those of the model; name and order must agree");
}

}  // namespace
}  // namespace motet::multilabel::clip_train_test
