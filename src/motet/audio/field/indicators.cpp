#include "motet/audio/field/indicators.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "motet/audio/field/bark.h"
#include "motet/audio/field/circular.h"
#include "motet/base/logarithm.h"

namespace motet::audio {
namespace {

using Phasor = std::complex<double>;

constexpr double least_power = 1e-30;     // -300 dB
constexpr double least_cardioid = 1e-12;  // of the mean pressure: below it a weight of the beamformer means nothing
constexpr double fixed_weight = 0.3;      // of the fixed beamformer

double sfi_level(double power) {
  constexpr double ten_by_log_10 = 4.342944819032518276511;
  return ten_by_log_10 * log_of_positive(std::max(power, least_power));
}

double square_of(Phasor z) { return z.real() * z.real() + z.imag() * z.imag(); }

// The imaginary parts of std::complex products are checked for infinities, which do not come here.
Phasor phasor_product(Phasor a, Phasor b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// The mean over the bins of a band of one indicator after another.
class BandMeans {
 public:
  BandMeans(std::size_t indicators, PhaseMean phase_mean) : sums_(indicators), phase_mean_(phase_mean) {}

  void begin_bin() { next_ = 0; }
  void value(double x) { sums_[next_++].re += x; }
  void level(double power) { value(sfi_level(power)); }
  void phase(Phasor z) {
    Sum& sum = sums_[next_++];
    if (phase_mean_ == PhaseMean::arithmetic) {
      sum.re += degrees_of(z);
      return;
    }
    const Phasor unit = direction_of(z);
    sum.is_direction = true;
    sum.re += unit.real();
    sum.im += unit.imag();
  }

  // Puts indicator i of band b at [20 i + b], and begins again.
  void finish(std::size_t band, std::size_t bins, double* values) {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const Sum& sum = sums_[i];
      values[i * bark_bands + band] =
          sum.is_direction ? degrees_of({sum.re, sum.im}) : sum.re / static_cast<double>(bins);
    }
    std::fill(sums_.begin(), sums_.end(), Sum{});
  }

 private:
  struct Sum {
    double re = 0.0;
    double im = 0.0;
    bool is_direction = false;
  };
  std::vector<Sum> sums_;
  std::size_t next_ = 0;
  PhaseMean phase_mean_;
};

struct SideBin {
  double aa;
  double bb;
  Phasor ab;
  double kd;
};

// Second moments of the beamformers: powers, and products with the mean pressure.
struct Beams {
  double mean;  // power of the mean pressure
  double front, back;
  double front_back;  // Re<fc bc*>
  Phasor front_mean, back_mean;
};

Beams beams_of(const SideBin& s) {
  const Phasor D = {std::cos(s.kd), -std::sin(s.kd)};
  const Phasor turned_ab = phasor_product(std::conj(D), s.ab);
  const Phasor turned_ba = phasor_product(std::conj(D), std::conj(s.ab));
  Beams beams{};
  beams.mean = (s.aa + s.bb + 2.0 * s.ab.real()) / 4.0;
  beams.front = std::max(0.0, s.aa + s.bb - 2.0 * turned_ab.real());
  beams.back = std::max(0.0, s.aa + s.bb - 2.0 * turned_ba.real());
  beams.front_back = 2.0 * s.ab.real() - D.real() * (s.aa + s.bb);
  beams.front_mean = 0.5 * (s.aa + s.ab - phasor_product(D, std::conj(s.ab)) - D * s.bb);
  beams.back_mean = 0.5 * (std::conj(s.ab) + s.bb - D * s.aa - phasor_product(D, s.ab));
  return beams;
}

void put_beam(double power, Phasor with_mean, double mean, CardioidLevel level, BandMeans& means) {
  const double least = std::max(mean, least_power);
  means.level(level == CardioidLevel::power ? power / least : square_of(with_mean / least));
  means.phase(with_mean);
}

void put_beams(const SideBin& s, const SfiOptions& options, BandMeans& means) {
  const Beams beams = beams_of(s);
  const auto put = [&](double weight) {
    const double power = beams.front - 2.0 * weight * beams.front_back + weight * weight * beams.back;
    put_beam(std::max(0.0, power), beams.front_mean - weight * beams.back_mean, beams.mean, options.cardioid_level,
             means);
  };
  put(0.0);
  put_beam(beams.back, beams.back_mean, beams.mean, options.cardioid_level, means);
  put(fixed_weight);
  const double floor = std::max(least_cardioid * beams.mean, least_power);
  const double weight = beams.front_back / std::max(beams.back, floor);
  const double restricted = std::clamp(weight, 0.0, 1.0);
  means.value(weight);
  means.value(restricted);
  put(restricted);
}

void put_transfer(double aa, double bb, Phasor ab, bool with_cross, BandMeans& means, double* cross_level) {
  const double squared = square_of(ab);
  means.level(squared / std::max(aa * aa, least_power * least_power));
  means.phase(ab);
  means.value(std::min(1.0, squared / std::max(aa * bb, least_power * least_power)));
  if (with_cross) *cross_level = std::sqrt(squared);
}

void put_side(const SideBin& s, const SfiOptions& options, BandMeans& means) {
  const double S = s.aa + s.bb + 2.0 * s.ab.real();
  const double by_pressure = 1.0 / (s.kd * std::max(S, least_power));
  means.begin_bin();
  means.level(s.aa);
  means.level(s.bb);
  means.level(S / 4.0);
  double cross = 0.0;
  put_transfer(s.aa, s.bb, s.ab, options.with_cross_psd, means, &cross);
  means.value(4.0 * s.ab.imag() * by_pressure);
  means.value(2.0 * (s.bb - s.aa) * by_pressure);
  const double gradient = std::max(s.aa + s.bb - 2.0 * s.ab.real(), least_power);
  const Phasor Z = phasor_product({0.0, s.kd / 2.0}, {s.aa - s.bb, -2.0 * s.ab.imag()}) / gradient;
  means.level(square_of(Z));
  means.phase(Z);
  put_beams(s, options, means);
  if (options.with_cross_psd) {
    means.level(cross);
    means.phase(s.ab);
  }
}

using Powers = std::array<double, welch_bins>;
using Crosses = std::array<Phasor, welch_bins>;

void append_side(const Powers& front, const Powers& back, const Crosses& cross, double sample_rate,
                 const SfiOptions& options, std::vector<double>& values) {
  const std::size_t indicators = options.with_cross_psd ? 22 : 20;
  const std::size_t first = values.size();
  values.resize(first + indicators * bark_bands);
  BandMeans means(indicators, options.phase_mean);
  const double bin = 2.0 * std::numbers::pi * sample_rate / static_cast<double>(welch_segment) * options.mic_distance /
                     options.sound_speed;
  for (std::size_t b = 0; b < bark_bands; ++b) {
    for (std::size_t k = bark_edges[b]; k < bark_edges[b + 1]; ++k) {
      put_side({front[k], back[k], cross[k], bin * static_cast<double>(k)}, options, means);
    }
    means.finish(b, bark_edges[b + 1] - bark_edges[b], values.data() + first);
  }
}

void append_across(const Powers& left, const Powers& right, const Crosses& cross, const SfiOptions& options,
                   std::vector<double>& values) {
  const std::size_t indicators = options.with_cross_psd ? 5 : 3;
  const std::size_t first = values.size();
  values.resize(first + indicators * bark_bands);
  BandMeans means(indicators, options.phase_mean);
  for (std::size_t b = 0; b < bark_bands; ++b) {
    for (std::size_t k = bark_edges[b]; k < bark_edges[b + 1]; ++k) {
      double level = 0.0;
      means.begin_bin();
      put_transfer(left[k], right[k], cross[k], options.with_cross_psd, means, &level);
      if (options.with_cross_psd) {
        means.level(level);
        means.phase(cross[k]);
      }
    }
    means.finish(b, bark_edges[b + 1] - bark_edges[b], values.data() + first);
  }
}

IndicatorName level_name(std::string name) { return {std::move(name), "dB", false}; }
IndicatorName phase_name(std::string name) { return {std::move(name), "degrees", true}; }
IndicatorName plain_name(std::string name) { return {std::move(name), "1", false}; }

void append_names(std::vector<IndicatorName>& names, const std::vector<IndicatorName>& more) {
  names.insert(names.end(), more.begin(), more.end());
}

std::vector<IndicatorName> indicators_across(const SfiOptions& options, const std::string& pair) {
  std::vector<IndicatorName> names = {level_name("G" + pair + "_abs"), phase_name("G" + pair + "_ph"),
                                      plain_name("C" + pair)};
  if (options.with_cross_psd) append_names(names, {level_name("P" + pair + "_abs"), phase_name("P" + pair + "_ph")});
  return names;
}

}  // namespace

std::vector<IndicatorName> indicators_of_side(const SfiOptions& options, const std::string& pair) {
  const std::string a(2, pair[0]);
  const std::string b(2, pair[1]);
  std::vector<IndicatorName> names = {level_name("P" + a),
                                      level_name("P" + b),
                                      level_name("PMean" + pair),
                                      level_name("G" + pair + "_abs"),
                                      phase_name("G" + pair + "_ph"),
                                      plain_name("C" + pair),
                                      plain_name("Ia" + pair + "n"),
                                      plain_name("Ir" + pair + "n")};
  const auto add_pair = [&](const std::string& name) {
    append_names(names, {level_name(name + pair + "n_abs"), phase_name(name + pair + "n_ph")});
  };
  for (const char* const name : {"Z", "fc", "bc", "ef"}) add_pair(name);
  append_names(names, {plain_name("betatilde" + pair + "n"), plain_name("betaopt" + pair + "n")});
  add_pair("ea");
  if (options.with_cross_psd) append_names(names, {level_name("P" + pair + "_abs"), phase_name("P" + pair + "_ph")});
  return names;
}

std::vector<IndicatorName> all_indicators(const SfiOptions& options) {
  std::vector<IndicatorName> names = indicators_of_side(options, "12");
  append_names(names, indicators_of_side(options, "34"));
  append_names(names, indicators_across(options, "13"));
  append_names(names, indicators_across(options, "24"));
  return names;
}

void append_left_side(const CrossSpectra& spectra, double sample_rate, const SfiOptions& options,
                      std::vector<double>& values) {
  append_side(spectra.power[0], spectra.power[1], spectra.p12, sample_rate, options, values);
}

void append_all_indicators(const CrossSpectra& spectra, double sample_rate, const SfiOptions& options,
                           std::vector<double>& values) {
  append_left_side(spectra, sample_rate, options, values);
  append_side(spectra.power[2], spectra.power[3], spectra.p34, sample_rate, options, values);
  append_across(spectra.power[0], spectra.power[2], spectra.p13, options, values);
  append_across(spectra.power[1], spectra.power[3], spectra.p24, options, values);
}

}  // namespace motet::audio
