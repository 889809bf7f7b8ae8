#include <fmt/format.h>

#include <utility>

#include "motet/audio/feature_sets.h"
#include "motet/audio/mfcc.h"
#include "motet/audio/scene/mix.h"
#include "motet/base/error.h"
#include "motet/door/inside.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/audio.h"

namespace motet::audio {
namespace {

void require_equal_lengths(std::span<const std::span<const float>> channels) {
  if (channels.empty()) fail(ErrorKind::usage, "features: there is no channel");
  for (const std::span<const float> channel : channels) {
    door::require_size("features: channel", channel.size(), channels.front().size());
  }
}

std::vector<float> mean_of(std::span<const std::span<const float>> channels) {
  std::vector<float> mean(channels.front().begin(), channels.front().end());
  if (channels.size() == 1) return mean;
  for (std::size_t n = 0; n < mean.size(); ++n) {
    double sum = 0.0;
    for (const std::span<const float> channel : channels) sum += static_cast<double>(channel[n]);
    mean[n] = static_cast<float>(sum / static_cast<double>(channels.size()));
  }
  return mean;
}

}  // namespace

FeatureTable mfcc(std::span<const float> samples, double sample_rate, const Options& options) {
  MfccStream stream(door::inside_options<MfccOptions>(options), sample_rate);
  FeatureTable table;
  stream.push(samples, table.values);
  stream.finish(table.values);
  table.columns = stream.columns();
  table.hop = stream.clock().hop;
  table.window = stream.clock().window;
  return table;
}

FeatureTable features(std::span<const std::span<const float>> channels, double sample_rate, const Options& options) {
  require_equal_lengths(channels);
  const FeatureOptions chosen = settled(door::inside_options<FeatureOptions>(options),
                                        [&](std::string_view name) { return door::is_given(options, name); });
  check_ranges(chosen);
  const FeatureStream stream = feature_stream(chosen, {sample_rate, channels.size()});
  const std::vector<float> mean = mean_of(channels);
  std::vector<std::span<const float>> pushed = {mean};
  pushed.insert(pushed.end(), channels.begin(), channels.end());
  FeatureTable table;
  stream.push(pushed, table.values);
  stream.finish(table.values);
  table.columns = stream.columns;
  table.hop = stream.clock.hop;
  table.window = stream.clock.window;
  return table;
}

std::vector<float> mix(std::span<const float> background, std::span<const std::span<const float>> foregrounds,
                       std::span<const std::size_t> first, double gain) {
  door::require_size("mix: places", first.size(), foregrounds.size());
  if (!(gain >= 0.0)) fail(ErrorKind::usage, "mix: the gain is negative");
  std::vector<Foreground> sounds;
  for (const std::span<const float> samples : foregrounds) {
    sounds.push_back({fmt::format("foreground {}", sounds.size() + 1), {1.0, {{samples.begin(), samples.end()}}}});
  }
  Mixture mixture = mix(Sound{1.0, {{background.begin(), background.end()}}}, sounds, first, gain);
  return std::move(mixture.sound.channels.front());
}

OptionList feature_options() { return door::list_of_options<FeatureOptions>(); }

OptionList mfcc_options() { return door::list_of_options<MfccOptions>(); }

}  // namespace motet::audio
