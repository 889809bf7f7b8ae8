// Complex spectra of four real signals side by side, and back.
//
//   X_k = sum_t x_t exp(-2 pi i k t / n),  k = 0 ... n/2
//
// Where RealFft gives power alone, this gives what cross spectra, correlations and convolutions
// need. Value t of signal s is [4 t + s]; coefficient k of signal s is [8 k + s], its imaginary part [8 k + 4 + s].
// The n real values are n/2 complex ones; radix 4 that sorts itself (Stockham). Every step does the same to all four,
// so that no signal changes the bits of another.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace motet::audio {

class LaneFft {
 public:
  static constexpr std::size_t lanes = 4;

  explicit LaneFft(std::size_t size);  // a power of two, 4 or more

  std::size_t size() const { return size_; }
  std::size_t bins() const { return size_ / 2 + 1; }

  // signals: 4 size() values, overwritten; spectra: 8 bins() values.
  void spectra(std::span<double> signals, std::span<double> spectra);

  // The way back, with the factor 1/n; spectra are overwritten.
  void signals(std::span<double> spectra, std::span<double> signals);

 private:
  std::size_t size_;
  std::vector<double> twiddles_;  // of all stages, the longest first: w^p, w^2p, w^3p for p < length / 4
  std::vector<double> turns_;     // exp(-2 pi i k / n) for k <= n / 4
  std::vector<double> room_;      // for steps between, so that one object serves one thread
};

}  // namespace motet::audio
