#include "motet/io/audio_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <functional>

#include "io/audio_support.h"
#include "io/support.h"
#include "motet/io/recording_bytes.h"

namespace motet::audio_file_test {
namespace {

constexpr int rate = 8000;
constexpr int float_wav = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
constexpr int plain_wav = SF_FORMAT_WAV | SF_FORMAT_PCM_16;

std::vector<float> all_of(AudioReader& reader, std::size_t block = 1000) {
  std::vector<float> sound;
  std::vector<float> part(block);
  for (std::size_t got = reader.read(part); got != 0; got = reader.read(part)) {
    sound.insert(sound.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
  }
  return sound;
}

TEST(AudioReader, SameSamplesWhateverTheBlocks) {
  const TemporaryFolder folder;
  const std::vector<float> sound = tone(50'000, 0.01);
  ASSERT_TRUE(write_sound(folder / "x.wav", float_wav, rate, 1, sound));
  for (const std::size_t block : {1U, 777U, 16384U, 100'000U}) {
    AudioReader reader(folder / "x.wav");
    EXPECT_EQ(reader.info().sample_rate, 8000.0);
    EXPECT_EQ(reader.info().channels, 1U);
    EXPECT_EQ(reader.info().promised_frames, 50'000U);
    EXPECT_EQ(all_of(reader, block), sound);
    EXPECT_EQ(reader.frames_read(), 50'000U);
    EXPECT_EQ(reader.warning(), "");
  }
}

TEST(AudioReader, MeanOfTheChannelsOrOneOfThem) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", float_wav, rate, 2, {0.5F, -0.25F, 1.0F, 0.5F}));
  AudioReader mean(folder / "x.wav");
  EXPECT_EQ(all_of(mean), (std::vector<float>{0.125F, 0.75F}));
  AudioReader second(folder / "x.wav", 2);
  EXPECT_EQ(all_of(second), (std::vector<float>{-0.25F, 0.5F}));
  for (const std::size_t channel : {std::size_t{0}, std::size_t{3}}) {
    EXPECT_EQ(folder.error_of([&] { AudioReader(folder / "x.wav", channel); }, ErrorKind::usage),
              "x.wav: there is no channel " + std::to_string(channel) + "; it has 2");
  }
}

TEST(AudioReader, PackedFormats) {
  const TemporaryFolder folder;
  const std::vector<float> sound = tone(44100, 440.0 / 44100);
  const std::pair<const char*, int> formats[] = {{"x.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16},
                                                 {"x.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS},
                                                 {"x.mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III},
                                                 {"x.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_24}};
  for (const auto& [name, format] : formats) {
    SCOPED_TRACE(name);
    if (!write_sound(folder / name, format, 44100, 1, sound)) continue;  // an old library
    AudioReader reader(folder / name);
    const std::vector<float> read = all_of(reader);
    EXPECT_EQ(reader.warning(), "");
    EXPECT_NEAR(static_cast<double>(read.size()), 44100.0, 2500.0);  // mp3 pads
    const double power =
        std::inner_product(read.begin(), read.end(), read.begin(), 0.0) / static_cast<double>(read.size());
    EXPECT_NEAR(power, 0.125, 0.01);
  }
}

TEST(AudioReader, WhatIsThereOfARecordingCutShortIsRead) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(40'000, 0.01)));
  const std::string bytes = folder.read("x.wav");
  folder.write("x.wav", bytes.substr(0, bytes.size() - 20'001));  // 10,000.5 samples
  AudioReader reader(folder / "x.wav");
  EXPECT_EQ(reader.warning(), "");  // nothing is known before the end
  EXPECT_EQ(all_of(reader).size(), 29'999U);
  EXPECT_EQ(folder.without_path(reader.warning()),
            "x.wav: is cut short: 1.25012 s of the 5 s that its header promises are missing; what is there was read");
}

TEST(AudioReader, AFlacCutShortIsToldToo) {
  const TemporaryFolder folder;
  std::vector<float> sound(100'000);
  for (std::size_t n = 0; n < sound.size(); ++n) sound[n] = static_cast<float>((n * 7919) % 1000) / 2000.0F;
  ASSERT_TRUE(write_sound(folder / "x.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, rate, 1, sound));
  const std::string bytes = folder.read("x.flac");
  folder.write("x.flac", bytes.substr(0, bytes.size() / 2));
  AudioReader reader(folder / "x.flac");
  const std::size_t count = all_of(reader).size();
  EXPECT_GT(count, 30'000U);
  EXPECT_LT(count, 60'000U);
  EXPECT_TRUE(folder.without_path(reader.warning()).starts_with("x.flac: is cut short: ")) << reader.warning();
}

// A disk that fails from byte `sound` on.
class BadDisk : public RecordingBytes {
 public:
  BadDisk(std::string bytes, std::size_t sound) : bytes_(std::move(bytes)), sound_(sound) {}
  std::uint64_t size() const override { return bytes_.size(); }
  std::size_t read(std::uint64_t at, std::span<char> into) override {
    const std::size_t count = std::min<std::size_t>(into.size(), bytes_.size() - std::min(at, size()));
    if (at + count > sound_) fail(ErrorKind::machine_limit, "x.wav: cannot be read: Input/output error");
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at), count, into.begin());
    return count;
  }

 private:
  std::string bytes_;
  std::size_t sound_;
};

std::vector<float> noise() {
  std::vector<float> sound(100'000);
  for (std::size_t n = 0; n < sound.size(); ++n) sound[n] = static_cast<float>((n * n * 7919) % 1009) / 2018.0F;
  return sound;
}

TEST(AudioReader, ADiskThatCannotBeReadIsNoEndOfTheRecording) {
  const TemporaryFolder folder;
  for (const int format : {plain_wav, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_VORBIS}) {
    ASSERT_TRUE(write_sound(folder / "x.wav", format, rate, 1, noise()));
    const std::string bytes = folder.read("x.wav");
    const auto read_to = [&](std::size_t sound) {
      AudioReader reader("x.wav", std::make_unique<BadDisk>(bytes, sound), {});
      return all_of(reader).size();
    };
    for (const std::size_t sound : {std::size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
      EXPECT_EQ(folder.error_of([&] { read_to(sound); }, ErrorKind::machine_limit),
                "x.wav: cannot be read: Input/output error")
          << format << " " << sound;
    }
    EXPECT_EQ(read_to(bytes.size()), 100'000U);
  }
}

TEST(AudioReader, DamageInsideAFlacIsAnError) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, rate, 1, noise()));
  const std::string bytes = folder.read("x.flac");
  const auto error_with = [&](const std::function<void(std::string&)>& damage) {
    std::string damaged = bytes;
    damage(damaged);
    folder.write("x.flac", damaged);
    return folder.error_of([&] {
      AudioReader reader(folder / "x.flac");
      all_of(reader);
    });
  };
  const auto expect_told = [&](const std::string& told) {
    EXPECT_TRUE(told.starts_with("x.flac: is damaged after ")) << told;
    EXPECT_TRUE(told.ends_with("; copy or fetch it again")) << told;
  };
  expect_told(error_with([](std::string& text) { text[text.size() / 2] ^= 0x40; }));
  expect_told(error_with([](std::string& text) { text.replace(text.size() / 2, 2000, std::string(2000, 'x')); }));
  expect_told(error_with([](std::string& text) { text.erase(text.size() / 3, 4000); }));
}

TEST(AudioReader, AnOggTellsGapsAndAMissingEnd) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, rate, 1, noise()));
  const std::string bytes = folder.read("x.ogg");
  const auto warning_of = [&](const std::string& content) {
    AudioReader reader(folder.write("x.ogg", content));
    all_of(reader);
    return folder.without_path(reader.warning());
  };
  EXPECT_EQ(warning_of(bytes), "");
  std::string damaged = bytes;
  damaged[damaged.size() / 2] ^= 0x40;
  const std::string gap = warning_of(damaged);
  EXPECT_TRUE(gap.starts_with("x.ogg: is damaged or starts in the middle: ")) << gap;
  EXPECT_TRUE(gap.ends_with(" s of the 12.5 s that its end promises are missing; times behind a gap are too early"));
  EXPECT_EQ(warning_of(bytes.substr(0, bytes.size() / 2)),
            "x.ogg: is cut short: its end is missing; what is there was read");
}

TEST(AudioReader, ARateThatNoRecorderHasIsRefused) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(4000, 0.01)));
  std::string bytes = folder.read("x.wav");
  bytes.replace(24, 4, "\xFF\xFF\xFF\x7F");
  folder.write("x.wav", bytes);
  EXPECT_EQ(folder.error_of([&] { AudioReader(folder / "x.wav"); }),
            "x.wav: the header names 1 channels at 2147483647 Hz; both must be positive, and the rate at most 10000000 "
            "Hz");
}

TEST(AudioReader, LengthsThatWereNeverFilledInPromiseNothing) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(4000, 0.01)));
  std::string bytes = folder.read("x.wav");
  const std::size_t data = bytes.find("data");
  bytes.replace(data + 4, 4, "\xFF\xFF\xFF\xFF");  // a program that writes into a pipe
  folder.write("x.wav", bytes);
  AudioReader reader(folder / "x.wav");
  EXPECT_EQ(all_of(reader).size(), 4000U);
  EXPECT_EQ(reader.warning(), "");
}

TEST(AudioReader, AnEmptyRecordingHasNoSamples) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, {}));
  AudioReader reader(folder / "x.wav");
  EXPECT_TRUE(all_of(reader).empty());
  EXPECT_EQ(reader.warning(), "");
}

TEST(AudioReader, Errors) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& name) { return folder.error_of([&] { AudioReader(folder / name); }); };
  EXPECT_EQ(error("none.wav"), "none.wav: cannot be opened: No such file or directory");
  folder.write("empty.wav", "");
  EXPECT_EQ(error("empty.wav"), "empty.wav: the file is empty");
  folder.write("text.wav", "this is no recording, but a text of some length that goes on for a while");
  EXPECT_EQ(error("text.wav"),
            "text.wav: cannot be read as a recording: Format not recognised; wav, flac, ogg and mp3 are known");
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(4000, 0.01)));
  folder.write("head.wav", folder.read("x.wav").substr(0, 20));
  EXPECT_TRUE(error("head.wav").starts_with("head.wav: cannot be read as a recording: ")) << error("head.wav");
  EXPECT_EQ(folder.error_of([] { AudioReader("-"); }, ErrorKind::usage),
            "-: a recording cannot be read from standard input; name a file");
}

TEST(AudioReader, SamplesThatAreNoNumbersAreFoundWithTheirTime) {
  const TemporaryFolder folder;
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    std::vector<float> sound = tone(60'000, 0.01);
    sound[2 * 20'001 + 1] = bad;
    ASSERT_TRUE(write_sound(folder / "x.wav", float_wav, rate, 2, sound));
    AudioReader reader(folder / "x.wav", 1);
    EXPECT_EQ(folder.error_of([&] { all_of(reader); }), std::string("x.wav: the sample at 2.500125 s is ") +
                                                            (std::isnan(bad) ? "nan" : "inf") +
                                                            "; sound must be finite numbers");
  }
}

TEST(AudioNames, ByTheirEnd) {
  for (const char* name : {"a.wav", "b/c.FLAC", "x.y.Ogg", "n.mp3"}) EXPECT_TRUE(is_audio_name(name)) << name;
  for (const char* name : {"a.csv", "wav", "a.npy", "a.wav.txt", ""}) EXPECT_FALSE(is_audio_name(name)) << name;
}

}  // namespace
}  // namespace motet::audio_file_test
