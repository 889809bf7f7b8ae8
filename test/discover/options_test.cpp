#include "motet/discover/options.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/errors.h"

namespace motet::discover::options_test {
namespace {

// What is said of options that were changed.
std::string told(const std::function<void(DiscoverOptions&)>& change) {
  DiscoverOptions options;
  change(options);
  return refusal([&] { check_ranges(options); }, ErrorKind::usage);
}

// The word in messages is the one that the option takes.
TEST(DiscoverOptions, AStrategyIsCalledByTheWordThatChoosesIt) {
  for (const Strategy strategy :
       {Strategy::temporal, Strategy::static_mixture, Strategy::literal, Strategy::interleave, Strategy::nndm,
        Strategy::random, Strategy::static_gmm, Strategy::adaptive, Strategy::farthest_first,
        Strategy::isolation_forest, Strategy::energy, Strategy::density, Strategy::grid, Strategy::distance}) {
    DiscoverOptions options;
    for (const Field& field : fields_of(options)) {
      if (field.name == "strategy") field.set(name_of(strategy));
    }
    EXPECT_EQ(options.strategy, strategy);
  }
  EXPECT_EQ(name_of(Strategy::static_mixture), "static");
  EXPECT_EQ(name_of(static_cast<Strategy>(99)), "?");
}

TEST(DiscoverOptions, StandAsTheyAreUnlessSaidOtherwise) {
  EXPECT_EQ(told([](DiscoverOptions&) {}), "accepted");
}

TEST(DiscoverOptions, NumbersOutsideTheirRangesAreRefused) {
  EXPECT_EQ(told([](DiscoverOptions& o) { o.radius = 1'000'001; }), "--radius 1000001 is outside [0, 1000000]");
  EXPECT_EQ(told([](DiscoverOptions& o) { o.components = 201; }), "--components 201 is outside [0, 200]");
  EXPECT_EQ(told([](DiscoverOptions& o) { o.label_weight = 1.0; }), "--label-weight 1 is outside [-1, 0.99]");
  EXPECT_EQ(told([](DiscoverOptions& o) { o.exclusion = -2; }), "--exclusion -2 is outside [-1, 1000000]");
  EXPECT_EQ(told([](DiscoverOptions& o) { o.batch = 10'001; }), "--batch 10001 is outside [0, 10000]");
  EXPECT_EQ(told([](DiscoverOptions& o) { o.isolation = 101; }), "--isolation 101 is outside [0, 100]");
  EXPECT_EQ(told([](DiscoverOptions& o) { o.nomination_coupling = -1.5; }),
            "--nomination-coupling -1.5 is outside [-1, 1e+06]");
  EXPECT_EQ(told([](DiscoverOptions& o) { o.propagation_coupling = -1.0; }),
            "--propagation-coupling -1 is outside [0, 1e+06]");
  EXPECT_EQ(told([](DiscoverOptions& o) { o.floor = 0.0; }), "--floor 0 is outside [1e-09, 1]");
}

}  // namespace
}  // namespace motet::discover::options_test
