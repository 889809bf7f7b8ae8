#include "motet/temporal/mixture/shrinkage.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"
#include "temporal/row_cases.h"

namespace motet::temporal::shrinkage_test {
namespace {

constexpr double share = 1e-6;

void expect_usable(const Component& component, std::size_t dimensions) {
  for (const double c : component.covariance) EXPECT_TRUE(std::isfinite(c));
  const DensityFactors factors({&component, 1}, dimensions);  // throws when it is not positive definite
  EXPECT_TRUE(std::isfinite(factors.log_norm(0)));
}

// One M-step of one component that takes all rows.
Component component_of_all(const Features& features, MixtureCovariance kind) {
  const std::size_t dimensions = features.dimensions();
  const GlobalShape global = global_shape(features, share, {1});
  Component component{global.mean, global.covariance, 1.0, -1};
  const std::vector<double> weights(features.rows(), 1.0);
  const DensityFactors factors({&component, 1}, dimensions);
  maximise_component(weighted_moments(factors, features, weights, {1})[0], global, kind, component);
  return component;
}

TEST(Shrinkage, GlobalShapeIsMeanAndCovariance) {
  const Features features = features_of(2, {0, 0, 2, 2, 0, 2, 2, 4});
  const GlobalShape global = global_shape(features, 0.01, {1});
  EXPECT_EQ(global.mean, (std::vector<double>{1.0, 2.0}));
  EXPECT_NEAR(global.floor[0], 0.01, 1e-15);
  EXPECT_NEAR(global.floor[1], 0.02, 1e-15);
  EXPECT_NEAR(global.covariance[0], 1.01, 1e-15);
  EXPECT_NEAR(global.covariance[1], 1.0, 1e-15);
  EXPECT_NEAR(global.covariance[3], 2.02, 1e-15);
}

TEST(Shrinkage, AConstantColumnGetsTheMeanFloorOfTheOthers) {
  const Features features = features_of(3, {0, 0, 0.1, 2, 4, 0.1, 0, 0, 0.1, 2, 4, 0.1});
  const GlobalShape global = global_shape(features, 0.1, {1});
  EXPECT_DOUBLE_EQ(global.floor[2], 0.25);  // of variances 1 and 4
  EXPECT_EQ(global.mean[2], 0.1);
  const Features silence = features_of(2, {0.3, 7, 0.3, 7, 0.3, 7});
  EXPECT_EQ(global_shape(silence, 0.1, {1}).floor, (std::vector<double>{1.0, 1.0}));
}

TEST(Shrinkage, FloorEntersAsAPriorWorthOneRow) {
  const Features features = features_of(1, {0, 2, 0, 2});
  const GlobalShape global = global_shape(features, 0.5, {1});
  Component component{{0.0}, {1.0}, 1.0, -1};
  const Moments moments =
      weighted_moments(DensityFactors({&component, 1}, 1), features, std::vector<double>(4, 1.0), {1})[0];
  maximise_component(moments, global, MixtureCovariance::full, component);
  EXPECT_DOUBLE_EQ(component.mean[0], 1.0);
  EXPECT_DOUBLE_EQ(component.covariance[0], (4.0 + 0.5) / 4.0);
}

TEST(Shrinkage, ComponentsWithoutWeightStayAsTheyAre) {
  const GlobalShape global = global_shape(clustered_rows(10, 2, 1, 0.0, 1), share, {1});
  const Component before = some_components(1, 2, 3)[0];
  Component after = before;
  maximise_component({0.0, {0.0, 0.0}, {0.0, 0.0, 0.0}}, global, MixtureCovariance::full, after);
  EXPECT_EQ(after, before);
}

TEST(Shrinkage, DegenerateRowsGiveUsableComponents) {
  Rng rng(Seed{5});
  std::vector<Features> cases;
  cases.push_back(features_of(3, std::vector<double>(30, 0.0)));  // silence
  cases.push_back(features_of(2, {1, 2, 1, 2, 1, 2, 1, 2}));      // equal rows
  cases.push_back(features_of(1, {5.0}));                         // one row
  cases.push_back(clustered_rows(5, 20, 2, 1.0, 6));              // D > n
  std::vector<double> copied;                                     // equal columns
  std::vector<double> huge;                                       // sizes that square to the limits
  for (int n = 0; n < 200; ++n) {
    const double x = rng.normal();
    copied.insert(copied.end(), {x, x, -2.0 * x, 1e8 + x});
    huge.insert(huge.end(), {1e150 * rng.uniform(-1.0, 1.0), 1e-150 * rng.normal(), rng.normal(), 1e-170 * x});
  }
  cases.push_back(features_of(4, copied));
  cases.push_back(features_of(4, huge));
  for (const Features& features : cases) {
    for (const MixtureCovariance kind : {MixtureCovariance::full, MixtureCovariance::diagonal}) {
      expect_usable(component_of_all(features, kind), features.dimensions());
      const GlobalShape global = global_shape(features, share, {1});
      expect_usable({global.mean, global.covariance, 1.0, -1}, features.dimensions());
      const std::size_t last = features.rows() - 1;
      const std::vector<std::size_t> rows{0, last, 0};
      expect_usable(seeded_component(features, rows, global, kind), features.dimensions());
      expect_usable(seeded_component(features, {rows.data(), 1}, global, kind), features.dimensions());
    }
  }
}

TEST(Shrinkage, ZeroFloorIsUsableToo) {
  const Features features = features_of(2, {1, 2, 1, 2, 3, 4, 3, 4});  // on a line
  const GlobalShape global = global_shape(features, 0.0, {1});
  expect_usable({global.mean, global.covariance, 1.0, -1}, 2);
  Component component = some_components(1, 2, 3)[0];
  maximise_component(
      weighted_moments(DensityFactors({&component, 1}, 2), features, std::vector<double>{1, 1, 0, 0}, {1})[0], global,
      MixtureCovariance::full, component);
  expect_usable(component, 2);
}

TEST(Shrinkage, SeedIsShrunkTowardsASmallCopyOfTheWhole) {
  const Features features = clustered_rows(400, 3, 2, 3.0, 8);
  const GlobalShape global = global_shape(features, share, {1});
  const std::vector<std::size_t> one{7};
  const Component single = seeded_component(features, one, global, MixtureCovariance::full);
  const double rho = 3.0 / 4.0;
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(single.covariance[i], rho * 0.0625 * global.covariance[i], 1e-12);
  EXPECT_EQ(single.mean, std::vector<double>(features.row(7).begin(), features.row(7).end()));

  const std::vector<std::size_t> two{0, 2};
  const Component pair = seeded_component(features, two, global, MixtureCovariance::full);
  const double half = 0.5 * (features.row(0)[0] - features.row(2)[0]);
  EXPECT_NEAR(pair.covariance[0], 0.4 * half * half + 0.6 * 0.0625 * global.covariance[0], 1e-12);
}

TEST(Shrinkage, TiedComponentsShareOneCovariance) {
  const Features features = features_of(1, {0, 2, 10, 14});
  const GlobalShape global = global_shape(features, 0.0, {1});
  std::vector<Component> components{{{0.0}, {1.0}, 0.5, -1}, {{9.0}, {1.0}, 0.5, -1}};
  const std::vector<double> weights{1, 1, 0, 0, 0, 0, 1, 1};
  const std::vector<Moments> moments = weighted_moments(DensityFactors(components, 1), features, weights, {1});
  maximise_components(moments, global, MixtureCovariance::tied, components);
  EXPECT_DOUBLE_EQ(components[0].mean[0], 1.0);
  EXPECT_DOUBLE_EQ(components[1].mean[0], 12.0);
  EXPECT_DOUBLE_EQ(components[0].covariance[0], (2.0 + 8.0) / 4.0);
  EXPECT_EQ(components[0].covariance, components[1].covariance);
}

TEST(Shrinkage, PriorIsTheTraceOfFloorAndInverse) {
  const Features features = clustered_rows(50, 2, 1, 0.0, 2);
  const GlobalShape global = global_shape(features, 0.5, {1});
  const std::vector<Component> components{{{0, 0}, {2.0, 1.0, 1.0, 2.0}, 1.0, -1}};  // inverse: 2/3, -1/3
  EXPECT_NEAR(log_floor_prior(DensityFactors(components, 2), global, MixtureCovariance::full),
              -0.5 * (2.0 / 3.0) * (global.floor[0] + global.floor[1]), 1e-14);
}

TEST(Shrinkage, AValueTooLargeToSquareIsRefused) {
  const Features features = features_of(2, {0, 0, 1, -1e151});
  EXPECT_EQ(error_of([&] { global_shape(features, share, {1}); }, ErrorKind::bad_data),
            "item '2': x2 = -1e+151 is too large; sizes up to 1e150 are allowed");
}

}  // namespace
}  // namespace motet::temporal::shrinkage_test
