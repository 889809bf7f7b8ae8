#include "motet/sources/sample.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/sources/density/pair_density.h"
#include "motet/sources/family.h"

namespace motet {
namespace {

// Lower L with L L' = S; S may be singular, then some columns are 0.
std::vector<double> root_of(const std::vector<double>& matrix, std::size_t size) {
  constexpr double rounding = 1e-14;  // of the variance: less is left only by rounding
  std::vector<double> root(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = matrix[i * size + j];
      for (std::size_t l = 0; l < j; ++l) rest -= root[i * size + l] * root[j * size + l];
      if (i == j) {
        root[i * size + i] = rest > rounding * matrix[i * size + i] ? std::sqrt(rest) : 0.0;
      } else {
        root[i * size + j] = root[j * size + j] > 0.0 ? rest / root[j * size + j] : 0.0;
      }
    }
  }
  return root;
}

// Sources with the roots of their matrices, for many draws.
class Sampler {
 public:
  explicit Sampler(const Sources& sources)
      : sources_(sources), family_(family_of(sources.family)), roots_(sources.count) {
    if (!is_gaussian(sources.family)) return;
    if (!sources.noise.empty()) noise_root_ = root_of(sources.noise, sources.dimensions);
    if (sources.covariance == Covariance::shared) shared_root_ = root_of(sources.spread, sources.dimensions);
  }

  std::vector<double> emission(std::size_t source, Rng& rng) {
    const std::size_t dimensions = sources_.dimensions;
    const std::span<const double> location = sources_.location_of(source);
    std::vector<double> xi(location.begin(), location.end());
    if (family_.has_scatter) {
      add_spread(source, xi, rng);
      if (family_.is_logarithm) exponentiate(xi);
      return xi;
    }
    for (std::size_t d = 0; d < dimensions; ++d) {
      xi[d] = family_.density.draw(location[d], sources_.spread.empty() ? 1.0 : sources_.spread[d], rng);
    }
    return xi;
  }

  std::vector<double> item(std::span<const std::uint64_t> set, Rng& rng) {
    std::vector<std::size_t> all = members(sources_, set);
    if (all.empty()) {
      fail(ErrorKind::usage, "an item without labels cannot be drawn; only a background source makes it possible");
    }
    if (sources_.combination == Combination::one_of) all = {all[rng.below(all.size())]};
    std::vector<double> x = emission(all[0], rng);
    for (std::size_t k = 1; k < all.size(); ++k) combine(x, emission(all[k], rng));
    if (sources_.combination == Combination::mean) {
      for (double& value : x) value /= static_cast<double>(all.size());
    }
    add_noise(x, rng);
    return x;
  }

 private:
  static void exponentiate(std::vector<double>& x) {
    for (double& value : x) value = std::exp(value);
  }

  static void add_product(const std::vector<double>& root, std::vector<double>& x, Rng& rng) {
    const std::size_t dimensions = x.size();
    std::vector<double> z(dimensions);
    for (double& value : z) value = rng.normal();
    for (std::size_t i = 0; i < dimensions; ++i) {
      for (std::size_t j = 0; j <= i; ++j) x[i] += root[i * dimensions + j] * z[j];
    }
  }

  void add_spread(std::size_t source, std::vector<double>& x, Rng& rng) {
    const std::size_t dimensions = sources_.dimensions;
    switch (sources_.covariance) {
      case Covariance::spherical:
        for (double& value : x) value += std::sqrt(sources_.spread[source]) * rng.normal();
        break;
      case Covariance::diagonal:
        for (std::size_t d = 0; d < dimensions; ++d) {
          x[d] += std::sqrt(sources_.spread[source * dimensions + d]) * rng.normal();
        }
        break;
      case Covariance::full:
        if (roots_[source].empty()) roots_[source] = root_of(covariance_of(sources_, source), dimensions);
        add_product(roots_[source], x, rng);
        break;
      case Covariance::shared: add_product(shared_root_, x, rng); break;
      case Covariance::point: break;
    }
  }

