#include "motet/superset/lsb_cmm/slope.h"

#include <gtest/gtest.h>

#include <cmath>

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

// Q_k = sum_n rho_k log s(u_k) + psi_k log(1 - s(u_k)) with psi_k = sum_{j>k} rho_j, and its derivatives by w, where
// curvature_times looks at all rows: 333 of them are not many.
TEST(Slope, IsThatOfTheLogisticRegressions) {
  constexpr std::size_t components = 5;
  const SlopeCase drawn(components);
  const std::size_t dimensions = drawn.rows.dimensions, width = drawn.width, packed = padded(components - 1, 8);
  std::vector<float> kept(drawn.rho.size());
  const Slope slope = slope_at(drawn.rows, drawn.w, components, drawn.rho, kept, true, {1});
  std::vector<double> v((dimensions + 1) * packed);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.1 * static_cast<double>(i % 7);
  const std::vector<std::uint32_t> active{0, 1, 2, 3};
  const std::vector<double> bent = curvature_times(drawn.rows, kept, width, active, v, {1});
  for (std::size_t k = 0; k + 1 < components; ++k) {
    double q = 0.0, curvature = 0.0;
    std::vector<double> gradient(dimensions + 1), along(dimensions + 1);
    for (std::size_t n = 0; n < drawn.rows.count(); ++n) {
      const auto x = [&](std::size_t d) { return d == dimensions ? 1.0 : drawn.rows.x[n * dimensions + d]; };
      double u = 0.0, v_of_row = 0.0, psi = 0.0;
      for (std::size_t d = 0; d <= dimensions; ++d) {
        u += drawn.w[d * width + k] * x(d);
        v_of_row += v[d * packed + k] * x(d);
      }
      for (std::size_t j = k + 1; j < components; ++j) psi += drawn.rho[n * width + j];
      const double rho = drawn.rho[n * width + k], s = 1.0 / (1.0 + std::exp(-u));
      q += rho * std::log(s) + psi * std::log(1.0 - s);
      curvature += (rho + psi) * s * (1.0 - s);
      for (std::size_t d = 0; d <= dimensions; ++d) {
        gradient[d] += (rho * (1.0 - s) - psi * s) * x(d);
        along[d] += (rho + psi) * s * (1.0 - s) * v_of_row * x(d);
      }
    }
    EXPECT_NEAR(slope.q[k], q, 1e-10 * std::abs(q));
    EXPECT_NEAR(slope.curvature[k], curvature, 1e-10 * curvature);
    for (std::size_t d = 0; d <= dimensions; ++d) {
      EXPECT_NEAR(slope.gradient[d * width + k], gradient[d], 1e-9);
      EXPECT_NEAR(bent[d * packed + k], along[d], 1e-4);  // single precision
    }
  }
}

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

TEST(Slope, CurvatureOfManyRowsIsThatOfTheRowsLookedAtTimesTheirNumber) {
  // The same 64 rows over and over: whichever are looked at, the sum must be that of all.
  const CandidateItems few = blobs_with_candidates(64, 2);
  const LsbRows once = rows_of_items(few);
  const LsbParameters parameters = some_parameters(6, 5, once.dimensions, 0.2);
  std::vector<std::uint32_t> repeated;
  for (std::uint32_t n = 0; n < 64 * 41; ++n) repeated.push_back(n % 64);
  const CandidateItems many = rows_of(few, repeated);
  const std::vector<std::uint32_t> active{0, 1, 2, 3, 4};
  std::vector<double> v((once.dimensions + 1) * padded(5, 8));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.1 * static_cast<double>(i % 7);
  const auto times_v = [&](const CandidateItems& items) {
    const LsbRows rows = rows_of_items(items);
    return curvature_times(rows, e_step_at(rows, parameters, 0.05).slope, parameters.width(), active, v, {1});
  };
  const std::vector<double> one = times_v(few);
  const std::vector<double> all = times_v(many);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(all[i], 41.0 * one[i], 1e-4 * std::abs(all[i]) + 1e-6);
}

}  // namespace
}  // namespace motet::superset::slope_test
