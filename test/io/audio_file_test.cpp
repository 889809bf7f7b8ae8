#include "motet/io/audio_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <functional>

#include <fmt/format.h>

#include "io/audio_support.h"
#include "io/support.h"
#include "motet/io/recording_bytes.h"
#include "support/errors.h"

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

TEST(AudioReader, TellsWhatTheMeanKeeps) {
  const TemporaryFolder folder;
  const auto kept = [&](std::size_t channels, const std::vector<float>& samples,
                        std::optional<std::size_t> channel = {}) {
    EXPECT_TRUE(write_sound(folder / "x.wav", float_wav, rate, static_cast<int>(channels), samples));
    AudioReader reader(folder / "x.wav", channel);
    all_of(reader);
    return reader.share_kept_by_mean();
  };
  EXPECT_EQ(kept(2, {0.5F, 0.5F, -1.0F, -1.0F}), 1.0);
  EXPECT_EQ(kept(2, {0.5F, -0.5F, -1.0F, 1.0F}), 0.0);
  EXPECT_EQ(kept(2, {0.5F, 0.0F, 0.0F, 0.5F}), 0.5);
  EXPECT_EQ(kept(4, {0.5F, 0.0F, 0.0F, 0.0F}), 0.25);
  EXPECT_EQ(kept(2, {0.5F, -0.5F}, 1), std::nullopt);
  EXPECT_EQ(kept(1, {0.5F, -0.5F}), std::nullopt);
  EXPECT_EQ(kept(2, {0.0F, 0.0F}), std::nullopt);
}