  void combine(std::vector<double>& x, const std::vector<double>& xi) const {
    for (std::size_t d = 0; d < x.size(); ++d) {
      switch (sources_.combination) {
        case Combination::logical_or: x[d] = std::max(x[d], xi[d]); break;
        case Combination::logical_and:
        case Combination::minimum: x[d] = std::min(x[d], xi[d]); break;
        case Combination::product: x[d] *= xi[d]; break;
        default: x[d] += xi[d]; break;
      }
    }
  }

  void add_noise(std::vector<double>& x, Rng& rng) const {
    if (sources_.noise.empty()) return;
    if (family_.has_flips) {
      for (std::size_t d = 0; d < x.size(); ++d) {
        if (rng.uniform() < sources_.noise[d]) x[d] = 1.0 - x[d];
      }
      return;
    }
    std::vector<double> noise(x.size(), 0.0);
    add_product(noise_root_, noise, rng);
    for (std::size_t d = 0; d < x.size(); ++d) {
      x[d] = family_.is_logarithm ? x[d] * std::exp(noise[d]) : x[d] + noise[d];
    }
  }

  const Sources& sources_;
  const SourceFamily& family_;
  std::vector<std::vector<double>> roots_;  // of full covariances, made when first needed
  std::vector<double> shared_root_;
  std::vector<double> noise_root_;
};

}  // namespace

// Marsaglia and Tsang 2000: a cube of a normal, accepted nearly always; below 1 with the factor u^(1/shape).
double sample_gamma(double shape, Rng& rng) {
  if (shape < 1.0) {
    const double above = sample_gamma(shape + 1.0, rng);
    return above * std::exp(std::log1p(-rng.uniform()) / shape);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double z = rng.normal();
    const double root = 1.0 + c * z;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    if (std::log1p(-rng.uniform()) < 0.5 * z * z + d - d * v + d * std::log(v)) return d * v;
  }
}

// Few: the times between events are exponential. Many: transformed rejection, Hoermann 1993.
double sample_poisson(double rate, Rng& rng) {
  constexpr double few = 12.0;
  if (rate < few) {
    const double none = std::exp(-rate);
    double count = 0.0;
    for (double product = 1.0 - rng.uniform(); product > none; product *= 1.0 - rng.uniform()) count += 1.0;
    return count;
  }
  const double b = 0.931 + 2.53 * std::sqrt(rate);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double inner = 0.9277 - 3.6224 / (b - 2.0);
  while (true) {
    const double u = rng.uniform() - 0.5;
    const double v = 1.0 - rng.uniform();
    const double edge = 0.5 - std::abs(u);
    const double count = std::floor((2.0 * a / edge + b) * u + rate + 0.43);
    if (edge >= 0.07 && v <= inner) return count;
    if (count < 0.0 || (edge < 0.013 && v > edge)) continue;
    int sign = 0;
    const double height = count * std::log(rate) - rate - ::lgamma_r(count + 1.0, &sign);
    if (std::log(v * inverse_alpha / (a / (edge * edge) + b)) <= height) return count;
  }
}

namespace {

// To be drawn, emissions need no density: dimensions may depend on each other.
void require_pair_with_noise(const Sources& sources) {
  require_density(sources.family, sources.combination, Covariance::diagonal, !sources.noise.empty());
}

}  // namespace

std::vector<double> sample_emission(const Sources& sources, std::size_t source, Rng& rng) {
  return Sampler(sources).emission(source, rng);
}

std::vector<double> sample_item(const Sources& sources, std::span<const std::uint64_t> set, Rng& rng) {
  require_pair_with_noise(sources);
  return Sampler(sources).item(set, rng);
}

std::vector<double> sample_items(const Sources& sources, const BitMatrix& sets, const Rng& rng) {
  require_pair_with_noise(sources);
  Sampler sampler(sources);
  std::vector<double> x;
  x.reserve(sets.rows() * sources.dimensions);
  for (std::size_t n = 0; n < sets.rows(); ++n) {
    Rng stream = rng.child(n);
    const std::vector<double> item = sampler.item(sets.row(n), stream);
    x.insert(x.end(), item.begin(), item.end());
  }
  return x;
}

}  // namespace motet
