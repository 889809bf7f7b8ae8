#include "motet/audio/window_cutter.h"

#include "audio/field_support.h"
#include "support/errors.h"

namespace motet::audio::window_cutter_test {
namespace {

// Sample n is n.
Channels counted(std::size_t samples) {
  Channels channels(2, std::vector<float>(samples));
  for (std::size_t n = 0; n < samples; ++n) channels[0][n] = channels[1][n] = static_cast<float>(n);
  return channels;
}

// First sample and length of each frame, one after another.
FeatureStream places(const FrameClock& clock, const SoundShape& sound, double context = 0.0) {
  return stream_of_frames({"first", "length"}, {"1", "1"}, clock, WindowCutter(clock, sound, context),
                          [](std::span<const std::span<const float>> frame, std::vector<double>& rows) {
                            EXPECT_EQ(frame[0].size(), frame[1].size());
                            rows.push_back(frame[1].front());
                            rows.push_back(static_cast<double>(frame[1].size()));
                          });
}

TEST(WindowCutter, FramesBeginAtTheNearestSampleWhateverTheBlocks) {
  const std::vector<double> wanted = {0, 5, 3, 5, 5, 5, 8, 5};  // every 2.5 samples, halves go up
  for (const std::size_t block : {1U, 3U, 100U}) {
    EXPECT_EQ(rows_in_blocks(places({0.25, 0.5}, {10.0, 2}), counted(14), block), wanted) << block;
  }
}

TEST(WindowCutter, AFrameMayLookFurtherBackThanItsRow) {
  const std::vector<double> wanted = {0, 4, 0, 8, 2, 10, 6, 10};
  for (const std::size_t block : {1U, 5U, 100U}) {
    EXPECT_EQ(rows_in_blocks(places({0.4, 0.4}, {10.0, 2}, 1.0), counted(19), block), wanted) << block;
  }
}

TEST(WindowCutter, NothingComesOfLessThanAWindow) {
  EXPECT_TRUE(rows_in_blocks(places({0.4, 0.4}, {10.0, 2}), counted(3), 2).empty());
}

TEST(WindowCutter, LessThanASampleIsRefused) {
  EXPECT_EQ(error_of(
                [] {
                  WindowCutter({0.001, 0.5}, {100.0, 1});
                },
                ErrorKind::usage),
            "a window of 0.5 s every 0.001 s is less than a sample at 100 Hz");
}

}  // namespace
}  // namespace motet::audio::window_cutter_test
