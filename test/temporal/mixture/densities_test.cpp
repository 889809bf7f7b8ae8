#include "motet/temporal/mixture/densities.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/lanes.h"
#include "support/errors.h"
#include "support/processor.h"
#include "support/threads.h"
#include "temporal/row_cases.h"

namespace motet::temporal::densities_test {
namespace {

constexpr double rounding = 1e-11;  // of sums of a few hundred products, relative

// By Gaussian elimination, which is not how the densities are made.
double log_density_by_elimination(const Component& component, std::span<const double> x) {
  const std::size_t size = x.size();
  std::vector<double> a = component.covariance;
  std::vector<double> d(size);
  for (std::size_t i = 0; i < size; ++i) d[i] = x[i] - component.mean[i];
  std::vector<double> solved = d;
  double log_determinant = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    log_determinant += std::log(a[i * size + i]);
    for (std::size_t row = 0; row < size; ++row) {
      if (row == i) continue;
      const double factor = a[row * size + i] / a[i * size + i];
      for (std::size_t j = i; j < size; ++j) a[row * size + j] -= factor * a[i * size + j];
      solved[row] -= factor * solved[i];
    }
  }
  double form = 0.0;
  for (std::size_t i = 0; i < size; ++i) form += d[i] * solved[i] / a[i * size + i];
  return -0.5 * (static_cast<double>(size) * std::log(2.0 * M_PI) + log_determinant + form);
}

TEST(Lanes, ExponentialsAreRightToTheLastDigits) {
  for (double x = -707.9; x <= 0.0; x += 0.0371) {
    const Lanes found = exp_of_negative(all_lanes(x));
    const double right = std::exp(x);
    EXPECT_NEAR(found[2] / right, 1.0, 4e-16) << x;
  }
  const Lanes ends = exp_of_negative(Lanes{0.0, -708.5, -1e300, -INFINITY});
  EXPECT_EQ(ends[0], 1.0);
  EXPECT_EQ(ends[1], 0.0);
  EXPECT_EQ(ends[2], 0.0);
  EXPECT_EQ(ends[3], 0.0);
}

TEST(Lanes, LogarithmsAreRightToTheLastDigits) {
  EXPECT_EQ(log_of_positive(1.0), 0.0);
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    EXPECT_NEAR(log_of_positive(x), std::log(x), 3e-16 * std::abs(std::log(x)) + 2e-16) << x;
  }
}

TEST(Densities, AgreeWithTheFormulaForEveryNumberOfDimensions) {
  for (std::size_t dimensions = 1; dimensions <= 18; ++dimensions) {
    const Features features = clustered_rows(131, dimensions, 2, 1.0, dimensions);
    const std::vector<Component> components = some_components(3, dimensions, 100 + dimensions);
    std::vector<double> found(3 * features.rows());
    log_densities(DensityFactors(components, dimensions), features, {1}, found);
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t n = 0; n < features.rows(); ++n) {
        const double right = log_density_by_elimination(components[k], features.row(n));
        EXPECT_NEAR(found[k * features.rows() + n], right, rounding * std::abs(right)) << dimensions << " " << n;
      }
    }
  }
}

TEST(Densities, OfDiagonalCovariancesAgreeWithThoseOfFullOnes) {
  const Features features = clustered_rows(200, 5, 2, 1.0, 7);
  std::vector<Component> components = some_components(2, 5, 8);
  for (Component& component : components) {
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 5; ++j) component.covariance[i * 5 + j] *= i == j ? 1.0 : 0.0;
    }
  }
  const DensityFactors factors(components, 5);
  EXPECT_TRUE(factors.is_diagonal());
  std::vector<double> found(2 * features.rows());
  log_densities(factors, features, {1}, found);
  for (std::size_t n = 0; n < features.rows(); ++n) {
    EXPECT_NEAR(found[n], log_density_by_elimination(components[0], features.row(n)), 1e-10);
  }
}

