// Samples that some frame still needs, by their number in the recording; what was padded before it has negative ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motet::audio {

template <class Real>
class SampleBuffer {
 public:
  std::int64_t end() const { return first_ + static_cast<std::int64_t>(samples_.size()); }
  const Real* at(std::int64_t number) const { return samples_.data() + (number - first_); }
  void append(std::span<const float> samples) { samples_.insert(samples_.end(), samples.begin(), samples.end()); }
  void append(Real sample) { samples_.push_back(sample); }

  // Before what is here, which begins at 0 as yet.
  void prepend(std::span<const Real> samples) {
    samples_.insert(samples_.begin(), samples.begin(), samples.end());
    first_ -= static_cast<std::int64_t>(samples.size());
  }

  // Samples before `number` are not needed any more. They go when they are half of what is here.
  void drop_before(std::int64_t number) {
    const std::int64_t unneeded = std::min(number, end()) - first_;
    if (unneeded * 2 < static_cast<std::int64_t>(samples_.size())) return;
    samples_.erase(samples_.begin(), samples_.begin() + unneeded);
    first_ += unneeded;
  }

 private:
  std::vector<Real> samples_;
  std::int64_t first_ = 0;
};

// The sample that lies at `number` when a sound of `count` is mirrored at its first and last sample, again and again.
inline std::int64_t mirrored(std::int64_t number, std::int64_t count) {
  if (count <= 1) return 0;
  const std::int64_t period = 2 * (count - 1);
  const std::int64_t within = ((number % period) + period) % period;
  return std::min(within, period - within);
}

}  // namespace motet::audio
