#include "motet/audio/mfcc.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>
#include <numbers>

#include "motet/audio/fft.h"
#include "motet/audio/mel.h"
#include "motet/base/error.h"
#include "motet/base/logarithm.h"

namespace motet::audio {
namespace {

constexpr double least_energy = 1e-10;
constexpr std::size_t toolbox_window = 256;
constexpr std::size_t toolbox_bands = 40;
constexpr double toolbox_rate = 100.0;  // frames a second
constexpr double toolbox_emphasis = 0.97;
constexpr std::size_t push_block = 65536;

double log10_of(double x) {
  constexpr double log10_of_e = 0.43429448190325182765;
  return log_of_positive(x) * log10_of_e;
}

std::vector<double> cosine_window(std::size_t size, long double constant, long double depth) {
  std::vector<double> window(size);
  for (std::size_t n = 0; n < size; ++n) {
    const long double angle =
        2.0L * std::numbers::pi_v<long double> * static_cast<long double>(n) / static_cast<long double>(size);
    window[n] = static_cast<double>(constant - depth * std::cos(angle));
  }
  return window;
}

// Samples that some frame still needs, by their number in the recording.
class SampleBuffer {
 public:
  std::int64_t end() const { return first_ + static_cast<std::int64_t>(samples_.size()); }
  const double* at(std::int64_t number) const { return samples_.data() + (number - first_); }
  void append(std::span<const float> samples) { samples_.insert(samples_.end(), samples.begin(), samples.end()); }
  void append(double sample) { samples_.push_back(sample); }
  void append_silence(std::size_t count) { samples_.insert(samples_.end(), count, 0.0); }

  // Samples before `number` are not needed any more. They go when they are half of what is here.
  void drop_before(std::int64_t number) {
    const std::int64_t unneeded = std::min(number, end()) - first_;
    if (unneeded * 2 < static_cast<std::int64_t>(samples_.size())) return;
    samples_.erase(samples_.begin(), samples_.begin() + unneeded);
    first_ += unneeded;
  }

 private:
  std::vector<double> samples_;
  std::int64_t first_ = 0;
};

// Four frames at a time: window, spectrum, energies of the bands.
class BandEnergies {
 public:
  BandEnergies(std::vector<double> window, std::size_t fft_size, std::vector<Triangle> triangles, bool is_magnitude)
      : window_(std::move(window)),
        fft_(fft_size),
        triangles_(std::move(triangles)),
        is_magnitude_(is_magnitude),
        signals_(fft_size * fft_lanes),
        spectrum_(fft_.bins() * fft_lanes),
        energies_(triangles_.size() * fft_lanes) {}

  std::size_t window_size() const { return window_.size(); }
  std::size_t bands() const { return triangles_.size(); }

  // frames: where each starts. Energy of band b in frame s: [4 b + s].
  std::span<const double> of(const std::array<const double*, fft_lanes>& frames) {
    const auto [a, b, c, d] = frames;
    for (std::size_t t = 0; t < window_.size(); ++t) {
      double* const to = signals_.data() + t * fft_lanes;
      to[0] = a[t] * window_[t];
      to[1] = b[t] * window_[t];
      to[2] = c[t] * window_[t];
      to[3] = d[t] * window_[t];
    }
    std::fill(signals_.begin() + static_cast<std::ptrdiff_t>(window_.size() * fft_lanes), signals_.end(), 0.0);
    fft_.power(signals_, spectrum_);
    if (is_magnitude_) {
      for (double& power : spectrum_) power = std::sqrt(power);
    }
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      std::array<double, fft_lanes> sums{};
      const double* bin = spectrum_.data() + triangles_[i].first * fft_lanes;
      for (const double weight : triangles_[i].weights) {
        for (std::size_t s = 0; s < fft_lanes; ++s) sums[s] += weight * bin[s];
        bin += fft_lanes;
      }
      std::copy(sums.begin(), sums.end(), energies_.begin() + static_cast<std::ptrdiff_t>(i * fft_lanes));
    }
    return energies_;
  }

