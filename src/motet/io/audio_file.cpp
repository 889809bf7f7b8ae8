#include "motet/io/audio_file.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "motet/base/error.h"
#include "motet/io/file.h"

namespace motet {
namespace {

constexpr std::size_t block_frames = 16384;

template <class Word>
Word word_at(std::span<const char> bytes, std::size_t offset) {
  Word word{};
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

// What the header of a wav promises. libsndfile tells only what the file can hold, so that a
// recording cut short would go unnoticed. 0: no wav, or a length its writer did not fill in.
std::uint64_t promised_by_wav(InputFile& file) {
  std::array<char, 12> start{};
  if (file.read(start) != start.size()) return 0;
  const std::string_view kind(start.data(), 4);
  if ((kind != "RIFF" && kind != "RF64") || std::string_view(start.data() + 8, 4) != "WAVE") return 0;
  constexpr std::size_t most_before_data = std::size_t{1} << 22;
  std::uint64_t long_size = 0;  // of RF64, where 32 bits were too few
  std::uint64_t bytes_a_frame = 0;
  std::vector<char> chunk;
  for (std::size_t seen = 0; seen < most_before_data; seen += chunk.size()) {
    std::array<char, 8> head{};
    if (file.read(head) != head.size()) return 0;
    const std::string_view name(head.data(), 4);
    const auto size = word_at<std::uint32_t>(head, 4);
    if (name == "data") {
      constexpr std::uint32_t unknown = 0xFFFFFFFFU;
      const std::uint64_t bytes = size == unknown ? long_size : size;
      return bytes_a_frame == 0 ? 0 : bytes / bytes_a_frame;
    }
    if (size > most_before_data) return 0;
    chunk.resize(size + size % 2);
    if (file.read(chunk) != chunk.size()) return 0;
    if (name == "fmt " && size >= 16) bytes_a_frame = word_at<std::uint16_t>(chunk, 12);
    if (name == "ds64" && size >= 16) long_size = word_at<std::uint64_t>(chunk, 8);
  }
  return 0;
}

// Formats whose frames are blocks of packed samples: bytes / block align is not their number.
bool is_packed(int format) {
  const int coding = format & SF_FORMAT_SUBMASK;
  return coding != SF_FORMAT_PCM_S8 && coding != SF_FORMAT_PCM_U8 && coding != SF_FORMAT_PCM_16 &&
         coding != SF_FORMAT_PCM_24 && coding != SF_FORMAT_PCM_32 && coding != SF_FORMAT_FLOAT &&
         coding != SF_FORMAT_DOUBLE && coding != SF_FORMAT_ULAW && coding != SF_FORMAT_ALAW;
}

bool has_no_promise(int format) { return (format & SF_FORMAT_TYPEMASK) == SF_FORMAT_MPEG; }

// libsndfile ends its sentences with a full stop, and ours go on.
std::string text_of(std::string_view message) {
  while (!message.empty() && (message.back() == '.' || message.back() == '\n')) message.remove_suffix(1);
  return std::string(message);
}

}  // namespace

struct AudioReader::Inside {
  ~Inside() {
    if (file != nullptr) sf_close(file);
  }

  std::string path;
  SNDFILE* file = nullptr;
  AudioInfo info;
  std::optional<std::size_t> channel;
  std::vector<float> block;  // frames of all channels
  std::uint64_t frames_read = 0;
  bool at_end = false;
  std::string damage;  // what libsndfile said when it gave up

  double seconds(std::uint64_t frames) const { return static_cast<double>(frames) / info.sample_rate; }

