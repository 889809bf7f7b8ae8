#include "motet/audio/spectrum/row_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "motet/audio/spectrum/taper.h"
#include "motet/base/error.h"

namespace motet::audio {
namespace {

constexpr double least_energy = 1e-10;
constexpr double of_natural_log10 = 0.43429448190325182765;
constexpr std::size_t toolbox_window = 256;
constexpr std::size_t toolbox_bands = 40;
constexpr double toolbox_rate = 100.0;  // frames per second
constexpr double emphasis = 0.97;
constexpr double kaldi_scale = 32768.0;  // of 16-bit samples
constexpr double kaldi_floor = std::numeric_limits<float>::epsilon();

bool has_toolbox_bands(MfccStyle style) { return style == MfccStyle::slaney || style == MfccStyle::single_dft; }

std::int64_t samples_of(double seconds, std::size_t samples, double sample_rate) {
  return samples > 0 ? static_cast<std::int64_t>(samples) : std::llround(seconds * sample_rate);
}

void check_window(const MfccOptions& options, double sample_rate) {
  const std::int64_t samples = samples_of(options.window, options.window_samples, sample_rate);
  const std::int64_t least = options.mfcc_style == MfccStyle::slaney ? toolbox_window : 4;
  if (samples < least) {
    fail(ErrorKind::usage, fmt::format("--window {} s is {} samples at {} Hz; at least {} are needed",
                                       to_text(options.window_at(sample_rate)), samples, to_text(sample_rate), least));
  }
  if (options.fft_size > 0 && static_cast<std::int64_t>(options.fft_size) < samples) {
    fail(ErrorKind::usage, fmt::format("--fft-size {} is shorter than the window of {} samples at {} Hz",
                                       options.fft_size, samples, to_text(sample_rate)));
  }
  if (options.hop_at(sample_rate) * sample_rate < 1.0 - 1e-9) {
    fail(ErrorKind::usage,
         fmt::format("--hop {} s is less than a sample at {} Hz", to_text(options.hop), to_text(sample_rate)));
  }
}

void check_plan(const MfccOptions& options, double sample_rate, RowKind kind) {
  check_ranges(options);
  if (!(sample_rate >= 1.0)) {
    fail(ErrorKind::usage, fmt::format("sample_rate = {} Hz is too low", to_text(sample_rate)));
  }
  const std::size_t bands = has_toolbox_bands(options.mfcc_style) ? toolbox_bands : options.bands;
  if (kind == RowKind::mfcc && options.coefficients > bands) {
    fail(ErrorKind::usage, fmt::format("--coefficients {} is more than the {} bands", options.coefficients, bands));
  }
  check_window(options, sample_rate);
  const double high = options.high_hz > 0.0 ? options.high_hz : sample_rate / 2.0;
  const bool is_wrong = high > sample_rate / 2.0 || options.low_hz >= high;
  if (!has_toolbox_bands(options.mfcc_style) && kind != RowKind::spectrogram && is_wrong) {
    fail(ErrorKind::usage,
         fmt::format("bands from --low-hz {} to --high-hz {} do not fit {} Hz; low < high <= {} is needed",
                     to_text(options.low_hz), to_text(high), to_text(sample_rate), to_text(sample_rate / 2.0)));
  }
}

void plan_librosa(RowPlan& plan, const MfccOptions& options, double sample_rate) {
  const auto samples = static_cast<std::size_t>(samples_of(options.window, options.window_samples, sample_rate));
  const std::size_t fft = options.fft_size > 0 ? options.fft_size : power_of_two_from(samples);
  const bool is_padded = options.fft_size > 0;  // zeros on both sides of the window, as librosa has them
  plan.frame.taper = is_padded ? padded_taper(options.taper, samples, fft) : taper(options.taper, samples);
  plan.frame.fft_size = fft;
  plan.frame.triangles = mel_triangles(options, sample_rate, fft);
  plan.frame.power = options.power;
  plan.cut.centred = options.centre;
  plan.cut.before = is_padded ? fft / 2 : fft / 2 - (fft - samples) / 2;
  plan.cut.is_odd = fft % 2 == 1;
  plan.cut.mirrors = options.centre && options.pad == Padding::reflect;
  plan.level = {least_energy, of_natural_log10, 10.0};
  plan.unit = "dB";
}

void plan_toolbox(RowPlan& plan, const MfccOptions& options, double sample_rate) {
  plan.frame.taper = taper(Taper::hamming, toolbox_window);
  plan.frame.fft_size = 2 * toolbox_window;
  plan.cut.hop = sample_rate / toolbox_rate;
  plan.cut.emphasis = emphasis;
  plan.is_mean = true;
  plan.row_hop = options.hop_at(sample_rate) * sample_rate;
  plan.row_window = samples_of(options.window, options.window_samples, sample_rate);
}

void plan_kaldi(RowPlan& plan, const MfccOptions& options, double sample_rate) {
  const auto samples = static_cast<std::size_t>(samples_of(options.window, options.window_samples, sample_rate));
  plan.frame.taper = taper(Taper::povey, samples);
  plan.frame.fft_size = options.fft_size > 0 ? options.fft_size : power_of_two_from(samples);
  plan.frame.triangles = kaldi_triangles(options, sample_rate, plan.frame.fft_size);
  plan.frame.scale = kaldi_scale;
  plan.frame.removes_mean = true;
  plan.frame.emphasis = emphasis;
  plan.level = {kaldi_floor, 1.0, 1.0};
  plan.unit = "ln";
}

void plan_single_dft(RowPlan& plan, const MfccOptions& options, double sample_rate) {
  const auto samples = static_cast<std::size_t>(samples_of(options.window, options.window_samples, sample_rate));
  plan.frame.taper = taper(Taper::none, samples);
  plan.frame.fft_size = samples;
}

std::vector<double> plan_lifter(const MfccOptions& options) {
  if (options.lifter <= 0.0 || has_toolbox_bands(options.mfcc_style)) return {};
  std::vector<double> lifter(options.coefficients, 1.0);
  const std::size_t first = options.mfcc_style == MfccStyle::kaldi ? 0 : 1;
  for (std::size_t c = 0; c < lifter.size(); ++c) {
    const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(c + first) /
                              static_cast<long double>(options.lifter);
    lifter[c] = 1.0 + options.lifter / 2.0 * static_cast<double>(std::sin(angle));
  }
  return lifter;
}

std::vector<double> plan_matrix(const MfccOptions& options, std::size_t bands) {
  if (options.mfcc_style == MfccStyle::single_dft) return plain_cosine_transform(1, options.coefficients, bands, 1.0);
  if (options.dct_norm == DctNorm::none && options.mfcc_style == MfccStyle::librosa) {
    return plain_cosine_transform(0, options.coefficients, bands, 2.0);
  }
  return cosine_transform(options.coefficients, bands);
}

void name_columns(RowPlan& plan, const MfccOptions& options, double sample_rate, RowKind kind) {
  const std::size_t first = kind == RowKind::mfcc && options.mfcc_style == MfccStyle::single_dft ? 1 : 0;
  for (std::size_t i = first; i < first + plan.width; ++i) {
    if (kind == RowKind::spectrogram) {
      const double hz = static_cast<double>(i) * sample_rate / static_cast<double>(plan.frame.fft_size);
      plan.columns.push_back("hz_" + to_text(std::round(hz * 1e6) / 1e6));
    } else {
      plan.columns.push_back(fmt::format("{}{}", kind == RowKind::mfcc ? "mfcc" : "mel", i));
    }
  }
}

}  // namespace

RowPlan row_plan(const MfccOptions& options, double sample_rate, RowKind kind) {
  check_plan(options, sample_rate, kind);
  RowPlan plan;
  plan.cut.hop = options.hop_at(sample_rate) * sample_rate;
  if (options.hop_samples > 0) plan.cut.hop = static_cast<double>(options.hop_samples);
  plan.level = {least_energy, of_natural_log10, 1.0};
  plan.unit = "log10";
  if (options.mfcc_style == MfccStyle::librosa) plan_librosa(plan, options, sample_rate);
  if (options.mfcc_style == MfccStyle::slaney) plan_toolbox(plan, options, sample_rate);
  if (options.mfcc_style == MfccStyle::kaldi) plan_kaldi(plan, options, sample_rate);
  if (options.mfcc_style == MfccStyle::single_dft) plan_single_dft(plan, options, sample_rate);
  if (has_toolbox_bands(options.mfcc_style)) {
    plan.frame.triangles = toolbox_triangles(sample_rate, plan.frame.fft_size);
    plan.frame.power = 1.0;
  }
  if (options.mfcc_style == MfccStyle::librosa) plan.top_db = options.top_db;
  plan.frame.takes_bins = kind == RowKind::spectrogram;
  plan.takes_level = kind != RowKind::mel;
  if (!plan.takes_level) plan.unit = plan.frame.power == 2.0 ? "power" : plan.frame.power == 1.0 ? "magnitude" : "1";
  plan.bands = plan.frame.takes_bins ? plan.frame.fft_size / 2 + 1 : plan.frame.triangles.size();
  plan.width = kind == RowKind::mfcc ? options.coefficients : plan.bands;
  plan.cut.frame = plan.frame.taper.size();
  if (kind == RowKind::mfcc) {
    plan.matrix = plan_matrix(options, plan.bands);
    plan.lifter = plan_lifter(options);
  }
  name_columns(plan, options, sample_rate, kind);
  const double hop = options.hop_at(sample_rate);
  plan.clock = {hop, plan.cut.centred ? hop : options.window_at(sample_rate)};
  return plan;
}

}  // namespace motet::audio
