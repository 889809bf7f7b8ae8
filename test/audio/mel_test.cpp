#include "motet/audio/mel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace motet::audio::mel_test {
namespace {

constexpr double rate = 16'000.0;
constexpr std::size_t fft_size = 1 << 15;  // bins half a hertz apart

double hz_of(std::size_t bin) { return static_cast<double>(bin) * rate / static_cast<double>(fft_size); }

// The weight of a triangle at a bin, 0 outside it.
double weight_at(const Triangle& triangle, std::size_t bin) {
  const bool is_inside = bin >= triangle.first && bin < triangle.first + triangle.weights.size();
  return is_inside ? triangle.weights[bin - triangle.first] : 0.0;
}

double mel(double hz, MelScale scale) {
  if (scale == MelScale::htk) return 2595.0 * std::log10(1.0 + hz / 700.0);
  return hz < 1000.0 ? hz / (200.0 / 3.0) : 15.0 + 27.0 * std::log(hz / 1000.0) / std::log(6.4);
}

MfccOptions options_of(MelScale scale, MelNorm norm) {
  MfccOptions options;
  options.bands = 20;
  options.mel = scale;
  options.mel_norm = norm;
  options.low_hz = 100.0;
  options.high_hz = 7000.0;
  return options;
}

// Every bin's weight from its place in hertz between corners that are even in mel.
TEST(MelTriangles, RiseAndFallBetweenCornersThatAreEvenlySpacedInMel) {
  for (const MelScale scale : {MelScale::slaney, MelScale::htk}) {
    const std::vector<Triangle> found = mel_triangles(options_of(scale, MelNorm::none), rate, fft_size);
    ASSERT_EQ(found.size(), 20U);
    const double low = mel(100.0, scale);
    const double step = (mel(7000.0, scale) - low) / 21.0;
    std::vector<double> corner;  // in hertz, by bisection of the scale
    for (std::size_t b = 0; b < 22; ++b) {
      double from = 0.0;
      double to = 8000.0;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (from + to);
        (mel(middle, scale) < low + step * static_cast<double>(b) ? from : to) = middle;
      }
      corner.push_back(from);
    }
    for (std::size_t b = 0; b < 20; ++b) {
      for (std::size_t k = 0; k <= fft_size / 2; k += 7) {
        const double rising = (hz_of(k) - corner[b]) / (corner[b + 1] - corner[b]);
        const double falling = (corner[b + 2] - hz_of(k)) / (corner[b + 2] - corner[b + 1]);
        ASSERT_NEAR(weight_at(found[b], k), std::max(0.0, std::min(rising, falling)), 1e-9) << b << " " << k;
      }
    }
  }
}

TEST(MelTriangles, AreOfHeightOneOrAreaOne) {
  const std::vector<Triangle> high = mel_triangles(options_of(MelScale::htk, MelNorm::none), rate, fft_size);
  const std::vector<Triangle> area = mel_triangles(options_of(MelScale::htk, MelNorm::area), rate, fft_size);
  for (std::size_t b = 0; b < 20; ++b) {
    double most = 0.0;
    double sum = 0.0;
    for (const double weight : high[b].weights) most = std::max(most, weight);
    for (const double weight : area[b].weights) sum += weight * rate / static_cast<double>(fft_size);
    EXPECT_NEAR(most, 1.0, 0.01);  // the nearest bin to the middle
    EXPECT_NEAR(sum, 1.0, 1e-4);   // the sum over bins in place of the integral
  }
}

TEST(MelTriangles, ReachToHalfTheSampleRateUnlessSaidOtherwiseAndMayBeEmpty) {
  MfccOptions options = options_of(MelScale::slaney, MelNorm::none);
  options.high_hz = 0.0;
  const std::vector<Triangle> found = mel_triangles(options, rate, fft_size);
  EXPECT_EQ(found.back().first + found.back().weights.size(), fft_size / 2);  // all but the last corner itself
  options.bands = 100;
  options.high_hz = 300.0;
  std::size_t empty = 0;
  for (const Triangle& triangle : mel_triangles(options, rate, 256)) empty += triangle.weights.empty() ? 1 : 0;
  EXPECT_GE(empty, 90U);  // 100 triangles share 4 bins, and each bin lies in two at most
}

// Slaney's table: filters centred at 200, 266.67, ... 933.33 Hz, and then a factor of 1.0711703 apart.
TEST(ToolboxTriangles, AreThoseOfTheToolbox) {
  const std::vector<Triangle> found = toolbox_triangles(rate, fft_size);
  ASSERT_EQ(found.size(), 40U);
  double middle = 133.3333 + 66.66666666;
  for (std::size_t b = 0; b < 40; ++b) {
    const std::vector<double>& weights = found[b].weights;
    const auto top = std::max_element(weights.begin(), weights.end()) - weights.begin();
    EXPECT_NEAR(hz_of(found[b].first + static_cast<std::size_t>(top)), middle, 0.5) << b;
    double sum = 0.0;
    for (const double weight : weights) sum += weight * rate / static_cast<double>(fft_size);
    EXPECT_NEAR(sum, 1.0, 1e-3) << b;
    middle = b < 11 ? middle + 66.66666666 : middle * 1.0711703;
  }
}

TEST(CosineTransform, IsOrthonormal) {
  for (const std::size_t n : {1U, 7U, 40U}) {
    const std::vector<double> matrix = cosine_transform(n, n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t c = 0; c < n; ++c) {
        double product = 0.0;
        for (std::size_t b = 0; b < n; ++b) product += matrix[b * n + a] * matrix[b * n + c];
        EXPECT_NEAR(product, a == c ? 1.0 : 0.0, 1e-14) << a << " " << c;
      }
    }
  }
}

TEST(CosineTransform, OfFewCoefficientsIsTheBeginningOfAll) {
  const std::vector<double> all = cosine_transform(8, 8);
  const std::vector<double> few = cosine_transform(3, 8);
  for (std::size_t b = 0; b < 8; ++b) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(few[b * 3 + c], all[b * 8 + c]);
  }
  EXPECT_NEAR(all[0], 1.0 / std::sqrt(8.0), 1e-15);
  EXPECT_NEAR(all[1], 0.5 * std::cos(0.0625 * 3.141592653589793), 1e-15);  // sqrt(2 / 8) cos(pi (2 b + 1) c / 16)
}

}  // namespace
}  // namespace motet::audio::mel_test
