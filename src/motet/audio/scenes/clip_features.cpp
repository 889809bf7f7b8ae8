#include "motet/audio/scenes/clip_features.h"

#include <fmt/format.h>

#include <span>

#include "motet/base/error.h"

namespace motet::audio {
namespace {

std::vector<float> one_channel(const Sound& clip, std::size_t channel) {
  const std::size_t count = clip.channels.size();
  if (channel > count) fail(ErrorKind::usage, fmt::format("there is no channel {}; it has {}", channel, count));
  if (channel > 0) return clip.channels[channel - 1];
  std::vector<float> mean(clip.samples());
  for (std::size_t t = 0; t < mean.size(); ++t) {
    double sum = 0.0;
    for (const std::vector<float>& one : clip.channels) sum += static_cast<double>(one[t]);
    mean[t] = static_cast<float>(sum / static_cast<double>(count));
  }
  return mean;
}

}  // namespace

ClipRow clip_features(const Sound& clip, const ClipOptions& options) {
  FeatureOptions features;
  features.mfcc.window = options.window;
  features.mfcc.hop = options.hop;
  features.mfcc.mfcc_style = options.mfcc_style;
  features.sfi = options.sfi;
  features.asa = options.asa;
  features.music = options.music;
  const FeatureStream stream =
      joined_stream(feature_sets_in(options.set), features, {clip.sample_rate, clip.channels.size()});
  const std::vector<float> one = one_channel(clip, options.channel);
  std::vector<std::span<const float>> channels = {one};
  channels.insert(channels.end(), clip.channels.begin(), clip.channels.end());
  std::vector<double> rows;
  stream.push(channels, rows);
  stream.finish(rows);
  const std::size_t width = stream.columns.size();
  const std::size_t count = rows.size() / width;
  if (count < std::max<std::size_t>(1, options.frame)) {
    fail(ErrorKind::bad_data, fmt::format("{} s hold {} of {} s; {} are needed", to_text(clip.seconds()),
                                          count == 0 ? std::string("no row") : fmt::format("{} rows", count),
                                          to_text(options.window), std::max<std::size_t>(1, options.frame)));
  }
  ClipRow row{stream.columns, std::vector<double>(width)};
  const std::size_t first = options.frame == 0 ? 0 : options.frame - 1;
  const std::size_t end = options.frame == 0 ? count : options.frame;
  for (std::size_t n = first; n < end; ++n) {
    for (std::size_t d = 0; d < width; ++d) row.values[d] += rows[n * width + d] / static_cast<double>(end - first);
  }
  return row;
}

}  // namespace motet::audio
