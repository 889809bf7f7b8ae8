#include "motet/audio/lane_fft.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "audio/fourier.h"
#include "support/errors.h"
#include "support/processor.h"

namespace motet::audio::lane_fft_test {
namespace {

constexpr std::size_t lanes = LaneFft::lanes;
constexpr double tolerance = 1e-14;  // rounding in log2(n) stages, relative to n

TEST(LaneFft, EqualsTheDefinitionForEverySize) {
  for (std::size_t n = 4; n <= 512; n *= 2) {
    SCOPED_TRACE(n);
    const std::vector<double> given = uniform_values(n * lanes, n);
    LaneFft fft(n);
    std::vector<double> work = given;
    std::vector<double> spectra(2 * lanes * fft.bins());
    fft.spectra(work, spectra);
    const double room = tolerance * static_cast<double>(n);
    for (std::size_t k = 0; k < fft.bins(); ++k) {
      for (std::size_t s = 0; s < lanes; ++s) {
        const std::complex<long double> wanted = by_definition(given, lanes, s, k);
        EXPECT_NEAR(spectra[2 * lanes * k + s], static_cast<double>(wanted.real()), room) << k;
        EXPECT_NEAR(spectra[2 * lanes * k + lanes + s], static_cast<double>(wanted.imag()), room) << k;
      }
    }
  }
}

TEST(LaneFft, ThereAndBack) {
  for (std::size_t n = 4; n <= 4096; n *= 2) {
    const std::vector<double> given = uniform_values(n * lanes, 3);
    LaneFft fft(n);
    std::vector<double> work = given;
    std::vector<double> spectra(2 * lanes * fft.bins());
    fft.spectra(work, spectra);
    fft.signals(spectra, work);
    for (std::size_t t = 0; t < given.size(); ++t) EXPECT_NEAR(work[t], given[t], tolerance * 10.0) << n << " " << t;
  }
}

TEST(LaneFft, SameBitsOnEveryProcessor) {
  const std::size_t n = 256;
  const auto result = [&] {
    LaneFft fft(n);
    std::vector<double> work = uniform_values(n * lanes, 5);
    std::vector<double> spectra(2 * lanes * fft.bins());
    fft.spectra(work, spectra);
    fft.signals(spectra, work);
    return work;
  };
  const std::vector<double> first = result();
  const LimitedProcessor limited(ProcessorLevel::plain);
  EXPECT_EQ(first, result());
}

TEST(LaneFft, OtherLengthsAreRefused) {
  EXPECT_EQ(error_of([] { LaneFft(12); }, ErrorKind::internal), "an FFT of length 12; a power of two from 4 is needed");
}

}  // namespace
}  // namespace motet::audio::lane_fft_test
