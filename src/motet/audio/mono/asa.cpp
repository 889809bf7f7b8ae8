#include "motet/audio/mono/asa.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "motet/audio/field/bark.h"
#include "motet/audio/mono/pitch.h"
#include "motet/audio/mono/short_time.h"
#include "motet/audio/window_cutter.h"
#include "motet/base/error.h"
#include "motet/base/logarithm.h"
#include "motet/base/quantile.h"

namespace motet::audio {
namespace {

constexpr std::size_t asa_window = 128;
constexpr std::size_t asa_hop = 64;
constexpr double asa_floor = 1e-12;        // of powers and magnitudes, so that silence has a level
constexpr double onset_smoothing = 0.010;  // s
constexpr std::size_t low_bands = 3;       // 160 to 480 Hz
constexpr double low_hertz = 500.0;        // of Spect1
constexpr double middle_hertz = 2000.0;    // of Spect2
constexpr std::size_t asa_feature_count = 11;

double level_of(double power) { return 4.342944819032518276511 * log_of_positive(power + asa_floor); }

double mean_square(std::span<const float> sound) {
  double sum = 0.0;
  for (const float x : sound) sum += static_cast<double>(x) * static_cast<double>(x);
  return sum / static_cast<double>(sound.size());
}

struct Gravity {
  double mean = 0.0;
  double variance = 0.0;
};

class Asa {
 public:
  Asa(double sample_rate, double memory, double hop)
      : sample_rate_(sample_rate),
        keep_(memory > 0.0 ? static_cast<double>(std::exp(-static_cast<long double>(hop / memory))) : 0.0),
        power_(asa_window, asa_hop),
        pitch_(sample_rate) {}

  void operator()(std::span<const float> frame, std::vector<double>& rows) {
    const std::array<double, asa_feature_count> now = features(frame);
    for (std::size_t i = 0; i < asa_feature_count; ++i) {
      remembered_[i] = has_begun_ ? keep_ * remembered_[i] + (1.0 - keep_) * now[i] : now[i];
    }
    has_begun_ = true;
    rows.insert(rows.end(), remembered_.begin(), remembered_.end());
  }

 private:
  std::array<double, asa_feature_count> features(std::span<const float> frame) {
    const std::vector<double> power = power_(frame);
    const std::size_t windows = power.size() / power_.bins();
    std::vector<double> levels(windows);
    for (std::size_t t = 0; t < windows; ++t) levels[t] = level_of(mean_square(frame.subspan(t * asa_hop, asa_window)));
    const Gravity gravity = gravity_of(power);
    const std::vector<double> bands = bands_of(power);
    std::array<double, bark_bands> mean{};
    for (std::size_t i = 0; i < bands.size(); ++i) mean[i % bark_bands] += bands[i] / static_cast<double>(windows);
    double low = 0.0;
    for (std::size_t b = 0; b < low_bands; ++b) low += mean[b];
    const std::array<double, 3> shares = shares_of(mean);
    double sum = 0.0;
    std::size_t tonal = 0;
    const std::vector<Pitch> pitches = pitch_(frame);
    for (const Pitch& one : pitches) {
      if (!one.is_tonal()) continue;
      sum += one.hertz;
      ++tonal;
    }
    return {quantile_of(levels, 0.9) - quantile_of(levels, 0.1),
            gravity.mean,
            gravity.variance,
            level_of(low),
            level_of(mean_square(frame)),
            onset_of(bands),
            tonal == 0 ? 0.0 : sum / static_cast<double>(tonal),
            static_cast<double>(tonal) / static_cast<double>(std::max<std::size_t>(1, pitches.size() - tonal)),
            shares[0],
            shares[1],
            shares[2]};
  }

