#include "motet/audio/fft.h"

#include <cmath>
#include <numbers>
#include <string>

#include "motet/base/error.h"
#include "motet/base/processor.h"

namespace motet::audio {
namespace {

// All of this is inlined into the two functions at the end that say which instructions may be used.
#pragma GCC diagnostic ignored "-Wpsabi"
template <class Real>
struct FftLanes;
template <>
struct FftLanes<double> {
  typedef double Type __attribute__((vector_size(32)));
  typedef double Loose __attribute__((vector_size(32), aligned(8), may_alias));  // memcpy would go through the stack
};
template <>
struct FftLanes<float> {
  typedef float Type __attribute__((vector_size(32)));
  typedef float Loose __attribute__((vector_size(32), aligned(4), may_alias));
};
template <class Real>
using Lane = typename FftLanes<Real>::Type;
template <class Real>
using LooseLane = typename FftLanes<Real>::Loose;

template <class Real>
struct Complex {
  Lane<Real> re;
  Lane<Real> im;
};

template <class Real>
[[gnu::always_inline]] inline Complex<Real> load(const Real* from) {
  return {*reinterpret_cast<const LooseLane<Real>*>(from),
          *reinterpret_cast<const LooseLane<Real>*>(from + fft_lanes_of<Real>)};
}

template <class Real>
[[gnu::always_inline]] inline void store(Real* to, const Complex<Real>& z) {
  *reinterpret_cast<LooseLane<Real>*>(to) = z.re;
  *reinterpret_cast<LooseLane<Real>*>(to + fft_lanes_of<Real>) = z.im;
}

template <class Real>
[[gnu::always_inline]] inline Complex<Real> times(const Complex<Real>& z, Real re, Real im) {
  return {z.re * re - z.im * im, z.re * im + z.im * re};
}

template <class Real>
constexpr std::size_t point = 2 * fft_lanes_of<Real>;  // numbers of one complex number in all lanes
constexpr std::size_t small_block = 128;               // points that are done stage by stage: 8 KB
constexpr std::size_t twiddles_a_butterfly = 6;        // three complex numbers

// Points j, j + q, j + 2 q, j + 3 q for all j < q of one block of length 4 q.
template <bool has_twiddles, class Real>
[[gnu::always_inline]] inline void butterflies(Real* z, std::size_t q, const Real* twiddles) {
  Real* const z0 = z;
  Real* const z1 = z + q * point<Real>;
  Real* const z2 = z + 2 * q * point<Real>;
  Real* const z3 = z + 3 * q * point<Real>;
  for (std::size_t j = 0; j < q; ++j, twiddles += twiddles_a_butterfly) {
    const Complex<Real> a = load(z0 + j * point<Real>);
    const Complex<Real> b = load(z1 + j * point<Real>);
    const Complex<Real> c = load(z2 + j * point<Real>);
    const Complex<Real> d = load(z3 + j * point<Real>);
    const Complex<Real> sum_ac = {a.re + c.re, a.im + c.im};
    const Complex<Real> dif_ac = {a.re - c.re, a.im - c.im};
    const Complex<Real> sum_bd = {b.re + d.re, b.im + d.im};
    const Complex<Real> dif_bd = {b.im - d.im, d.re - b.re};  // times -i
    store<Real>(z0 + j * point<Real>, {sum_ac.re + sum_bd.re, sum_ac.im + sum_bd.im});
    const Complex<Real> y1 = {dif_ac.re + dif_bd.re, dif_ac.im + dif_bd.im};
    const Complex<Real> y2 = {sum_ac.re - sum_bd.re, sum_ac.im - sum_bd.im};
    const Complex<Real> y3 = {dif_ac.re - dif_bd.re, dif_ac.im - dif_bd.im};
    if constexpr (has_twiddles) {
      store(z1 + j * point<Real>, times(y1, twiddles[0], twiddles[1]));
      store(z2 + j * point<Real>, times(y2, twiddles[2], twiddles[3]));
      store(z3 + j * point<Real>, times(y3, twiddles[4], twiddles[5]));
    } else {
      store(z1 + j * point<Real>, y1);
      store(z2 + j * point<Real>, y2);
      store(z3 + j * point<Real>, y3);
    }
  }
}

template <class Real>
[[gnu::always_inline]] inline void pair_butterfly(Real* z) {
  const Complex<Real> a = load(z);
  const Complex<Real> b = load(z + point<Real>);
  store<Real>(z, {a.re + b.re, a.im + b.im});
  store<Real>(z + point<Real>, {a.re - b.re, a.im - b.im});
}

template <class Real>
[[gnu::always_inline]] inline void small_transform(Real* z, std::size_t size, const Real* twiddles) {
  std::size_t length = size;
  for (; length > 4; length /= 4) {
    const std::size_t q = length / 4;
    for (std::size_t first = 0; first < size; first += length)
      butterflies<true, Real>(z + first * point<Real>, q, twiddles);
    twiddles += q * twiddles_a_butterfly;
  }
  if (length == 4) {
    for (std::size_t first = 0; first < size; first += 4) butterflies<false, Real>(z + first * point<Real>, 1, nullptr);
  } else if (length == 2) {
    for (std::size_t first = 0; first < size; first += 2) pair_butterfly(z + first * point<Real>);
  }
}

// Depth first without recursion, which could not be inlined: block b of a length is ready for the next
// stage as soon as it has been made, and the count of small blocks done tells which stages are due.
template <class Real>
[[gnu::always_inline]] inline void transform(Real* z, std::size_t size, const Real* twiddles) {
  std::size_t smallest = size;
  while (smallest > small_block) smallest /= 4;
  for (std::size_t first = 0; first < size; first += smallest) {
    const Real* of_stage = twiddles;
    std::size_t length = size;
    for (; length > smallest; length /= 4) {
      if (first % length == 0) butterflies<true, Real>(z + first * point<Real>, length / 4, of_stage);
      of_stage += length / 4 * twiddles_a_butterfly;
    }
    small_transform(z + first * point<Real>, smallest, of_stage);
  }
}

// X_k and X_(n/2 - k) from Z_k and Z_(n/2 - k), as squared magnitudes.
template <class Real>
[[gnu::always_inline]] inline void split_power(const Real* z, std::size_t half, const std::uint32_t* place,
                                               const Real* turns, Real* power) {
  const auto put = [power](std::size_t k, const Lane<Real>& value) __attribute__((always_inline)) {
    *reinterpret_cast<LooseLane<Real>*>(power + k * fft_lanes_of<Real>) = value;
  };
  constexpr Real half_of = 0.5;
  const Complex<Real> first = load(z);
  const Lane<Real> sum = first.re + first.im;
  const Lane<Real> difference = first.re - first.im;
  put(0, sum * sum);
  put(half, difference * difference);
  for (std::size_t k = 1; k <= half / 2; ++k) {
    const Complex<Real> a = load(z + place[k] * point<Real>);
    const Complex<Real> b = load(z + place[half - k] * point<Real>);
    const Complex<Real> even = {half_of * (a.re + b.re), half_of * (a.im - b.im)};
    const Complex<Real> odd = {half_of * (a.im + b.im), half_of * (b.re - a.re)};
    const Complex<Real> turned = times(odd, turns[2 * k], turns[2 * k + 1]);
    const Complex<Real> low = {even.re + turned.re, even.im + turned.im};
    const Complex<Real> high = {even.re - turned.re, even.im - turned.im};
    put(k, low.re * low.re + low.im * low.im);
    put(half - k, high.re * high.re + high.im * high.im);
  }
}

template <class Real>
struct Job {
  Real* signals;
  std::size_t half;
  const Real* twiddles;
  const std::uint32_t* place;
  const Real* turns;
  Real* power;
};

template <class Real>
[[gnu::always_inline]] inline void run(const Job<Real>& job) {
  transform(job.signals, job.half, job.twiddles);
  split_power(job.signals, job.half, job.place, job.turns, job.power);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void run_avx2(const Job<double>& job) { run(job); }
[[gnu::target("avx2")]] void run_avx2(const Job<float>& job) { run(job); }
#endif
template <class Real>
void run_anywhere(const Job<Real>& job) {
  run(job);
}

// exp(-2 pi i k / n), in long double so that the library's choice of instructions cannot show.
template <class Real>
void push_turn(std::vector<Real>& to, std::size_t k, std::size_t n) {
  const long double angle =
      -2.0L * std::numbers::pi_v<long double> * static_cast<long double>(k % n) / static_cast<long double>(n);
  to.push_back(static_cast<Real>(std::cos(angle)));
  to.push_back(static_cast<Real>(std::sin(angle)));
}

std::uint32_t place_of(std::size_t k, std::size_t length) {
  std::size_t place = 0;
  for (; length >= 4; length /= 4, k /= 4) place += k % 4 * (length / 4);
  return static_cast<std::uint32_t>(place + k);
}

}  // namespace

template <class Real>
FftOf<Real>::FftOf(std::size_t size) : size_(size) {
  if (size < 4 || (size & (size - 1)) != 0 || size > (std::size_t{1} << 31)) {
    fail(ErrorKind::internal, "an FFT of length " + std::to_string(size) + "; a power of two from 4 is needed");
  }
  const std::size_t half = size / 2;
  for (std::size_t length = half; length > 4; length /= 4) {
    for (std::size_t j = 0; j < length / 4; ++j) {
      for (const std::size_t times : {1U, 2U, 3U}) push_turn(twiddles_, times * j, length);
    }
  }
  for (std::size_t k = 0; k <= half / 2; ++k) push_turn(halves_, k, size);
  place_.reserve(half);
  for (std::size_t k = 0; k < half; ++k) place_.push_back(place_of(k, half));
}

template <class Real>
void FftOf<Real>::power(std::span<Real> signals, std::span<Real> power) const {
  const Job<Real> job = {signals.data(), size_ / 2, twiddles_.data(), place_.data(), halves_.data(), power.data()};
#if defined(__x86_64__)
  if (has_avx2()) return run_avx2(job);
#endif
  run_anywhere(job);
}

template class FftOf<double>;
template class FftOf<float>;

std::size_t power_of_two_from(std::size_t count) {
  std::size_t power = 1;
  while (power < count) power *= 2;
  return power;
}

}  // namespace motet::audio
