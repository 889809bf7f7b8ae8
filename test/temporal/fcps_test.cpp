// Fits of three sets of the Fundamental Clustering Problem Suite against the numbers in
// test/golden/temporal. The sets are looked for in $MOTET_DATA/temporal; without them the
// tests are skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <sstream>

#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/temporal/field/partition_function.h"
#include "motet/temporal/fit.h"
#include "motet/temporal/mixture/static_fit.h"
#include "temporal/row_cases.h"

namespace motet::temporal::fcps_test {
namespace {

constexpr double tolerance = 1e-6;  // of the objective per row, and of parameters: of numbers above 1, relative
constexpr std::uint64_t seeds = 10;

struct SortedSet {
  Features features;
  std::vector<int> truth;
};

bool has_data() {
  const char* const folder = std::getenv("MOTET_DATA");
  return folder != nullptr && std::filesystem::exists(std::string(folder) + "/temporal/atom.data.gz");
}

// Rows in the order of their classes, otherwise as they come.
SortedSet sorted_set(const std::string& name) {
  const std::string path = std::string(std::getenv("MOTET_DATA")) + "/temporal/" + name;
  std::istringstream rows(read_whole(path + ".data.gz"));
  std::istringstream labels(read_whole(path + ".labels0.gz"));
  std::vector<std::vector<double>> values;
  for (std::string line; std::getline(rows, line);) {
    std::istringstream fields(line);
    std::vector<double> row;
    for (double x = 0.0; fields >> x;) row.push_back(x);
    if (!row.empty()) values.push_back(row);
  }
  std::vector<int> classes;
  for (int y = 0; labels >> y;) classes.push_back(y);
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return classes[a] < classes[b]; });
  SortedSet set;
  std::vector<double> flat;
  for (const std::size_t n : order) {
    flat.insert(flat.end(), values[n].begin(), values[n].end());
    set.truth.push_back(classes[n] - 1);
  }
  set.features = features_of(values[0].size(), std::move(flat));
  return set;
}

TemporalFit fit_set(const SortedSet& set, const std::string& kind, std::uint64_t seed, double stop = 1e-8) {
  TemporalOptions options;
  options.radius = kind == "static" ? 0 : 2;
  options.inference = kind == "exact" ? Inference::exact : Inference::icm;
  options.coupling = "literal";
  options.tolerance = stop;
  options.max_iterations = 5000;
  RunContext run;
  run.seed = Seed{seed};
  return fit_temporal(set.features, 2, {}, {}, options, run);
}

std::size_t errors(const SortedSet& set, std::span<const std::uint8_t> states) {
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < states.size(); ++n) wrong += states[n] == set.truth[n] ? 0U : 1U;
  return std::min(wrong, states.size() - wrong);
}

Mixture golden_mixture(const Value& golden, const Features& features) {
  Mixture mixture;
  mixture.columns = features.columns;
  for (std::size_t k = 0; k < 2; ++k) {
    Component component;
    for (const Value& x : golden.at("mu").as_list()[k].as_list()) component.mean.push_back(x.as_number());
    for (const Value& line : golden.at("cov").as_list()[k].as_list()) {
      for (const Value& x : line.as_list()) component.covariance.push_back(x.as_number());
    }
    component.share = golden.at("pi").as_list()[k].as_number();
    mixture.components.push_back(component);
  }
  return mixture;
}

// Largest difference of shares, means and covariances under the better naming; in units of the numbers' sizes where
// they are above 1.
double difference(const Mixture& a, const Mixture& b) {
  double least = 1e300;
  for (const std::size_t swap : {0U, 1U}) {
    double most = 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
      const Component& x = a.components[k];
      const Component& y = b.components[k ^ swap];
      const std::size_t size = x.mean.size();
      most = std::max(most, std::abs(x.share - y.share));
      const auto take = [&](double found, double right, double unit) {
        most = std::max(most, std::abs(found - right) / std::max(1.0, unit));
      };
      const auto variance = [&](std::size_t d) { return y.covariance[d * size + d]; };
      for (std::size_t i = 0; i < size; ++i) {
        take(x.mean[i], y.mean[i], std::sqrt(variance(i)));
        for (std::size_t j = 0; j < size; ++j) {
          take(x.covariance[i * size + j], y.covariance[i * size + j], std::sqrt(variance(i) * variance(j)));
        }
      }
    }
    least = std::min(least, most);
  }
  return least;
}

