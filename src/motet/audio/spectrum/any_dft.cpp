#include "motet/audio/spectrum/any_dft.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motet/audio/fft.h"

namespace motet::audio {
namespace {

std::complex<double> chirp_turn(std::size_t k, std::size_t n) {
  const long double angle =
      -2.0L * std::numbers::pi_v<long double> * static_cast<long double>(k % n) / static_cast<long double>(n);
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

// Not operator*, which looks for infinities.
std::complex<double> product(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

AnyDft::AnyDft(std::size_t size) {
  const std::size_t length = power_of_two_from(2 * size);
  for (std::size_t t = 0; t < size; ++t) chirp_.push_back(chirp_turn(t * t % (2 * size), 2 * size));
  for (std::size_t j = 0; j < length / 2; ++j) turns_.push_back(chirp_turn(j, length));
  kernel_.resize(length);
  for (std::size_t t = 0; t < size; ++t) {
    kernel_[t] = std::conj(chirp_[t]);
    if (t > 0) kernel_[length - t] = std::conj(chirp_[t]);
  }
  transform(kernel_, false);
  work_.resize(length);
}

// Radix 2, in place. The inverse is without its factor 1 / length.
void AnyDft::transform(Numbers& z, bool is_inverse) const {
  const std::size_t length = z.size();
  for (std::size_t i = 1, j = 0; i < length; ++i) {
    std::size_t bit = length / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(z[i], z[j]);
  }
  for (std::size_t half = 1; half < length; half *= 2) {
    const std::size_t step = length / (2 * half);
    for (std::size_t first = 0; first < length; first += 2 * half) {
      for (std::size_t j = 0; j < half; ++j) {
        const std::complex<double> w = is_inverse ? std::conj(turns_[j * step]) : turns_[j * step];
        const std::complex<double> turned = product(z[first + half + j], w);
        z[first + half + j] = z[first + j] - turned;
        z[first + j] += turned;
      }
    }
  }
}

void AnyDft::power(const double* signal, std::size_t stride, double* power) {
  std::fill(work_.begin(), work_.end(), 0.0);
  for (std::size_t t = 0; t < size(); ++t) work_[t] = chirp_[t] * signal[t * stride];
  transform(work_, false);
  for (std::size_t k = 0; k < work_.size(); ++k) work_[k] = product(work_[k], kernel_[k]);
  transform(work_, true);
  const double scale = 1.0 / static_cast<double>(work_.size());
  for (std::size_t k = 0; k < bins(); ++k) {
    const double re = work_[k].real() * scale;
    const double im = work_[k].imag() * scale;
    power[k * stride] = re * re + im * im;
  }
}

}  // namespace motet::audio
