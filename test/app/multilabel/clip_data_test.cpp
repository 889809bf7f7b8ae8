#include "motet/app/multilabel/clip_data.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/multilabel/clip_support.h"
#include "io/support.h"
#include "support/errors.h"

namespace motet::multilabel::clip_data_test {
namespace {

class ClipData : public testing::Test {
 protected:
  Clips read(const std::vector<std::string>& files, const ClipFrames& frames = {}, const ClipTableOptions& table = {},
             const std::string& labels = "") const {
    std::vector<std::string> paths;
    for (const std::string& file : files) paths.push_back(folder / file);
    return read_clips(paths, labels.empty() ? "" : folder / labels, frames, table, {}, {});
  }
  TemporaryFolder folder;
};

TEST_F(ClipData, RecordingsAreOneSequenceEach) {
  folder.write("a.wav", clip_wav(true, false, 1));
  folder.write("b.wav", clip_wav(false, true, 2));
  folder.write("l.csv", "clip,labels\nb.wav,hiss\na.wav,tone\n");
  const Clips clips = read({"a.wav", "b.wav"}, {}, {}, "l.csv");
  EXPECT_TRUE(clips.are_recordings);
  EXPECT_EQ(clips.features.dimensions(), 13U);
  EXPECT_EQ(clips.features.starts, (std::vector<std::size_t>{0, 48, 96}));  // (4000 - 200) / 80 + 1
  EXPECT_EQ(clips.labels, (std::vector<std::string>{"hiss", "tone"}));
  EXPECT_EQ(clips.of_clip, (std::vector<ClipLabels>{{1}, {0}}));
}

TEST_F(ClipData, ARecordingThatCannotBeHeardIsLeftOut) {
  folder.write("a.wav", clip_wav(true, false, 1));
  folder.write("bad.wav", "this is no recording, but a text of some length that goes on for a while");
  const std::string told =
      "bad.wav: cannot be read as a recording: Format not recognised; wav, flac, ogg and mp3 are known";
  const Clips clips = read({"bad.wav", "a.wav"});
  EXPECT_EQ(clips.features.sequences.size(), 1U);
  ASSERT_EQ(clips.warnings.size(), 1U);
  EXPECT_EQ(folder.without_path(clips.warnings[0]), told + "; it was left out");
  ClipTableOptions strict;
  strict.strict = true;
  EXPECT_EQ(folder.error_of([&] { read({"a.wav", "bad.wav"}, {}, strict); }), told);
  EXPECT_EQ(folder.error_of([&] { read({"bad.wav", "bad.wav"}); }), told);
}

TEST_F(ClipData, LevelsHaveAMeanEnergyOfOneAndCepstraAreTheirTransform) {
  folder.write("a.wav", clip_wav(true, true, 3));
  ClipFrames frames;
  frames.frames = FrameKind::log_mel;
  const Clips levels = read({"a.wav"}, frames);
  double sum = 0.0;
  for (const double level : levels.features.values) sum += std::exp(level);
  EXPECT_NEAR(sum / static_cast<double>(levels.features.values.size()), 1.0, 1e-9);
  frames.frames = FrameKind::mfcc;
  const Clips cepstra = read({"a.wav"}, frames);
  double first = 0.0;
  for (std::size_t b = 0; b < 24; ++b) first += levels.features.values[b];
  // The first coefficient is the sum of the levels in decibels over the root of their number.
  EXPECT_NEAR(cepstra.features.values[0], first / std::sqrt(24.0) * 10.0 / std::log(10.0), 1e-8);
}

TEST_F(ClipData, TablesAreCutBySequencesAndClipsIntoItems) {
  folder.write("t.csv", "sequence,x\na,1\na,2\na,3\na,4\na,5\nb,6\n");
  folder.write("l.csv", "sequence,labels\na,u|v\nb,v\n");
  ClipTableOptions table;
  EXPECT_EQ(read({"t.csv"}, {}, table, "l.csv").features.sequences, (std::vector<std::string>{"a", "b"}));
  table.item_frames = 2;
  const Clips items = read({"t.csv"}, {}, table, "l.csv");
  EXPECT_EQ(items.features.sequences, (std::vector<std::string>{"a@1", "a@3", "b@1"}));
  EXPECT_EQ(items.features.values, (std::vector<double>{1, 2, 3, 4, 6}));
  EXPECT_EQ(items.clip_of, (std::vector<std::size_t>{0, 0, 1}));
  EXPECT_EQ(items.of_clip, (std::vector<ClipLabels>{{0, 1}, {0, 1}, {1}}));
}

TEST_F(ClipData, SaysWhatIsWrong) {
  folder.write("a.wav", clip_wav(true, false, 1));
  folder.write("t.csv", "x\n1\n");
  folder.write("s.csv", "sequence,x\na,1\nb,2\n");
  folder.write("l.csv", "clip,labels\na,u\n");
  const auto told = [&](const std::vector<std::string>& files, const std::string& labels, ErrorKind kind,
                        const ClipFrames& frames = {}) {
    return folder.error_of([&] { read(files, frames, {}, labels); }, kind);
  };
  EXPECT_EQ(told({"a.wav", "t.csv"}, "", ErrorKind::usage),
            "recordings and tables of frames do not go together; give files of one kind");
  EXPECT_EQ(told({"t.csv"}, "", ErrorKind::usage),
            "t.csv: says of no row which clip it is of; name the column with --sequence-column");
  EXPECT_EQ(told({"s.csv"}, "l.csv", ErrorKind::bad_data), "l.csv: clip 'b' is not there");
  EXPECT_EQ(told({"a.wav", "a.wav"}, "", ErrorKind::bad_data), "clip 'a.wav' comes twice");
  ClipFrames many;
  many.coefficients = 30;
  EXPECT_EQ(told({"a.wav"}, "", ErrorKind::usage, many), "--coefficients 30 is more than --bands 24");
}

}  // namespace
}  // namespace motet::multilabel::clip_data_test
