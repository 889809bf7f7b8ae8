#include "motet/superset/lsb_cmm/stick.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace motet::superset::stick_test {
namespace {

const std::vector<double> logits{-708.0, -40.0, -3.0, -0.5, 0.0, 0.25, 2.0, 36.0};

// s / (1 - s) = e^u, and where one of both is next to 1 the other keeps its digits.
TEST(Stick, LogisticLanesKeepTheDigitsOfBothSides) {
  for (std::size_t i = 0; i < logits.size(); i += lane_count) {
    const LogisticLanes at = logistic_lanes(load_lanes(logits.data() + i));
    for (std::size_t j = 0; j < lane_count; ++j) {
      const double u = logits[i + j];
      EXPECT_NEAR(at.s[j] * (1.0 + std::exp(-u)), 1.0, 4e-16) << u;
      EXPECT_NEAR(at.rest[j] * (1.0 + std::exp(u)), 1.0, 4e-16) << u;
      EXPECT_NEAR(at.e[j] / std::exp(-std::abs(u)), 1.0, 4e-16) << u;
    }
  }
}

TEST(Stick, TheLogarithmOfOnePlusAnExponentialIsThatOfTheLibrary) {
  for (int i = 0; i <= 4000; ++i) {
    const double e = i / 4000.0;
    EXPECT_NEAR(log_of_one_plus(all_lanes(e))[0], std::log1p(e), 2.5e-16) << e;
  }
  EXPECT_EQ(log_of_one_plus(all_lanes(1e-300))[0], 1e-300);
}

// Three breaks of a half, a quarter and three quarters: 1/2, 1/8, 9/32, and the rest 3/32.
TEST(Stick, EachComponentTakesItsShareOfWhatIsLeft) {
  const std::array<double, 4> s{0.5, 0.25, 0.75, 0.0}, rest{0.5, 0.75, 0.25, 0.0};
  std::array<double, 4> phi{};
  break_stick(s.data(), rest.data(), 4, phi.data());
  EXPECT_EQ(phi, (std::array<double, 4>{0.5, 0.125, 0.28125, 0.09375}));
  std::array<double, 4> log_phi{};
  log_stick(std::array<double, 3>{0.0, std::log(1.0 / 3.0), std::log(3.0)}, log_phi);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(log_phi[k], std::log(phi[k]), 1e-15) << k;
}

TEST(Stick, LogarithmsGoBeyondTheRangeOfADouble) {
  std::array<double, 3> log_phi{};
  log_stick(std::array<double, 2>{1000.0, 2000.0}, log_phi);
  EXPECT_EQ(log_phi, (std::array<double, 3>{0.0, -1000.0, -3000.0}));
  log_stick(std::array<double, 2>{-1000.0, -2000.0}, log_phi);
  EXPECT_EQ(log_phi, (std::array<double, 3>{-1000.0, -2000.0, 0.0}));
}

TEST(Stick, AStickWithoutBreaksIsOneComponent) {
  double phi = 0.0;
  break_stick(nullptr, nullptr, 1, &phi);
  EXPECT_EQ(phi, 1.0);
  log_stick({}, {&phi, 1});
  EXPECT_EQ(phi, 0.0);
}

}  // namespace
}  // namespace motet::superset::stick_test
