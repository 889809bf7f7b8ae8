#include "motet/discover/discovery.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "discover/search_cases.h"
#include "motet/discover/bytes.h"
#include "motet/discover/certificate.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::discover::discovery_test {
namespace {

std::size_t apart(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

TEST(Discovery, EachComponentNominatesTheRowThatFitsItLeast) {
  const LabelledFeatures data = toy_of_figure_6_1({}, Seed{1});
  DiscoverOptions options = search_options(Strategy::literal, 2);
  const Discovery discovery = start_discovery(data.features, options, {});
  ASSERT_EQ(discovery.queue.size(), 2U);
  const std::size_t rows = data.features.rows();
  for (const Nomination& nomination : discovery.queue) {
    const auto k = static_cast<std::size_t>(nomination.component);
    EXPECT_EQ(discovery.states[nomination.row], k);
    for (std::size_t n = 0; n < rows; ++n) {
      if (discovery.states[n] != k) continue;
      EXPECT_LE(nomination.log_density, discovery.densities[k * rows + n]);
    }
  }
}

Discovery started(const LabelledFeatures& data, Strategy strategy, std::size_t exclusion, std::size_t batch) {
  DiscoverOptions options = search_options(strategy, 4);
  options.exclusion = exclusion;
  options.batch = batch;
  return start_discovery(data.features, options, {});
}

TEST(Discovery, NeverAsksWithinTheExclusionOfAnAnswerOrAnotherQuestion) {
  const LabelledFeatures data = short_events(Seed{3});
  for (const Strategy strategy : every_strategy) {
    Discovery discovery = started(data, strategy, 4, 5);
    while (!discovery.queue.empty()) {
      for (const Nomination& nomination : discovery.queue) {
        for (const Answer& answer : discovery.answers) EXPECT_GT(apart(answer.row, nomination.row), 4U);
        for (const Nomination& other : discovery.queue) {
          EXPECT_TRUE(&other == &nomination || apart(other.row, nomination.row) > 4U);
        }
      }
      take_answer(data.features, discovery, true_answer(data, discovery.queue.front().row), {});
    }
    EXPECT_TRUE(certificate(data.features, discovery).complete) << name_of(strategy);
  }
}

TEST(Discovery, WithoutExclusionEveryRowIsAskedOnce) {
  const LabelledFeatures data = short_events(Seed{4});
  for (const Strategy strategy : every_strategy) {
    Discovery discovery = started(data, strategy, 0, 40);
    std::set<std::size_t> asked;
    while (!discovery.queue.empty()) {
      const std::size_t row = discovery.queue.front().row;
      EXPECT_TRUE(asked.insert(row).second);
      take_answer(data.features, discovery, true_answer(data, row), {});
    }
    EXPECT_EQ(asked.size(), data.features.rows()) << name_of(strategy);
  }
}

TEST(Discovery, ExclusionEndsAtTheBorderOfASequence) {
  const Features features = noise_rows(20, 2, Seed{5}, {10, 10});
  DiscoverOptions options = search_options(Strategy::random, 3);
  options.exclusion = 9;
  Discovery discovery = start_discovery(features, options, {});
  ASSERT_EQ(discovery.queue.size(), 2U);
  take_answer(features, discovery, {9, AnswerKind::nothing, ""}, {});
  for (const Nomination& nomination : discovery.queue) EXPECT_GE(nomination.row, 10U);
  EXPECT_EQ(discovery.queue.size(), 1U);
}

TEST(Discovery, AnAnswerTakesAwayTheQuestionsNearIt) {
  const LabelledFeatures data = short_events(Seed{6});
  DiscoverOptions options = search_options(Strategy::temporal, 6);
  options.batch = 4;
  Discovery discovery = start_discovery(data.features, options, {});
  ASSERT_EQ(discovery.queue.size(), 4U);
  const std::vector<Nomination> before = discovery.queue;
  const std::size_t near = before[2].row + (before[2].row > 200 ? -3 : 3);
  take_answer(data.features, discovery, {near, AnswerKind::nothing, ""}, {});
  EXPECT_EQ(std::count(discovery.queue.begin(), discovery.queue.end(), before[2]), 0);
  EXPECT_EQ(discovery.updates, 0U);
  take_answer(data.features, discovery, {before[0].row, AnswerKind::not_sure, ""}, {});
  EXPECT_EQ(std::count(discovery.queue.begin(), discovery.queue.end(), before[0]), 0);
}

TEST(Discovery, ANewClassGetsAComponentFromTheRowAndItsNearestNeighboursInTime) {
  // Rows 0 ... 9 are 0, 1, ..., but row 5 is like row 3 and 7; row 4 is known to be background.
  Features features = features_of({0.0, 9.0, 9.5, 5.1, 5.0, 5.0, 9.0, 5.2, 0.1, 0.2}, 1);
  DiscoverOptions options = search_options(Strategy::temporal, 2);
  options.batch = 9;
  options.exclusion = 0;
  Discovery discovery = start_discovery(features, options, {});
  take_answer(features, discovery, {4, AnswerKind::nothing, ""}, {});
  ASSERT_EQ(discovery.updates, 0U);
  take_answer(features, discovery, {5, AnswerKind::of_class, "hum"}, {});
  ASSERT_EQ(discovery.mixture.classes, (std::vector<std::string>{"background", "hum"}));
  ASSERT_EQ(discovery.mixture.components.size(), 3U);
  EXPECT_EQ(discovery.mixture.components[2].of_class, 1);
  // Of 3, 6 and 7 the two nearest to row 5 are 3 and 7.
  EXPECT_NEAR(discovery.mixture.components[2].mean[0], (5.0 + 5.1 + 5.2) / 3.0, 1e-12);
  EXPECT_EQ(discovery.states[3], 2);
  EXPECT_EQ(discovery.states[5], 2);
  EXPECT_EQ(discovery.states[7], 2);
  EXPECT_NE(discovery.states[6], 2);
}

TEST(Discovery, ANewClassAtTheEndOfASequenceUsesWhatIsThere) {
  Features features = noise_rows(12, 2, Seed{8}, {4, 8});
  DiscoverOptions options = search_options(Strategy::temporal, 6);
  options.batch = 3;
  options.exclusion = 0;
  Discovery discovery = start_discovery(features, options, {});
  take_answer(features, discovery, {0, AnswerKind::of_class, "a"}, {});
  EXPECT_EQ(std::count(discovery.states.begin() + 4, discovery.states.end(), 2), 0);
  EXPECT_EQ(std::count(discovery.states.begin(), discovery.states.begin() + 4, 2), 4);
}

TEST(Discovery, SeveralNewClassesInABatchGetAComponentEach) {
  const LabelledFeatures data = short_events(Seed{9});
  DiscoverOptions options = search_options(Strategy::temporal, 3);
  options.batch = 4;
  Discovery discovery = start_discovery(data.features, options, {});
  const std::vector<Nomination> asked = discovery.queue;
  take_answer(data.features, discovery, {asked[0].row, AnswerKind::of_class, "a"}, {});
  take_answer(data.features, discovery, {asked[1].row, AnswerKind::of_class, "b"}, {});
  take_answer(data.features, discovery, {asked[2].row, AnswerKind::of_class, "a"}, {});
  EXPECT_EQ(discovery.mixture.components.size(), 4U);
  EXPECT_EQ(discovery.updates, 0U);
  take_answer(data.features, discovery, {asked[3].row, AnswerKind::nothing, ""}, {});
  EXPECT_EQ(discovery.updates, 1U);
  EXPECT_EQ(discovery.mixture.classes.size(), 3U);
}

TEST(Discovery, TheNameOfTheBackgroundMeansNothingHere) {
  const LabelledFeatures data = short_events(Seed{10});
  Discovery discovery = start_discovery(data.features, search_options(Strategy::temporal, 3), {});
  take_answer(data.features, discovery, {3, AnswerKind::of_class, "background"}, {});
  EXPECT_EQ(discovery.answers[0], (Answer{3, AnswerKind::nothing, ""}));
  EXPECT_EQ(discovery.mixture.classes.size(), 1U);
}

TEST(Discovery, ALaterAnswerReplacesTheEarlierAndAClassWithoutAnswersIsForgotten) {
  const LabelledFeatures data = short_events(Seed{11});
  for (const Strategy strategy : every_strategy) {
    Discovery discovery = start_discovery(data.features, search_options(strategy, 3), {});
    const std::size_t before = discovery.mixture.components.size();
    take_answer(data.features, discovery, {50, AnswerKind::of_class, "a"}, {});
    take_answer(data.features, discovery, {150, AnswerKind::of_class, "b"}, {});
    take_answer(data.features, discovery, {200, AnswerKind::of_class, "c"}, {});
    take_answer(data.features, discovery, {50, AnswerKind::of_class, "b"}, {});
    EXPECT_EQ(discovery.mixture.classes, (std::vector<std::string>{"background", "b", "c"})) << name_of(strategy);
    for (const Component& component : discovery.mixture.components) EXPECT_LE(component.of_class, 2);
    EXPECT_TRUE(std::all_of(discovery.states.begin(), discovery.states.end(),
                            [&](std::uint8_t state) { return state < discovery.mixture.components.size(); }));
    take_answer(data.features, discovery, {50, AnswerKind::nothing, ""}, {});
    take_answer(data.features, discovery, {150, AnswerKind::not_sure, ""}, {});
    take_answer(data.features, discovery, {200, AnswerKind::nothing, ""}, {});
    EXPECT_EQ(discovery.mixture.classes.size(), 1U);
    EXPECT_EQ(discovery.mixture.components.size(), before);
    EXPECT_EQ(certificate(data.features, discovery).answered, 2U);
  }
}

TEST(Discovery, RowsThatPeopleAreNotSureOfComeLastAndLeaveTheirNeighboursOpen) {
  const Features features = noise_rows(30, 2, Seed{12});
  DiscoverOptions options = search_options(Strategy::static_mixture, 3);
  options.exclusion = 0;
  Discovery discovery = start_discovery(features, options, {});
  const std::size_t first = discovery.queue.front().row;
  take_answer(features, discovery, {first, AnswerKind::not_sure, ""}, {});
  std::size_t asked = 0;
  for (; discovery.queue.front().row != first; ++asked) {
    take_answer(features, discovery, {discovery.queue.front().row, AnswerKind::nothing, ""}, {});
    ASSERT_FALSE(discovery.queue.empty());
  }
  EXPECT_EQ(asked, 29U);
  take_answer(features, discovery, {first, AnswerKind::nothing, ""}, {});
  EXPECT_TRUE(discovery.queue.empty());
}

TEST(Discovery, AnAnswerThatIsTakenBackOpensTheSearchAgain) {
  const Features features = noise_rows(30, 2, Seed{13});
  Discovery discovery = start_discovery(features, search_options(Strategy::temporal, 4), {});
  while (!discovery.queue.empty()) {
    take_answer(features, discovery, {discovery.queue.front().row, AnswerKind::nothing, ""}, {});
  }
  const std::size_t last = discovery.answers.back().row;
  take_answer(features, discovery, {last, AnswerKind::not_sure, ""}, {});
  ASSERT_FALSE(discovery.queue.empty());
  EXPECT_LE(apart(discovery.queue.front().row, last), 4U);
}

TEST(Discovery, TakesNewRowsInWithWhatWasLearned) {
  LabelledFeatures data = short_events(Seed{14});
  const LabelledFeatures more = short_events(Seed{15});
  for (const Strategy strategy : every_strategy) {
    Features features = data.features;
    Discovery discovery = start_discovery(features, search_options(strategy, 5), {});
    for (int i = 0; i < 12; ++i) take_answer(features, discovery, true_answer(data, discovery.queue.front().row), {});
    const std::vector<Component> components = discovery.mixture.components;
    append(features, more.features);
    take_rows(features, discovery, {});
    EXPECT_EQ(discovery.mixture.components, components);
    EXPECT_EQ(discovery.states.size(), 800U);
    EXPECT_EQ(discovery.isolated.size(), 800U);
    EXPECT_EQ(discovery.answers.size(), 12U);
    ASSERT_FALSE(discovery.queue.empty());
    bool asks_new_rows = false;
    for (int i = 0; i < 40 && !discovery.queue.empty(); ++i) {
      const std::size_t row = discovery.queue.front().row;
      asks_new_rows |= row >= 400;
      take_answer(features, discovery, {row, AnswerKind::nothing, ""}, {});
    }
    EXPECT_TRUE(asks_new_rows) << name_of(strategy);
  }
}

TEST(Discovery, SurvivesSilenceEqualRowsAndMoreColumnsThanRows) {
  const Features silence = features_of(std::vector<double>(60, 0.0), 2);
  const Features few = noise_rows(3, 8, Seed{16});
  const Features one = noise_rows(1, 2, Seed{17});
  for (const Strategy strategy : every_strategy) {
    for (const Features* features : {&silence, &few, &one}) {
      DiscoverOptions options{.strategy = strategy, .components = 1};
      Discovery discovery = start_discovery(*features, options, {});
      for (std::size_t i = 0; !discovery.queue.empty(); ++i) {
        const std::string name = i % 2 == 0 ? "a" : "b";
        take_answer(*features, discovery, {discovery.queue.front().row, AnswerKind::of_class, name}, {});
      }
      EXPECT_TRUE(certificate(*features, discovery).complete);
      for (const Component& component : discovery.mixture.components) {
        for (const double value : component.covariance) EXPECT_TRUE(std::isfinite(value));
      }
    }
  }
  EXPECT_NO_THROW(start_discovery(silence, {}, {}));
  EXPECT_NO_THROW(start_discovery(one, {}, {}));
}

TEST(DiscoverySlow, TheSameBytesOnAnyNumberOfThreads) {
  const LabelledFeatures data = generate_events({.rows = 2000, .dimensions = 5}, Seed{18});
  for (const Strategy strategy : {Strategy::temporal, Strategy::static_mixture, Strategy::nndm}) {
    std::string first;
    for (const unsigned threads : {1U, 2U, 4U}) {
      RunContext run;
      StartedThreads started(threads);
      run.threads = started;
      DiscoverOptions options{.strategy = strategy};
      Discovery discovery = start_discovery(data.features, options, run);
      for (int i = 0; i < 25; ++i) {
        take_answer(data.features, discovery, true_answer(data, discovery.queue.front().row), run);
      }
      const std::string bytes = to_bytes(discovery);
      if (first.empty()) first = bytes;
      EXPECT_TRUE(bytes == first) << name_of(strategy) << " on " << threads << " threads";
    }
  }
}

TEST(Discovery, RefusesWhatCannotBe) {
  const Features features = noise_rows(20, 2, Seed{19}, {12, 8});
  Discovery discovery = start_discovery(features, search_options(Strategy::temporal, 3), {});
  EXPECT_EQ(error_of(
                [&] {
                  take_answer(features, discovery, {20, AnswerKind::nothing, ""}, {});
                },
                ErrorKind::usage),
            "row 21 is not there; the rows are 1 to 20");
  EXPECT_EQ(error_of(
                [&] {
                  take_answer(features, discovery, {2, AnswerKind::of_class, ""}, {});
                },
                ErrorKind::usage),
            "item 3: the class has no name");
  EXPECT_TRUE(discovery.answers.empty());
  EXPECT_EQ(error_of([&] { start_discovery(features, search_options(Strategy::temporal, 12), {}); }, ErrorKind::usage),
            "--radius 12 is not shorter than the longest sequence; it has 12 rows");
  EXPECT_EQ(error_of([&] { start_discovery(Features{}, {}, {}); }, ErrorKind::unanswerable),
            "there are no rows to ask about");
  Features broken = features;
  broken.values[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of([&] { start_discovery(broken, {}, {}); }, ErrorKind::bad_data),
            "item 4, column x2 = nan is not a finite number");
  DiscoverOptions options{.label_weight = 1.0};
  EXPECT_EQ(error_of([&] { start_discovery(features, options, {}); }, ErrorKind::usage),
            "--label-weight 1 is outside [-1, 0.99]");
}

}  // namespace
}  // namespace motet::discover::discovery_test
