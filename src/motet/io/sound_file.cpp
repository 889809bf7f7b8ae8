#include "motet/io/sound_file.h"

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "motet/base/error.h"
#include "motet/io/audio_file.h"
#include "motet/io/file.h"
#include "motet/io/resampler.h"

namespace motet {
namespace {

constexpr std::size_t sound_block = 65536;
constexpr double most_wav_bytes = 4.0e9;  // beyond, a wav cannot tell its length

// What libsndfile writes to: it goes back to the header at the end, so that all is kept until then.
struct SoundBytes {
  std::string text;
  std::size_t at = 0;

  static SoundBytes& of(void* user) { return *static_cast<SoundBytes*>(user); }
  static sf_count_t size(void* user) { return static_cast<sf_count_t>(of(user).text.size()); }
  static sf_count_t tell(void* user) { return static_cast<sf_count_t>(of(user).at); }
  static sf_count_t read(void*, sf_count_t, void*) { return 0; }
  static sf_count_t seek(sf_count_t offset, int whence, void* user) {
    const sf_count_t from = whence == SEEK_CUR ? tell(user) : whence == SEEK_END ? size(user) : 0;
    if (from + offset < 0) return -1;
    of(user).at = static_cast<std::size_t>(from + offset);
    return from + offset;
  }
  static sf_count_t write(const void* from, sf_count_t count, void* user) {
    SoundBytes& bytes = of(user);
    const auto size = static_cast<std::size_t>(count);
    if (bytes.text.size() < bytes.at + size) bytes.text.resize(bytes.at + size);
    std::copy_n(static_cast<const char*>(from), size, bytes.text.begin() + static_cast<std::ptrdiff_t>(bytes.at));
    bytes.at += size;
    return count;
  }
};

bool write_frames(SNDFILE* file, const Sound& sound) {
  const std::size_t channels = sound.channels.size();
  std::vector<float> block(sound_block * channels);
  for (std::size_t first = 0; first < sound.samples(); first += sound_block) {
    const std::size_t count = std::min(sound_block, sound.samples() - first);
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t c = 0; c < channels; ++c) block[t * channels + c] = sound.channels[c][first + t];
    }
    if (sf_writef_float(file, block.data(), static_cast<sf_count_t>(count)) != static_cast<sf_count_t>(count))
      return false;
  }
  return true;
}

}  // namespace

Sound read_sound(const std::string& path, const SoundChoice& choice, std::vector<std::string>& warnings) {
  const bool is_one = choice.channel > 0;
  AudioReader reader(path, is_one ? std::optional(choice.channel) : std::nullopt);
  const AudioInfo& info = reader.info();
  Sound sound{choice.rate > 0.0 ? choice.rate : info.sample_rate, {}};
  sound.channels.resize(is_one ? 1 : info.channels);
  std::optional<Resampler> resampler;
  if (sound.sample_rate != info.sample_rate) {
    resampler.emplace(info.sample_rate, sound.sample_rate, sound.channels.size());
  }
  std::vector<std::vector<float>> block;
  for (std::size_t got = sound_block; got != 0;) {
    got = reader.read_all(sound_block, block);
    // The channel that was chosen comes first, then all of the file.
    if (is_one) {
      block.resize(1);
    } else {
      block.erase(block.begin());
    }
    if (resampler) resampler->push(block);
    for (std::size_t c = 0; c < block.size(); ++c) {
      sound.channels[c].insert(sound.channels[c].end(), block[c].begin(), block[c].end());
    }
  }
  if (sound.samples() == 0) fail(ErrorKind::bad_data, path + ": the recording is empty");
  if (std::string warning = reader.warning(); !warning.empty()) warnings.push_back(std::move(warning));
  return sound;
}

void write_wav(const std::string& path, const Sound& sound) {
  SoundBytes bytes;
  SF_VIRTUAL_IO to_bytes{SoundBytes::size, SoundBytes::seek, SoundBytes::read, SoundBytes::write, SoundBytes::tell};
  SF_INFO info{};
  info.samplerate = static_cast<int>(std::lround(sound.sample_rate));
  info.channels = static_cast<int>(sound.channels.size());
  const double size = 4.0 * static_cast<double>(sound.samples()) * static_cast<double>(sound.channels.size());
  info.format = (size < most_wav_bytes ? SF_FORMAT_WAV : SF_FORMAT_RF64) | SF_FORMAT_FLOAT;
  SNDFILE* const file = sf_open_virtual(&to_bytes, SFM_WRITE, &info, &bytes);
  if (file == nullptr) fail(ErrorKind::internal, path + ": no wav can be made: " + sf_strerror(nullptr));
  // It would hold the time of writing.
  sf_command(file, SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);
  const bool is_written = write_frames(file, sound);
  if (sf_close(file) != 0 || !is_written) fail(ErrorKind::internal, path + ": no wav could be made");
  write_atomically(path, bytes.text);
}

}  // namespace motet
