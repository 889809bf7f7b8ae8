// Half a second of a tone and half a second of silence as rows of cepstral coefficients.
#include <motet/audio.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  constexpr double rate = 8000.0;
  std::vector<float> samples(8000);
  for (std::size_t i = 0; i < 4000; ++i) samples[i] = static_cast<float>(std::sin(0.5 * static_cast<double>(i)));
  const motet::FeatureTable rows = motet::audio::mfcc(samples, rate, {{"coefficients", 3}});
  std::printf("%zu rows of %zu coefficients, one every %.1f s\n", rows.rows(), rows.columns.size(), rows.hop);
  for (const std::size_t n : {std::size_t{0}, rows.rows() - 1}) {
    std::printf("row %zu: %s = %.1f\n", n, rows.columns[0].c_str(), rows.values[n * rows.columns.size()]);
  }
}
