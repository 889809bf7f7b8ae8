#include "motet/audio/mel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace motet::audio {
namespace {

// In long double, so that the library's choice of instructions cannot show in the doubles.
using Long = long double;

constexpr Long linear_step = 200.0L / 3.0L;
constexpr Long break_hz = 1000.0L;
constexpr Long break_mel = break_hz / linear_step;

Long log_step() { return std::log(6.4L) / 27.0L; }

Long mel_of(Long hz, MelScale scale) {
  if (scale == MelScale::htk) return 2595.0L * std::log10(1.0L + hz / 700.0L);
  return hz < break_hz ? hz / linear_step : break_mel + std::log(hz / break_hz) / log_step();
}

Long hz_of(Long mel, MelScale scale) {
  if (scale == MelScale::htk) return 700.0L * (std::pow(10.0L, mel / 2595.0L) - 1.0L);
  return mel < break_mel ? mel * linear_step : break_hz * std::exp(log_step() * (mel - break_mel));
}

// Weights of the bins inside (low, high), rising to `height` at `middle`.
Triangle triangle(Long low, Long middle, Long high, Long height, double sample_rate, std::size_t fft_size) {
  Triangle result;
  for (std::size_t k = 0; k <= fft_size / 2; ++k) {
    const Long hz = static_cast<Long>(k) * static_cast<Long>(sample_rate) / static_cast<Long>(fft_size);
    const Long weight = std::min((hz - low) / (middle - low), (high - hz) / (high - middle));
    if (weight <= 0.0L) {
      if (hz >= high) break;
      continue;
    }
    if (result.weights.empty()) result.first = k;
    result.weights.push_back(static_cast<double>(height * weight));
  }
  return result;
}

Long kaldi_mel(Long hz) { return 1127.0L * std::log(1.0L + hz / 700.0L); }

std::vector<Long> mel_corners(const MfccOptions& options, double sample_rate) {
  const Long low = mel_of(options.low_hz, options.mel);
  const Long high = mel_of(options.high_hz > 0.0 ? options.high_hz : sample_rate / 2.0, options.mel);
  std::vector<Long> corners;
  for (std::size_t b = 0; b < options.bands + 2; ++b) {
    corners.push_back(
        hz_of(low + (high - low) * static_cast<Long>(b) / static_cast<Long>(options.bands + 1), options.mel));
  }
  return corners;
}

std::vector<Long> toolbox_corners() {
  constexpr std::size_t linear = 13;
  constexpr std::size_t logarithmic = 27;
  std::vector<Long> corners;
  for (std::size_t b = 0; b < linear; ++b) corners.push_back(133.3333L + static_cast<Long>(b) * 66.66666666L);
  for (std::size_t b = 0; b < logarithmic + 2; ++b) corners.push_back(corners.back() * 1.0711703L);
  return corners;
}

}  // namespace

std::vector<Triangle> kaldi_triangles(const MfccOptions& options, double sample_rate, std::size_t fft_size) {
  const Long low = kaldi_mel(options.low_hz);
  const Long high = kaldi_mel(options.high_hz > 0.0 ? options.high_hz : sample_rate / 2.0);
  const Long step = (high - low) / static_cast<Long>(options.bands + 1);
  std::vector<Triangle> triangles(options.bands);
  for (std::size_t b = 0; b < options.bands; ++b) {
    const Long left = low + static_cast<Long>(b) * step;
    for (std::size_t k = 0; k < fft_size / 2; ++k) {
      const Long mel = kaldi_mel(static_cast<Long>(k) * static_cast<Long>(sample_rate) / static_cast<Long>(fft_size));
      const Long weight = std::min((mel - left) / step, (left + 2.0L * step - mel) / step);
      if (weight <= 0.0L) continue;
      if (triangles[b].weights.empty()) triangles[b].first = k;
      triangles[b].weights.push_back(static_cast<double>(weight));
    }
  }
  return triangles;
}

std::vector<Triangle> mel_triangles(const MfccOptions& options, double sample_rate, std::size_t fft_size) {
  const std::vector<Long> corners = mel_corners(options, sample_rate);
  std::vector<Triangle> triangles;
  for (std::size_t b = 0; b < options.bands; ++b) {
    const Long height = options.mel_norm == MelNorm::area ? 2.0L / (corners[b + 2] - corners[b]) : 1.0L;
    triangles.push_back(triangle(corners[b], corners[b + 1], corners[b + 2], height, sample_rate, fft_size));
  }
  return triangles;
}

std::vector<Triangle> toolbox_triangles(double sample_rate, std::size_t fft_size) {
  const std::vector<Long> corners = toolbox_corners();
  std::vector<Triangle> triangles;
  for (std::size_t b = 0; b + 2 < corners.size(); ++b) {
    triangles.push_back(triangle(corners[b], corners[b + 1], corners[b + 2], 2.0L / (corners[b + 2] - corners[b]),
                                 sample_rate, fft_size));
  }
  return triangles;
}

std::vector<double> band_centres(const MfccOptions& options, double sample_rate) {
  std::vector<Long> corners;
  if (options.mfcc_style == MfccStyle::slaney || options.mfcc_style == MfccStyle::single_dft) {
    corners = toolbox_corners();
  } else {
    MfccOptions scale = options;
    if (options.mfcc_style == MfccStyle::kaldi) scale.mel = MelScale::htk;  // in other units
    corners = mel_corners(scale, sample_rate);
  }
  std::vector<double> centres;
  for (std::size_t b = 1; b + 1 < corners.size(); ++b) centres.push_back(static_cast<double>(corners[b]));
  return centres;
}

std::vector<double> cosine_transform(std::size_t coefficients, std::size_t bands) {
  std::vector<double> matrix;
  for (std::size_t b = 0; b < bands; ++b) {
    for (std::size_t c = 0; c < coefficients; ++c) {
      const Long scale = std::sqrt((c == 0 ? 1.0L : 2.0L) / static_cast<Long>(bands));
      const Long angle = std::numbers::pi_v<Long> * static_cast<Long>(c * (2 * b + 1)) / static_cast<Long>(2 * bands);
      matrix.push_back(static_cast<double>(scale * std::cos(angle)));
    }
  }
  return matrix;
}

std::vector<double> plain_cosine_transform(std::size_t first, std::size_t coefficients, std::size_t bands,
                                           double scale) {
  std::vector<double> matrix;
  for (std::size_t b = 0; b < bands; ++b) {
    for (std::size_t c = first; c < first + coefficients; ++c) {
      const Long angle = std::numbers::pi_v<Long> * static_cast<Long>(c * (2 * b + 1)) / static_cast<Long>(2 * bands);
      matrix.push_back(static_cast<double>(static_cast<Long>(scale) * std::cos(angle)));
    }
  }
  return matrix;
}

}  // namespace motet::audio