TEST(AudioReader, AllChannelsBesideTheirMean) {
  const TemporaryFolder folder;
  std::vector<float> both;
  for (const float sample : tone(40'000, 0.01)) both.insert(both.end(), {sample, -0.5F * sample});
  ASSERT_TRUE(write_sound(folder / "x.wav", float_wav, rate, 2, both));
  AudioReader reader(folder / "x.wav");
  AudioReader mean(folder / "x.wav");
  std::vector<std::vector<float>> channels;
  std::vector<std::vector<float>> whole(3);
  while (reader.read_all(777, channels) != 0) {
    ASSERT_EQ(channels.size(), 3U);
    for (std::size_t c = 0; c < 3; ++c) whole[c].insert(whole[c].end(), channels[c].begin(), channels[c].end());
  }
  EXPECT_EQ(whole[0], all_of(mean));
  ASSERT_EQ(whole[1].size(), 40'000U);
  EXPECT_EQ(whole[1][123], both[246]);
  EXPECT_EQ(whole[2][123], both[247]);
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

TEST(AudioReader, Opus) {
  const TemporaryFolder folder;
  if (!write_sound(folder / "x.opus", SF_FORMAT_OGG | SF_FORMAT_OPUS, 48000, 1, tone(48000, 0.01))) GTEST_SKIP();
  AudioReader reader(folder / "x.opus");
  EXPECT_EQ(reader.info().sample_rate, 48000.0);
  EXPECT_NEAR(static_cast<double>(all_of(reader).size()), 48000.0, 1000.0);
  EXPECT_EQ(reader.warning(), "");
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

TEST(AudioReader, WhatTheHeadersOfOtherFormatsPromiseIsMissedToo) {
  const TemporaryFolder folder;
  for (const int format : {SF_FORMAT_AIFF | SF_FORMAT_PCM_16, SF_FORMAT_AU | SF_FORMAT_PCM_16,
                           SF_FORMAT_W64 | SF_FORMAT_PCM_16, SF_FORMAT_RF64 | SF_FORMAT_PCM_16}) {
    SCOPED_TRACE(format);
    ASSERT_TRUE(write_sound(folder / "x", format, rate, 1, tone(40'000, 0.01)));
    const std::string bytes = folder.read("x");
    AudioReader whole(folder / "x");
    EXPECT_EQ(all_of(whole).size(), 40'000U);
    EXPECT_EQ(whole.warning(), "");
    folder.write("x", bytes.substr(0, bytes.size() - 20'000));
    AudioReader reader(folder / "x");
    const std::size_t count = all_of(reader).size();
    EXPECT_NEAR(static_cast<double>(count), 30'000.0, 100.0);
    EXPECT_EQ(folder.without_path(reader.warning()),
              fmt::format("x: is cut short: {:.6g} s of the 5 s that its header promises are missing; what is there "
                          "was read",
                          static_cast<double>(40'000 - count) / rate));
  }
}

TEST(AudioReader, AnMp3CutShortGivesWhatIsThere) {
  const TemporaryFolder folder;
  const int mp3 = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III;
  if (!write_sound(folder / "x.mp3", mp3, 44100, 1, tone(5 * 44100, 0.01))) GTEST_SKIP();  // an old library
  const std::string bytes = folder.read("x.mp3");
  AudioReader whole(folder / "x.mp3");
  all_of(whole);
  EXPECT_EQ(whole.warning(), "");
  folder.write("x.mp3", bytes.substr(0, bytes.size() / 2));
  ::testing::internal::CaptureStderr();
  AudioReader reader(folder / "x.mp3");
  const std::size_t count = all_of(reader).size();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");  // libmpg123 would warn of the size
  EXPECT_GT(count, 2U * 44100);
  EXPECT_LT(count, 3U * 44100);
  EXPECT_EQ(folder.without_path(reader.warning()),
            fmt::format("x.mp3: is cut short: {:.6g} s of the {:.6g} s that its header promises are missing; what is "
                        "there was read",
                        static_cast<double>(reader.info().promised_frames - count) / 44100,
                        static_cast<double>(reader.info().promised_frames) / 44100));
  std::string uncounted = bytes.substr(0, bytes.size() / 2);
  uncounted.replace(std::min(uncounted.find("Xing"), uncounted.find("Info")), 4, "none");
  AudioReader silent(folder.write("x.mp3", uncounted));
  all_of(silent);
  EXPECT_EQ(silent.warning(), "");  // nothing tells its length
  folder.write("head.mp3", bytes.substr(0, 50));
  const std::string told = folder.error_of([&] {
    AudioReader broken(folder / "head.mp3");
    all_of(broken);
  });
  EXPECT_TRUE(told.starts_with("head.mp3: can")) << told;  // cannot be read, or cannot be decoded
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
            "x.ogg: is cut short: its end is missing; the 5.024 s that are there were read");
  ASSERT_TRUE(write_sound(folder / "x.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, rate, 1, tone(4000, 0.01)));
  const std::string of_one_page = folder.read("x.ogg");
  EXPECT_EQ(folder.error_of([&] { warning_of(of_one_page.substr(0, of_one_page.size() - 100)); }),
            "x.ogg: is cut short before its first sound; copy or fetch it again");
}

// The checksum of a page of ogg, whose four bytes for it are zero: CRC-32 with its highest bit first.
std::uint32_t ogg_checksum(std::string_view page) {
  std::uint32_t crc = 0;
  for (const char byte : page) {
    crc ^= static_cast<std::uint32_t>(static_cast<unsigned char>(byte)) << 24U;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1U) ^ ((crc & 0x80000000U) != 0 ? 0x04C11DB7U : 0U);
  }
  return crc;
}

TEST(AudioReader, ALengthThatNoOggCanHaveIsNotTold) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, rate, 1, noise()));
  std::string bytes = folder.read("x.ogg");
  const std::size_t last = bytes.rfind("OggS");
  const std::int64_t position = std::int64_t{1} << 60;  // samples up to here
  bytes.replace(last + 6, 8, reinterpret_cast<const char*>(&position), 8);
  bytes.replace(last + 22, 4, std::string(4, '\0'));
  const std::uint32_t checksum = ogg_checksum(std::string_view(bytes).substr(last));
  bytes.replace(last + 22, 4, reinterpret_cast<const char*>(&checksum), 4);
  AudioReader reader(folder.write("x.ogg", bytes));
  EXPECT_EQ(reader.info().promised_frames, 0U);
  EXPECT_GT(all_of(reader).size(), 90'000U);
  const std::string warning = folder.without_path(reader.warning());
  EXPECT_TRUE(warning.starts_with("x.ogg: is cut short: its end is missing; the 12.")) << warning;
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

TEST(AudioReader, ARateOrAChannelCountOfZeroIsRefused) {
  const TemporaryFolder folder;
  const auto error_with = [&](int format, std::size_t at, std::size_t size) {
    EXPECT_TRUE(write_sound(folder / "x", format, rate, 1, tone(4000, 0.01)));
    std::string bytes = folder.read("x");
    bytes.replace(at, size, std::string(size, '\0'));
    folder.write("x", bytes);
    return folder.error_of([&] { AudioReader(folder / "x"); });
  };
  const std::string rest = "; both must be positive, and the rate at most 10000000 Hz";
  EXPECT_EQ(error_with(plain_wav, 24, 4), "x: the header names 1 channels at 0 Hz" + rest);
  EXPECT_EQ(error_with(plain_wav, 22, 2), "x: the header names 0 channels at 8000 Hz" + rest);
  EXPECT_EQ(error_with(SF_FORMAT_AU | SF_FORMAT_PCM_16, 16, 4), "x: the header names 1 channels at 0 Hz" + rest);
  EXPECT_EQ(error_with(SF_FORMAT_AIFF | SF_FORMAT_PCM_16, 28, 10), "x: the header names 1 channels at 0 Hz" + rest);
  EXPECT_EQ(error_with(SF_FORMAT_W64 | SF_FORMAT_PCM_16, 68, 4), "x: the header names 1 channels at 0 Hz" + rest);
}

// The warning on a wav whose sound has this size by its header; all of it must be read.
std::string warning_with_size(const TemporaryFolder& folder, const std::string& size, const std::string& riff_size) {
  EXPECT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, noise()));
  std::string bytes = folder.read("x.wav");
  bytes.replace(4, 4, riff_size);
  bytes.replace(bytes.find("data") + 4, 4, size);
  folder.write("x.wav", bytes);
  AudioReader reader(folder / "x.wav");
  EXPECT_EQ(all_of(reader).size(), 100'000U);
  return folder.without_path(reader.warning());
}

TEST(AudioReader, AWavThatWasNeverClosedIsReadToTheEndOfTheFile) {
  const TemporaryFolder folder;
  const std::string zero(4, '\0');
  const std::string most(4, '\xFF');  // a program that writes into a pipe
  const std::string of_sox("\0\xF0\xFF\x7F", 4);
  const std::string told =
      "x.wav: its header does not tell its length, as of a recorder that was cut off or a program that writes into a "
      "pipe; the 12.5 s that are there were read";
  for (const std::string& riff_size : {zero, most, std::string("\x24\0\0\0", 4)}) {
    EXPECT_EQ(warning_with_size(folder, zero, riff_size), told);
    EXPECT_EQ(warning_with_size(folder, most, riff_size), told);
    EXPECT_EQ(warning_with_size(folder, of_sox, riff_size), told);
  }
}

TEST(AudioReader, AWavWithMoreSoundThanItsHeaderTellsIsReadWhole) {
  const TemporaryFolder folder;
  const std::string small("\xE8\x03\0\0", 4);
  EXPECT_EQ(
      warning_with_size(folder, small, std::string("\x0C\x04\0\0", 4)),
      "x.wav: its header tells of 1000 bytes of sound, and there are 200000; the 12.5 s that are there were read");
}

TEST(AudioReader, ALongWavThatWasNeverClosedIsReadToTheEndOfTheFile) {
  // 5 GB of zeros behind a header: more than a wav can tell.
  class LongBytes : public RecordingBytes {
   public:
    explicit LongBytes(std::string head) : head_(std::move(head)) {}
    std::uint64_t size() const override { return 5'000'000'044; }
    std::size_t read(std::uint64_t at, std::span<char> into) override {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), size() - std::min(at, size())));
      for (std::size_t i = 0; i < count; ++i) into[i] = at + i < head_.size() ? head_[at + i] : '\1';
      return count;
    }

   private:
    std::string head_;
  };
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(4000, 0.01)));
  for (const char fill : {'\0', '\xFF'}) {
    std::string head = folder.read("x.wav").substr(0, 44);
    head.replace(40, 4, std::string(4, fill));
    const AudioReader reader("x.wav", std::make_unique<LongBytes>(head), {});
    EXPECT_EQ(reader.info().promised_frames, 2'500'000'000U);
  }
}

TEST(AudioReader, ASizeOf0WithOtherChunksBehindItIsEmpty) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, {}));
  folder.write("x.wav", folder.read("x.wav") + std::string("LIST\x04\0\0\0INFO", 12));
  AudioReader reader(folder / "x.wav");
  EXPECT_TRUE(all_of(reader).empty());
  EXPECT_EQ(reader.warning(), "");
}

TEST(AudioReader, SkipsToAnyFrame) {
  const TemporaryFolder folder;
  for (const int format : {float_wav, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_VORBIS}) {
    ASSERT_TRUE(write_sound(folder / "x", format, rate, 1, noise()));
    AudioReader whole(folder / "x");
    const std::vector<float> sound = all_of(whole);
    for (const std::size_t frame : {std::size_t{0}, std::size_t{1}, std::size_t{54'321}}) {
      AudioReader reader(folder / "x");
      reader.skip_to(frame);
      EXPECT_EQ(reader.frames_read(), frame);
      const std::vector<float> rest = all_of(reader);
      ASSERT_EQ(rest.size(), sound.size() - frame);
      for (std::size_t i = 0; i < rest.size(); ++i) ASSERT_NEAR(rest[i], sound[frame + i], 1e-4) << frame << " " << i;
      EXPECT_EQ(reader.frames_read(), sound.size());
      EXPECT_EQ(reader.warning(), "");
    }
    AudioReader behind(folder / "x");
    behind.skip_to(10 * sound.size());
    EXPECT_TRUE(all_of(behind).empty());
  }
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
