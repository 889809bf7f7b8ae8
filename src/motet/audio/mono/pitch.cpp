#include "motet/audio/mono/pitch.h"

#include <algorithm>
#include <cmath>

#include "motet/audio/spectrum/taper.h"

namespace motet::audio {
namespace {

constexpr std::size_t pitch_hop = pitch_window / 2;
constexpr std::size_t pitch_lanes = LaneFft::lanes;
constexpr double lowest_pitch = 80.0;  // Hz
constexpr double highest_pitch = 500.0;

}  // namespace

PitchTracker::PitchTracker(double sample_rate)
    : sample_rate_(sample_rate),
      fft_(2 * pitch_window),
      window_(taper(Taper::hann, pitch_window)),
      signals_(pitch_lanes * fft_.size()),
      spectra_(2 * pitch_lanes * fft_.bins()) {
  // Beyond three quarters of the window next to nothing of it overlaps itself.
  constexpr double longest_lag = 0.75 * static_cast<double>(pitch_window);
  shortest_ = static_cast<std::size_t>(std::max(2.0, std::ceil(sample_rate / highest_pitch)));
  longest_ = static_cast<std::size_t>(std::min(longest_lag, std::floor(sample_rate / lowest_pitch)));
  longest_ = std::max(longest_, shortest_);
  for (std::size_t t = 0; t < pitch_window; ++t) signals_[pitch_lanes * t] = window_[t];
  correlate();
  for (std::size_t lag = 0; lag < pitch_window; ++lag) of_window_.push_back(signals_[pitch_lanes * lag]);
}

void PitchTracker::correlate() {
  fft_.spectra(signals_, spectra_);
  for (std::size_t k = 0; k < fft_.bins(); ++k) {
    double* const re = spectra_.data() + 2 * pitch_lanes * k;
    double* const im = re + pitch_lanes;
    for (std::size_t s = 0; s < pitch_lanes; ++s) {
      re[s] = re[s] * re[s] + im[s] * im[s];
      im[s] = 0.0;
    }
  }
  fft_.signals(spectra_, signals_);
}

Pitch PitchTracker::pitch_of(std::size_t lane) const {
  const double energy = signals_[lane] / of_window_[0];
  if (!(energy > 0.0)) return {};
  const auto at = [&](std::size_t lag) { return signals_[pitch_lanes * lag + lane] / of_window_[lag] / energy; };
  std::size_t best = shortest_;
  for (std::size_t lag = shortest_; lag <= longest_; ++lag) {
    if (at(lag) > at(best)) best = lag;
  }
  const double before = at(best - 1);
  const double peak = at(best);
  const double after = at(best + 1);
  const double bend = before - 2.0 * peak + after;
  const double shift = bend < 0.0 ? std::clamp(0.5 * (before - after) / bend, -1.0, 1.0) : 0.0;
  return {sample_rate_ / (static_cast<double>(best) + shift), peak};
}

std::vector<Pitch> PitchTracker::operator()(std::span<const float> sound) {
  std::vector<Pitch> pitches;
  const std::size_t windows = sound.size() < pitch_window ? 0 : (sound.size() - pitch_window) / pitch_hop + 1;
  for (std::size_t first = 0; first < windows; first += pitch_lanes) {
    const std::size_t count = std::min(pitch_lanes, windows - first);
    std::fill(signals_.begin(), signals_.end(), 0.0);
    for (std::size_t s = 0; s < count; ++s) {
      const std::span<const float> part = sound.subspan((first + s) * pitch_hop, pitch_window);
      double mean = 0.0;
      for (const float x : part) mean += static_cast<double>(x) / static_cast<double>(pitch_window);
      for (std::size_t t = 0; t < pitch_window; ++t) {
        signals_[pitch_lanes * t + s] = window_[t] * (static_cast<double>(part[t]) - mean);
      }
    }
    correlate();
    for (std::size_t s = 0; s < count; ++s) pitches.push_back(pitch_of(s));
  }
  return pitches;
}

}  // namespace motet::audio
