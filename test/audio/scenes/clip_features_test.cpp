#include "motet/audio/scenes/clip_features.h"

#include <cmath>

#include "audio/field_support.h"
#include "support/errors.h"

namespace motet::audio::clip_features_test {
namespace {

Sound noise_clip(std::size_t channels, std::size_t samples) { return {20480.0, noise_channels(channels, samples)}; }

TEST(ClipFeatures, TheMeanOfAllFramesOrOneOfThem) {
  const Sound clip = noise_clip(4, 3 * 16384);
  ClipOptions options;
  options.set = "asa,sfi";
  const ClipRow mean = clip_features(clip, options);
  ASSERT_EQ(mean.values.size(), 931U);
  EXPECT_EQ(mean.columns[0], "AHwidth");
  std::vector<double> sum(931);
  for (std::size_t frame = 1; frame <= 3; ++frame) {
    options.frame = frame;
    const ClipRow one = clip_features(clip, options);
    for (std::size_t d = 0; d < 931; ++d) sum[d] += one.values[d] / 3.0;
  }
  for (std::size_t d = 0; d < 931; ++d) EXPECT_NEAR(sum[d], mean.values[d], 1e-9 * (1.0 + std::abs(sum[d])));
}

TEST(ClipFeatures, BadInput) {
  ClipOptions options;
  EXPECT_EQ(error_of([&] { clip_features(noise_clip(4, 1000), options); }, ErrorKind::bad_data),
            "0.048828125 s hold no row of 0.8 s; 1 are needed");
  options.frame = 15;
  EXPECT_EQ(error_of([&] { clip_features(noise_clip(4, 40'000), options); }, ErrorKind::bad_data),
            "1.953125 s hold 2 rows of 0.8 s; 15 are needed");
  EXPECT_EQ(error_of([&] { clip_features(noise_clip(1, 40'000), options); }, ErrorKind::usage),
            "--set sfi-st: needs 4 channels; the recording has 1");
}

}  // namespace
}  // namespace motet::audio::clip_features_test
