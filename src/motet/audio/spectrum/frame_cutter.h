// Cuts the samples of one channel into frames that may overlap, and hands them out, several at a time, as soon as they
// are complete. Frame i starts at sample round(i hop), minus the padding where frames are centred.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/audio/spectrum/sample_buffer.h"

namespace motet::audio {

struct CutPlan {
  std::size_t frame = 0;   // samples
  double hop = 0.0;        // samples, perhaps not whole
  double emphasis = 0.0;   // of the whole sound: x_n - emphasis x_(n-1)
  bool centred = false;    // then padded at both ends ...
  std::size_t before = 0;  // ... with so many samples
  bool is_odd = false;     // of the transform: a last frame needs one sample more
  bool mirrors = false;    // pads with the sound mirrored, not with silence
};

template <class Real, std::size_t lanes>
class FrameCutter {
 public:
  using Frames = std::array<const Real*, lanes>;

  explicit FrameCutter(const CutPlan& plan) : plan_(plan) {
    if (plan.centred && !plan.mirrors) pad_before();
  }

  std::uint64_t samples() const { return samples_; }
  std::int64_t next_frame() const { return next_frame_; }
  std::int64_t end() const { return static_cast<std::int64_t>(samples_); }
  std::int64_t start_of(std::int64_t frame) const { return std::llround(static_cast<double>(frame) * plan_.hop); }

  // take(frames, count): the next `count` frames, at most `lanes`; lanes that are not needed repeat the first.
  template <class Take>
  void push(std::span<const float> samples, const Take& take) {
    append(samples);
    if (plan_.centred && plan_.mirrors && !is_padded_) {
      if (samples_ <= plan_.before) return;
      pad_before();
    }
    while (place_of(next_frame_ + static_cast<std::int64_t>(lanes) - 1) + size() <= buffer_.end()) hand(lanes, take);
    // What a mirror at the end may still show stays.
    const std::int64_t kept = plan_.mirrors ? buffer_.end() - size() - 1 : buffer_.end();
    buffer_.drop_before(std::min(place_of(next_frame_), kept));
  }

  template <class Take>
  void finish(const Take& take) {
    if (plan_.centred && !is_padded_ && samples_ > 0) pad_before();
    while (is_there(next_frame_)) {
      std::size_t count = 1;
      while (count < lanes && is_there(next_frame_ + static_cast<std::int64_t>(count))) ++count;
      pad_behind(place_of(next_frame_ + static_cast<std::int64_t>(count) - 1) + size());
      hand(count, take);
    }
  }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(plan_.frame); }
  std::int64_t before() const { return plan_.centred ? static_cast<std::int64_t>(plan_.before) : 0; }
  std::int64_t place_of(std::int64_t frame) const { return start_of(frame) - before(); }

  void append(std::span<const float> samples) {
    samples_ += samples.size();
    if (plan_.emphasis == 0.0) return buffer_.append(samples);
    for (const float sample : samples) {
      buffer_.append(static_cast<Real>(static_cast<double>(sample) - plan_.emphasis * static_cast<double>(last_)));
      last_ = sample;
    }
  }

  void pad_before() {
    std::vector<Real> padding(plan_.before, Real{0});
    if (plan_.mirrors) {
      for (std::size_t i = 0; i < padding.size(); ++i) {
        padding[i] = *buffer_.at(mirrored(static_cast<std::int64_t>(i) - before(), end()));
      }
    }
    buffer_.prepend(padding);
    is_padded_ = true;
  }

  void pad_behind(std::int64_t needed) {
    while (buffer_.end() < needed) {
      buffer_.append(plan_.mirrors ? *buffer_.at(mirrored(buffer_.end(), end())) : Real{0});
    }
  }

  bool is_there(std::int64_t frame) const {
    if (!plan_.centred) return place_of(frame) + size() <= end();
    return samples_ > 0 && start_of(frame) <= end() - (plan_.is_odd ? 1 : 0);
  }

  template <class Take>
  void hand(std::size_t count, const Take& take) {
    Frames frames{};
    for (std::size_t s = 0; s < lanes; ++s) {
      frames[s] = buffer_.at(place_of(next_frame_ + static_cast<std::int64_t>(s < count ? s : 0)));
    }
    take(frames, count);
    next_frame_ += static_cast<std::int64_t>(count);
  }

  CutPlan plan_;
  SampleBuffer<Real> buffer_;
  std::uint64_t samples_ = 0;    // pushed
  std::int64_t next_frame_ = 0;  // to be handed out
  float last_ = 0.0F;            // sample, for the emphasis
  bool is_padded_ = false;
};

}  // namespace motet::audio
