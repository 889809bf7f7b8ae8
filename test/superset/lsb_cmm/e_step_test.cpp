#include "motet/superset/lsb_cmm/e_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/superset/lsb_cmm/slope.h"
#include "motet/superset/lsb_cmm/stick.h"
#include "superset/lsb_cases.h"
#include "support/processor.h"

namespace motet::superset::e_step_test {
namespace {

// Everything by plain loops over rows, components and classes, in logarithms.
struct Dense {
  std::vector<double> joint;  // log phihat_nkl
  std::vector<double> log_phi;
  double sum_log_z = 0.0;
  std::size_t rows, components, classes;

  Dense(const LsbRows& data, const LsbParameters& parameters, const ScaledTable& table)
      : rows(data.count()), components(parameters.components), classes(parameters.classes) {
    const std::size_t width = parameters.width();
    for (std::size_t n = 0; n < rows; ++n) {
      std::vector<double> u(parameters.sticks());
      for (std::size_t k = 0; k < u.size(); ++k) {
        u[k] = parameters.bias()[k];
        for (std::size_t d = 0; d < data.dimensions; ++d) {
          u[k] += parameters.w[d * width + k] * data.x[n * data.dimensions + d];
        }
      }
      std::vector<double> of_row(components);
      log_stick(u, of_row);
      log_phi.insert(log_phi.end(), of_row.begin(), of_row.end());
      std::vector<double> m(classes, data.items.outside);
      for (std::size_t i = data.items.starts[n]; i < data.items.starts[n + 1]; ++i) {
        m[data.items.label[i]] = data.items.weight_at(i);
      }
      double largest = -1e300;
      for (std::size_t k = 0; k < components; ++k) {
        for (std::size_t l = 0; l < classes; ++l) {
          joint.push_back(of_row[k] + table.logs[k * classes + l] + std::log(m[l]));
          largest = std::max(largest, joint.back());
        }
      }
      const auto from = joint.end() - static_cast<std::ptrdiff_t>(components * classes);
      double z = 0.0;
      for (auto at = from; at != joint.end(); ++at) z += std::exp(*at - largest);
      const double log_z = largest + std::log(z);
      for (auto at = from; at != joint.end(); ++at) *at -= log_z;
      sum_log_z += log_z;
    }
  }