 private:
  std::vector<double> window_;
  RealFft fft_;
  std::vector<Triangle> triangles_;
  bool is_magnitude_;
  std::vector<double> signals_;
  std::vector<double> spectrum_;
  std::vector<double> energies_;
};

void check_options(const MfccOptions& options, double sample_rate) {
  check_ranges(options);
  if (!(sample_rate >= 1.0)) {
    fail(ErrorKind::usage, fmt::format("sample_rate = {} Hz is too low", to_text(sample_rate)));
  }
  const bool is_toolbox = options.mfcc_style == MfccStyle::slaney;
  const std::size_t bands = is_toolbox ? toolbox_bands : options.bands;
  if (options.coefficients > bands) {
    fail(ErrorKind::usage, fmt::format("coefficients = {} is more than the {} bands", options.coefficients, bands));
  }
  const auto samples = static_cast<std::size_t>(std::llround(options.window * sample_rate));
  const std::size_t least = is_toolbox ? toolbox_window : 4;
  if (samples < least) {
    fail(ErrorKind::usage, fmt::format("window = {} s is {} samples at {} Hz; at least {} are needed",
                                       to_text(options.window), samples, to_text(sample_rate), least));
  }
  if (options.hop * sample_rate < 1.0) {
    fail(ErrorKind::usage,
         fmt::format("hop = {} s is less than a sample at {} Hz", to_text(options.hop), to_text(sample_rate)));
  }
  const double high = options.high_hz > 0.0 ? options.high_hz : sample_rate / 2.0;
  if (!is_toolbox && (high > sample_rate / 2.0 || options.low_hz >= high)) {
    fail(ErrorKind::usage,
         fmt::format("bands from low_hz = {} to high_hz = {} do not fit {} Hz; low < high <= {} is needed",
                     to_text(options.low_hz), to_text(high), to_text(sample_rate), to_text(sample_rate / 2.0)));
  }
}

std::vector<double> lifter_of(const MfccOptions& options) {
  std::vector<double> lifter;
  for (std::size_t c = 0; c < options.coefficients; ++c) {
    const long double angle =
        std::numbers::pi_v<long double> * static_cast<long double>(c + 1) / static_cast<long double>(options.lifter);
    lifter.push_back(1.0 + options.lifter / 2.0 * static_cast<double>(std::sin(angle)));
  }
  return lifter;
}

BandEnergies make_energies(const MfccOptions& options, double sample_rate) {
  if (options.mfcc_style == MfccStyle::slaney) {
    return {cosine_window(toolbox_window, 0.54L, 0.46L), 2 * toolbox_window,
            toolbox_triangles(sample_rate, 2 * toolbox_window), true};
  }
  const auto samples = static_cast<std::size_t>(std::llround(options.window * sample_rate));
  const std::size_t fft_size = power_of_two_from(samples);
  return {cosine_window(samples, 0.5L, 0.5L), fft_size, mel_triangles(options, sample_rate, fft_size), false};
}

}  // namespace

struct MfccStream::Inside {
  Inside(const MfccOptions& o, double rate)
      : options(o),
        sample_rate(rate),
        is_toolbox(o.mfcc_style == MfccStyle::slaney),
        energies(make_energies(o, rate)),
        cosines(cosine_transform(o.coefficients, energies.bands())),
        hop(is_toolbox ? rate / toolbox_rate : o.hop * rate) {
    if (is_centred()) buffer.append_silence(static_cast<std::size_t>(left_padding()));
    if (o.lifter > 0.0 && !is_toolbox) lifter = lifter_of(o);
    levels.resize(energies.bands());
  }

  MfccOptions options;
  double sample_rate;
  bool is_toolbox;
  BandEnergies energies;
  std::vector<double> cosines;  // [band * coefficients + coefficient]
  std::vector<double> lifter;   // may be empty
  double hop;                   // samples from a frame to the next, perhaps not whole
  SampleBuffer buffer;
  std::uint64_t samples = 0;    // pushed
  std::int64_t next_frame = 0;  // to be computed
  float last_sample = 0.0F;     // for the pre-emphasis
  std::vector<double> levels;

  std::vector<double> kept_levels;  // with top_db: of all frames
  double loudest = -1e300;

  std::deque<std::vector<double>> toolbox_frames;  // cepstra, the first is frame `first_kept`
  std::int64_t first_kept = 0;
  std::int64_t next_row = 0;

  bool is_centred() const { return options.centre && !is_toolbox; }
  bool needs_end() const { return options.top_db > 0.0 && !is_toolbox; }
  std::int64_t start_of(std::int64_t frame) const { return std::llround(static_cast<double>(frame) * hop); }
  std::int64_t window_samples() const { return std::llround(options.window * sample_rate); }

  // As librosa pads with half the FFT, in the middle of which its window lies.
  std::int64_t left_padding() const {
    const auto window = static_cast<std::int64_t>(energies.window_size());
    const auto fft = static_cast<std::int64_t>(power_of_two_from(energies.window_size()));
    return fft / 2 - (fft - window) / 2;
  }

  void take(std::span<const float> block);
  void compute(std::size_t count, std::vector<double>& rows);
  void compute_complete(std::vector<double>& rows);
  void compute_rest(std::vector<double>& rows);
  void to_cepstrum(std::span<const double> of_levels, std::vector<double>& rows) const;
  void average_rows(std::vector<double>& rows);
};

void MfccStream::Inside::take(std::span<const float> block) {
  samples += block.size();
  if (!is_toolbox) return buffer.append(block);
  for (const float sample : block) {
    buffer.append(static_cast<double>(sample) - toolbox_emphasis * static_cast<double>(last_sample));
    last_sample = sample;
  }
}

void MfccStream::Inside::to_cepstrum(std::span<const double> of_levels, std::vector<double>& rows) const {
  const std::size_t width = options.coefficients;
  rows.resize(rows.size() + width);
  double* const sums = rows.data() + (rows.size() - width);
  for (std::size_t b = 0; b < of_levels.size(); ++b) {
    const double* const of_band = cosines.data() + b * width;
    for (std::size_t c = 0; c < width; ++c) sums[c] += of_band[c] * of_levels[b];
  }
  for (std::size_t c = 0; c < lifter.size(); ++c) sums[c] *= lifter[c];
}

