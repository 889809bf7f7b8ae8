#include "motet/io/audio_file.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <exception>
#include <string_view>
#include <vector>

#include "motet/base/error.h"
#include "motet/io/recording_bytes.h"
#include "motet/io/words.h"

namespace motet {
namespace {

constexpr std::size_t block_frames = 16384;
constexpr int most_rate = 10'000'000;  // Hz: the memory that a window takes grows with it

template <class Word>
Word word_at(std::span<const char> bytes, std::size_t offset) {
  Word word{};
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

// What the header of a wav promises. libsndfile tells only what the file can hold, so that a
// recording cut short would go unnoticed. 0: no wav, or a length its writer did not fill in.
std::uint64_t promised_by_wav(RecordingBytes& bytes) {
  std::uint64_t at = 0;
  const auto take = [&](std::span<char> into) {
    const std::size_t got = bytes.read(at, into);
    at += got;
    return got == into.size();
  };
  std::array<char, 12> start{};
  if (!take(start)) return 0;
  const std::string_view kind(start.data(), 4);
  if ((kind != "RIFF" && kind != "RF64") || std::string_view(start.data() + 8, 4) != "WAVE") return 0;
  constexpr std::size_t most_before_data = std::size_t{1} << 22;
  std::uint64_t long_size = 0;  // of RF64, where 32 bits were too few
  std::uint64_t bytes_a_frame = 0;
  std::vector<char> chunk;
  for (std::size_t seen = 0; seen < most_before_data; seen += chunk.size()) {
    std::array<char, 8> head{};
    if (!take(head)) return 0;
    const std::string_view name(head.data(), 4);
    const auto size = word_at<std::uint32_t>(head, 4);
    if (name == "data") {
      constexpr std::uint32_t unknown = 0xFFFFFFFFU;
      const std::uint64_t length = size == unknown ? long_size : size;
      return bytes_a_frame == 0 ? 0 : length / bytes_a_frame;
    }
    if (size > most_before_data) return 0;
    chunk.resize(size + size % 2);
    if (!take(chunk)) return 0;
    if (name == "fmt " && size >= 16) bytes_a_frame = word_at<std::uint16_t>(chunk, 12);
    if (name == "ds64" && size >= 16) long_size = word_at<std::uint64_t>(chunk, 8);
  }
  return 0;
}

// What libsndfile reads through. Nothing may be thrown through it: what went wrong is kept and thrown behind it.
struct Stream {
  std::unique_ptr<RecordingBytes> bytes;
  std::uint64_t at = 0;
  std::exception_ptr problem;

  static Stream& of(void* user) { return *static_cast<Stream*>(user); }
  static sf_count_t size(void* user) { return static_cast<sf_count_t>(of(user).bytes->size()); }
  static sf_count_t tell(void* user) { return static_cast<sf_count_t>(of(user).at); }
  static sf_count_t write(const void*, sf_count_t, void*) { return 0; }
  static sf_count_t seek(sf_count_t offset, int whence, void* user) {
    const sf_count_t from = whence == SEEK_CUR ? tell(user) : whence == SEEK_END ? size(user) : 0;
    if (from + offset < 0) return -1;
    of(user).at = static_cast<std::uint64_t>(from + offset);
    return from + offset;
  }
  static sf_count_t read(void* into, sf_count_t count, void* user) {
    Stream& stream = of(user);
    try {
      const std::size_t got =
          stream.bytes->read(stream.at, {static_cast<char*>(into), static_cast<std::size_t>(count)});
      stream.at += got;
      return static_cast<sf_count_t>(got);
    } catch (...) {
      if (!stream.problem) stream.problem = std::current_exception();
      return 0;
    }
  }
  void check() const {
    if (problem) std::rethrow_exception(problem);
  }
};

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
  constexpr std::string_view start = "Error : ";
  if (message.starts_with(start)) message.remove_prefix(start.size());
  while (!message.empty() && (message.back() == '.' || message.back() == '\n')) message.remove_suffix(1);
  return std::string(message);
}

}  // namespace

struct AudioReader::Inside {
  ~Inside() {
    if (file != nullptr) sf_close(file);
  }

