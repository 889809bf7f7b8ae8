// The bytes of a recording by their place. libsndfile asks for them through callbacks and takes a failure for the
// end of the data; where the bytes come from here, the two are told apart.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace motet {

class RecordingBytes {
 public:
  virtual ~RecordingBytes() = default;
  virtual std::uint64_t size() const = 0;
  // Fills `into` from byte `at` on; less than its size only at the end. Throws what is wrong with the disk.
  virtual std::size_t read(std::uint64_t at, std::span<char> into) = 0;
};

// Throws Error{bad_data} "FILE: cannot be opened: ..." and "FILE: the file is empty"; reading it throws
// Error{machine_limit} "FILE: cannot be read: Input/output error".
std::unique_ptr<RecordingBytes> open_recording_bytes(const std::string& path);

}  // namespace motet
