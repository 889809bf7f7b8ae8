// Cross spectra of four microphones by Welch's method: segments of 128 samples, a new one every 32, Hann window
// (periodic), nothing subtracted.
//
//   P_ij[k] = s / (M rate sum w^2) sum_m X_i,m[k] conj(X_j,m[k]),  s = 1 at k = 0 and 64, else 2
//
// The microphones are left front, left back, right front, right back (1 to 4). Against scipy's csd(x_i, x_j) the sign
// of the imaginary part is turned.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "motet/audio/lane_fft.h"

namespace motet::audio {

constexpr std::size_t welch_segment = 128;
constexpr std::size_t welch_hop = 32;
constexpr std::size_t welch_bins = welch_segment / 2 + 1;

struct CrossSpectra {
  std::array<std::array<double, welch_bins>, 4> power = {};  // P_11, P_22, P_33, P_44
  // P_12, P_34 within a side, P_13, P_24 across the head.
  std::array<std::complex<double>, welch_bins> p12 = {}, p34 = {}, p13 = {}, p24 = {};
};

class Welch {
 public:
  Welch();

  // `frame`: four channels of one length, at least 128 samples.
  CrossSpectra spectra(std::span<const std::span<const float>> frame, double sample_rate);

 private:
  void add_segment(std::span<const std::span<const float>> frame, std::size_t first, std::vector<double>& sums);

  LaneFft fft_;
  std::vector<double> window_;
  double window_power_ = 0.0;
  std::vector<double> signals_;
  std::vector<double> spectra_;
};

}  // namespace motet::audio
