#include "motet/audio/field/welch.h"

#include <cstring>

#include "audio/field_support.h"

namespace motet::audio::welch_test {
namespace {

// All of them are sums of 509 products in another order.
constexpr double tolerance = 1e-12;

std::complex<double> cross(const CrossSpectra& spectra, std::size_t i, std::size_t j, std::size_t k) {
  if (i == j) return spectra.power[i][k];
  if (i == 0) return j == 1 ? spectra.p12[k] : spectra.p13[k];
  return i == 1 ? spectra.p24[k] : spectra.p34[k];
}

using WelchVectors = GoldenVectors;

// The array of numpy's .npz is stored as it is: P_ij[k] of complex numbers.
TEST_F(WelchVectors, CrossSpectra) {
  for (const std::string name : names) {
    std::ifstream in(folder_ + name + ".welch.npz", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const std::size_t start = bytes.find("\x93NUMPY");
    ASSERT_NE(start, std::string::npos);
    const std::size_t header =
        static_cast<unsigned char>(bytes[start + 8]) + 256U * static_cast<unsigned char>(bytes[start + 9]);
    std::vector<std::complex<double>> wanted(4 * 4 * welch_bins);
    ASSERT_GE(bytes.size(), start + 10 + header + wanted.size() * 16);
    std::memcpy(wanted.data(), bytes.data() + start + 10 + header, wanted.size() * 16);
    const Channels channels = channels_of(name);
    const CrossSpectra found = Welch().spectra(views_of(channels), 20480.0);
    double worst = 0.0;
    for (const auto& [i, j] :
         {std::pair{0U, 0U}, {1U, 1U}, {2U, 2U}, {3U, 3U}, {0U, 1U}, {2U, 3U}, {0U, 2U}, {1U, 3U}}) {
      for (std::size_t k = 0; k < welch_bins; ++k) {
        const std::complex<double> w = wanted[(i * 4 + j) * welch_bins + k];
        const double scale = std::sqrt(found.power[i][k] * found.power[j][k]);
        worst = std::max(worst, std::abs(cross(found, i, j, k) - w) / scale);
      }
    }
    EXPECT_LE(worst, tolerance) << name;
  }
}

TEST(Welch, WhiteNoiseHasTheVarianceUnderItsSpectrum) {
  const Channels noise = noise_channels(4, 1 << 16);
  const CrossSpectra spectra = Welch().spectra(views_of(noise), 1000.0);
  double sum = 0.0;
  for (std::size_t k = 0; k < welch_bins; ++k) sum += spectra.power[2][k] * 1000.0 / 128.0;
  EXPECT_NEAR(sum, 0.01, 3e-4);  // a standard error of 0.01 sqrt(2 / 65536) is 6e-5
}

}  // namespace
}  // namespace motet::audio::welch_test
