// The versions of code for less capable processors.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "motet/base/processor.h"
#include "motet/base/rng.h"

namespace motet {

// While it lives, nothing above `most` is used.
class LimitedProcessor {
 public:
  explicit LimitedProcessor(ProcessorLevel most) { limit_processor(most); }
  LimitedProcessor(const LimitedProcessor&) = delete;
  LimitedProcessor& operator=(const LimitedProcessor&) = delete;
  ~LimitedProcessor() { limit_processor(ProcessorLevel::avx2); }
};

// The vector of numbers that `compute` returns has the same bits at every level that the processor at hand has.
template <class Compute>
void expect_same_bits_at_every_level(const Compute& compute) {
  const auto at = [&](ProcessorLevel level) {
    const LimitedProcessor limited(level);
    return compute();
  };
  const auto plain = at(ProcessorLevel::plain);
  ASSERT_FALSE(plain.empty());
  for (const ProcessorLevel level : {ProcessorLevel::popcnt, ProcessorLevel::avx2}) {
    const auto found = at(level);
    ASSERT_EQ(found.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(std::memcmp(&found[i], &plain[i], sizeof plain[i]), 0)
          << "number " << i << " is " << found[i] << " at level " << static_cast<int>(level) << ", " << plain[i]
          << " at level 0";
    }
  }
}

inline std::vector<double> joined(std::initializer_list<std::vector<double>> parts) {
  std::vector<double> all;
  for (const std::vector<double>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// From 1e-8 to 1e8 in size: another order of a sum shows.
inline std::vector<double> numbers_of_many_sizes(std::size_t count, std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<double> numbers(count);
  for (double& number : numbers) number = rng.normal() * std::pow(10.0, rng.uniform(-8.0, 8.0));
  return numbers;
}

}  // namespace motet