  Gravity gravity_of(std::span<const double> power) const {
    const std::size_t bins = power_.bins();
    std::vector<double> centres;
    for (std::size_t first = 0; first < power.size(); first += bins) {
      double weighted = 0.0;
      double sum = 0.0;
      for (std::size_t k = 0; k < bins; ++k) {
        const double magnitude = std::sqrt(power[first + k]);
        weighted += static_cast<double>(k) * magnitude;
        sum += magnitude;
      }
      centres.push_back(sum > 0.0 ? weighted / sum * sample_rate_ / static_cast<double>(asa_window) : 0.0);
    }
    Gravity gravity;
    const auto count = static_cast<double>(centres.size());
    for (const double c : centres) gravity.mean += c / count;
    for (const double c : centres) gravity.variance += (c - gravity.mean) * (c - gravity.mean) / count;
    return gravity;
  }

  // The power of band b in window t at [20 t + b].
  std::vector<double> bands_of(std::span<const double> power) const {
    const std::size_t bins = power_.bins();
    std::vector<double> bands;
    for (std::size_t first = 0; first < power.size(); first += bins) {
      for (std::size_t b = 0; b < bark_bands; ++b) {
        double sum = 0.0;
        for (std::size_t k = bark_edges[b]; k < bark_edges[b + 1]; ++k) sum += power[first + k];
        bands.push_back(sum);
      }
    }
    return bands;
  }

  double onset_of(std::span<const double> bands) const {
    const std::size_t windows = bands.size() / bark_bands;
    if (windows < 2) return 0.0;
    const auto a = static_cast<double>(std::exp(-static_cast<long double>(asa_hop) / (onset_smoothing * sample_rate_)));
    double rises = 0.0;
    for (std::size_t b = 0; b < bark_bands; ++b) {
      double smooth = std::sqrt(bands[b]);
      double before = log_of_positive(smooth + asa_floor);
      for (std::size_t t = 1; t < windows; ++t) {
        smooth = a * smooth + (1.0 - a) * std::sqrt(bands[t * bark_bands + b]);
        const double now = log_of_positive(smooth + asa_floor);
        rises += std::max(0.0, now - before);
        before = now;
      }
    }
    return 8.685889638065036553 * rises / static_cast<double>(bark_bands * (windows - 1));
  }

  std::array<double, 3> shares_of(const std::array<double, bark_bands>& bands) const {
    std::array<double, 3> sums{};
    double all = 0.0;
    for (std::size_t b = 0; b < bark_bands; ++b) {
      const double hertz = bark_frequency(b, sample_rate_);
      sums[hertz <= low_hertz ? 0 : hertz <= middle_hertz ? 1 : 2] += bands[b];
      all += bands[b];
    }
    for (double& sum : sums) sum = all > 0.0 ? sum / all : 0.0;
    return sums;
  }

  double sample_rate_;
  double keep_;
  ShortTimePower power_;
  PitchTracker pitch_;
  std::array<double, asa_feature_count> remembered_{};
  bool has_begun_ = false;
};

}  // namespace

FeatureStream asa_stream(const AsaOptions& options, const FrameClock& frames, const SoundShape& sound) {
  check_ranges(options);
  const double least = static_cast<double>(pitch_window) / sound.sample_rate;
  if (frames.window < least) {
    fail(ErrorKind::usage, "a window of " + to_text(frames.window) + " s is too short for the set asa; " +
                               to_text(least) + " s or more are needed at " + to_text(sound.sample_rate) + " Hz");
  }
  const auto work = std::make_shared<Asa>(sound.sample_rate, options.asa_memory, frames.hop);
  return stream_of_frames(
      {"AHwidth", "CGAV", "CGFS", "LowFreqAbs", "MeanLev", "Onset", "PitchMean", "Tonality", "Spect1", "Spect2",
       "Spect3"},
      {"dB", "Hz", "Hz^2", "dB", "dB", "dB", "Hz", "1", "1", "1", "1"}, frames,
      WindowCutter(frames, {sound.sample_rate, 1}),
      [work](std::span<const std::span<const float>> frame, std::vector<double>& rows) { (*work)(frame[0], rows); });
}

}  // namespace motet::audio
