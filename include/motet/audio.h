// Recordings to rows of numbers. docs/audio.md has the formulas.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/error.h"
#include "motet/features.h"
#include "motet/options.h"

#pragma GCC visibility push(default)
namespace motet::audio {

// `motet audio features --set mfcc`: mel-frequency cepstral coefficients of the samples of one channel.
FeatureTable mfcc(std::span<const float> samples, double sample_rate, const Options& options = {});
OptionList mfcc_options();

// `motet audio features`: the sets, presets and steps that the options name. All channels have the same number of
// samples; sets that need one are given their mean.
FeatureTable features(std::span<const std::span<const float>> channels, double sample_rate,
                      const Options& options = {});
OptionList feature_options();

// `motet audio mix` of one channel: foregrounds begin at these samples of the background; gain 1 is as strong as what
// they cover.
std::vector<float> mix(std::span<const float> background, std::span<const std::span<const float>> foregrounds,
                       std::span<const std::size_t> first, double gain);

}  // namespace motet::audio
#pragma GCC visibility pop