  std::string path;
  Stream stream;
  SNDFILE* file = nullptr;
  AudioInfo info;
  std::optional<std::size_t> channel;
  std::vector<float> block;  // frames of all channels
  std::uint64_t frames_read = 0;
  bool at_end = false;
  std::string damage;           // what libsndfile said when it gave up
  bool is_ogg = false;          // damaged parts of which are left out without a word
  bool is_end_missing = false;  // of an ogg

  double seconds(std::uint64_t frames) const { return static_cast<double>(frames) / info.sample_rate; }

  std::size_t read_block(std::span<float> into);
  void finish();
  void check(std::span<const float> frames) const;
};

AudioReader::AudioReader(const std::string& path, std::optional<std::size_t> channel)
    : AudioReader(path, path == "-" ? nullptr : open_recording_bytes(path), channel) {}

AudioReader::AudioReader(const std::string& path, std::unique_ptr<RecordingBytes> bytes,
                         std::optional<std::size_t> channel)
    : inside_(std::make_unique<Inside>()) {
  if (!bytes) fail(ErrorKind::usage, "-: a recording cannot be read from standard input; name a file");
  const std::uint64_t promised = promised_by_wav(*bytes);
  Inside& in = *inside_;
  in.path = path;
  in.stream.bytes = std::move(bytes);
  SF_INFO info{};
  SF_VIRTUAL_IO calls{Stream::size, Stream::seek, Stream::read, Stream::write, Stream::tell};
  in.file = sf_open_virtual(&calls, SFM_READ, &info, &in.stream);
  in.stream.check();
  if (in.file == nullptr) {
    fail(ErrorKind::bad_data, fmt::format("{}: cannot be read as a recording: {}; wav, flac, ogg and mp3 are known",
                                          path, text_of(sf_strerror(nullptr))));
  }
  if (info.samplerate < 1 || info.samplerate > most_rate || info.channels < 1) {
    fail(ErrorKind::bad_data, fmt::format("{}: the header names {} channels at {} Hz; both must be positive, and the "
                                          "rate at most {} Hz",
                                          path, info.channels, info.samplerate, most_rate));
  }
  in.info.sample_rate = info.samplerate;
  in.info.channels = static_cast<std::size_t>(info.channels);
  in.is_ogg = (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG;
  in.is_end_missing = in.is_ogg && info.frames == SF_COUNT_MAX;
  if (!has_no_promise(info.format) && !in.is_end_missing) {
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
  stream.check();
  if (damage.empty() && sf_error(file) != SF_ERR_NO_ERROR) damage = text_of(sf_strerror(file));
  if (got == 0) {
    finish();
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

// Where all bytes were taken, the end of the file is missing, which is told as a warning. Where some are left that
// were promised as sound, there is damage inside: what follows would be at a wrong time.
void AudioReader::Inside::finish() {
  at_end = true;
  if (damage.empty()) return;
  if (frames_read == 0) fail(ErrorKind::bad_data, fmt::format("{}: cannot be decoded: {}", path, damage));
  if (frames_read < info.promised_frames && stream.at < stream.bytes->size()) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: is damaged after {:.6g} s ({}); copy or fetch it again", path, seconds(frames_read), damage));
  }
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
  if (in.is_end_missing) return fmt::format("{}: is cut short: its end is missing; what is there was read", in.path);
  if (in.frames_read < promised && in.is_ogg) {
    return fmt::format(
        "{}: is damaged or starts in the middle: {:.6g} s of the {:.6g} s that its end promises are missing; times "
        "behind a gap are too early",
        in.path, in.seconds(promised - in.frames_read), in.seconds(promised));
  }
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
  const std::string ending = lower(path.substr(dot + 1));
  constexpr std::array<std::string_view, 15> endings = {"wav",  "wave", "flac", "ogg", "oga", "opus", "mp3", "aif",
                                                        "aiff", "aifc", "au",   "snd", "caf", "w64",  "rf64"};
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

}  // namespace motet
