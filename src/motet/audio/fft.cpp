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
typedef double Four __attribute__((vector_size(32)));
typedef double FourAt __attribute__((vector_size(32), aligned(8), may_alias));  // memcpy would go through the stack

struct Complex {
  Four re;
  Four im;
};

[[gnu::always_inline]] inline Complex load(const double* from) {
  return {*reinterpret_cast<const FourAt*>(from), *reinterpret_cast<const FourAt*>(from + fft_lanes)};
}

[[gnu::always_inline]] inline void store(double* to, const Complex& z) {
  *reinterpret_cast<FourAt*>(to) = z.re;
  *reinterpret_cast<FourAt*>(to + fft_lanes) = z.im;
}

[[gnu::always_inline]] inline Complex times(const Complex& z, double re, double im) {
  return {z.re * re - z.im * im, z.re * im + z.im * re};
}

constexpr std::size_t point = 2 * fft_lanes;     // doubles of one complex number in all lanes
constexpr std::size_t small_block = 128;         // points that are done stage by stage: 8 KB
constexpr std::size_t twiddles_a_butterfly = 6;  // three complex numbers

// Points j, j + q, j + 2 q, j + 3 q for all j < q of one block of length 4 q.
template <bool has_twiddles>
[[gnu::always_inline]] inline void butterflies(double* z, std::size_t q, const double* twiddles) {
  double* const z0 = z;
  double* const z1 = z + q * point;
  double* const z2 = z + 2 * q * point;
  double* const z3 = z + 3 * q * point;
  for (std::size_t j = 0; j < q; ++j, twiddles += twiddles_a_butterfly) {
    const Complex a = load(z0 + j * point);
    const Complex b = load(z1 + j * point);
    const Complex c = load(z2 + j * point);
    const Complex d = load(z3 + j * point);
    const Complex sum_ac = {a.re + c.re, a.im + c.im};
    const Complex dif_ac = {a.re - c.re, a.im - c.im};
    const Complex sum_bd = {b.re + d.re, b.im + d.im};
    const Complex dif_bd = {b.im - d.im, d.re - b.re};  // times -i
    store(z0 + j * point, {sum_ac.re + sum_bd.re, sum_ac.im + sum_bd.im});
    const Complex y1 = {dif_ac.re + dif_bd.re, dif_ac.im + dif_bd.im};
    const Complex y2 = {sum_ac.re - sum_bd.re, sum_ac.im - sum_bd.im};
    const Complex y3 = {dif_ac.re - dif_bd.re, dif_ac.im - dif_bd.im};
    if constexpr (has_twiddles) {
      store(z1 + j * point, times(y1, twiddles[0], twiddles[1]));
      store(z2 + j * point, times(y2, twiddles[2], twiddles[3]));
      store(z3 + j * point, times(y3, twiddles[4], twiddles[5]));
    } else {
      store(z1 + j * point, y1);
      store(z2 + j * point, y2);
      store(z3 + j * point, y3);
    }
  }
}

[[gnu::always_inline]] inline void pair_butterfly(double* z) {
  const Complex a = load(z);
  const Complex b = load(z + point);
  store(z, {a.re + b.re, a.im + b.im});
  store(z + point, {a.re - b.re, a.im - b.im});
}

[[gnu::always_inline]] inline void small_transform(double* z, std::size_t size, const double* twiddles) {
  std::size_t length = size;
  for (; length > 4; length /= 4) {
    const std::size_t q = length / 4;
    for (std::size_t first = 0; first < size; first += length) butterflies<true>(z + first * point, q, twiddles);
    twiddles += q * twiddles_a_butterfly;
  }
  if (length == 4) {
    for (std::size_t first = 0; first < size; first += 4) butterflies<false>(z + first * point, 1, nullptr);
  } else if (length == 2) {
    for (std::size_t first = 0; first < size; first += 2) pair_butterfly(z + first * point);
  }
}

// Depth first without recursion, which could not be inlined: block b of a length is ready for the next
// stage as soon as it has been made, and the count of small blocks done tells which stages are due.
[[gnu::always_inline]] inline void transform(double* z, std::size_t size, const double* twiddles) {
  std::size_t smallest = size;
  while (smallest > small_block) smallest /= 4;
  for (std::size_t first = 0; first < size; first += smallest) {
    const double* of_stage = twiddles;
    std::size_t length = size;
    for (; length > smallest; length /= 4) {
      if (first % length == 0) butterflies<true>(z + first * point, length / 4, of_stage);
      of_stage += length / 4 * twiddles_a_butterfly;
    }
    small_transform(z + first * point, smallest, of_stage);
  }
}

// X_k and X_(n/2 - k) from Z_k and Z_(n/2 - k), as squared magnitudes.
[[gnu::always_inline]] inline void split_power(const double* z, std::size_t half, const std::uint32_t* place,
                                               const double* turns, double* power) {
  const auto put = [power](std::size_t k, const Four& value) __attribute__((always_inline)) {
    *reinterpret_cast<FourAt*>(power + k * fft_lanes) = value;
  };
  const Complex first = load(z);
  const Four sum = first.re + first.im;
  const Four difference = first.re - first.im;
  put(0, sum * sum);
  put(half, difference * difference);
  for (std::size_t k = 1; k <= half / 2; ++k) {
    const Complex a = load(z + place[k] * point);
    const Complex b = load(z + place[half - k] * point);
    const Complex even = {0.5 * (a.re + b.re), 0.5 * (a.im - b.im)};
    const Complex odd = {0.5 * (a.im + b.im), 0.5 * (b.re - a.re)};
    const Complex turned = times(odd, turns[2 * k], turns[2 * k + 1]);
    const Complex low = {even.re + turned.re, even.im + turned.im};
    const Complex high = {even.re - turned.re, even.im - turned.im};
    put(k, low.re * low.re + low.im * low.im);
    put(half - k, high.re * high.re + high.im * high.im);
  }
}

struct Job {
  double* signals;
  std::size_t half;
  const double* twiddles;
  const std::uint32_t* place;
  const double* turns;
  double* power;
};

[[gnu::always_inline]] inline void run(const Job& job) {
  transform(job.signals, job.half, job.twiddles);
  split_power(job.signals, job.half, job.place, job.turns, job.power);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void run_avx2(const Job& job) { run(job); }
#endif
void run_anywhere(const Job& job) { run(job); }

// exp(-2 pi i k / n), in long double so that the library's choice of instructions cannot show.
void push_turn(std::vector<double>& to, std::size_t k, std::size_t n) {
  const long double angle =
      -2.0L * std::numbers::pi_v<long double> * static_cast<long double>(k % n) / static_cast<long double>(n);
  to.push_back(static_cast<double>(std::cos(angle)));
  to.push_back(static_cast<double>(std::sin(angle)));
}

std::uint32_t place_of(std::size_t k, std::size_t length) {
  std::size_t place = 0;
  for (; length >= 4; length /= 4, k /= 4) place += k % 4 * (length / 4);
  return static_cast<std::uint32_t>(place + k);
}

}  // namespace

RealFft::RealFft(std::size_t size) : size_(size) {
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

void RealFft::power(std::span<double> signals, std::span<double> power) const {
  const Job job = {signals.data(), size_ / 2, twiddles_.data(), place_.data(), halves_.data(), power.data()};
#if defined(__x86_64__)
  if (has_avx2()) return run_avx2(job);
#endif
  run_anywhere(job);
}

std::size_t power_of_two_from(std::size_t count) {
  std::size_t power = 1;
  while (power < count) power *= 2;
  return power;
}

}  // namespace motet::audio
