// Random numbers that are the same on every machine and for any thread count.
//
// The standard leaves the algorithms of its distributions open, so the generator
// (splitmix64) and every distribution we use live here. Work that runs in blocks
// takes one child stream per block, never one per thread.
#pragma once

#include <cstdint>
#include <span>

namespace motet {

enum class Seed : std::uint64_t {};

class Rng {
 public:
  explicit Rng(Seed seed) : state_(static_cast<std::uint64_t>(seed)) {}

  // Independent stream `index`; the parent is not advanced.
  Rng child(std::uint64_t index) const;

  std::uint64_t next();
  double uniform();                                          // in [0, 1)
  double uniform(double low, double high);                   // in [low, high)
  std::uint64_t below(std::uint64_t bound);                  // in [0, bound), unbiased
  double normal();                                           // mean 0, variance 1
  std::size_t categorical(std::span<const double> weights);  // weights >= 0, sum > 0

 private:
  std::uint64_t state_;
};

}  // namespace motet