struct Expected {
  const char* name;
  std::size_t still;
  std::size_t modes;
};
constexpr Expected expected[] = {{"atom", 294, 0}, {"wingnut", 36, 8}, {"engytime", 140, 3}};

Value golden_numbers() {
  const std::string path = std::string(MOTET_TEST_DIR) + "/golden/temporal/reference_fcps.json";
  return parse_json(read_whole(path), path);
}

TEST(FcpsSlow, ErrorsAreThoseOfTheDocumentForTenSeeds) {
  if (!has_data()) GTEST_SKIP() << "set MOTET_DATA to the folder of data sets";
  for (const Expected& set_expected : expected) {
    const SortedSet set = sorted_set(set_expected.name);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const std::size_t allowed = std::string(set_expected.name) == "engytime" ? 3 : 0;
      const auto still = static_cast<double>(errors(set, fit_set(set, "static", seed).states));
      EXPECT_NEAR(still, static_cast<double>(set_expected.still), static_cast<double>(allowed)) << set_expected.name;
      EXPECT_EQ(errors(set, fit_set(set, "icm", seed).states), set_expected.modes) << set_expected.name;
      EXPECT_EQ(errors(set, fit_set(set, "exact", seed).states), 0U) << set_expected.name;
    }
  }
}

// Atom's ball within a shell leads the mixture without time astray, and the coupling must not be chosen from there
// alone.
TEST(FcpsSlow, TheCouplingChosenFindsTheClasses) {
  if (!has_data()) GTEST_SKIP() << "set MOTET_DATA to the folder of data sets";
  for (const Expected& set_expected : expected) {
    const SortedSet set = sorted_set(set_expected.name);
    TemporalOptions options;
    options.radius = 10;
    EXPECT_EQ(errors(set, fit_temporal(set.features, 2, {}, {}, options, {}).states), 0U) << set_expected.name;
  }
}

// The reference began at a clustering we do not know; of ten, one leads to its numbers.
TEST(FcpsSlow, ParametersAndObjectivesAreThoseOfTheReference) {
  if (!has_data()) GTEST_SKIP() << "set MOTET_DATA to the folder of data sets";
  const Value golden = golden_numbers();
  for (const Expected& set_expected : expected) {
    const SortedSet set = sorted_set(set_expected.name);
    for (const std::string kind : {"static", "icm", "exact"}) {
      const std::string key = std::string(set_expected.name) + "/" + kind;
      const Value& reference = golden.at(key);
      const Mixture mixture = golden_mixture(reference, set.features);
      double least = 1e300;
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const TemporalFit fit = fit_set(set, kind, seed);
        // The reference leaves out the partition function.
        const double log_z = kind == "exact" ? log_partition(set.features.starts, 2, fit.mixture.field).value : 0.0;
        EXPECT_NEAR(fit.summary.objective.back() + log_z / static_cast<double>(set.features.rows()),
                    reference.at("obj").as_number(), tolerance)
            << key;
        least = std::min(least, difference(fit.mixture, mixture));
      }
      // Atom's static fit is nearly flat: at a rise of 1e-8 per row parameters are still 1e-5 from their end, and not
      // one of ten clusterings takes the reference's way there. The next test compares the ends.
      EXPECT_LT(least, key == "atom/static" ? 1e-5 : tolerance) << key;
    }
  }
}

TEST(FcpsSlow, StaticFitsEndWhereTheReferenceWouldEnd) {
  if (!has_data()) GTEST_SKIP() << "set MOTET_DATA to the folder of data sets";
  const Value golden = golden_numbers();
  for (const char* const name : {"atom", "engytime"}) {
    const SortedSet set = sorted_set(name);
    const Value& reference = golden.at(std::string(name) + "/static");
    Mixture theirs = golden_mixture(reference, set.features);
    const GlobalShape global = global_shape(set.features, 1e-6, {});
    const StaticRule to_the_end{0.0, 5000, 1e-15};
    const FitSummary summary = fit_static(set.features, {}, global, to_the_end, {}, "", theirs);
    EXPECT_NEAR(summary.objective.front(), reference.at("obj").as_number(), 1e-7) << name;
    const TemporalFit ours = fit_set(set, "static", 1, 1e-15);
    EXPECT_NEAR(ours.summary.objective.back(), summary.objective.back(), 1e-12) << name;
    EXPECT_LT(difference(ours.mixture, theirs), tolerance) << name;
  }
}

}  // namespace
}  // namespace motet::temporal::fcps_test