TEST(Densities, MomentsAgreeWithTheirDefinition) {
  for (const std::size_t dimensions : {1U, 2U, 3U, 4U, 6U, 13U}) {
    const std::size_t rows = 150;
    const Features features = clustered_rows(rows, dimensions, 2, 1.0, dimensions);
    const std::vector<Component> components = some_components(2, dimensions, 3);
    Rng rng(Seed{4});
    std::vector<double> weights(2 * rows);
    for (double& w : weights) w = rng.uniform();
    const std::vector<Moments> found = weighted_moments(DensityFactors(components, dimensions), features, weights, {1});
    for (std::size_t k = 0; k < 2; ++k) {
      double weight = 0.0;
      std::vector<double> first(dimensions, 0.0);
      std::vector<double> second(dimensions * (dimensions + 1) / 2, 0.0);
      for (std::size_t n = 0; n < rows; ++n) {
        const double w = weights[k * rows + n];
        weight += w;
        for (std::size_t i = 0; i < dimensions; ++i) {
          const double d_i = features.row(n)[i] - components[k].mean[i];
          first[i] += w * d_i;
          for (std::size_t j = 0; j <= i; ++j) {
            second[i * (i + 1) / 2 + j] += w * d_i * (features.row(n)[j] - components[k].mean[j]);
          }
        }
      }
      EXPECT_NEAR(found[k].weight, weight, rounding * weight);
      for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(found[k].first[i], first[i], 1e-10);
      for (std::size_t i = 0; i < second.size(); ++i) EXPECT_NEAR(found[k].second[i], second[i], 1e-9);
    }
  }
}

struct Tables {
  std::vector<double> responsibilities;
  std::vector<double> statistics;
  std::vector<std::uint8_t> states;
  std::vector<double> probability;
};

Tables tables_of(const std::vector<Component>& components, const Features& features, const RowLabels& labels,
                 Threads threads) {
  const DensityFactors factors(components, features.dimensions());
  std::vector<double> log_shares;
  std::vector<std::int32_t> of_class;
  for (const Component& component : components) {
    log_shares.push_back(std::log(component.share));
    of_class.push_back(component.of_class);
  }
  Tables tables;
  tables.responsibilities.resize(components.size() * features.rows());
  tables.states.resize(features.rows());
  tables.probability.resize(features.rows());
  tables.statistics = mixture_statistics(
      {factors, features, log_shares, labels, of_class, {}, tables.responsibilities, tables.states, tables.probability},
      threads);
  return tables;
}

TEST(Densities, OnePassGivesWhatThreePassesGive) {
  const Features features = clustered_rows(333, 5, 3, 1.5, 9);
  std::vector<Component> components = some_components(3, 5, 10);
  components[0].of_class = 0;
  components[1].of_class = 0;
  components[2].of_class = 1;
  RowLabels labels(features.rows(), -1);
  labels[3] = 0;
  labels[200] = 1;
  labels[332] = 1;
  const Tables found = tables_of(components, features, labels, {1});

  const DensityFactors factors(components, 5);
  std::vector<double> densities(3 * features.rows());
  log_densities(factors, features, {1}, densities);
  double objective = 0.0;
  std::vector<double> free_part(densities.size(), 0.0);
  std::vector<double> labelled_part(densities.size(), 0.0);
  for (std::size_t n = 0; n < features.rows(); ++n) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const bool may = labels[n] < 0 || labels[n] == components[k].of_class;
      sum += may ? std::exp(densities[k * features.rows() + n]) / 3.0 : 0.0;
    }
    objective += std::log(sum);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = k * features.rows() + n;
      const bool may = labels[n] < 0 || labels[n] == components[k].of_class;
      const double right = may ? std::exp(densities[at]) / 3.0 / sum : 0.0;
      EXPECT_NEAR(found.responsibilities[at], right, 1e-13);
      EXPECT_LE(found.responsibilities[at], found.probability[n]);
      if (found.states[n] == k) {
        EXPECT_EQ(found.responsibilities[at], found.probability[n]);
      }
      (labels[n] < 0 ? free_part : labelled_part)[at] = found.responsibilities[at];
    }
  }
  EXPECT_NEAR(found.statistics[0], objective, rounding * std::abs(objective));
  std::vector<double> right;
  for (const auto& part : {free_part, labelled_part}) {
    for (const Moments& moments : weighted_moments(factors, features, part, {1})) {
      right.push_back(moments.weight);
      right.insert(right.end(), moments.first.begin(), moments.first.end());
      right.insert(right.end(), moments.second.begin(), moments.second.end());
    }
  }
  ASSERT_EQ(found.statistics.size(), right.size() + 1);
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_NEAR(found.statistics[1 + i], right[i], 1e-9);
}

