// Sound from recordings, block by block: wav, flac, ogg, opus, mp3, aiff and what else libsndfile reads.
//
// A header may promise more than there is (a recorder whose battery ran out) or less
// (a wav that was never closed, mp3): reading goes on until nothing more comes, and the
// promise only serves to tell how much is missing. Damage inside, and a disk that cannot be read, end it with an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace motet {

class RecordingBytes;

struct AudioInfo {
  double sample_rate = 0.0;           // Hz
  std::size_t channels = 0;           // in the file
  std::uint64_t promised_frames = 0;  // by the header; 0: unknown
};

class AudioReader {
 public:
  // `channel`: the first is 1; none: the mean of all. Throws Error{bad_data} "FILE: ..." for what is no
  // recording, Error{usage} for a channel that is not there.
  explicit AudioReader(const std::string& path, std::optional<std::size_t> channel = {});
  AudioReader(const std::string& path, std::unique_ptr<RecordingBytes> bytes, std::optional<std::size_t> channel);
  ~AudioReader();
  AudioReader(AudioReader&&) noexcept;

  const AudioInfo& info() const;

  // Fills `into` with the next samples of one channel; less than its size only at the end, then 0. Throws
  // Error{bad_data} "FILE: sample 4411 at 0.100023 s is nan; ..." and for data that cannot be decoded, and
  // Error{machine_limit} "FILE: cannot be read: Input/output error".
  std::size_t read(std::span<float> into);

  // The same of several channels: `one`, as above, and behind it each of the file. Returns how many samples each has.
  std::size_t read_all(std::size_t samples, std::vector<std::vector<float>>& channels);

  // Goes on from this frame, the first is 0: at once where the format can, else by reading what is before it. Only
  // before the first read.
  void skip_to(std::uint64_t frame);

  std::uint64_t frames_read() const;  // with those that were skipped

  // How much of the power of the channels their mean has, of what was read: 1 where they are alike, 1 / channels where
  // they have nothing to do with each other, 0 where they cancel. Nothing where one channel is read, or silence.
  std::optional<double> share_kept_by_mean() const;

  // After the end: what is to be told, such as "x.wav: is cut short: 2.5 s of the 10 s that its header
  // promises are missing"; else empty.
  std::string warning() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// Whether the name ends like that of a recording (.wav, .flac, .ogg, .mp3 ...), in any case.
bool is_audio_name(const std::string& path);

}  // namespace motet
