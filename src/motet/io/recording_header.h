// What the header of a recording says of itself. libsndfile tells only what a file can hold, so that a recording cut
// short would go unnoticed, and it believes a wav whose writer never came back to fill in the length, so that sound
// would.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "motet/io/recording_bytes.h"

namespace motet {

// Bytes that are to be read in the place of those in the file.
struct HeaderBytes {
  std::uint64_t at = 0;
  std::string bytes;
};

struct RecordingHeader {
  std::uint64_t promised_frames = 0;  // 0: not told, or by libsndfile just as well
  bool has_frame_count = false;       // of an mp3: its first frame tells how many follow
  std::optional<double> sample_rate;  // Hz; none: not known here
  std::optional<std::size_t> channels;
  std::vector<HeaderBytes> instead;
  std::string remark;  // what is to be told of the recording, without its name; mostly empty
};

// Of wav (RIFF and RF64), aiff, au, w64 and mp3; of others nothing is known.
RecordingHeader recording_header(RecordingBytes& bytes);

// The same bytes with some of them replaced.
std::unique_ptr<RecordingBytes> with_header_bytes(std::unique_ptr<RecordingBytes> bytes,
                                                  std::vector<HeaderBytes> instead);

}  // namespace motet
