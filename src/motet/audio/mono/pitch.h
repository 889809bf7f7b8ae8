// Pitch by autocorrelation: windows of 1024 samples, a new one every 512, the mean taken off, a Hann window whose own
// autocorrelation is divided out. The highest value between 80 and 500 Hz is the strength of the pitch; its place
// between samples is that of a parabola through it and its neighbours.
#pragma once

#include <span>
#include <vector>

#include "motet/audio/lane_fft.h"

namespace motet::audio {

struct Pitch {
  double hertz = 0.0;
  double strength = 0.0;  // 1: the window repeats itself; 0 for silence
  bool is_tonal() const { return strength >= 0.5; }
};

constexpr std::size_t pitch_window = 1024;

class PitchTracker {
 public:
  explicit PitchTracker(double sample_rate);

  std::vector<Pitch> operator()(std::span<const float> sound);  // one per window

 private:
  void correlate();  // signals_ become their autocorrelations
  Pitch pitch_of(std::size_t lane) const;

  double sample_rate_;
  LaneFft fft_;
  std::vector<double> window_;
  std::vector<double> of_window_;  // its autocorrelation
  std::vector<double> signals_;
  std::vector<double> spectra_;
  std::size_t shortest_ = 1;  // lags that are looked at
  std::size_t longest_ = 1;
};

}  // namespace motet::audio
