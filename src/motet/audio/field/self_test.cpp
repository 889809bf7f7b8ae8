#include "motet/audio/field/self_test.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "motet/audio/fft.h"
#include "motet/audio/field/bark.h"
#include "motet/audio/field/indicators.h"
#include "motet/audio/field/synthetic_field.h"
#include "motet/audio/field/welch.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"

namespace motet::audio {
namespace {

constexpr double from_aside = 120.0;          // degrees, of the beamformer's test
constexpr double hypercardioid_weight = 0.5;  // 1/4 + 3/4 cos of the angle, up to its size
constexpr double fixed_beam_weight = 0.3;
constexpr double pattern_near = 960.0;  // Hz

// What theory says in a bin, as a function of kd.
using Theory = std::function<double(double kd)>;

struct Known {
  std::string indicator;
  Theory theory;
  double allowed;
};

double decibels_of(double power) { return 10.0 * std::log10(power); }

double front_intensity(double kd) { return 2.0 * std::tan(kd / 2.0) / kd; }
double front_cardioid(double kd) { return decibels_of(4.0 * std::pow(std::sin(kd) / std::cos(kd / 2.0), 2)); }
double front_impedance(double kd) { return 2.0 * decibels_of(kd / 2.0 / std::tan(kd / 2.0)); }
double aside_weight(double kd) {
  const double cosine = std::cos(from_aside * std::numbers::pi / 180.0);
  return std::sin(kd * (1.0 + cosine) / 2.0) / std::sin(kd * (1.0 - cosine) / 2.0);
}
double nothing(double) { return 0.0; }
double all(double) { return 1.0; }

struct KnownField {
  std::string name;
  double degrees;
  std::vector<Known> known;
};

std::vector<KnownField> known_fields() {
  return {{"front",
           0.0,
           {{"C12", all, 0.002},
            {"Ia12n", front_intensity, 0.02},
            {"Ir12n", nothing, 0.002},
            {"Z12n_abs", front_impedance, 1.5},
            {"fc12n_abs", front_cardioid, 0.3}}},
          {"back",
           180.0,
           {{"Ia12n", [](double kd) { return -front_intensity(kd); }, 0.02},
            {"Ir12n", nothing, 0.002},
            {"bc12n_abs", front_cardioid, 0.3}}},
          {"side", 90.0, {{"C12", all, 1e-6}, {"Ia12n", nothing, 1e-6}, {"betatilde12n", all, 1e-6}}},
          {"120 degrees", from_aside, {{"betatilde12n", aside_weight, 0.05}, {"betaopt12n", aside_weight, 0.05}}}};
}

class FieldTester {
 public:
  FieldTester(const FieldTestOptions& options, const RunContext& run)
      : options_(options),
        run_(run),
        samples_(power_of_two_from(
            std::max<std::size_t>(1024, static_cast<std::size_t>(options.seconds * options.sample_rate * 0.75)))) {
    sfi_.mic_distance = options.array.mic_distance;
    sfi_.sound_speed = options.array.sound_speed;
  }

  FieldTest operator()() {
    FieldTest test;
    for (const KnownField& field : known_fields()) check_wave(field, test);
    check_diffuse(test);
    find_patterns(test);
    return test;
  }

 private:
  double kd_of(std::size_t bin, double distance) const {
    return 2.0 * std::numbers::pi * options_.sample_rate / static_cast<double>(welch_segment) *
           static_cast<double>(bin) * distance / options_.array.sound_speed;
  }

  CrossSpectra spectra_of(const Sound& sound) {
    if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted while testing fields");
    const std::vector<std::span<const float>> views(sound.channels.begin(), sound.channels.end());
    return welch_.spectra(views, options_.sample_rate);
  }

  Rng next_rng() { return stream(run_.seed, Stream::audio_field, fields_++); }

  // In a band where kd goes beyond a right angle the microphones are too far apart for what theory says.
  FieldCheck check(const std::string& field, const Known& known, const CrossSpectra& spectra) const {
    std::vector<double> values;
    append_left_side(spectra, options_.sample_rate, sfi_, values);
    const std::vector<IndicatorName> names = indicators_of_side(sfi_, "12");
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const IndicatorName& name) { return name.name == known.indicator; });
    const auto at = static_cast<std::size_t>(found - names.begin());
    FieldCheck result{field, known.indicator, found->unit, {}, {}, {}, known.allowed};
    for (std::size_t b = 1; b < bark_bands; ++b) {  // the lowest band is within the window's own width of 0
      if (kd_of(bark_edges[b + 1] - 1, options_.array.mic_distance) > std::numbers::pi / 2.0 + 0.3) break;
      double expected = 0.0;
      for (std::size_t k = bark_edges[b]; k < bark_edges[b + 1]; ++k) {
        expected += known.theory(kd_of(k, options_.array.mic_distance));
      }
      result.hertz.push_back(bark_frequency(b, options_.sample_rate));
      result.expected.push_back(expected / static_cast<double>(bark_edges[b + 1] - bark_edges[b]));
      result.measured.push_back(values[at * bark_bands + b]);
    }
    return result;
  }