  double at(std::size_t n, std::size_t k, std::size_t l) const {
    return std::exp(joint[(n * components + k) * classes + l]);
  }
};

void expect_as_dense(const CandidateItems& items, double alpha) {
  const LsbRows rows = rows_of_items(items);
  const LsbParameters parameters = some_parameters(7, items.classes.size(), rows.dimensions, alpha);
  const Expected outcome = e_step_at(rows, parameters, alpha);
  const Dense dense(rows, parameters, outcome.table);
  EXPECT_NEAR(outcome.sums.sum_log_z, dense.sum_log_z, 1e-11 * std::abs(dense.sum_log_z));
  for (std::size_t k = 0; k < parameters.components; ++k) {
    for (std::size_t l = 0; l < parameters.classes; ++l) {
      double count = 0.0;
      for (std::size_t n = 0; n < rows.count(); ++n) count += dense.at(n, k, l);
      EXPECT_NEAR(outcome.sums.counts[k * parameters.classes + l], count, 1e-10);
    }
  }
  for (std::size_t n = 0; n < rows.count(); ++n) {
    for (std::size_t k = 0; k < parameters.components; ++k) {
      double rho = 0.0;
      for (std::size_t l = 0; l < parameters.classes; ++l) rho += dense.at(n, k, l);
      EXPECT_NEAR(outcome.rho[n * parameters.width() + k], rho, 1e-12);
    }
  }
}

TEST(EStep, PlainSetsAsTheDenseSums) { expect_as_dense(blobs_with_candidates(150, 2), 0.05); }

TEST(EStep, WeightsAndLabelsOutsideAsTheDenseSums) {
  CandidateItems items = blobs_with_candidates(150, 2);
  items.outside = 0.03;
  Rng rng(Seed{2});
  for (std::size_t i = 0; i < items.label.size(); ++i) items.weight.push_back(0.01 + rng.uniform());
  expect_as_dense(items, 0.05);
}

TEST(EStep, AConcentrationOfAMillionthDoesNotUnderflow) {
  // Sets whose labels no component has: rows are done in logarithms.
  expect_as_dense(blobs_with_candidates(100, 0), 1e-6);
  expect_as_dense(blobs_with_candidates(100, 1), 1e-3);
}

TEST(EStep, TheSixTermsOfTheBoundAreTheCollapsedOne) {
  const CandidateItems items = blobs_with_candidates(120, 2);
  const LsbRows rows = rows_of_items(items);
  const LsbParameters parameters = some_parameters(6, 5, rows.dimensions, 0.2);
  const Expected outcome = e_step_at(rows, parameters, 0.05);
  const Dense dense(rows, parameters, outcome.table);
  double six = 0.0;
  for (std::size_t n = 0; n < rows.count(); ++n) {
    for (std::size_t k = 0; k < 6; ++k) {
      for (std::size_t l = 0; l < 5; ++l) {
        const double q = dense.at(n, k, l);
        if (!(q > 0.0)) continue;
        six += q * (dense.log_phi[n * 6 + k] + outcome.table.logs[k * 5 + l] - std::log(q));
      }
    }
  }
  for (std::size_t k = 0; k < 6; ++k) {
    double total = 0.0;
    for (std::size_t l = 0; l < 5; ++l) {
      const double a = parameters.a[k * 5 + l];
      total += a;
      six += std::lgamma(a) - std::lgamma(0.05) - (a - 0.05) * outcome.table.logs[k * 5 + l];
    }
    six += std::lgamma(5 * 0.05) - std::lgamma(total);
  }
  const double prior = log_prior(parameters, {});
  const LsbBound collapsed{outcome.sums.sum_log_z, outcome.table.divergence, prior};
  EXPECT_NEAR(collapsed.value(), six + prior, 1e-10 * std::abs(six));
}

TEST(EStep, TheSlopeOfTheSticksAgreesWithFiniteDifferences) {
  const CandidateItems items = blobs_with_candidates(100, 2);
  const LsbRows rows = rows_of_items(items);
  LsbParameters parameters = some_parameters(6, 5, rows.dimensions, 0.2);
  Expected outcome = e_step_at(rows, parameters, 0.05);
  const std::size_t width = parameters.width();
  const auto q_at = [&](std::size_t i, double by) {
    std::vector<double> w = parameters.w;
    w[i] += by;
    return slope_at(rows, w, 6, outcome.rho, outcome.slope, false, {1}).q[i % width];
  };
  constexpr double h = 1e-4;
  std::vector<std::uint32_t> active{0, 1, 2, 3, 4};
  for (std::size_t d = 0; d <= rows.dimensions; ++d) {
    // The second difference is the curvature along one weight.
    std::vector<double> v((rows.dimensions + 1) * padded(5, 8));
    for (std::size_t k = 0; k < 5; ++k) v[d * padded(5, 8) + k] = 1.0;
    const std::vector<double> second = curvature_times(rows, outcome.slope, width, active, v, {1});
    for (std::size_t k = 0; k < 5; ++k) {
      const std::size_t i = d * width + k;
      const double up = q_at(i, h), here = q_at(i, 0.0), down = q_at(i, -h);
      EXPECT_NEAR(outcome.sums.gradient[i], (up - down) / (2 * h), 1e-5);
      EXPECT_NEAR(second[d * padded(5, 8) + k], -(up - 2 * here + down) / (h * h), 1e-4);
      EXPECT_NEAR(outcome.sums.q[k], here, 1e-10 * std::abs(here));
    }
  }
}

TEST(EStep, HasTheSameBitsAtEveryLevelOfTheProcessor) {
  CandidateItems items = blobs_with_candidates(333, 2);
  items.outside = 0.03;
  const LsbRows rows = rows_of_items(items);
  for (const std::size_t components : {2U, 5U, 7U, 8U, 22U}) {
    for (const double alpha : {0.05, 1e-6}) {
      const LsbParameters parameters = some_parameters(components, items.classes.size(), rows.dimensions, alpha);
      expect_same_bits_at_every_level([&] {
        const Expected found = e_step_at(rows, parameters, alpha);
        return joined({{found.sums.sum_log_z},
                       found.sums.mass,
                       found.sums.counts,
                       found.sums.q,
                       found.sums.curvature,
                       found.sums.gradient,
                       found.rho,
                       {found.slope.begin(), found.slope.end()}});
      });
    }
  }
}

}  // namespace
}  // namespace motet::superset::e_step_test
