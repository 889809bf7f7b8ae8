#include "motet/base/rng.h"

#include <cmath>
#include <numbers>

#include "motet/base/error.h"

namespace motet {
namespace {

constexpr std::uint64_t golden_gamma = 0x9E3779B97F4A7C15U;  // odd, near 2^64 / golden ratio

std::uint64_t mix(std::uint64_t z) {  // the finaliser of splitmix64
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

}  // namespace

Rng Rng::child(std::uint64_t index) const { return Rng(Seed{mix(state_ ^ mix(index + golden_gamma))}); }

std::uint64_t Rng::next() { return mix(state_ += golden_gamma); }

double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

double Rng::uniform(double low, double high) { return low + (high - low) * uniform(); }

std::uint64_t Rng::below(std::uint64_t bound) {
  if (bound == 0) fail(ErrorKind::internal, "Rng::below: bound must be positive");
  const std::uint64_t reject_under = (0 - bound) % bound;  // removes the bias of the remainder
  std::uint64_t draw = next();
  while (draw < reject_under) draw = next();
  return draw % bound;
}

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::size_t Rng::categorical(std::span<const double> weights) {
  double total = 0.0;
  for (const double weight : weights) total += weight;
  if (!(total > 0.0)) fail(ErrorKind::internal, "Rng::categorical: weights sum to zero");
  double rest = uniform() * total;
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
    rest -= weights[i];
    if (rest < 0.0) return i;
  }
  return weights.size() - 1;
}

}  // namespace motet
