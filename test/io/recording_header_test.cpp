#include "motet/io/recording_header.h"

#include <gtest/gtest.h>

#include "io/audio_support.h"
#include "io/support.h"

namespace motet::recording_header_test {
namespace {

constexpr int header_rate = 8000;

RecordingHeader header_of(const TemporaryFolder& folder, const std::string& name) {
  return recording_header(*open_recording_bytes(folder / name));
}

TEST(RecordingHeader, LengthRateAndChannelsOfEachFormat) {
  const TemporaryFolder folder;
  const std::pair<const char*, int> formats[] = {{"x.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_24},
                                                 {"x.rf64", SF_FORMAT_RF64 | SF_FORMAT_PCM_16},
                                                 {"x.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_16},
                                                 {"x.au", SF_FORMAT_AU | SF_FORMAT_FLOAT},
                                                 {"y.au", SF_FORMAT_AU | SF_FORMAT_ALAW | SF_ENDIAN_LITTLE},
                                                 {"x.w64", SF_FORMAT_W64 | SF_FORMAT_PCM_16}};
  for (const auto& [name, format] : formats) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(write_sound(folder / name, format, header_rate, 2, tone(2 * 4001, 0.01)));
    const RecordingHeader header = header_of(folder, name);
    EXPECT_EQ(header.promised_frames, 4001U);
    EXPECT_EQ(header.sample_rate, 8000.0);
    EXPECT_EQ(header.channels, 2U);
    EXPECT_TRUE(header.instead.empty());
    EXPECT_EQ(header.remark, "");
  }
}

TEST(RecordingHeader, OfOthersNothingIsKnown) {
  const TemporaryFolder folder;
  folder.write("x.txt", "RIFF, but nothing of that kind follows here");
  folder.write("short.wav", "RIFF");
  for (const char* name : {"x.txt", "short.wav"}) {
    const RecordingHeader header = header_of(folder, name);
    EXPECT_EQ(header.promised_frames, 0U);
    EXPECT_FALSE(header.sample_rate);
  }
}

TEST(RecordingHeader, AnMp3TellsWhetherItCountsItsFrames) {
  const TemporaryFolder folder;
  const int mp3 = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III;
  if (!write_sound(folder / "x.mp3", mp3, 44100, 1, tone(44100, 0.01))) GTEST_SKIP();  // an old library
  EXPECT_TRUE(header_of(folder, "x.mp3").has_frame_count);
  std::string bytes = folder.read("x.mp3");
  const std::size_t at = std::min(bytes.find("Xing"), bytes.find("Info"));
  ASSERT_LT(at, bytes.size());
  bytes.replace(at, 4, "none");
  folder.write("y.mp3", bytes);
  EXPECT_FALSE(header_of(folder, "y.mp3").has_frame_count);
}

// A wav of 16 bits, one channel and 4,000 samples, with this size of its sound and this text behind it.
std::string wav_with(const TemporaryFolder& folder, const std::string& size, const std::string& behind = "") {
  EXPECT_TRUE(write_sound(folder / "w.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, header_rate, 1, tone(4000, 0.01)));
  std::string bytes = folder.read("w.wav");
  bytes.replace(bytes.find("data") + 4, 4, size);
  return folder.write("w.wav", bytes + behind);
}

const std::string right_size("\x40\x1F\0\0", 4);
const std::string small_size("\xE8\x03\0\0", 4);

TEST(RecordingHeader, WhatMayFollowTheSoundOfAWav) {
  const TemporaryFolder folder;
  const std::string chunk("LIST\4\0\0\0INFO", 12);
  for (const std::string& behind : {std::string(), chunk, chunk.substr(0, 9), "note" + std::string("\1\0\0\0xy", 6),
                                    "TAG" + std::string(125, 'x'), std::string(700, '\0'), std::string("?")}) {
    wav_with(folder, right_size, behind);
    const RecordingHeader header = header_of(folder, "w.wav");
    EXPECT_EQ(header.promised_frames, 4000U) << behind;
    EXPECT_EQ(header.remark, "") << behind;
  }
  wav_with(folder, std::string(4, '\0') + chunk);  // empty, and sound is no chunk
  EXPECT_EQ(header_of(folder, "w.wav").remark, "");
}

TEST(RecordingHeader, ALengthThatIsNotThatOfTheSoundIsReplaced) {
  const TemporaryFolder folder;
  wav_with(folder, small_size);
  RecordingHeader header = header_of(folder, "w.wav");
  EXPECT_EQ(header.promised_frames, 0U);
  EXPECT_EQ(header.remark, "its header tells of 1000 bytes of sound, and there are 8000");
  ASSERT_EQ(header.instead.size(), 1U);
  EXPECT_EQ(header.instead[0].bytes, right_size);
  const auto whole = with_header_bytes(open_recording_bytes(folder / "w.wav"), header.instead);
  std::string read(60, '\0');
  ASSERT_EQ(whole->read(2, read), 60U);  // across the place
  std::string expected = folder.read("w.wav").substr(2, 60);
  expected.replace(header.instead[0].at - 2, 4, right_size);
  EXPECT_EQ(read, expected);
  read.resize(2);
  ASSERT_EQ(whole->read(header.instead[0].at + 1, read), 2U);  // within it
  EXPECT_EQ(read, right_size.substr(1, 2));
}

}  // namespace
}  // namespace motet::recording_header_test
