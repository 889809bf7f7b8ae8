// Sound from recordings, block by block: wav, flac, ogg, mp3 and what else libsndfile reads.
//
// A header may promise more than there is (a recorder whose battery ran out) or less
// (mp3): reading goes on until nothing more comes, and the promise only serves to tell
// how much is missing. Damage inside, and a disk that cannot be read, end it with an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

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

  std::uint64_t frames_read() const;

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