// The next `count` frames, at most four.
void MfccStream::Inside::compute(std::size_t count, std::vector<double>& rows) {
  std::array<const double*, fft_lanes> frames{};  // lanes that are not needed repeat the first
  for (std::size_t s = 0; s < fft_lanes; ++s) {
    frames[s] = buffer.at(start_of(next_frame + static_cast<std::int64_t>(s < count ? s : 0)));
  }
  const std::span<const double> found = energies.of(frames);
  for (std::size_t s = 0; s < count; ++s) {
    for (std::size_t b = 0; b < levels.size(); ++b) {
      const double level = log10_of(std::max(found[b * fft_lanes + s], least_energy));
      levels[b] = is_toolbox ? level : 10.0 * level;
    }
    if (is_toolbox) {
      toolbox_frames.emplace_back();
      to_cepstrum(levels, toolbox_frames.back());
    } else if (needs_end()) {
      kept_levels.insert(kept_levels.end(), levels.begin(), levels.end());
      loudest = std::max(loudest, *std::max_element(levels.begin(), levels.end()));
    } else {
      to_cepstrum(levels, rows);
    }
  }
  next_frame += static_cast<std::int64_t>(count);
  buffer.drop_before(start_of(next_frame));
}

void MfccStream::Inside::compute_complete(std::vector<double>& rows) {
  const auto window = static_cast<std::int64_t>(energies.window_size());
  constexpr std::int64_t lanes = fft_lanes;
  while (start_of(next_frame + lanes - 1) + window <= buffer.end()) compute(fft_lanes, rows);
  if (is_toolbox) average_rows(rows);
}

void MfccStream::Inside::compute_rest(std::vector<double>& rows) {
  const auto window = static_cast<std::int64_t>(energies.window_size());
  const auto is_there = [&](std::int64_t frame) {
    if (is_centred()) return samples > 0 && start_of(frame) <= static_cast<std::int64_t>(samples);
    return start_of(frame) + window <= buffer.end();
  };
  while (is_there(next_frame)) {
    std::size_t count = 1;
    while (count < fft_lanes && is_there(next_frame + static_cast<std::int64_t>(count))) ++count;
    const std::int64_t end = start_of(next_frame + static_cast<std::int64_t>(count) - 1) + window;
    if (end > buffer.end()) buffer.append_silence(static_cast<std::size_t>(end - buffer.end()));
    compute(count, rows);
  }
  if (is_toolbox) average_rows(rows);
}

// Rows of the toolbox style: the mean of the frames inside, of the first that starts in it if there is none.
void MfccStream::Inside::average_rows(std::vector<double>& rows) {
  for (;; ++next_row) {
    const std::int64_t begin = std::llround(static_cast<double>(next_row) * options.hop * sample_rate);
    const std::int64_t end = begin + window_samples();
    auto first = static_cast<std::int64_t>(static_cast<double>(begin) / hop);
    while (start_of(first) < begin) ++first;
    std::int64_t last = first;
    while (start_of(last + 1) + static_cast<std::int64_t>(toolbox_window) <= end) ++last;
    if (last >= next_frame || end > buffer.end()) return;
    std::vector<double> mean(options.coefficients);
    for (std::int64_t m = first; m <= last; ++m) {
      const std::vector<double>& frame = toolbox_frames[static_cast<std::size_t>(m - first_kept)];
      for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += frame[c];
    }
    for (const double sum : mean) rows.push_back(sum / static_cast<double>(last - first + 1));
    for (; first_kept < first; ++first_kept) toolbox_frames.pop_front();
  }
}

MfccStream::MfccStream(const MfccOptions& options, double sample_rate) {
  check_options(options, sample_rate);
  inside_ = std::make_unique<Inside>(options, sample_rate);
}

MfccStream::~MfccStream() = default;
MfccStream::MfccStream(MfccStream&&) noexcept = default;

void MfccStream::push(std::span<const float> samples, std::vector<double>& rows) {
  while (!samples.empty()) {
    const auto block = samples.first(std::min(samples.size(), push_block));
    inside_->take(block);
    inside_->compute_complete(rows);
    samples = samples.subspan(block.size());
  }
}

void MfccStream::finish(std::vector<double>& rows) {
  Inside& in = *inside_;
  in.compute_rest(rows);
  const double least = in.loudest - in.options.top_db;
  for (double& level : in.kept_levels) level = std::max(level, least);
  const std::size_t bands = in.energies.bands();
  for (std::size_t i = 0; i < in.kept_levels.size(); i += bands) {
    in.to_cepstrum(std::span(in.kept_levels).subspan(i, bands), rows);
  }
  in.kept_levels.clear();
}

FrameClock MfccStream::clock() const {
  const MfccOptions& options = inside_->options;
  return {options.hop, inside_->is_centred() ? options.hop : options.window};
}

std::vector<std::string> MfccStream::columns() const {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < inside_->options.coefficients; ++c) names.push_back(fmt::format("mfcc{}", c));
  return names;
}

}  // namespace motet::audio
