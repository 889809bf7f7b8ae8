#include "motet/audio/field/circular.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motet/base/logarithm.h"

namespace motet::audio {
namespace {

// In long double, since the library's double versions depend on the processor.
constexpr long double degree = std::numbers::pi_v<long double> / 180.0L;

constexpr double least_resultant = 1e-30;  // angles that cancel altogether have a large spread, but a finite one

}  // namespace

double degrees_of(std::complex<double> z) {
  if (z == 0.0) return 0.0;
  return static_cast<double>(std::atan2(static_cast<long double>(z.imag()), static_cast<long double>(z.real())) /
                             degree);
}

std::complex<double> direction_of(double degrees) {
  const long double angle = static_cast<long double>(degrees) * degree;
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

std::complex<double> direction_of(std::complex<double> z) {
  // Scaled first: the square of what is left of a signal in a null may be too small for a double.
  const double largest = std::max(std::abs(z.real()), std::abs(z.imag()));
  if (largest == 0.0) return 1.0;
  const double re = z.real() / largest;
  const double im = z.imag() / largest;
  const double length = std::sqrt(re * re + im * im);
  return {re / length, im / length};
}

AngleSpread circular_spread(std::span<const double> degrees) {
  std::complex<double> sum = 0.0;
  for (const double angle : degrees) sum += direction_of(angle);
  const std::complex<double> mean = sum / static_cast<double>(degrees.size());
  const double squared = mean.real() * mean.real() + mean.imag() * mean.imag();
  const double resultant = std::clamp(std::sqrt(squared), least_resultant, 1.0);
  const double radians = std::sqrt(std::max(0.0, -2.0 * log_of_positive(resultant)));
  return {degrees_of(mean), static_cast<double>(static_cast<long double>(radians) / degree)};
}

AngleSpread arithmetic_spread(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / count)};
}

}  // namespace motet::audio
