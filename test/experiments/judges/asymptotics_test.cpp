#include "experiments/judges/asymptotics.h"

#include "judges/regression_cases.h"
#include "support/errors.h"

namespace motet::judges::asymptotics_test {
namespace {

constexpr double printed = 5.1e-6;  // five digits in the specification, and a hair for halves

double votes_error(std::size_t judges) {
  return scaled_absolute_error(symmetric_sd(std::vector<double>(judges, 0.75), 0.75));
}
double regression_error(std::size_t judges, double mean) {
  return scaled_absolute_error(proportional_sd(std::vector<double>(judges, 1.0), {mean, 1.0}, 1.0));
}

TEST(Asymptotics, SymmetricVotes) {
  EXPECT_NEAR(votes_error(1), 0.77255, printed);
  EXPECT_NEAR(votes_error(2), 0.60604, printed);
  EXPECT_NEAR(votes_error(3), 0.51300, printed);
  EXPECT_NEAR(votes_error(5), 0.43377, printed);
  EXPECT_NEAR(votes_error(10), 0.37408, printed);
  EXPECT_NEAR(scaled_absolute_error(std::vector<double>{supervised_sd(0.75)}), 0.34549, printed);
}

TEST(Asymptotics, ProportionalJudges) {
  EXPECT_NEAR(regression_error(1, 0.0), 0.56419, printed);
  EXPECT_NEAR(regression_error(3, 0.0), 0.51033, printed);
  EXPECT_NEAR(regression_error(5, 0.0), 0.49337, printed);
  EXPECT_NEAR(regression_error(10, 0.0), 0.47831, printed);
  EXPECT_NEAR(regression_error(1, 1.0), 0.50463, printed);
  EXPECT_NEAR(regression_error(3, 1.0), 0.45551, printed);
  EXPECT_NEAR(regression_error(5, 1.0), 0.43775, printed);
  EXPECT_NEAR(regression_error(10, 1.0), 0.42073, printed);
}

TEST(Asymptotics, SingleJudgeInformationIsTheCorrectedOne) {
  EXPECT_NEAR(symmetric_information(0.75, 0.75), 1.0667, 5e-5);  // E3, four digits
  EXPECT_NEAR(symmetric_information(0.9, 0.9), 4.336, 5e-4);
  EXPECT_NEAR(symmetric_information(0.5, 0.75), 1.0, 1e-12);  // E4: rises from 1 to 4/3
  EXPECT_NEAR(symmetric_information(1.0, 0.75), 4.0 / 3.0, 1e-12);
  for (const double theta : {0.6, 0.8, 0.95}) {
    const double sd = symmetric_sd(std::vector<double>{theta}, 0.7)[0];
    EXPECT_NEAR(1.0 / (sd * sd), symmetric_information(theta, 0.7), 1e-12);
  }
}

TEST(Asymptotics, MatchesTheSpreadOfFittedThetas) {
  constexpr int repeats = 400;
  constexpr std::size_t items = 400;
  const RegressionOptions options{.mean = 1.0, .variance = 1.0, .noise_variance = 1.0};
  const std::vector<double> thetas = {0.5, 1.0, 2.0};
  std::vector<double> squares(3, 0.0);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    Rng rng = Rng(Seed{21}).child(static_cast<std::uint64_t>(repeat));
    const RegressionFit fit = fit_regression(simulate_regression(options, thetas, items, rng).predictions, options);
    for (std::size_t j = 0; j < 3; ++j) squares[j] += std::pow(fit.model.judges[j].theta - thetas[j], 2.0);
  }
  const std::vector<double> sd = proportional_sd(thetas, options.prior(), options.noise_variance);
  // A spread from 400 values has a relative standard error of 1/sqrt(800) = 3.5 %: four of them.
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(std::sqrt(squares[j] / repeats * items) / sd[j], 1.0, 0.14) << j;
  }
}

TEST(Asymptotics, Refusals) {
  const std::string singular = "the information matrix is singular; these judges cannot be told apart without labels";
  EXPECT_EQ(error_of([] { symmetric_sd(std::vector<double>{0.7}, 0.5); }, ErrorKind::unanswerable), singular);
  EXPECT_EQ(error_of([] { symmetric_sd(std::vector<double>{0.7, 0.8}, 0.5); }, ErrorKind::unanswerable), singular);
  EXPECT_EQ(symmetric_sd(std::vector<double>{0.7, 0.8, 0.9}, 0.5).size(), 3U);  // E18
  EXPECT_EQ(error_of([] { symmetric_sd(std::vector<double>(21, 0.7), 0.75); }, ErrorKind::usage),
            "21 judges are too many to enumerate; 20 at most");
  EXPECT_EQ(error_of([] { symmetric_sd(std::vector<double>{1.0}, 0.75); }, ErrorKind::usage),
            "theta = 1 is not between 0 and 1");
  EXPECT_EQ(error_of([] { symmetric_sd(std::vector<double>{0.7}, 0.0); }, ErrorKind::usage),
            "prior = 0 is not between 0 and 1");
}

}  // namespace
}  // namespace motet::judges::asymptotics_test
