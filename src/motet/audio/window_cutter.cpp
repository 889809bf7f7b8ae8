#include "motet/audio/window_cutter.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "motet/base/error.h"

namespace motet::audio {
namespace {

constexpr std::size_t cutter_block = 65536;  // samples that are taken at a time, so that little waits

std::int64_t whole_samples(double seconds, double rate) { return std::llround(seconds * rate); }

}  // namespace

WindowCutter::WindowCutter(const FrameClock& clock, const SoundShape& sound, double context)
    : hop_(clock.hop * sound.sample_rate),
      window_(whole_samples(clock.window, sound.sample_rate)),
      context_(std::max(window_, whole_samples(context, sound.sample_rate))),
      kept_(sound.channels) {
  if (window_ < 1 || hop_ < 1.0) {
    fail(ErrorKind::usage, "a window of " + to_text(clock.window) + " s every " + to_text(clock.hop) +
                               " s is less than a sample at " + to_text(sound.sample_rate) + " Hz");
  }
}

std::int64_t WindowCutter::start_of(std::int64_t row) const { return std::llround(static_cast<double>(row) * hop_); }

void WindowCutter::push(std::span<const std::span<const float>> channels, const FrameWork& work) {
  const std::size_t samples = channels.front().size();
  for (std::size_t first = 0; first < samples; first += cutter_block) {
    take(channels, first, std::min(cutter_block, samples - first));
    hand_on(work);
  }
}

void WindowCutter::take(std::span<const std::span<const float>> channels, std::size_t first, std::size_t count) {
  for (std::size_t c = 0; c < kept_.size(); ++c) {
    const std::span<const float> block = channels[c].subspan(first, count);
    kept_[c].insert(kept_[c].end(), block.begin(), block.end());
  }
}

void WindowCutter::hand_on(const FrameWork& work) {
  std::vector<std::span<const float>> frame(kept_.size());
  for (;; ++next_row_) {
    const std::int64_t end = start_of(next_row_) + window_;
    if (end > first_ + static_cast<std::int64_t>(kept_.front().size())) break;
    const std::int64_t begin = std::max<std::int64_t>(0, end - context_);
    for (std::size_t c = 0; c < kept_.size(); ++c) {
      frame[c] = std::span<const float>(kept_[c]).subspan(static_cast<std::size_t>(begin - first_),
                                                          static_cast<std::size_t>(end - begin));
    }
    work(frame);
  }
  drop_before(start_of(next_row_) + window_ - context_);
}

// They go when they are half of what is kept.
void WindowCutter::drop_before(std::int64_t sample) {
  const auto size = static_cast<std::int64_t>(kept_.front().size());
  const std::int64_t unneeded = std::clamp<std::int64_t>(sample - first_, 0, size);
  if (unneeded == 0 || unneeded * 2 < size) return;
  for (std::vector<float>& channel : kept_) channel.erase(channel.begin(), channel.begin() + unneeded);
  first_ += unneeded;
}

FeatureStream stream_of_frames(std::vector<std::string> columns, std::vector<std::string> units,
                               const FrameClock& clock, WindowCutter cutter,
                               std::function<void(std::span<const std::span<const float>>, std::vector<double>&)> row) {
  FeatureStream stream{std::move(columns), std::move(units), clock, {}, {}};
  const auto frames = std::make_shared<WindowCutter>(std::move(cutter));
  stream.push = [frames, row = std::move(row)](std::span<const std::span<const float>> channels,
                                               std::vector<double>& rows) {
    frames->push(channels, [&](std::span<const std::span<const float>> frame) { row(frame, rows); });
  };
  stream.finish = [](std::vector<double>&) {};
  return stream;
}

}  // namespace motet::audio
