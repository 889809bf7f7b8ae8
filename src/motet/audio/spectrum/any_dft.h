// The power spectrum of a signal whose length need not be a power of two.
//
// A sum over t of x_t w^(t k) is a convolution of x_t w^(t^2/2) with w^(-t^2/2), as t k = (t^2 + k^2 - (k - t)^2) / 2
// (Bluestein 1970), and a convolution is a product of spectra of a power-of-two length.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace motet::audio {

class AnyDft {
 public:
  explicit AnyDft(std::size_t size);  // 2 or more

  std::size_t size() const { return chirp_.size(); }
  std::size_t bins() const { return size() / 2 + 1; }

  // power[k * stride] = |sum over t of signal[t * stride] exp(-2 pi i k t / size)|^2
  void power(const double* signal, std::size_t stride, double* power);

 private:
  using Numbers = std::vector<std::complex<double>>;
  void transform(Numbers& z, bool is_inverse) const;

  Numbers chirp_;   // exp(-pi i t^2 / size)
  Numbers kernel_;  // the spectrum of its conjugate, both ways from 0
  Numbers turns_;   // exp(-2 pi i j / length) of the convolution
  Numbers work_;
};

}  // namespace motet::audio
