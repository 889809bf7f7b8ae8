// Predicted precision against closed forms, finite differences and simulated trainings.
#include "motet/multilabel/theory/precision.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "motet/base/numeric.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/multilabel/theory/precision_spread.h"
#include "multilabel/precision_cases.h"
#include "multilabel/training_cases.h"

namespace motet::multilabel::precision_test {
namespace {

TEST(Precision, EqualsTheClosedFormsOfTwoBernoullis) {
  Sources sources{Family::bernoulli, Combination::logical_or, Covariance::diagonal, 1, 2, false, {0.4, 0.2}};
  expect_pair(sources, BernoulliPair{{0.4, 0.2}}, {0.3, 0.45, 0.25});
}

// --- finite differences -----------------------------------------------------------------

// E under `truth` of log p(x | L) under `other`, up to what does not depend on `other`.
double expected_log_density(const Sources& truth, const Sources& other, std::span<const std::uint64_t> set) {
  const std::size_t D = truth.dimensions;
  if (is_gaussian(truth.family)) {
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const SetMoments a = set_moments(truth, set);
    const SetMoments b = set_moments(other, set);
    const auto n = static_cast<Eigen::Index>(D);
    const Matrix S = Eigen::Map<const Matrix>(b.covariance.data(), n, n);
    const Eigen::VectorXd away =
        Eigen::Map<const Eigen::VectorXd>(a.mean.data(), n) - Eigen::Map<const Eigen::VectorXd>(b.mean.data(), n);
    const Matrix V = Eigen::Map<const Matrix>(a.covariance.data(), n, n) + away * away.transpose();
    return -0.5 * std::log(S.determinant()) - 0.5 * (S.inverse() * V).trace();
  }
  double sum = 0.0;
  for (std::size_t d = 0; d < D; ++d) {
    const auto value = [&](const Sources& sources) {
      double added = 0.0;
      double zeros = 1.0;
      double ones = 1.0;
      for (const std::size_t k : members(sources, set)) {
        const double theta = sources.location[k * D + d];
        added += theta;
        zeros *= 1.0 - theta;
        ones *= theta;
      }
      if (sources.family != Family::bernoulli) return added;
      const double b = sources.combination == Combination::logical_or ? 1.0 - zeros : ones;
      const double flip = sources.noise.empty() ? 0.0 : sources.noise[d];
      return flip + (1.0 - 2.0 * flip) * b;
    };
    const double p = value(truth);
    const double q = value(other);
    if (truth.family == Family::bernoulli) sum += p * std::log(q) + (1.0 - p) * std::log(1.0 - q);
    if (truth.family == Family::exponential) sum += std::log(q) - q / p;
    if (truth.family == Family::poisson) sum += p * std::log(q) - q;
    if (truth.family == Family::gamma) {
      // digamma by a difference of lgamma is exact enough for a second difference.
      constexpr double h = 1e-5;
      const double psi = (std::lgamma(p + h) - std::lgamma(p - h)) / (2.0 * h);
      const double rate = other.spread[d];
      sum += q * std::log(rate) - std::lgamma(q) + (q - 1.0) * (psi - std::log(truth.spread[d])) -
             rate * p / truth.spread[d];
    }
  }
  return sum;
}

// Unknowns as steps from the truth: locations, spreads (entries of matrices in pairs), noise.
struct Unknown {
  std::vector<double> Sources::*list;
  std::vector<std::size_t> places;
};

std::vector<Unknown> unknowns_of(const Sources& sources) {
  std::vector<Unknown> unknowns;
  const std::size_t D = sources.dimensions;
  for (std::size_t i = 0; i < sources.location.size(); ++i) unknowns.push_back({&Sources::location, {i}});
  const auto add = [&](std::vector<double> Sources::*list, bool matrices) {
    for (std::size_t i = 0; i < (sources.*list).size(); ++i) {
      const std::size_t row = i / D % D;
      const std::size_t column = i % D;
      if (!matrices) unknowns.push_back({list, {i}});
      if (matrices && row == column) unknowns.push_back({list, {i}});
      if (matrices && row < column) unknowns.push_back({list, {i, i - row * D - column + column * D + row}});
    }
  };
  add(&Sources::spread, sources.covariance == Covariance::full || sources.covariance == Covariance::shared);
  if (!sources.noise.empty()) {
    if (sources.family == Family::bernoulli || !(sources.noise.size() > D)) {
      add(&Sources::noise, false);
    } else {
      const bool diagonal = sources.covariance == Covariance::spherical || sources.covariance == Covariance::diagonal;
      for (std::size_t d = 0; d < D && diagonal; ++d) unknowns.push_back({&Sources::noise, {d * D + d}});
      if (!diagonal) add(&Sources::noise, true);
    }
  }
  return unknowns;
}

Eigen::MatrixXd information_by_differences(const Sources& truth, const BitMatrix& sets,
                                           const std::vector<double>& count) {
  const std::vector<Unknown> unknowns = unknowns_of(truth);
  constexpr double h = 1e-3;
  const auto at = [&](std::initializer_list<std::pair<std::size_t, double>> steps) {
    Sources moved = truth;
    for (const auto& [u, step] : steps) {
      for (const std::size_t place : unknowns[u].places) (moved.*unknowns[u].list)[place] += step;
    }
    double sum = 0.0;
    for (std::size_t j = 0; j < sets.rows(); ++j) sum += count[j] * expected_log_density(truth, moved, sets.row(j));
    return sum;
  };
  const auto n = static_cast<Eigen::Index>(unknowns.size());
  Eigen::MatrixXd information(n, n);
  // Second differences at h and 2 h, extrapolated: the error is of the order h^4.
  const auto second = [&](std::size_t u, std::size_t v, double step) {
    return -(at({{u, step}, {v, step}}) - at({{u, step}, {v, -step}}) - at({{u, -step}, {v, step}}) +
             at({{u, -step}, {v, -step}})) /
           (4.0 * step * step);
  };
  for (std::size_t u = 0; u < unknowns.size(); ++u) {
    for (std::size_t v = 0; v <= u; ++v) {
      const double value = (4.0 * second(u, v, h) - second(u, v, 2.0 * h)) / 3.0;
      information(static_cast<Eigen::Index>(u), static_cast<Eigen::Index>(v)) = value;
      information(static_cast<Eigen::Index>(v), static_cast<Eigen::Index>(u)) = value;
    }
  }
  return information;
}

class PrecisionOfSlow : public testing::TestWithParam<PrecisionCase> {};

TEST_P(PrecisionOfSlow, IsTheInverseOfTheCurvatureOfTheExpectedLikelihood) {
  const Sources sources = sources_of(GetParam());
  std::vector<std::string> rows = few_sets;
  std::vector<double> count = few_counts;
  if (sources.background) {
    rows.push_back("000");
    count.push_back(45.0);
  }
  const BitMatrix sets = sets_of(rows);
  const Eigen::MatrixXd covariance = information_by_differences(sources, sets, count).inverse();
  const std::vector<Unknown> unknowns = unknowns_of(sources);
  const Precision location = location_precision(sources, sets, count, {});
  const Precision spread = spread_precision(sources, sets, count);
  constexpr double close = 2e-5;  // relative, of second differences
  std::size_t seen = 0;
  for (std::size_t u = 0; u < unknowns.size(); ++u) {
    const double expected = std::sqrt(covariance(static_cast<Eigen::Index>(u), static_cast<Eigen::Index>(u)));
    if (unknowns[u].list == &Sources::location) {
      EXPECT_NEAR(location.error[u] / expected, 1.0, close) << "location " << u;
    } else if (unknowns[u].list == &Sources::spread && unknowns[u].places.size() == 1) {
      EXPECT_NEAR(spread.error[seen++] / expected, 1.0, close) << "spread " << unknowns[u].places[0];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PrecisionOfSlow,
    testing::Values(
        PrecisionCase{"Spherical", Family::gaussian, Combination::sum, Covariance::spherical},
        PrecisionCase{"SphericalNoise", Family::gaussian, Combination::sum, Covariance::spherical, false, true},
        PrecisionCase{"Diagonal", Family::gaussian, Combination::sum, Covariance::diagonal},
        PrecisionCase{"DiagonalMean", Family::gaussian, Combination::mean, Covariance::diagonal},
        PrecisionCase{"DiagonalNoise", Family::gaussian, Combination::sum, Covariance::diagonal, false, true},
        PrecisionCase{"DiagonalBackground", Family::gaussian, Combination::sum, Covariance::diagonal, true},
        PrecisionCase{"Full", Family::gaussian, Combination::sum, Covariance::full},
        PrecisionCase{"FullMeanNoise", Family::gaussian, Combination::mean, Covariance::full, false, true},
        PrecisionCase{"Shared", Family::gaussian, Combination::sum, Covariance::shared},
        PrecisionCase{"SharedMeanBackground", Family::gaussian, Combination::mean, Covariance::shared, true},
        PrecisionCase{"SharedNoise", Family::gaussian, Combination::sum, Covariance::shared, false, true},
        PrecisionCase{"Lognormal", Family::lognormal, Combination::product, Covariance::full},
        PrecisionCase{"Or", Family::bernoulli, Combination::logical_or},
        PrecisionCase{"OrNoise", Family::bernoulli, Combination::logical_or, Covariance::diagonal, false, true},
        PrecisionCase{"OrBackground", Family::bernoulli, Combination::logical_or, Covariance::diagonal, true},
        PrecisionCase{"And", Family::bernoulli, Combination::logical_and},
        PrecisionCase{"Exponential", Family::exponential, Combination::minimum},
        PrecisionCase{"Poisson", Family::poisson, Combination::sum},
        PrecisionCase{"PoissonBackground", Family::poisson, Combination::sum, Covariance::diagonal, true},
        PrecisionCase{"Gamma", Family::gamma, Combination::sum}),
    [](const auto& info) { return info.param.name; });

TEST(Precision, SourcesThatCannotBeToldApartHaveNoError) {
  const Sources sources = sources_of({"", Family::gaussian, Combination::sum, Covariance::diagonal});
  for (const Covariance covariance : {Covariance::diagonal, Covariance::full, Covariance::shared}) {
    const Sources kind = sources_of({"", Family::gaussian, Combination::sum, covariance});
    const Precision found = location_precision(kind, sets_of({"110", "001", "111"}), std::vector{9.0, 9.0, 9.0}, {});
    EXPECT_TRUE(std::isnan(found.error[found.place(Training::deconvolution, 0, 0)]));
    EXPECT_TRUE(std::isnan(found.error[found.place(Training::ignore, 0, 0)]));
    EXPECT_FALSE(std::isnan(found.error[found.place(Training::deconvolution, 2, 0)]));
    EXPECT_FALSE(std::isnan(found.error[found.place(Training::ignore, 2, 0)]));
    EXPECT_FALSE(std::isnan(found.error[found.place(Training::cross, 0, 0)]));
  }
}

TEST(Precision, AProbabilityOfZeroStillHasAnError) {
  Sources sources = sources_of({"", Family::bernoulli, Combination::logical_or});
  sources.location[0] = 0.0;
  const Precision found = location_precision(sources, sets_of(few_sets), few_counts, {});
  EXPECT_GT(found.error[0], 0.0);
  EXPECT_LT(found.error[0], 0.05);
}

// --- simulated trainings ----------------------------------------------------------------

TrainOptions options_of(const Sources& sources, Training method) {
  TrainOptions options = trained_as(sources.family, sources.combination, sources.covariance, sources.background);
  options.method = method;
  options.shrinkage = 0.0;
  options.tolerance = 1e-7;
  return options;
}

RunContext one_thread() {
  RunContext run;
  run.threads.count = 1;
  return run;
}

// Mean square error of the trainings over data sets, each against the closed form, in standard errors.
void expect_lemma(const Sources& sources, const auto& pair, double items, std::size_t repeats) {
  std::vector<SetStatistics> data;
  for (std::size_t r = 0; r < repeats; ++r) {
    data.push_back(drawn(sources, pair_sets, {1.0, 1.0, 1.0}, static_cast<std::size_t>(items), Rng(Seed{r + 1})));
  }
  for (const Training method : {Training::deconvolution, Training::ignore, Training::cross, Training::probabilistic}) {
    std::vector<double> squares;
    for (const SetStatistics& statistics : data) {
      const Sources found = fit_sources(statistics, options_of(sources, method), one_thread()).sources;
      double sum = 0.0;
      for (std::size_t i = 0; i < found.location.size(); ++i) {
        sum += std::pow(found.location[i] - sources.location[i], 2) / static_cast<double>(found.location.size());
      }
      squares.push_back(sum);
    }
    const MeanSd measured = mean_sd(squares);
    const double expected = pair_precision(pair, PairShares{}, items, method).mean_square_error;
    EXPECT_NEAR(measured.mean, expected, 4.0 * measured.error) << training_words[static_cast<int>(method)];
  }
}

TEST(PrecisionSlow, TrainingsOfTwoGaussiansErrAsTheCorrectedLemmaSays) {
  const GaussianPair pair{{-3.5, 3.5}, {1.0, 1.0}};
  expect_lemma(gaussian_pair(pair, Covariance::diagonal), pair, 600.0, 400);
}

TEST(PrecisionSlow, TrainingsOfTwoBernoullisErrAsTheCorrectedLemmaSays) {
  Sources sources{Family::bernoulli,
                  Combination::logical_or,
                  Covariance::diagonal,
                  4,
                  2,
                  false,
                  {0.4, 0.4, 0.4, 0.4, 0.2, 0.2, 0.2, 0.2}};
  expect_lemma(sources, BernoulliPair{{0.4, 0.2}}, 1500.0, 200);
}

class PrecisionOfTrainingsSlow : public testing::TestWithParam<PrecisionCase> {};

TEST_P(PrecisionOfTrainingsSlow, AgreesWithSimulation) {
  Sources sources = sources_of(GetParam());
  for (double& value : sources.location) value = sources.family == Family::bernoulli ? value : 4.0 * value;
  const BitMatrix sets = sets_of(few_sets);
  constexpr std::size_t items = 1500;
  constexpr std::size_t repeats = 60;
  double total = 0.0;
  for (const double count : few_counts) total += count;
  std::vector<double> expected_count;
  for (const double count : few_counts) expected_count.push_back(count / total * static_cast<double>(items));
  const Precision precision = location_precision(sources, sets, expected_count, {});
  std::vector<SetStatistics> data;
  for (std::size_t r = 0; r < repeats; ++r) data.push_back(drawn(sources, sets, few_counts, items, Rng(Seed{r + 1})));
  for (const Training method : {Training::deconvolution, Training::ignore, Training::cross, Training::probabilistic}) {
    std::vector<std::vector<double>> found(sources.location.size());
    for (const SetStatistics& statistics : data) {
      const Sources fitted = fit_sources(statistics, options_of(sources, method), one_thread()).sources;
      for (std::size_t i = 0; i < found.size(); ++i) found[i].push_back(fitted.location[i]);
    }
    // A standard deviation of 60 values errs by 9 %; the mean of its ratio over 6 parameters by about 4 %.
    double ratio = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t place = precision.place(method, i / sources.dimensions, i % sources.dimensions);
      const MeanSd measured = mean_sd(found[i]);
      EXPECT_NEAR(measured.mean, sources.location[i] + precision.bias[place], 4.5 * measured.error) << i;
      ratio += measured.sd / precision.error[place] / static_cast<double>(found.size());
    }
    EXPECT_NEAR(ratio, 1.0, 0.16) << training_words[static_cast<int>(method)];
  }
}

INSTANTIATE_TEST_SUITE_P(All, PrecisionOfTrainingsSlow,
                         testing::Values(PrecisionCase{"Full", Family::gaussian, Combination::sum, Covariance::full},
                                         PrecisionCase{"SharedMean", Family::gaussian, Combination::mean,
                                                       Covariance::shared},
                                         PrecisionCase{"And", Family::bernoulli, Combination::logical_and},
                                         PrecisionCase{"Exponential", Family::exponential, Combination::minimum},
                                         PrecisionCase{"Poisson", Family::poisson, Combination::sum},
                                         PrecisionCase{"Gamma", Family::gamma, Combination::sum}),
                         [](const auto& info) { return info.param.name; });

// --- tests of label sets ----------------------------------------------------------------

class SetFitsOfSlow : public testing::TestWithParam<PrecisionCase> {};

TEST_P(SetFitsOfSlow, PValuesAreUniformWhenTheCombinationIsRight) {
  Sources sources = sources_of(GetParam());
  for (double& value : sources.location) value = sources.family == Family::bernoulli ? value : 4.0 * value;
  constexpr std::size_t repeats = 120;
  std::vector<double> p;
  double low = 0.0;
  for (std::size_t r = 0; r < repeats; ++r) {
    const SetStatistics statistics = drawn(sources, sets_of(few_sets), few_counts, 240, Rng(Seed{100 + r}));
    const Sources fitted = fit_sources(statistics, options_of(sources, Training::deconvolution), one_thread()).sources;
    for (const SetFit& fit : set_fits(fitted, statistics, Threads{1})) {
      ASSERT_EQ(fit.degrees, 2.0);
      p.push_back(fit.p_value);
      low += fit.p_value < 0.05 ? 1.0 : 0.0;
    }
  }
  // 720 values, six to a data set and these alike: standard errors of about 0.011 and 0.009, taken four times.
  EXPECT_NEAR(mean_sd(p).mean, 0.5, 0.05);
  EXPECT_NEAR(low / static_cast<double>(p.size()), 0.05, 0.036);
}

INSTANTIATE_TEST_SUITE_P(
    All, SetFitsOfSlow,
    testing::Values(PrecisionCase{"Spherical", Family::gaussian, Combination::sum, Covariance::spherical},
                    PrecisionCase{"Diagonal", Family::gaussian, Combination::sum, Covariance::diagonal},
                    PrecisionCase{"Full", Family::gaussian, Combination::mean, Covariance::full},
                    PrecisionCase{"Shared", Family::gaussian, Combination::sum, Covariance::shared},
                    PrecisionCase{"Or", Family::bernoulli, Combination::logical_or},
                    PrecisionCase{"Exponential", Family::exponential, Combination::minimum},
                    PrecisionCase{"Poisson", Family::poisson, Combination::sum},
                    PrecisionCase{"Gamma", Family::gamma, Combination::sum}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace motet::multilabel::precision_test
