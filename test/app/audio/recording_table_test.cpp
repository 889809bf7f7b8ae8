#include "motet/app/audio/recording_table.h"

#include <gtest/gtest.h>

#include "io/audio_support.h"
#include "io/support.h"
#include "support/errors.h"

namespace motet::audio::recording_table_test {
namespace {

constexpr int plain_wav = SF_FORMAT_WAV | SF_FORMAT_PCM_16;

TEST(RecordingTable, HasASequencePerRecordingOnAnyNumberOfThreads) {
  const TemporaryFolder folder;
  for (const char* name : {"a.wav", "b.wav", "c.wav"}) {
    ASSERT_TRUE(write_sound(folder / name, plain_wav, 8000, 1, tone(8000, name[0] == 'b' ? 0.1 : 0.03)));
  }
  EXPECT_TRUE(are_recordings({folder / ""}));
  EXPECT_TRUE(are_recordings({"x.flac", "y.csv"}));
  EXPECT_FALSE(are_recordings({"x.csv"}));
  EXPECT_FALSE(are_recordings({}));
  RunContext run;
  run.threads = {1};
  const RecordingTable one = recording_table({folder / ""}, {}, run);
  EXPECT_EQ(one.features.sequences, (std::vector<std::string>{"a.wav", "b.wav", "c.wav"}));
  EXPECT_EQ(one.features.starts, (std::vector<std::size_t>{0, 8, 16, 24}));
  run.threads = {4, true};
  EXPECT_EQ(recording_table({folder / ""}, {}, run).features.values, one.features.values);
}

TEST(RecordingTable, ARecordingThatCannotBeHeardIsAnError) {
  const TemporaryFolder folder;
  folder.write("a.wav", "");
  EXPECT_EQ(folder.error_of([&] { recording_table({folder / "a.wav"}, {}, {}); }), "a.wav: the file is empty");
}

}  // namespace
}  // namespace motet::audio::recording_table_test
