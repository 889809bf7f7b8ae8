#include <gtest/gtest.h>

#include "motet/superset/lsb_cmm/m_step.h"
#include "superset/lsb_cases.h"
#include "support/processor.h"
#include "support/threads.h"

namespace motet::superset::slope_test {
namespace {

struct SlopeCase {
  CandidateItems items = blobs_with_candidates(333, 2);
  LsbRows rows = rows_of_items(items);
  std::size_t components;
  std::size_t width = padded(components);
  std::vector<double> w;
  std::vector<double> rho;

  explicit SlopeCase(std::size_t count) : components(count) {
    Rng rng(Seed{5});
    for (std::size_t i = 0; i < (rows.dimensions + 1) * width; ++i) {
      w.push_back(i % width + 1 < components ? rng.normal() : 0.0);
    }
    for (std::size_t i = 0; i < rows.count() * width; ++i) rho.push_back(i % width < components ? rng.uniform() : 0.0);
  }

  // Values, slope and curvature, and the second derivative in a direction over all sticks but one.
  std::vector<double> all(Threads threads) const {
    std::vector<float> curvature(rho.size());
    const Slope slope = slope_at(rows, w, components, rho, curvature, true, threads);
    const Slope value = slope_at(rows, w, components, rho, curvature, false, threads);
    std::vector<std::uint32_t> active;
    for (std::uint32_t k = 0; k + 1 < components; ++k) {
      if (k != 1) active.push_back(k);
    }
    const std::vector<double> v = numbers_of_many_sizes((rows.dimensions + 1) * padded(active.size(), 8), 6);
    return joined({slope.q, slope.curvature, slope.gradient, value.q,
                   std::vector<double>(curvature.begin(), curvature.end()),
                   curvature_times(rows, curvature, width, active, v, threads)});
  }
};

TEST(Slope, HasTheSameBitsAtEveryLevelOfTheProcessor) {
  for (const std::size_t components : {2U, 5U, 7U, 8U, 22U}) {
    const SlopeCase drawn(components);
    expect_same_bits_at_every_level([&] { return drawn.all({1}); });
  }
}

TEST(Slope, HasTheSameBitsOnAnyNumberOfThreads) {
  const SlopeCase drawn(7);  // six tasks
  const std::vector<double> one = drawn.all({1});
  for (const unsigned threads : {2U, 4U}) EXPECT_EQ(drawn.all(StartedThreads(threads)), one);
}

}  // namespace
}  // namespace motet::superset::slope_test