  void check_wave(const KnownField& field, FieldTest& test) {
    const CrossSpectra spectra =
        spectra_of(plane_wave(options_.array, field.degrees, options_.sample_rate, samples_, next_rng()));
    for (const Known& known : field.known) test.checks.push_back(check(field.name, known, spectra));
  }

  void check_diffuse(FieldTest& test) {
    const CrossSpectra spectra =
        spectra_of(diffuse_field(options_.array, options_.waves, options_.sample_rate, samples_, next_rng()));
    test.checks.push_back(check("diffuse", {"Ia12n", nothing, 0.15}, spectra));
    test.checks.push_back(check("diffuse", {"betaopt12n", [](double) { return 0.5; }, 0.15}, spectra));
    test.coherence.push_back(
        coherence_of("12", options_.array.mic_distance, spectra.power[0], spectra.power[1], spectra.p12));
    test.coherence.push_back(
        coherence_of("13", options_.array.ear_distance, spectra.power[0], spectra.power[2], spectra.p13));
    for (const CoherenceCurve& curve : test.coherence) {
      test.checks.push_back({"diffuse", "C" + curve.pair, "1", curve.hertz, curve.expected, curve.measured, 0.08});
    }
  }

  CoherenceCurve coherence_of(const std::string& pair, double distance, const std::array<double, welch_bins>& a,
                              const std::array<double, welch_bins>& b,
                              const std::array<std::complex<double>, welch_bins>& ab) const {
    CoherenceCurve curve{pair, distance, {}, {}, {}};
    for (std::size_t k = 2; k + 1 < welch_bins; ++k) {
      const double kd = kd_of(k, distance);
      curve.hertz.push_back(static_cast<double>(k) * options_.sample_rate / static_cast<double>(welch_segment));
      curve.measured.push_back(std::norm(ab[k]) / (a[k] * b[k]));
      curve.expected.push_back(std::pow(std::sin(kd) / kd, 2));
    }
    return curve;
  }

  // Powers of the two cardioids and what they share, for a wave from each angle, in the bin next to `pattern_near`.
  void find_patterns(FieldTest& test) {
    const double bin_width = options_.sample_rate / static_cast<double>(welch_segment);
    const auto bin = static_cast<std::size_t>(std::max(2.0, std::round(pattern_near / bin_width)));
    test.pattern_hertz = static_cast<double>(bin) * bin_width;
    const std::vector<std::pair<std::string, double>> beams = {
        {"front cardioid", 0.0}, {"fixed beamformer", fixed_beam_weight}, {"hyper-cardioid", hypercardioid_weight}};
    for (const auto& [name, weight] : beams) test.patterns.push_back({name, {}, {}, {}});
    const std::size_t samples = std::min<std::size_t>(samples_, 1U << 14);
    const double kd = kd_of(bin, options_.array.mic_distance);
    for (std::size_t degrees = 0; degrees < 360; degrees += options_.step) {
      const auto angle = static_cast<double>(degrees);
      // One noise from all angles, so that they differ by the angle alone.
      const Rng noise = stream(run_.seed, Stream::audio_field, fields_);
      const CrossSpectra spectra = spectra_of(plane_wave(options_.array, angle, options_.sample_rate, samples, noise));
      for (std::size_t i = 0; i < beams.size(); ++i) {
        const double weight = beams[i].second;
        const double cosine = std::cos(angle * std::numbers::pi / 180.0);
        const double front = std::sin(kd * (1.0 + cosine) / 2.0);
        const double back = std::sin(kd * (1.0 - cosine) / 2.0);
        test.patterns[i].degrees.push_back(angle);
        test.patterns[i].measured.push_back(std::sqrt(beam_power(spectra, bin, kd, weight)));
        test.patterns[i].expected.push_back(std::abs(front - weight * back) / std::sin(kd));
      }
    }
    for (PolarPattern& pattern : test.patterns) {
      const double ahead = pattern.measured.front();
      for (double& value : pattern.measured) value /= ahead;
    }
  }

  static double beam_power(const CrossSpectra& spectra, std::size_t k, double kd, double weight) {
    const double aa = spectra.power[0][k];
    const double bb = spectra.power[1][k];
    const std::complex<double> ab = spectra.p12[k];
    const std::complex<double> turned = std::polar(1.0, kd);  // conj(D)
    const double front = aa + bb - 2.0 * (turned * ab).real();
    const double back = aa + bb - 2.0 * (turned * std::conj(ab)).real();
    const double both = 2.0 * ab.real() - std::cos(kd) * (aa + bb);
    return std::max(0.0, front - 2.0 * weight * both + weight * weight * back);
  }

  FieldTestOptions options_;
  const RunContext& run_;
  std::size_t samples_;
  SfiOptions sfi_;
  Welch welch_;
  std::uint64_t fields_ = 0;
};

}  // namespace

double FieldCheck::worst() const {
  double worst = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) worst = std::max(worst, std::abs(measured[i] - expected[i]));
  return worst;
}

bool FieldTest::holds() const {
  return std::all_of(checks.begin(), checks.end(), [](const FieldCheck& check) { return check.holds(); });
}

FieldTest test_fields(const FieldTestOptions& options, const RunContext& run) {
  check_ranges(options);
  return FieldTester(options, run)();
}

}  // namespace motet::audio