TEST(Densities, BitsDoNotDependOnTheNumberOfThreads) {
  const Features features = clustered_rows(20'011, 7, 3, 1.5, 11);
  const std::vector<Component> components = some_components(4, 7, 12);
  EXPECT_GT(RowTasks(features.rows()).count, 16U);
  const Tables one = tables_of(components, features, {}, {1});
  for (const unsigned threads : {2U, 4U}) {
    const Tables more = tables_of(components, features, {}, StartedThreads(threads));
    EXPECT_EQ(more.statistics, one.statistics);
    EXPECT_EQ(more.responsibilities, one.responsibilities);
  }
}

TEST(Densities, TasksCoverTheRowsOnce) {
  for (const std::size_t rows : {0U, 1U, 63U, 64U, 65U, 1023U, 1025U, 5000U, 70'000U, 1'000'003U}) {
    const RowTasks tasks(rows);
    std::size_t at = 0;
    for (std::size_t task = 0; task < tasks.count; ++task) {
      EXPECT_EQ(tasks.begin(task), at);
      at = tasks.end(task);
    }
    EXPECT_EQ(at, rows);
    EXPECT_LE(tasks.count, 64U);
  }
}

TEST(Densities, ACovarianceThatIsNoneIsADefect) {
  const Component broken{{0.0, 0.0}, {1.0, 2.0, 2.0, 1.0}, 1.0, -1};
  EXPECT_EQ(error_of(
                [&] {
                  DensityFactors({&broken, 1}, 2);
                },
                ErrorKind::internal),
            "the covariance of component 1 is not positive definite");
}

// Densities, moments by responsibilities and by states, and a pass that does all in one.
std::vector<double> everything_of(const std::vector<Component>& components, const Features& features,
                                  const RowLabels& labels) {
  const DensityFactors factors(components, features.dimensions());
  std::vector<double> densities(components.size() * features.rows());
  std::vector<double> distances(densities.size());
  log_densities(factors, features, {1}, densities);
  squared_distances(factors, features, {1}, distances);
  const Tables pass = tables_of(components, features, labels, {1});
  std::vector<double> all = joined({densities, distances, pass.statistics, pass.responsibilities, pass.probability});
  for (const auto& moments : {weighted_moments(factors, features, pass.responsibilities, {1}),
                              state_moments(factors, features, pass.states, pass.probability, {1})}) {
    for (const Moments& of : moments) all = joined({all, {of.weight}, of.first, of.second});
  }
  return all;
}

TEST(Densities, HaveTheSameBitsAtEveryLevelOfTheProcessor) {
  for (const std::size_t dimensions : {1U, 2U, 3U, 5U, 7U, 13U}) {
    const Features features = clustered_rows(333, dimensions, 3, 1.5, dimensions);
    RowLabels labels(features.rows(), -1);
    for (std::size_t n = 0; n < labels.size(); n += 5) labels[n] = static_cast<std::int32_t>(n % 2);
    std::vector<Component> components = some_components(3, dimensions, 10);
    for (std::size_t k = 0; k < 3; ++k) components[k].of_class = k < 2 ? 0 : 1;
    std::vector<Component> student = components;
    for (Component& component : student) component.degrees = 3.5;
    std::vector<Component> diagonal = components;
    for (Component& component : diagonal) {
      for (std::size_t i = 0; i < component.covariance.size(); ++i) {
        if (i / dimensions != i % dimensions) component.covariance[i] = 0.0;
      }
    }
    for (const auto& kind : {components, student, diagonal}) {
      for (const RowLabels& known : {RowLabels{}, labels}) {
        expect_same_bits_at_every_level([&] { return everything_of(kind, features, known); });
      }
    }
  }
}

}  // namespace
}  // namespace motet::temporal::densities_test
