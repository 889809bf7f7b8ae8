// Sound at another sample rate, block by block, by soxr at its high quality (20 bits).
//
// What comes out does not depend on how the sound was cut into blocks. Its first sample stands for the time of the
// first sample that went in.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace motet {

class Resampler {
 public:
  Resampler(double from_rate, double to_rate, std::size_t channels);
  ~Resampler();
  Resampler(Resampler&&) noexcept;

  // Replaces the samples of all channels, which are as many in each, by those that are ready at the new rate. Without
  // samples: the rest. Throws Error{machine_limit} when there is no memory.
  void push(std::vector<std::vector<float>>& channels);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace motet
