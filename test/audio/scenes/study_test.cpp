#include "motet/audio/scenes/study.h"

#include "audio/scenes/study_cases.h"
#include "motet/base/quantile.h"
#include "support/errors.h"

namespace motet::audio::study_test {
namespace {

TEST(Study, FindsTheFeaturesThatMatter) {
  const Study found = study(clips_of(class_blobs(90, 2, 6, 4.0)), quick(LearnMethod::svm_linear), {});
  ASSERT_EQ(found.ways.size(), 2U);
  EXPECT_EQ(found.ways[1].way, "sources");
  EXPECT_EQ(found.ways[1].errors.size(), 3U);
  EXPECT_LT(found.ways[1].errors[0], 0.1);
  EXPECT_NEAR(found.ways[1].references[0], 0.5, 1e-12);
  ASSERT_EQ(found.importance.size(), 2U);
  EXPECT_TRUE(found.importance[0].column == "x0" || found.importance[0].column == "x1");
  EXPECT_GT(found.importance[1].increase, 0.0);
}

TEST(Study, ImportanceHasAStandardErrorOverTheSplits) {
  const Clips clips = clips_of(class_blobs(90, 2, 6, 1.5));
  StudyOptions options = quick(LearnMethod::svm_linear);
  const Importance of_three = study(clips, options, {}).importance[0];
  EXPECT_GT(of_three.standard_error, 0.0);
  EXPECT_LT(of_three.standard_error, 0.2);
  options.repeats = 1;
  EXPECT_EQ(study(clips, options, {}).importance[0].standard_error, 0.0);
}

// Five classes of two sources each: drawn without a look at the classes, most splits would lose one.
TEST(Study, EveryClassIsOnBothSidesWhereItsGroupsAllow) {
  Blobs blobs = class_blobs(60, 5, 6, 6.0);
  for (std::uint32_t n = 0; n < 60; ++n) blobs.groups[n] = 2 * (n % 5) + (n / 5) % 2;
  StudyOptions options = quick(LearnMethod::svm_linear);
  options.repeats = 8;
  options.importance = 0;
  const HeldOut by_sources = study(clips_of(blobs), options, {}).ways[1];
  for (const double error : by_sources.errors) EXPECT_LT(error, 0.15);  // a lost class alone would be 0.2
  for (const double reference : by_sources.references) EXPECT_NEAR(reference, 0.8, 1e-12);
  EXPECT_EQ(by_sources.mean_held, 30.0);
}

TEST(Study, AboutTheShareOfEachClassIsHeldOut) {
  Blobs blobs = class_blobs(200, 2, 4, 3.0);
  StudyOptions options = quick(LearnMethod::svm_linear);
  options.importance = 0;
  const Study found = study(clips_of(blobs), options, {});
  for (const HeldOut& way : found.ways) EXPECT_NEAR(way.mean_held, 60.0, 4.0) << way.way;
  // A class of one source stays with those that are learned from.
  for (std::uint32_t n = 0; n < 200; ++n) blobs.groups[n] = n % 2 == 0 ? 0 : 1 + n / 20;
  EXPECT_NEAR(study(clips_of(blobs), options, {}).ways[1].mean_held, 30.0, 1e-9);
}

// Each response has a number and a place of its own in the features: within them it is learned by heart, for new ones
// not.
TEST(Study, WhoHoldsOutClipsAloneLearnsToRecogniseResponses) {
  Rng rng(Seed{4});
  Clips clips;
  clips.rows.width = 6;
  std::vector<std::vector<double>> centres(10, std::vector<double>(6));
  for (auto& centre : centres) {
    for (double& x : centre) x = 5.0 * rng.normal();
  }
  for (std::uint32_t n = 0; n < 150; ++n) {
    const std::uint32_t response = n % 10;
    for (const double x : centres[response]) clips.rows.values.push_back(x + 0.3 * rng.normal());
    clips.target.values.push_back(response);
    clips.source.push_back(n / 10);
    clips.response.push_back(response);
  }
  clips.columns = {"a", "b", "c", "d", "e", "f"};
  const Study found = study(clips, quick(LearnMethod::forest), {});
  ASSERT_EQ(found.ways.size(), 3U);
  const auto mean = [](const HeldOut& way) { return (way.errors[0] + way.errors[1] + way.errors[2]) / 3.0; };
  EXPECT_EQ(found.ways[2].way, "sources and responses");
  EXPECT_LT(mean(found.ways[1]), 0.6);
  EXPECT_GT(mean(found.ways[2]), 1.5);
  EXPECT_LT(found.ways[2].mean_learned + found.ways[2].mean_held, 150.0);
  const auto quartiles = quartiles_of(found.ways[2].residuals);
  EXPECT_LE(quartiles[1], quartiles[2]);
}

TEST(Study, ConfusionCountsWhatWasSaidOfTheClipsHeldOut) {
  StudyOptions options = quick(LearnMethod::svm_linear);
  options.repeats = 1;
  const Study found = study(clips_of(class_blobs(60, 3, 4, 2.0)), options, {});
  const HeldOut& way = found.ways[0];
  ASSERT_EQ(way.confusion.size(), 9U);
  double sum = 0.0;
  double error = 0.0;
  for (std::size_t truth = 0; truth < 3; ++truth) {
    const double held = way.confusion[3 * truth] + way.confusion[3 * truth + 1] + way.confusion[3 * truth + 2];
    error += (1.0 - way.confusion[4 * truth] / held) / 3.0;
    sum += held;
  }
  EXPECT_EQ(sum, way.mean_held);
  EXPECT_NEAR(error, way.errors[0], 1e-12);
  EXPECT_GT(error, 0.0);
}

TEST(Study, ChecksItsOptions) {
  StudyOptions options = quick(LearnMethod::forest);
  options.held_out = 1.0;
  EXPECT_EQ(error_of([&] { study(clips_of(class_blobs(40, 2, 4, 1.0)), options, {}); }, ErrorKind::usage),
            "--held-out 1 is outside [0.01, 0.9]");
}

}  // namespace
}  // namespace motet::audio::study_test
