#include "motet/audio/field/synthetic_field.h"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "motet/audio/lane_fft.h"

namespace motet::audio {
namespace {

constexpr std::size_t field_lanes = LaneFft::lanes;
constexpr std::size_t field_point = 2 * field_lanes;
constexpr double field_level = 0.1;  // root of the mean square

// White noise as its spectrum, from this direction at all microphones. Each bin turns it by one more step; the steps
// are counted anew now and then, before their rounding shows.
void add_wave(const ArrayOptions& array, const Direction& from, double sample_rate, std::size_t samples, Rng& rng,
              std::vector<double>& spectra) {
  constexpr std::size_t bins_counted = 256;
  ArrayOptions free = array;
  free.head = HeadModel::none;
  const double bin = sample_rate / static_cast<double>(samples);
  const auto step = heard_by(free, from, bin);
  std::array<std::complex<double>, field_lanes> heard;
  for (std::size_t k = 1; k < samples / 2; ++k) {
    if (k % bins_counted == 1) heard = heard_by(free, from, static_cast<double>(k) * bin);
    const double re = rng.normal();
    const double im = rng.normal();
    double* const to = spectra.data() + field_point * k;
    for (std::size_t m = 0; m < field_lanes; ++m) {
      const double x = heard[m].real();
      const double y = heard[m].imag();
      to[m] += x * re - y * im;
      to[field_lanes + m] += x * im + y * re;
      heard[m] = {x * step[m].real() - y * step[m].imag(), x * step[m].imag() + y * step[m].real()};
    }
  }
}

Sound sound_of(std::vector<double>& spectra, double sample_rate, std::size_t samples, std::size_t waves) {
  LaneFft fft(samples);
  std::vector<double> signals(field_lanes * samples);
  fft.signals(spectra, signals);
  // Each wave has the mean square 2 bins 2 / n^2 = 2 / n.
  const double scale = field_level * std::sqrt(static_cast<double>(samples) / (2.0 * static_cast<double>(waves)));
  Sound sound{sample_rate, std::vector<std::vector<float>>(field_lanes, std::vector<float>(samples))};
  for (std::size_t m = 0; m < field_lanes; ++m) {
    for (std::size_t t = 0; t < samples; ++t) {
      sound.channels[m][t] = static_cast<float>(scale * signals[field_lanes * t + m]);
    }
  }
  return sound;
}

}  // namespace

Sound plane_wave(const ArrayOptions& array, double degrees, double sample_rate, std::size_t samples, Rng rng) {
  std::vector<double> spectra(field_point * (samples / 2 + 1));
  add_wave(array, horizontal(degrees), sample_rate, samples, rng, spectra);
  return sound_of(spectra, sample_rate, samples, 1);
}

Sound diffuse_field(const ArrayOptions& array, std::size_t waves, double sample_rate, std::size_t samples, Rng rng) {
  std::vector<double> spectra(field_point * (samples / 2 + 1));
  for (std::size_t i = 0; i < waves; ++i) {
    const double z = rng.uniform(-1.0, 1.0);
    const double level = std::sqrt(1.0 - z * z);
    const Direction around = horizontal(rng.uniform(0.0, 360.0));
    add_wave(array, {level * around.x, level * around.y, z}, sample_rate, samples, rng, spectra);
  }
  return sound_of(spectra, sample_rate, samples, waves);
}

}  // namespace motet::audio
