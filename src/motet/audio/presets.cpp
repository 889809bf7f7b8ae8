#include "motet/audio/presets.h"

namespace motet::audio {
namespace {

MfccOptions options_of(Preset preset) {
  MfccOptions options;
  if (preset == Preset::librosa) {
    options.window_samples = 2048;
    options.hop_samples = 512;
    options.bands = 128;
    options.coefficients = 20;
    options.top_db = 80.0;
    options.centre = true;
  } else if (preset == Preset::slaney) {
    options.mfcc_style = MfccStyle::slaney;
    options.window_samples = 256;
    options.hop = 0.01;
  } else if (preset == Preset::kaldi) {
    options.mfcc_style = MfccStyle::kaldi;
    options.window = 0.025;
    options.hop = 0.010;
    options.bands = 23;
    options.low_hz = 20.0;
    options.lifter = 22.0;
  } else if (preset == Preset::single_dft) {
    options.mfcc_style = MfccStyle::single_dft;
    options.window = 0.8;
    options.hop = 0.8;
  }
  return options;
}

}  // namespace

void apply_preset(Preset preset, MfccOptions& options, const std::function<bool(std::string_view)>& is_given) {
  if (preset == Preset::none) return;
  const MfccOptions usual = options_of(preset);
  const auto take = [&](std::string_view name, auto MfccOptions::*field) {
    if (!is_given(name)) options.*field = usual.*field;
  };
  take("mfcc_style", &MfccOptions::mfcc_style);
  take("coefficients", &MfccOptions::coefficients);
  take("window", &MfccOptions::window);
  take("hop", &MfccOptions::hop);
  if (!is_given("window")) take("window_samples", &MfccOptions::window_samples);
  if (!is_given("hop")) take("hop_samples", &MfccOptions::hop_samples);
  take("bands", &MfccOptions::bands);
  take("low_hz", &MfccOptions::low_hz);
  take("top_db", &MfccOptions::top_db);
  take("centre", &MfccOptions::centre);
  take("lifter", &MfccOptions::lifter);
}

}  // namespace motet::audio
