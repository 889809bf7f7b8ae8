#include "motet/audio/lane_fft.h"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "motet/base/error.h"
#include "motet/base/processor.h"

namespace motet::audio {
namespace {

// All of this is inlined into the functions at the end that say which instructions may be used.
#pragma GCC diagnostic ignored "-Wpsabi"
typedef double FourLane __attribute__((vector_size(32)));
typedef double LaneAt __attribute__((vector_size(32), aligned(8), may_alias));

struct LanePoint {
  FourLane re;
  FourLane im;
};

constexpr std::size_t lane_point = 2 * LaneFft::lanes;  // doubles of one complex number of all signals

[[gnu::always_inline]] inline LanePoint lane_load(const double* from) {
  return {*reinterpret_cast<const LaneAt*>(from), *reinterpret_cast<const LaneAt*>(from + LaneFft::lanes)};
}

[[gnu::always_inline]] inline void lane_store(double* to, const LanePoint& z) {
  *reinterpret_cast<LaneAt*>(to) = z.re;
  *reinterpret_cast<LaneAt*>(to + LaneFft::lanes) = z.im;
}

[[gnu::always_inline]] inline LanePoint lane_times(const LanePoint& z, const double* turn) {
  return {z.re * turn[0] - z.im * turn[1], z.re * turn[1] + z.im * turn[0]};
}

// One stage on blocks of `length` points with `stride` transforms beside each other.
[[gnu::always_inline]] inline void stage_of_four(const double* from, double* to, std::size_t length, std::size_t stride,
                                                 const double* twiddles) {
  const std::size_t quarter = length / 4 * stride * lane_point;
  for (std::size_t p = 0; p < length / 4; ++p, twiddles += 6) {
    for (std::size_t q = 0; q < stride; ++q) {
      const double* const x = from + (p * stride + q) * lane_point;
      double* const y = to + (4 * p * stride + q) * lane_point;
      const LanePoint a = lane_load(x);
      const LanePoint b = lane_load(x + quarter);
      const LanePoint c = lane_load(x + 2 * quarter);
      const LanePoint d = lane_load(x + 3 * quarter);
      const LanePoint sum_ac = {a.re + c.re, a.im + c.im};
      const LanePoint dif_ac = {a.re - c.re, a.im - c.im};
      const LanePoint sum_bd = {b.re + d.re, b.im + d.im};
      const LanePoint dif_bd = {b.im - d.im, d.re - b.re};  // times -i
      lane_store(y, {sum_ac.re + sum_bd.re, sum_ac.im + sum_bd.im});
      lane_store(y + stride * lane_point, lane_times({dif_ac.re + dif_bd.re, dif_ac.im + dif_bd.im}, twiddles));
      lane_store(y + 2 * stride * lane_point, lane_times({sum_ac.re - sum_bd.re, sum_ac.im - sum_bd.im}, twiddles + 2));
      lane_store(y + 3 * stride * lane_point, lane_times({dif_ac.re - dif_bd.re, dif_ac.im - dif_bd.im}, twiddles + 4));
    }
  }
}

[[gnu::always_inline]] inline void stage_of_two(const double* from, double* to, std::size_t stride) {
  for (std::size_t q = 0; q < stride; ++q) {
    const LanePoint a = lane_load(from + q * lane_point);
    const LanePoint b = lane_load(from + (q + stride) * lane_point);
    lane_store(to + q * lane_point, {a.re + b.re, a.im + b.im});
    lane_store(to + (q + stride) * lane_point, {a.re - b.re, a.im - b.im});
  }
}

// Returns which of the two holds the result.
[[gnu::always_inline]] inline double* run_stages(double* z, double* room, std::size_t points, const double* twiddles) {
  std::size_t stride = 1;
  std::size_t length = points;
  for (; length >= 4; length /= 4, stride *= 4) {
    stage_of_four(z, room, length, stride, twiddles);
    twiddles += length / 4 * 6;
    std::swap(z, room);
  }
  if (length == 2) {
    stage_of_two(z, room, stride);
    std::swap(z, room);
  }
  return z;
}

struct LaneJob {
  double* signals;
  double* room;
  std::size_t half;
  const double* twiddles;
  const double* turns;
  double* spectra;
};

// X_k and X_(n/2 - k) out of those of the even and odd values.
[[gnu::always_inline]] inline void run_forward(const LaneJob& job) {
  const double* const z = run_stages(job.signals, job.room, job.half, job.twiddles);
  const std::size_t half = job.half;
  const LanePoint first = lane_load(z);
  const FourLane none = first.re - first.re;
  lane_store(job.spectra, {first.re + first.im, none});
  lane_store(job.spectra + half * lane_point, {first.re - first.im, none});
  for (std::size_t k = 1; k <= half / 2; ++k) {
    const LanePoint a = lane_load(z + k * lane_point);
    const LanePoint b = lane_load(z + (half - k) * lane_point);
    const LanePoint even = {0.5 * (a.re + b.re), 0.5 * (a.im - b.im)};
    const LanePoint turned = lane_times({0.5 * (a.im + b.im), 0.5 * (b.re - a.re)}, job.turns + 2 * k);
    lane_store(job.spectra + (half - k) * lane_point, {even.re - turned.re, turned.im - even.im});
    lane_store(job.spectra + k * lane_point, {even.re + turned.re, even.im + turned.im});
  }
}

// The transform of swapped parts is the way back with swapped parts.
[[gnu::always_inline]] inline void run_backward(const LaneJob& job, double* merged, double scale) {
  const std::size_t half = job.half;
  for (std::size_t k = 0; k <= half / 2; ++k) {
    const LanePoint a = lane_load(job.spectra + k * lane_point);
    const LanePoint b = lane_load(job.spectra + (half - k) * lane_point);
    const LanePoint even = {0.5 * (a.re + b.re), 0.5 * (a.im - b.im)};
    const LanePoint difference = {0.5 * (a.re - b.re), 0.5 * (a.im + b.im)};
    const double back[2] = {job.turns[2 * k], -job.turns[2 * k + 1]};
    const LanePoint odd = lane_times(difference, back);
    // Even + i odd at k, and its mirror conj(even) + i conj(odd) at n/2 - k; parts are swapped.
    if (k > 0) {
      lane_store(merged + (half - k) * lane_point, {scale * (odd.re - even.im), scale * (even.re + odd.im)});
    }
    lane_store(merged + k * lane_point, {scale * (even.im + odd.re), scale * (even.re - odd.im)});
  }
  const double* const z = run_stages(merged, job.room, half, job.twiddles);
  for (std::size_t t = 0; t < half; ++t) {
    const LanePoint swapped = lane_load(z + t * lane_point);
    lane_store(job.signals + t * lane_point, {swapped.im, swapped.re});
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void forward_avx2(const LaneJob& job) { run_forward(job); }
[[gnu::target("avx2")]] void backward_avx2(const LaneJob& job, double* merged, double scale) {
  run_backward(job, merged, scale);
}
#endif
void forward_anywhere(const LaneJob& job) { run_forward(job); }
void backward_anywhere(const LaneJob& job, double* merged, double scale) { run_backward(job, merged, scale); }

// exp(-2 pi i k / n), in long double so that the library's choice of instructions cannot show.
void push_lane_turn(std::vector<double>& to, std::size_t k, std::size_t n) {
  const long double angle =
      -2.0L * std::numbers::pi_v<long double> * static_cast<long double>(k % n) / static_cast<long double>(n);
  to.push_back(static_cast<double>(std::cos(angle)));
  to.push_back(static_cast<double>(std::sin(angle)));
}

}  // namespace

LaneFft::LaneFft(std::size_t size) : size_(size) {
  if (size < 4 || (size & (size - 1)) != 0 || size > (std::size_t{1} << 31)) {
    fail(ErrorKind::internal, "an FFT of length " + std::to_string(size) + "; a power of two from 4 is needed");
  }
  const std::size_t half = size / 2;
  for (std::size_t length = half; length >= 4; length /= 4) {
    for (std::size_t p = 0; p < length / 4; ++p) {
      for (const std::size_t times : {1U, 2U, 3U}) push_lane_turn(twiddles_, times * p, length);
    }
  }
  for (std::size_t k = 0; k <= half / 2; ++k) push_lane_turn(turns_, k, size);
  room_.resize(2 * half * lane_point);
}

void LaneFft::spectra(std::span<double> signals, std::span<double> spectra) {
  const LaneJob job = {signals.data(), room_.data(), size_ / 2, twiddles_.data(), turns_.data(), spectra.data()};
#if defined(__x86_64__)
  if (has_avx2()) return forward_avx2(job);
#endif
  forward_anywhere(job);
}

void LaneFft::signals(std::span<double> spectra, std::span<double> signals) {
  const std::size_t half = size_ / 2;
  const LaneJob job = {signals.data(), room_.data(), half, twiddles_.data(), turns_.data(), spectra.data()};
  double* const merged = room_.data() + half * lane_point;
  const double scale = 1.0 / static_cast<double>(half);
#if defined(__x86_64__)
  if (has_avx2()) return backward_avx2(job, merged, scale);
#endif
  backward_anywhere(job, merged, scale);
}

}  // namespace motet::audio
