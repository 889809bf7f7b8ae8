#include "motet/audio/scene/room.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "motet/audio/fft.h"
#include "motet/audio/lane_fft.h"
#include "motet/base/error.h"

namespace motet::audio {
namespace {

constexpr std::size_t room_lanes = LaneFft::lanes;
constexpr std::size_t room_point = 2 * room_lanes;
constexpr double decay_a_t60 = 6.907755278982137;  // ln 1000: amplitudes by 60 dB

Direction drawn_direction(Rng& rng) {
  const double z = rng.uniform(-1.0, 1.0);
  const double angle = rng.uniform(0.0, 2.0 * std::numbers::pi);
  const double level = std::sqrt(1.0 - z * z);
  return {level * std::cos(angle), level * std::sin(angle), z};
}

// Spectra at the four microphones, to which waves are added.
class ResponseSpectra {
 public:
  ResponseSpectra(const ArrayOptions& array, double sample_rate, std::size_t size)
      : array_(array), bin_(sample_rate / static_cast<double>(size)), sums_(room_point * (size / 2 + 1)) {}

  // `wave(k)`: its spectrum at the middle of the head.
  template <class Wave>
  void add(const Direction& from, const Wave& wave) {
    for (std::size_t k = 0; k < sums_.size() / room_point; ++k) {
      const std::complex<double> arriving = wave(k);
      const auto heard = heard_by(array_, from, static_cast<double>(k) * bin_);
      double* const re = sums_.data() + room_point * k;
      for (std::size_t m = 0; m < room_lanes; ++m) {
        const std::complex<double> at = heard[m];
        re[m] += at.real() * arriving.real() - at.imag() * arriving.imag();
        re[room_lanes + m] += at.real() * arriving.imag() + at.imag() * arriving.real();
      }
    }
  }

  std::vector<double>& sums() { return sums_; }

 private:
  ArrayOptions array_;
  double bin_;
  std::vector<double> sums_;
};

// `count` waves beside each other, and their energy.
double draw_waves(const RoomOptions& options, double sample_rate, std::size_t length, std::size_t count, Rng& rng,
                  std::vector<double>& signals) {
  const auto lead = static_cast<std::size_t>(std::llround(response_lead * sample_rate));
  const double decay = std::exp(-decay_a_t60 / (options.t60 * sample_rate));
  std::fill(signals.begin(), signals.end(), 0.0);
  double energy = 0.0;
  for (std::size_t s = 0; s < count; ++s) {
    double amplitude = 1.0;
    for (std::size_t t = lead; t < length; ++t, amplitude *= decay) {
      const double x = amplitude * rng.normal();
      signals[room_lanes * t + s] = x;
      energy += x * x;
    }
  }
  return energy;
}

struct Reverberation {
  ResponseSpectra spectra;
  double energy = 0.0;  // at the middle of the head
};

Reverberation reverberation_of(const RoomOptions& options, double sample_rate, std::size_t length, LaneFft& fft,
                               Rng& rng) {
  Reverberation found{ResponseSpectra(options.array, sample_rate, fft.size())};
  std::vector<double> signals(room_lanes * fft.size());
  std::vector<double> spectra(room_point * fft.bins());
  for (std::size_t first = 0; first < options.waves; first += room_lanes) {
    const std::size_t count = std::min(room_lanes, options.waves - first);
    found.energy += draw_waves(options, sample_rate, length, count, rng, signals);
    fft.spectra(signals, spectra);
    for (std::size_t s = 0; s < count; ++s) {
      found.spectra.add(drawn_direction(rng), [&](std::size_t k) {
        return std::complex<double>(spectra[room_point * k + s], spectra[room_point * k + room_lanes + s]);
      });
    }
  }
  return found;
}

// One block of sound through all four responses, added to what is there.
void add_block(std::span<const float> block, std::size_t first, std::span<const double> response, LaneFft& fft,
               Sound& out) {
  std::vector<double> signals(room_lanes * fft.size());
  std::vector<double> spectra(room_point * fft.bins());
  for (std::size_t t = 0; t < block.size(); ++t) {
    for (std::size_t m = 0; m < room_lanes; ++m) signals[room_lanes * t + m] = static_cast<double>(block[t]);
  }
  fft.spectra(signals, spectra);
  for (std::size_t k = 0; k < fft.bins(); ++k) {
    for (std::size_t m = 0; m < room_lanes; ++m) {
      double& re = spectra[room_point * k + m];
      double& im = spectra[room_point * k + room_lanes + m];
      const double a = response[room_point * k + m];
      const double b = response[room_point * k + room_lanes + m];
      const double product = re * a - im * b;
      im = re * b + im * a;
      re = product;
    }
  }
  fft.signals(spectra, signals);
  const std::size_t end = std::min(out.samples(), first + fft.size());
  for (std::size_t m = 0; m < room_lanes; ++m) {
    for (std::size_t t = first; t < end; ++t) {
      out.channels[m][t] += static_cast<float>(signals[room_lanes * (t - first) + m]);
    }
  }
}

}  // namespace

Sound room_response(const RoomOptions& options, double sample_rate, Rng rng) {
  check_ranges(options);
  const auto length = static_cast<std::size_t>(std::llround((options.t60 + 2.0 * response_lead) * sample_rate));
  LaneFft fft(power_of_two_from(std::max<std::size_t>(length, 64)));
  Reverberation reverberation = reverberation_of(options, sample_rate, length, fft, rng);
  const double wanted = std::pow(10.0, -options.direct_ratio / 20.0);
  const double scale = reverberation.energy > 0.0 ? wanted / std::sqrt(reverberation.energy) : 0.0;
  for (double& sum : reverberation.spectra.sums()) sum *= scale;
  const double bin = 2.0 * std::numbers::pi * sample_rate / static_cast<double>(fft.size());
  reverberation.spectra.add(horizontal(options.angle), [&](std::size_t k) {
    return std::polar(1.0, -bin * static_cast<double>(k) * response_lead);
  });
  std::vector<double> signals(room_lanes * fft.size());
  fft.signals(reverberation.spectra.sums(), signals);
  Sound response{sample_rate, std::vector<std::vector<float>>(room_lanes, std::vector<float>(length))};
  for (std::size_t m = 0; m < room_lanes; ++m) {
    for (std::size_t t = 0; t < length; ++t) response.channels[m][t] = static_cast<float>(signals[room_lanes * t + m]);
  }
  return response;
}

Sound in_room(std::span<const float> sound, const Sound& response, bool with_tail) {
  if (response.channels.size() != room_lanes) {
    fail(ErrorKind::bad_data, "a response needs four channels; here are " + std::to_string(response.channels.size()));
  }
  const std::size_t length = response.samples();
  LaneFft fft(power_of_two_from(std::max<std::size_t>(2 * length, 4096)));
  std::vector<double> signals(room_lanes * fft.size());
  std::vector<double> spectra(room_point * fft.bins());
  for (std::size_t m = 0; m < room_lanes; ++m) {
    for (std::size_t t = 0; t < length; ++t) signals[room_lanes * t + m] = static_cast<double>(response.channels[m][t]);
  }
  fft.spectra(signals, spectra);
  const std::size_t samples = with_tail ? sound.size() + length - 1 : sound.size();
  Sound out{response.sample_rate, std::vector<std::vector<float>>(room_lanes, std::vector<float>(samples))};
  const std::size_t block = fft.size() - length + 1;
  for (std::size_t first = 0; first < sound.size(); first += block) {
    add_block(sound.subspan(first, std::min(block, sound.size() - first)), first, spectra, fft, out);
  }
  return out;
}

}  // namespace motet::audio