  std::size_t read_block(std::span<float> into);
  void check(std::span<const float> frames) const;
};

AudioReader::AudioReader(const std::string& path, std::optional<std::size_t> channel)
    : inside_(std::make_unique<Inside>()) {
  if (path == "-") fail(ErrorKind::usage, "-: a recording cannot be read from standard input; name a file");
  InputFile bytes(path);  // says what is wrong with the path
  if (bytes.bytes_total() == 0) fail(ErrorKind::bad_data, path + ": the file is empty");
  const std::uint64_t promised = promised_by_wav(bytes);
  Inside& in = *inside_;
  in.path = path;
  SF_INFO info{};
  in.file = sf_open(path.c_str(), SFM_READ, &info);
  if (in.file == nullptr) {
    fail(ErrorKind::bad_data, fmt::format("{}: cannot be read as a recording: {}; wav, flac, ogg and mp3 are known",
                                          path, text_of(sf_strerror(nullptr))));
  }
  if (info.samplerate < 1 || info.channels < 1) {
    fail(ErrorKind::bad_data, fmt::format("{}: the header names {} channels at {} Hz; both must be positive", path,
                                          info.channels, info.samplerate));
  }
  in.info.sample_rate = info.samplerate;
  in.info.channels = static_cast<std::size_t>(info.channels);
  if (!has_no_promise(info.format)) {
    in.info.promised_frames = static_cast<std::uint64_t>(std::max<sf_count_t>(info.frames, 0));
    if (!is_packed(info.format)) in.info.promised_frames = std::max(in.info.promised_frames, promised);
  }
  in.channel = channel;
  if (channel && (*channel == 0 || *channel > in.info.channels)) {
    fail(ErrorKind::usage, fmt::format("{}: there is no channel {}; it has {}", path, *channel, in.info.channels));
  }
  in.block.resize(block_frames * in.info.channels);
}

AudioReader::~AudioReader() = default;
AudioReader::AudioReader(AudioReader&&) noexcept = default;

const AudioInfo& AudioReader::info() const { return inside_->info; }
std::uint64_t AudioReader::frames_read() const { return inside_->frames_read; }

void AudioReader::Inside::check(std::span<const float> frames) const {
  // By their bits and without branches, which is many samples at a time.
  constexpr std::uint32_t exponent = 0x7F800000U;
  std::uint32_t broken = 0;
  for (const float sample : frames) {
    broken |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(sample) & exponent) == exponent);
  }
  if (broken == 0) return;
  const auto bad = std::find_if_not(frames.begin(), frames.end(), [](float x) { return std::isfinite(x); });
  const std::uint64_t frame = frames_read + static_cast<std::uint64_t>(bad - frames.begin()) / info.channels;
  fail(ErrorKind::bad_data, fmt::format("{}: the sample at {} s is {}; sound must be finite numbers", path,
                                        to_text(seconds(frame)), std::isnan(*bad) ? "nan" : "inf"));
}

std::size_t AudioReader::Inside::read_block(std::span<float> into) {
  const std::size_t wanted = std::min(into.size(), block_frames);
  const auto got = static_cast<std::size_t>(
      std::max<sf_count_t>(sf_readf_float(file, block.data(), static_cast<sf_count_t>(wanted)), 0));
  if (got == 0) {
    at_end = true;
    if (sf_error(file) != SF_ERR_NO_ERROR) damage = text_of(sf_strerror(file));
    if (!damage.empty() && frames_read == 0) {
      fail(ErrorKind::bad_data, fmt::format("{}: cannot be decoded: {}", path, damage));
    }
    return 0;
  }
  const std::size_t channels = info.channels;
  check({block.data(), got * channels});
  if (channels == 1) {
    std::copy_n(block.begin(), got, into.begin());
  } else if (channel) {
    for (std::size_t i = 0; i < got; ++i) into[i] = block[i * channels + *channel - 1];
  } else {
    for (std::size_t i = 0; i < got; ++i) {
      double sum = 0.0;
      for (std::size_t c = 0; c < channels; ++c) sum += static_cast<double>(block[i * channels + c]);
      into[i] = static_cast<float>(sum / static_cast<double>(channels));
    }
  }
  frames_read += got;
  return got;
}

std::size_t AudioReader::read(std::span<float> into) {
  std::size_t done = 0;
  while (done < into.size() && !inside_->at_end) done += inside_->read_block(into.subspan(done));
  return done;
}

std::string AudioReader::warning() const {
  const Inside& in = *inside_;
  if (!in.at_end) return "";
  const std::uint64_t promised = in.info.promised_frames;
  if (in.frames_read < promised) {
    return fmt::format(
        "{}: is cut short: {:.6g} s of the {:.6g} s that its header promises are missing; what is there "
        "was read",
        in.path, in.seconds(promised - in.frames_read), in.seconds(promised));
  }
  if (!in.damage.empty()) {
    return fmt::format("{}: is damaged after {:.6g} s ({}); what is before was read", in.path,
                       in.seconds(in.frames_read), in.damage);
  }
  return "";
}

bool is_audio_name(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return false;
  std::string ending = path.substr(dot + 1);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<std::string_view, 15> endings = {"wav",  "wave", "flac", "ogg", "oga", "opus", "mp3", "aif",
                                                        "aiff", "aifc", "au",   "snd", "caf", "w64",  "rf64"};
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

}  // namespace motet
