// Rows with known clusters, for the tests of mixtures.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/io/json.h"
#include "motet/temporal/mixture/mixture.h"

namespace motet::temporal {

inline RunContext run_with(std::uint64_t seed, Threads threads = {1}) {
  RunContext run;
  run.seed = Seed{seed};
  run.threads = threads;
  return run;
}

// What is read from the model file of a mixture, which has lost nothing.
inline Mixture read_back(const Mixture& mixture) {
  const Record record = to_record(mixture);
  const Mixture back =
      mixture_from_record({record.kind, record.version, parse_json(to_json(record.fields, 1), "m.json")});
  EXPECT_EQ(back.components, mixture.components);
  EXPECT_EQ(to_record(back), record);
  return back;
}

inline Features features_of(std::size_t dimensions, std::vector<double> values) {
  Features features;
  for (std::size_t d = 0; d < dimensions; ++d) features.columns.push_back("x" + std::to_string(d + 1));
  features.starts = {0, values.size() / dimensions};
  features.sequences = {"all"};
  features.values = std::move(values);
  return features;
}

// Clusters at 0, apart, 2 apart ... in every column, in runs of `run` rows; columns are correlated.
inline Features clustered_rows(std::size_t rows, std::size_t dimensions, std::size_t clusters, double apart,
                               std::uint64_t seed, std::size_t run = 1) {
  Rng rng(Seed{seed});
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    const double centre = apart * static_cast<double>(n / run % clusters);
    const double common = rng.normal();
    for (std::size_t d = 0; d < dimensions; ++d) values.push_back(centre + 0.5 * common + rng.normal());
  }
  return features_of(dimensions, std::move(values));
}

// Three clusters of 57 rows at 0, 10, 20; three rows of each far away.
inline Features rows_with_far_ones() {
  Features features = clustered_rows(180, 2, 3, 10.0, 1, 60);
  for (std::size_t n = 0; n < 180; n += 20) {
    features.values[2 * n] = 500.0 * std::cos(static_cast<double>(n));
    features.values[2 * n + 1] = 500.0 * std::sin(static_cast<double>(n));
  }
  return features;
}

// A symmetric positive definite matrix A A^T + 1.
inline std::vector<double> some_covariance(std::size_t dimensions, Rng& rng) {
  std::vector<double> a(dimensions * dimensions);
  for (double& x : a) x = rng.normal() / std::sqrt(static_cast<double>(dimensions));
  std::vector<double> covariance(dimensions * dimensions, 0.0);
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j < dimensions; ++j) {
      double sum = i == j ? 1.0 : 0.0;
      for (std::size_t l = 0; l < dimensions; ++l) sum += a[i * dimensions + l] * a[j * dimensions + l];
      covariance[i * dimensions + j] = sum;
    }
  }
  return covariance;
}

inline std::vector<Component> some_components(std::size_t count, std::size_t dimensions, std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<Component> components(count);
  for (Component& component : components) {
    for (std::size_t d = 0; d < dimensions; ++d) component.mean.push_back(rng.normal());
    component.covariance = some_covariance(dimensions, rng);
    component.share = 1.0 / static_cast<double>(count);
  }
  return components;
}

}  // namespace motet::temporal
