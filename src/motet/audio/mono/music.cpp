#include "motet/audio/mono/music.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

#include "motet/audio/mono/short_time.h"
#include "motet/audio/spectrum/taper.h"
#include "motet/audio/window_cutter.h"
#include "motet/base/error.h"
#include "motet/base/logarithm.h"
#include "motet/base/quantile.h"

namespace motet::audio {
namespace {

constexpr std::size_t onset_window = 256;
constexpr std::size_t onset_hop = 128;
constexpr double onset_floor = 1e-4;        // of magnitudes
constexpr std::size_t envelope_block = 64;  // samples
constexpr double fastest_beat = 20.0;       // Hz
constexpr double slowest_beat = 0.5;
constexpr std::size_t zero_padding = 4;  // the spectrum is that of so many times the curve's length
constexpr std::array<double, 3> quantile_percents = {90.0, 95.0, 97.5};

double kurtosis_of(std::span<const float> sound) {
  const auto count = static_cast<double>(sound.size());
  double mean = 0.0;
  for (const float x : sound) mean += static_cast<double>(x);
  mean /= count;
  double second = 0.0;
  double fourth = 0.0;
  for (const float x : sound) {
    const double squared = (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
    second += squared;
    fourth += squared * squared;
  }
  return second > 0.0 ? fourth * count / (second * second) : 0.0;
}

// The lag in blocks; 0 where nothing varies.
std::size_t strongest_repeat(std::span<const float> sound, double sample_rate) {
  std::vector<double> envelope(sound.size() / envelope_block);
  double mean = 0.0;
  for (std::size_t i = 0; i < envelope.size(); ++i) {
    for (const float x : sound.subspan(i * envelope_block, envelope_block))
      envelope[i] += std::abs(static_cast<double>(x));
    envelope[i] /= static_cast<double>(envelope_block);
    mean += envelope[i];
  }
  mean /= static_cast<double>(envelope.size());
  for (double& value : envelope) value -= mean;
  const double blocks = sample_rate / static_cast<double>(envelope_block) / fastest_beat;
  std::size_t best = 0;
  double highest = 0.0;
  for (auto lag = static_cast<std::size_t>(std::ceil(blocks)); lag <= envelope.size() / 2; ++lag) {
    double sum = 0.0;
    for (std::size_t i = lag; i < envelope.size(); ++i) sum += envelope[i] * envelope[i - lag];
    if (best == 0 ? sum != 0.0 : sum > highest) {
      best = lag;
      highest = sum;
    }
  }
  return best;
}

void smooth_once(std::vector<double>& curve) {
  std::array<double, 2> x{};
  std::array<double, 2> y{};
  for (double& value : curve) {
    const double out = .0564 * value + .1129 * x[0] + .0564 * x[1] + 1.2247 * y[0] - .4504 * y[1];
    x = {value, x[0]};
    y = {out, y[0]};
    value = out;
  }
}

struct BeatSpectrum {
  std::vector<double> magnitude;
  std::vector<double> hertz;
};

class Music {
 public:
  explicit Music(double sample_rate) : sample_rate_(sample_rate), power_(onset_window, onset_hop) {}

  void operator()(std::span<const float> heard, std::vector<double>& rows) {
    rows.push_back(kurtosis_of(heard));
    rows.push_back(static_cast<double>(strongest_repeat(heard, sample_rate_)) * static_cast<double>(envelope_block) /
                   sample_rate_);
    const BeatSpectrum beats = beats_of(onsets_of(heard));
    append_roll_off(beats, rows);
    append_peaks(beats.magnitude, rows);
    for (const double percent : quantile_percents) rows.push_back(quantile_of(beats.magnitude, percent / 100.0));
  }

 private:
  std::vector<double> onsets_of(std::span<const float> heard) {
    std::vector<double> power = power_(heard);
    for (double& value : power) value = log_of_positive(std::sqrt(value) + onset_floor);
    const std::size_t bins = power_.bins();
    std::vector<double> curve;
    for (std::size_t first = bins; first < power.size(); first += bins) {
      double rise = 0.0;
      for (std::size_t k = 0; k < bins; ++k) rise += std::max(0.0, power[first + k] - power[first + k - bins]);
      curve.push_back(rise);
    }
    for (int direction = 0; direction < 2; ++direction) {
      smooth_once(curve);
      std::reverse(curve.begin(), curve.end());
    }
    return curve;
  }

  // Some hundred frequencies of some hundred values at most: by the definition, with angles from a table.
  BeatSpectrum beats_of(std::vector<double> curve) {
    const std::size_t count = curve.size();
    const std::size_t length = zero_padding * count;
    if (turns_.size() != 2 * length) prepare(count);
    double mean = 0.0;
    for (const double value : curve) mean += value / static_cast<double>(count);
    for (std::size_t t = 0; t < count; ++t) curve[t] = (curve[t] - mean) * window_[t];
    BeatSpectrum beats;
    const double bin = sample_rate_ / static_cast<double>(onset_hop) / static_cast<double>(length);
    for (std::size_t k = 0; k <= length / 2; ++k) {
      const double hertz = static_cast<double>(k) * bin;
      if (hertz < slowest_beat || hertz > fastest_beat) continue;
      double re = 0.0;
      double im = 0.0;
      for (std::size_t t = 0, turn = 0; t < count; ++t, turn = (turn + k) % length) {
        re += curve[t] * turns_[2 * turn];
        im += curve[t] * turns_[2 * turn + 1];
      }
      beats.magnitude.push_back(std::sqrt(re * re + im * im));
      beats.hertz.push_back(hertz);
    }
    return beats;
  }

  void prepare(std::size_t count) {
    window_ = taper(Taper::hann, count);
    turns_.clear();
    const std::size_t length = zero_padding * count;
    for (std::size_t k = 0; k < length; ++k) {
      const long double angle =
          2.0L * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(length);
      turns_.push_back(static_cast<double>(std::cos(angle)));
      turns_.push_back(static_cast<double>(std::sin(angle)));
    }
  }

  static void append_roll_off(const BeatSpectrum& beats, std::vector<double>& rows) {
    double sum = 0.0;
    for (const double value : beats.magnitude) sum += value;
    double below = 0.0;
    std::size_t k = 0;
    for (int percent = 10; percent <= 90; percent += 10) {
      while (k < beats.magnitude.size() && (below + beats.magnitude[k]) / sum < static_cast<double>(percent) / 100.0) {
        below += beats.magnitude[k++];
      }
      rows.push_back(sum > 0.0 && k < beats.hertz.size() ? beats.hertz[k] : 0.0);
    }
  }

  // BSTC, BSSUM and BSRA.
  static void append_peaks(const std::vector<double>& magnitude, std::vector<double>& rows) {
    std::vector<double> peaks;
    for (std::size_t k = 1; k + 1 < magnitude.size(); ++k) {
      if (magnitude[k] > magnitude[k - 1] && magnitude[k] >= magnitude[k + 1]) peaks.push_back(magnitude[k]);
    }
    std::sort(peaks.begin(), peaks.end(), std::greater<>());
    double sum = 0.0;
    double highest = 0.0;
    for (const double value : magnitude) {
      sum += value;
      highest = std::max(highest, value);
    }
    const auto high = std::count_if(peaks.begin(), peaks.end(), [&](double peak) { return peak >= 0.5 * highest; });
    rows.push_back(static_cast<double>(high));
    rows.push_back(sum);
    rows.push_back(peaks.size() < 2 ? 0.0 : peaks[1] / peaks[0]);
  }

  double sample_rate_;
  ShortTimePower power_;
  std::vector<double> window_;
  std::vector<double> turns_;  // cos and sin
};

std::vector<std::string> music_columns() {
  std::vector<std::string> columns = {"SAHK", "TACM"};
  for (int percent = 10; percent <= 90; percent += 10) columns.push_back("BBSR" + std::to_string(percent));
  for (const char* const name : {"BSTC", "BSSUM", "BSRA"}) columns.emplace_back(name);
  for (const double percent : quantile_percents) columns.push_back("BSPCT" + to_text(percent));
  return columns;
}

}  // namespace

FeatureStream music_stream(const MusicOptions& options, const FrameClock& frames, const SoundShape& sound) {
  check_ranges(options);
  const double least = static_cast<double>(3 * onset_hop + onset_window) / sound.sample_rate;
  if (frames.window < least) {
    fail(ErrorKind::usage, "a window of " + to_text(frames.window) + " s is too short for the set music; " +
                               to_text(least) + " s or more are needed at " + to_text(sound.sample_rate) + " Hz");
  }
  std::vector<std::string> units = {"1", "s"};
  units.resize(11, "Hz");
  units.resize(17, "1");
  const auto work = std::make_shared<Music>(sound.sample_rate);
  return stream_of_frames(
      music_columns(), std::move(units), frames, WindowCutter(frames, {sound.sample_rate, 1}, options.context),
      [work](std::span<const std::span<const float>> frame, std::vector<double>& rows) { (*work)(frame[0], rows); });
}

}  // namespace motet::audio
