#include "motet/audio/spectrum/frame_energies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "motet/base/logarithm.h"
#include "motet/base/processor.h"

namespace motet::audio {
namespace {

// All of this is inlined into functions that say which instructions may be used.
#pragma GCC diagnostic ignored "-Wpsabi"
template <class Real>
struct FrameLanes;
template <>
struct FrameLanes<double> {
  typedef double Type __attribute__((vector_size(32)));
  typedef double Loose __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct FrameLanes<float> {
  typedef float Type __attribute__((vector_size(32)));
  typedef float Loose __attribute__((vector_size(32), aligned(4), may_alias));
};
typedef std::int32_t EightWords __attribute__((vector_size(32)));

template <class Real>
using FrameLane = typename FrameLanes<Real>::Type;
template <class Real>
using FrameLoose = typename FrameLanes<Real>::Loose;

template <class Real>
[[gnu::always_inline]] inline FrameLane<Real> take(const Real* from) {
  return *reinterpret_cast<const FrameLoose<Real>*>(from);
}
template <class Real>
[[gnu::always_inline]] inline void put(Real* to, const FrameLane<Real>& value) {
  *reinterpret_cast<FrameLoose<Real>*>(to) = value;
}

template <class Real>
struct FrameJob {
  const Real* const* frames;
  const Real* taper;
  std::size_t size;
  Real* signals;
};

[[gnu::always_inline]] inline void spread(const FrameJob<double>& job) {
  for (std::size_t t = 0; t < job.size; ++t) {
    const FrameLane<double> values = {job.frames[0][t], job.frames[1][t], job.frames[2][t], job.frames[3][t]};
    put(job.signals + t * 4, values * job.taper[t]);
  }
}

// Eight samples of eight frames: rows become columns.
[[gnu::always_inline]] inline void spread_block(const FrameJob<float>& job, std::size_t t) {
  using Eight = FrameLane<float>;
  Eight r[8];
  for (std::size_t s = 0; s < 8; ++s) r[s] = take(job.frames[s] + t);
  Eight pairs[8];
  for (std::size_t s = 0; s < 8; s += 2) {
    pairs[s] = __builtin_shufflevector(r[s], r[s + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[s + 1] = __builtin_shufflevector(r[s], r[s + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  Eight fours[8];
  for (std::size_t s = 0; s < 8; s += 4) {
    fours[s] = __builtin_shufflevector(pairs[s], pairs[s + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    fours[s + 1] = __builtin_shufflevector(pairs[s], pairs[s + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    fours[s + 2] = __builtin_shufflevector(pairs[s + 1], pairs[s + 3], 0, 1, 8, 9, 4, 5, 12, 13);
    fours[s + 3] = __builtin_shufflevector(pairs[s + 1], pairs[s + 3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (std::size_t s = 0; s < 4; ++s) {
    const Eight low = __builtin_shufflevector(fours[s], fours[s + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    const Eight high = __builtin_shufflevector(fours[s], fours[s + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    put(job.signals + (t + s) * 8, low * job.taper[t + s]);
    put(job.signals + (t + s + 4) * 8, high * job.taper[t + s + 4]);
  }
}

[[gnu::always_inline]] inline void spread(const FrameJob<float>& job) {
  std::size_t t = 0;
  for (; t + 8 <= job.size; t += 8) spread_block(job, t);
  for (; t < job.size; ++t) {
    for (std::size_t s = 0; s < 8; ++s) job.signals[t * 8 + s] = job.frames[s][t] * job.taper[t];
  }
}

template <class Real>
struct BandJob {
  const Real* spectrum;
  const std::size_t* firsts;
  const std::size_t* ends;
  std::size_t bands;
  const Real* weights;
  Real* energies;
};

template <class Real>
[[gnu::always_inline]] inline void add_bins(const BandJob<Real>& job) {
  constexpr std::size_t lanes = fft_lanes_of<Real>;
  std::size_t weight = 0;
  for (std::size_t b = 0; b < job.bands; ++b) {
    FrameLane<Real> sum{};
    const Real* bin = job.spectrum + job.firsts[b] * lanes;
    for (; weight < job.ends[b]; ++weight, bin += lanes) sum += job.weights[weight] * take(bin);
    put(job.energies + b * lanes, sum);
  }
}

// As log_of_positive, in single precision: s^9 / 9 is the last term that counts.
[[gnu::always_inline]] inline FrameLane<float> log_of_eight(const FrameLane<float>& x) {
  using Eight = FrameLane<float>;
  const EightWords bits = reinterpret_cast<EightWords>(x);
  const EightWords mantissa = (bits & 0x7fffff) | 0x3f800000;
  Eight m = reinterpret_cast<Eight>(mantissa);
  const EightWords is_large = m > 1.41421356F;  // all bits where it is so
  const Eight half_m = m * 0.5F;
  m = reinterpret_cast<Eight>((reinterpret_cast<EightWords>(half_m) & is_large) |
                              (reinterpret_cast<EightWords>(m) & ~is_large));
  const Eight n = __builtin_convertvector((bits >> 23) - 127 - is_large, Eight);
  const Eight s = (m - 1.0F) / (m + 1.0F);
  const Eight s2 = s * s;
  const Eight series = s2 * (1.0F / 3 + s2 * (1.0F / 5 + s2 * (1.0F / 7 + s2 * (1.0F / 9))));
  return n * 0.693359375F + (n * -2.12194440e-4F + 2.0F * s * series + 2.0F * s);
}

struct LevelJob {
  float* values;
  std::size_t count;  // a multiple of eight
  float floor;
  float scale;
};

[[gnu::always_inline]] inline void level(const LevelJob& job) {
  using Eight = FrameLane<float>;
  const Eight floor = Eight{} + job.floor;
  for (std::size_t i = 0; i < job.count; i += 8) {
    const Eight energy = take(job.values + i);
    const EightWords is_above = energy > floor;
    const Eight kept = reinterpret_cast<Eight>((reinterpret_cast<EightWords>(energy) & is_above) |
                                               (reinterpret_cast<EightWords>(floor) & ~is_above));
    put(job.values + i, log_of_eight(kept) * job.scale);
  }
}

template <class Real>
struct CosineJob {
  const Real* levels;
  std::size_t bands;
  const Real* matrix;
  std::size_t count;
  Real* to;
};

template <std::size_t width, class Real>
[[gnu::always_inline]] inline void sum_cosines(const CosineJob<Real>& job, std::size_t first) {
  constexpr std::size_t lanes = fft_lanes_of<Real>;
  FrameLane<Real> sums[width] = {};
  for (std::size_t b = 0; b < job.bands; ++b) {
    const FrameLane<Real> level = take(job.levels + b * lanes);
    for (std::size_t c = 0; c < width; ++c) sums[c] += job.matrix[b * job.count + first + c] * level;
  }
  for (std::size_t c = 0; c < width; ++c) put(job.to + (first + c) * lanes, sums[c]);
}

template <class Real>
[[gnu::always_inline]] inline void cosines(const CosineJob<Real>& job) {
  constexpr std::size_t width = 4;
  std::size_t first = 0;
  for (; first + width <= job.count; first += width) sum_cosines<width>(job, first);
  for (; first < job.count; ++first) sum_cosines<1>(job, first);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void spread_avx2(const FrameJob<double>& job) { spread(job); }
[[gnu::target("avx2")]] void spread_avx2(const FrameJob<float>& job) { spread(job); }
[[gnu::target("avx2")]] void add_bins_avx2(const BandJob<double>& job) { add_bins(job); }
[[gnu::target("avx2")]] void add_bins_avx2(const BandJob<float>& job) { add_bins(job); }
[[gnu::target("avx2")]] void level_avx2(const LevelJob& job) { level(job); }
[[gnu::target("avx2")]] void cosines_avx2(const CosineJob<double>& job) { cosines(job); }
[[gnu::target("avx2")]] void cosines_avx2(const CosineJob<float>& job) { cosines(job); }
#endif

template <class Real>
void do_spread(const FrameJob<Real>& job) {
#if defined(__x86_64__)
  if (has_avx2()) return spread_avx2(job);
#endif
  spread(job);
}

template <class Real>
void do_add_bins(const BandJob<Real>& job) {
#if defined(__x86_64__)
  if (has_avx2()) return add_bins_avx2(job);
#endif
  add_bins(job);
}

void do_level(const LevelJob& job) {
#if defined(__x86_64__)
  if (has_avx2()) return level_avx2(job);
#endif
  level(job);
}

template <class Real>
void do_cosines(const CosineJob<Real>& job) {
#if defined(__x86_64__)
  if (has_avx2()) return cosines_avx2(job);
#endif
  cosines(job);
}

}  // namespace

template <class Real>
FrameEnergies<Real>::FrameEnergies(const FramePlan& plan)
    : taper_(plan.taper.begin(), plan.taper.end()),
      fft_size_(plan.fft_size),
      takes_bins_(plan.takes_bins),
      power_(plan.power),
      scale_(plan.scale),
      removes_mean_(plan.removes_mean),
      emphasis_(plan.emphasis),
      signals_(fft_size_ * lanes),
      spectrum_((fft_size_ / 2 + 1) * lanes) {
  for (const Triangle& triangle : plan.triangles) {
    firsts_.push_back(triangle.first);
    weights_.insert(weights_.end(), triangle.weights.begin(), triangle.weights.end());
    ends_.push_back(weights_.size());
  }
  energies_.resize(bands() * lanes);
  if (fft_size_ >= 4 && std::has_single_bit(fft_size_)) {
    fft_ = std::make_unique<FftOf<Real>>(fft_size_);
  } else {
    any_ = std::make_unique<AnyDft>(fft_size_);
    wide_signals_.resize(signals_.size());
    wide_spectrum_.resize(spectrum_.size());
  }
}

template <class Real>
void FrameEnergies<Real>::prepare(Frames& frames) {
  const std::size_t size = taper_.size();
  prepared_.resize(size * lanes);
  for (std::size_t s = 0; s < lanes; ++s) {
    const Real* const from = frames[s];
    Real* const to = prepared_.data() + s * size;
    double sum = 0.0;
    for (std::size_t t = 0; t < size; ++t) sum += static_cast<double>(from[t]);
    const double mean = removes_mean_ ? sum / static_cast<double>(size) : 0.0;
    double before = static_cast<double>(from[0]) - mean;
    for (std::size_t t = 0; t < size; ++t) {
      const double here = static_cast<double>(from[t]) - mean;
      to[t] = static_cast<Real>(scale_ * (here - emphasis_ * before));
      before = here;
    }
    frames[s] = to;
  }
}

template <class Real>
void FrameEnergies<Real>::spectrum() {
  if (fft_) {
    fft_->power(signals_, spectrum_);
  } else {
    std::copy(signals_.begin(), signals_.end(), wide_signals_.begin());
    for (std::size_t s = 0; s < lanes; ++s) any_->power(wide_signals_.data() + s, lanes, wide_spectrum_.data() + s);
    std::transform(wide_spectrum_.begin(), wide_spectrum_.end(), spectrum_.begin(),
                   [](double power) { return static_cast<Real>(power); });
  }
  if (power_ == 1.0) {
    for (Real& power : spectrum_) power = std::sqrt(power);
  } else if (power_ != 2.0) {
    for (Real& power : spectrum_) power = static_cast<Real>(std::pow(static_cast<double>(power), 0.5 * power_));
  }
}

template <class Real>
std::span<Real> FrameEnergies<Real>::of(Frames frames) {
  if (removes_mean_ || emphasis_ != 0.0 || scale_ != 1.0) prepare(frames);
  do_spread<Real>({frames.data(), taper_.data(), taper_.size(), signals_.data()});
  std::fill(signals_.begin() + static_cast<std::ptrdiff_t>(taper_.size() * lanes), signals_.end(), Real{0});
  spectrum();
  if (takes_bins_) return spectrum_;
  do_add_bins<Real>(
      {spectrum_.data(), firsts_.data(), ends_.data(), firsts_.size(), weights_.data(), energies_.data()});
  return energies_;
}

template <>
void to_levels<double>(std::span<double> energies, const LevelPlan& plan) {
  for (double& energy : energies)
    energy = plan.scale * (log_of_positive(std::max(energy, plan.floor)) * plan.of_natural);
}

template <>
void to_levels<float>(std::span<float> energies, const LevelPlan& plan) {
  do_level({energies.data(), energies.size(), static_cast<float>(plan.floor),
            static_cast<float>(plan.scale * plan.of_natural)});
}

template <class Real>
void transform_levels(std::span<const Real> levels, std::span<const Real> matrix, std::size_t count,
                      std::span<Real> coefficients) {
  do_cosines<Real>({levels.data(), levels.size() / fft_lanes_of<Real>, matrix.data(), count, coefficients.data()});
}

template class FrameEnergies<double>;
template class FrameEnergies<float>;
template void transform_levels<double>(std::span<const double>, std::span<const double>, std::size_t,
                                       std::span<double>);
template void transform_levels<float>(std::span<const float>, std::span<const float>, std::size_t, std::span<float>);

}  // namespace motet::audio
