#include "motet/io/audio_file.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <exception>
#include <string_view>
#include <vector>

#include "motet/base/error.h"
#include "motet/io/recording_bytes.h"
#include "motet/io/recording_header.h"
#include "motet/io/words.h"

namespace motet {
namespace {

constexpr std::size_t block_frames = 16384;
constexpr std::uint64_t most_frames_a_byte = 8192;  // the longest block of Vorbis in the shortest packet
constexpr int most_rate = 10'000'000;               // Hz: the memory that a window takes grows with it

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

// libsndfile ends its sentences with a full stop, and ours go on.
std::string text_of(std::string_view message) {
  constexpr std::string_view start = "Error : ";
  if (message.starts_with(start)) message.remove_prefix(start.size());
  while (!message.empty() && (message.back() == '.' || message.back() == '\n')) message.remove_suffix(1);
  return std::string(message);
}

bool is_mp3(int format) { return (format & SF_FORMAT_TYPEMASK) == SF_FORMAT_MPEG; }

// An mp3 is whole frames, of which decoders leave out the first or some at the ends.
constexpr std::uint64_t most_missing_of_mp3 = std::uint64_t{3} * 1152;

[[noreturn]] void fail_with_header(const std::string& path, const std::string& channels, const std::string& rate) {
  fail(ErrorKind::bad_data, fmt::format("{}: the header names {} channels at {} Hz; both must be positive, and the "
                                        "rate at most {} Hz",
                                        path, channels, rate, most_rate));
}

// libsndfile would tell of something inside it, or take a rate of 0 for 1.
void check_header(const std::string& path, const RecordingHeader& header) {
  if (header.sample_rate && header.channels && (!(*header.sample_rate >= 1.0) || *header.channels == 0)) {
    fail_with_header(path, std::to_string(*header.channels), to_text(*header.sample_rate));
  }
}

[[noreturn]] void fail_to_open(const std::string& path) {
  const std::string reason = text_of(sf_strerror(nullptr));
  // What it says of a header whose rate or channels it does not take.
  if (reason.find("SF_INFO") != std::string::npos) {
    fail(ErrorKind::bad_data, path + ": the header names no sample rate or no channels that a recording can have");
  }
  fail(ErrorKind::bad_data,
       fmt::format("{}: cannot be read as a recording: {}; wav, flac, ogg and mp3 are known", path, reason));
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
  double power = 0.0;  // sum of squares of the channels, by their number
  double power_of_mean = 0.0;
  bool at_end = false;
  std::string damage;           // what libsndfile said when it gave up
  bool is_ogg = false;          // damaged parts of which are left out without a word
  bool is_end_missing = false;  // of an ogg
  bool is_mp3 = false;
  std::string remark;  // on the header

  double seconds(std::uint64_t frames) const { return static_cast<double>(frames) / info.sample_rate; }

  std::size_t read_frames(std::size_t wanted);
  std::size_t read_block(std::span<float> into);
  void mix(std::size_t frames, std::span<float> into);
  void finish();
  void check(std::span<const float> frames) const;
};

AudioReader::AudioReader(const std::string& path, std::optional<std::size_t> channel)
    : AudioReader(path, path == "-" ? nullptr : open_recording_bytes(path), channel) {}

AudioReader::AudioReader(const std::string& path, std::unique_ptr<RecordingBytes> bytes,
                         std::optional<std::size_t> channel)
    : inside_(std::make_unique<Inside>()) {
  if (!bytes) fail(ErrorKind::usage, "-: a recording cannot be read from standard input; name a file");
  RecordingHeader header = recording_header(*bytes);
  check_header(path, header);
  Inside& in = *inside_;
  in.path = path;
  in.stream.bytes = with_header_bytes(std::move(bytes), std::move(header.instead));
  SF_INFO info{};
  SF_VIRTUAL_IO calls{Stream::size, Stream::seek, Stream::read, Stream::write, Stream::tell};
  in.file = sf_open_virtual(&calls, SFM_READ, &info, &in.stream);
  in.stream.check();
  if (in.file == nullptr) fail_to_open(path);
  if (info.samplerate < 1 || info.samplerate > most_rate || info.channels < 1) {
    fail_with_header(path, std::to_string(info.channels), std::to_string(info.samplerate));
  }
  in.info.sample_rate = info.samplerate;
  in.info.channels = static_cast<std::size_t>(info.channels);
  in.is_ogg = (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG;
  // What the last page of an ogg says is no length when more is said than any coding could hold.
  in.is_end_missing =
      in.is_ogg && static_cast<std::uint64_t>(info.frames) / most_frames_a_byte > in.stream.bytes->size();
  in.is_mp3 = is_mp3(info.format);
  in.remark = std::move(header.remark);
  if (in.is_mp3 ? header.has_frame_count : !in.is_end_missing) {
    in.info.promised_frames = static_cast<std::uint64_t>(std::max<sf_count_t>(info.frames, 0));
    if (!in.is_mp3 && !is_packed(info.format)) {
      in.info.promised_frames = std::max(in.info.promised_frames, header.promised_frames);
    }
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

// Into `block`; counts them as read.
std::size_t AudioReader::Inside::read_frames(std::size_t wanted) {
  const auto got = static_cast<std::size_t>(std::max<sf_count_t>(
      sf_readf_float(file, block.data(), static_cast<sf_count_t>(std::min(wanted, block_frames))), 0));
  stream.check();
  if (damage.empty() && sf_error(file) != SF_ERR_NO_ERROR) damage = text_of(sf_strerror(file));
  if (got == 0) {
    finish();
    return 0;
  }
  check({block.data(), got * info.channels});
  frames_read += got;
  return got;
}

// The one channel that was chosen, or the mean of all.
void AudioReader::Inside::mix(std::size_t frames, std::span<float> into) {
  const std::size_t channels = info.channels;
  if (channels == 1) {
    std::copy_n(block.begin(), frames, into.begin());
  } else if (channel) {
    for (std::size_t i = 0; i < frames; ++i) into[i] = block[i * channels + *channel - 1];
  } else {
    for (std::size_t i = 0; i < frames; ++i) {
      double sum = 0.0;
      double squares = 0.0;
      for (std::size_t c = 0; c < channels; ++c) {
        const auto sample = static_cast<double>(block[i * channels + c]);
        sum += sample;
        squares += sample * sample;
      }
      const double mean = sum / static_cast<double>(channels);
      into[i] = static_cast<float>(mean);
      power += squares / static_cast<double>(channels);
      power_of_mean += mean * mean;
    }
  }
}

std::size_t AudioReader::Inside::read_block(std::span<float> into) {
  const std::size_t got = read_frames(into.size());
  mix(got, into);
  return got;
}

std::size_t AudioReader::read_all(std::size_t samples, std::vector<std::vector<float>>& channels) {
  const std::size_t count = inside_->info.channels;
  channels.resize(1 + count);
  for (std::vector<float>& channel : channels) channel.resize(samples);
  std::size_t done = 0;
  while (done < samples && !inside_->at_end) {
    const std::size_t got = inside_->read_frames(samples - done);
    inside_->mix(got, std::span(channels[0]).subspan(done));
    for (std::size_t c = 0; c < count; ++c) {
      for (std::size_t i = 0; i < got; ++i) channels[1 + c][done + i] = inside_->block[i * count + c];
    }
    done += got;
  }
  for (std::vector<float>& channel : channels) channel.resize(done);
  return done;
}

// Where all bytes were taken, the end of the file is missing, which is told as a warning. Where some are left that
// were promised as sound, there is damage inside: what follows would be at a wrong time.
void AudioReader::Inside::finish() {
  at_end = true;
  if (is_end_missing && frames_read == 0) {
    fail(ErrorKind::bad_data, path + ": is cut short before its first sound; copy or fetch it again");
  }
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

std::optional<double> AudioReader::share_kept_by_mean() const {
  const Inside& in = *inside_;
  if (in.channel || in.info.channels < 2 || in.power <= 0.0) return std::nullopt;
  return in.power_of_mean / in.power;
}

std::string AudioReader::warning() const {
  const Inside& in = *inside_;
  if (!in.at_end) return "";
  const std::uint64_t promised = in.info.promised_frames;
  if (in.is_end_missing) {
    return fmt::format("{}: is cut short: its end is missing; the {:.6g} s that are there were read", in.path,
                       in.seconds(in.frames_read));
  }
  if (in.frames_read < promised && in.is_ogg) {
    return fmt::format(
        "{}: is damaged or starts in the middle: {:.6g} s of the {:.6g} s that its end promises are missing; times "
        "behind a gap are too early",
        in.path, in.seconds(promised - in.frames_read), in.seconds(promised));
  }
  if (in.frames_read + (in.is_mp3 ? most_missing_of_mp3 : 0) < promised) {
    return fmt::format(
        "{}: is cut short: {:.6g} s of the {:.6g} s that its header promises are missing; what is there "
        "was read",
        in.path, in.seconds(promised - in.frames_read), in.seconds(promised));
  }
  if (!in.damage.empty()) {
    return fmt::format("{}: is damaged after {:.6g} s ({}); what is before was read", in.path,
                       in.seconds(in.frames_read), in.damage);
  }
  if (!in.remark.empty() && in.frames_read > 0) {
    return fmt::format("{}: {}; the {:.6g} s that are there were read", in.path, in.remark, in.seconds(in.frames_read));
  }
  return "";
}

void AudioReader::skip_to(std::uint64_t frame) {
  Inside& in = *inside_;
  const auto place = static_cast<sf_count_t>(frame);
  const bool is_known = in.info.promised_frames == 0 || frame <= in.info.promised_frames;
  if (frame > 0 && is_known && sf_seek(in.file, place, SEEK_SET) == place) {
    in.stream.check();
    in.frames_read = frame;
    return;
  }
  while (in.frames_read < frame && !in.at_end) {
    in.read_frames(static_cast<std::size_t>(std::min<std::uint64_t>(frame - in.frames_read, block_frames)));
  }
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
