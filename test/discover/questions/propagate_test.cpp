#include "motet/discover/questions/propagate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "discover/search_cases.h"
#include "motet/discover/bytes.h"
#include "motet/discover/segments.h"

namespace motet::discover::propagate_test {
namespace {

TEST(Propagation, SpreadsAnAnswerOverTheEventAndHoldsAnswers) {
  const LabelledFeatures data = generate_events({.rows = 600,
                                                 .dimensions = 4,
                                                 .classes = 1,
                                                 .event_length = 31,
                                                 .background = 1,
                                                 .gusts = 0.0,
                                                 .separation = 8.0,
                                                 .gain = 1.0,
                                                 .bursts = 1.0},
                                                Seed{3});
  DiscoverOptions search = search_options(Strategy::temporal, 15, 1);
  Discovery discovery = start_discovery(data.features, search, {});
  std::size_t begin = 0;
  while (data.truth.of_row[begin] == 0) ++begin;
  take_answer(data.features, discovery, {begin + 15, AnswerKind::of_class, "event1"}, {});
  const Propagation rows = propagate(data.features, discovery, {});
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < 600; ++n) wrong += rows.of_class[n] != static_cast<std::int32_t>(data.truth.of_row[n]);
  EXPECT_LE(wrong, 4U);
  EXPECT_EQ(rows.probability[begin + 15], 1.0);
  const std::vector<Segment> segments = segments_of(data.features, discovery, rows, {.minimum_length = 5.0});
  ASSERT_EQ(segments.size(), 1U);
  EXPECT_NEAR(segments[0].begin, static_cast<double>(begin), 4.0);

  take_answer(data.features, discovery, {begin + 3, AnswerKind::nothing, ""}, {});
  EXPECT_EQ(propagate(data.features, discovery, {}).of_class[begin + 3], 0);
}

// Without a coupling the posterior of a static mixture, summed over the components of a class.
TEST(Propagation, WithoutCouplingIsThePosteriorOfEachRow) {
  const Features features = features_of({-1.0, 0.5, 1.4, 2.2, 6.0}, 1);
  Discovery discovery;
  discovery.options.radius = 3;
  discovery.options.propagation_coupling = 0.0;
  discovery.mixture.columns = features.columns;
  discovery.mixture.classes = {"background", "owl"};
  // The third belongs to no class yet, which counts as background.
  discovery.mixture.components = {{{0.0}, {1.0}, 0.5, 0}, {{2.0}, {0.25}, 0.3, 1}, {{5.0}, {4.0}, 0.2, -1}};
  discovery.states.assign(5, 0);
  discovery.answers = {{0, AnswerKind::of_class, "owl"}, {3, AnswerKind::not_sure, ""}};
  const Propagation found = propagate(features, discovery, {});
  EXPECT_EQ(found.of_class[0], 1);
  EXPECT_EQ(found.probability[0], 1.0);
  for (std::size_t n = 1; n < 5; ++n) {
    double of_class[2] = {0.0, 0.0};
    for (const Component& one : discovery.mixture.components) {
      const double z = features.values[n] - one.mean[0];
      of_class[std::max(0, one.of_class)] +=
          one.share * std::exp(-0.5 * z * z / one.covariance[0]) / std::sqrt(one.covariance[0]);
    }
    const int best = of_class[1] > of_class[0] ? 1 : 0;
    EXPECT_EQ(found.of_class[n], best) << n;
    EXPECT_NEAR(found.probability[n], of_class[best] / (of_class[0] + of_class[1]), 1e-12) << n;
  }
  // Densities that are at hand are not computed again.
  discovery.densities.assign(15, -50.0);
  EXPECT_NEAR(propagate(features, discovery, {}).probability[1], 0.7, 1e-12);
}

TEST(Propagation, IsTheSameAfterLoading) {
  const LabelledFeatures data = short_events(Seed{4});
  for (const Strategy strategy : every_strategy) {
    Discovery discovery = start_discovery(data.features, search_options(strategy, 5), {});
    for (int i = 0; i < 15; ++i) {
      take_answer(data.features, discovery, true_answer(data, discovery.queue.front().row), {});
    }
    const Propagation kept = propagate(data.features, discovery, {});
    const Propagation loaded = propagate(data.features, discovery_from_bytes(to_bytes(discovery)), {});
    EXPECT_EQ(kept.of_class, loaded.of_class);
    EXPECT_EQ(kept.probability, loaded.probability);
  }
}

}  // namespace
}  // namespace motet::discover::propagate_test
