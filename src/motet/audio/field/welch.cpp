#include "motet/audio/field/welch.h"

#include "motet/audio/spectrum/taper.h"
#include "motet/base/error.h"

namespace motet::audio {
namespace {

constexpr std::size_t numbers_a_bin = 12;  // four powers, four complex products

}  // namespace

Welch::Welch()
    : fft_(welch_segment),
      window_(taper(Taper::hann, welch_segment)),
      signals_(4 * welch_segment),
      spectra_(8 * welch_bins) {
  for (const double weight : window_) window_power_ += weight * weight;
}

void Welch::add_segment(std::span<const std::span<const float>> frame, std::size_t first, std::vector<double>& sums) {
  for (std::size_t c = 0; c < 4; ++c) {
    const float* const from = frame[c].data() + first;
    for (std::size_t t = 0; t < welch_segment; ++t) signals_[4 * t + c] = window_[t] * static_cast<double>(from[t]);
  }
  fft_.spectra(signals_, spectra_);
  for (std::size_t k = 0; k < welch_bins; ++k) {
    const double* const re = spectra_.data() + 8 * k;
    const double* const im = re + 4;
    double* const sum = sums.data() + numbers_a_bin * k;
    for (std::size_t c = 0; c < 4; ++c) sum[c] += re[c] * re[c] + im[c] * im[c];
    const auto add_product = [&](std::size_t to, std::size_t i, std::size_t j) {
      sum[to] += re[i] * re[j] + im[i] * im[j];
      sum[to + 1] += im[i] * re[j] - re[i] * im[j];
    };
    add_product(4, 0, 1);
    add_product(6, 2, 3);
    add_product(8, 0, 2);
    add_product(10, 1, 3);
  }
}

CrossSpectra Welch::spectra(std::span<const std::span<const float>> frame, double sample_rate) {
  const std::size_t samples = frame[0].size();
  if (samples < welch_segment) {
    fail(ErrorKind::internal, "a frame of " + std::to_string(samples) + " samples has no segment");
  }
  const std::size_t segments = (samples - welch_segment) / welch_hop + 1;
  std::vector<double> sums(numbers_a_bin * welch_bins);
  for (std::size_t m = 0; m < segments; ++m) add_segment(frame, m * welch_hop, sums);
  CrossSpectra result;
  const double scale = 1.0 / (static_cast<double>(segments) * sample_rate * window_power_);
  for (std::size_t k = 0; k < welch_bins; ++k) {
    const double* const sum = sums.data() + numbers_a_bin * k;
    const double s = k == 0 || k == welch_bins - 1 ? scale : 2.0 * scale;
    for (std::size_t c = 0; c < 4; ++c) result.power[c][k] = s * sum[c];
    result.p12[k] = {s * sum[4], s * sum[5]};
    result.p34[k] = {s * sum[6], s * sum[7]};
    result.p13[k] = {s * sum[8], s * sum[9]};
    result.p24[k] = {s * sum[10], s * sum[11]};
  }
  return result;
}

}  // namespace motet::audio
