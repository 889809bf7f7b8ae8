// Spectra of real signals of a power-of-two length, several signals at a time: four in double precision, eight in
// single.
//
//   X_k = sum_t x_t exp(-2 pi i k t / n),  k = 0 ... n/2
//
// They lie beside each other: of four, value t of signal s is [4 t + s]. Every step does the
// same to all of them and nothing is fused, so the bits are the same on every processor
// and for every neighbour in the other lanes. The n real values are taken as n/2 complex ones;
// radix 4, decimation in frequency, depth first (the halves of a long transform are done
// while they are in the cache), and the scrambled order is undone by the last pass,
// which splits even from odd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motet::audio {

template <class Real>
constexpr std::size_t fft_lanes_of = 32 / sizeof(Real);
constexpr std::size_t fft_lanes = fft_lanes_of<double>;

template <class Real>  // double or float
class FftOf {
 public:
  explicit FftOf(std::size_t size);  // a power of two, 4 or more

  std::size_t size() const { return size_; }
  std::size_t bins() const { return size_ / 2 + 1; }

  // signals: lanes * size() values, overwritten; power: lanes * bins() values |X_k|^2.
  void power(std::span<Real> signals, std::span<Real> power) const;

 private:
  std::size_t size_;
  std::vector<Real> twiddles_;        // of all stages, the longest first: w^j, w^2j, w^3j for j < length / 4
  std::vector<Real> halves_;          // exp(-2 pi i k / n) for k <= n / 4
  std::vector<std::uint32_t> place_;  // where coefficient k of the complex transform ends up
};

using RealFft = FftOf<double>;
using SingleFft = FftOf<float>;

// The smallest power of two that is at least `count`.
std::size_t power_of_two_from(std::size_t count);

}  // namespace motet::audio
