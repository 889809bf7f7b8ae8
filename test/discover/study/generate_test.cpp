#include "motet/discover/study/generate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/numeric.h"
#include "support/errors.h"

namespace motet::discover::generate_test {
namespace {

TEST(GenerateEvents, HaveTheirRowsAndClasses) {
  const LabelledFeatures data = generate_events(
      {.rows = 1000, .dimensions = 4, .classes = 3, .events_per_class = 2, .event_length = 20}, Seed{1});
  EXPECT_EQ(data.features.rows(), 1000U);
  EXPECT_EQ(data.features.dimensions(), 4U);
  EXPECT_EQ(data.truth.classes.size(), 4U);
  std::vector<std::size_t> rows(4, 0);
  for (const std::uint32_t of_class : data.truth.of_row) ++rows[of_class];
  EXPECT_EQ(rows, (std::vector<std::size_t>{880, 40, 40, 40}));
  EXPECT_EQ(generate_events({.rows = 1000}, Seed{1}).features.values,
            generate_events({.rows = 1000}, Seed{1}).features.values);
  EXPECT_NE(generate_events({.rows = 1000}, Seed{1}).features.values,
            generate_events({.rows = 1000}, Seed{2}).features.values);
}

TEST(GenerateEvents, StandOutByTheirSeparation) {
  const EventOptions options{
      .classes = 1, .event_length = 1000, .background = 1, .unrest = 0.0, .gusts = 0.0, .gain = 1.0, .bursts = 1.0};
  const LabelledFeatures data = generate_events(options, Seed{2});
  std::vector<double> mean[2] = {std::vector<double>(13, 0.0), std::vector<double>(13, 0.0)};
  double rows[2] = {0.0, 0.0};
  for (std::size_t n = 0; n < options.rows; ++n) {
    const std::uint32_t c = data.truth.of_row[n];
    rows[c] += 1.0;
    for (std::size_t d = 0; d < 13; ++d) mean[c][d] += data.features.row(n)[d];
  }
  double distance = 0.0;
  for (std::size_t d = 0; d < 13; ++d) distance += std::pow(mean[1][d] / rows[1] - mean[0][d] / rows[0], 2.0);
  EXPECT_NEAR(std::sqrt(distance), options.separation, 0.4);
}

TEST(GenerateEvents, ATruthThatIsOneStretchForEveryEvent) {
  const EventOptions options{.rows = 500, .dimensions = 2, .classes = 3, .events_per_class = 4, .event_length = 9};
  const std::vector<std::uint32_t> of_row = generate_events(options, Seed{3}).truth.of_row;
  std::size_t stretches = 0;  // events of one class may touch, so a stretch can hold several
  for (std::size_t n = 0; n < 500;) {
    std::size_t end = n;
    while (end < 500 && of_row[end] == of_row[n]) ++end;
    if (of_row[n] != 0) {
      EXPECT_EQ((end - n) % 9, 0U) << n;
      stretches += (end - n) / 9;
    }
    n = end;
  }
  EXPECT_EQ(stretches, 12U);
}

TEST(GenerateEvents, RefuseEventsThatDoNotFit) {
  EXPECT_EQ(refusal([] { generate_events({.rows = 100}, Seed{1}); }, ErrorKind::usage),
            "5 events of 37 rows do not fit into --rows 100");
  EXPECT_EQ(refusal([] { generate_events({.gain = 2.0}, Seed{1}); }, ErrorKind::usage), "--gain 2 is outside [0, 1]");
}

struct Cluster {
  std::vector<double> x;
  std::vector<double> y;
};

TEST(Toy, HasItsClustersAndTheirOrderInTime) {
  const LabelledFeatures data = toy_of_figure_6_1({}, Seed{1});
  ASSERT_EQ(data.features.rows(), 2000U);
  EXPECT_EQ(data.truth.classes, (std::vector<std::string>{"background", "rare"}));
  std::vector<Cluster> part(3);  // 950 rows on the left, 100 in the middle, 950 on the right
  for (std::size_t n = 0; n < 2000; ++n) {
    const std::size_t at = n < 950 ? 0 : n < 1050 ? 1 : 2;
    EXPECT_EQ(data.truth.of_row[n], at == 1 ? 1U : 0U);
    part[at].x.push_back(data.features.row(n)[0]);
    part[at].y.push_back(data.features.row(n)[1]);
  }
  const double centre[] = {-3.0, 0.0, 3.0};
  const double sd_x[] = {0.6, 0.2, 0.6};
  const double sd_y[] = {2.0, 0.2, 2.0};
  for (std::size_t i = 0; i < 3; ++i) {
    const MeanSd x = mean_sd(part[i].x);
    const MeanSd y = mean_sd(part[i].y);
    const double count = static_cast<double>(part[i].x.size());
    // Four standard errors: sd / sqrt(n) of a mean, sd / sqrt(2 n) of a standard deviation.
    EXPECT_NEAR(x.mean, centre[i], 4.0 * sd_x[i] / std::sqrt(count));
    EXPECT_NEAR(y.mean, 0.0, 4.0 * sd_y[i] / std::sqrt(count));
    EXPECT_NEAR(x.sd, sd_x[i], 4.0 * sd_x[i] / std::sqrt(2.0 * count));
    EXPECT_NEAR(y.sd, sd_y[i], 4.0 * sd_y[i] / std::sqrt(2.0 * count));
  }
}

TEST(Toy, ClustersMayAlternateAndNoiseMayLieAnywhere) {
  const LabelledFeatures data = toy_of_figure_6_1({.interleaved = true, .noise = 40}, Seed{2});
  ASSERT_EQ(data.features.rows(), 2040U);
  ASSERT_EQ(data.features.values.size(), 4080U);
  std::size_t changes = 0;
  std::size_t rare = 0;
  for (std::size_t n = 0; n < 2040; ++n) {
    rare += data.truth.of_row[n];
    EXPECT_LT(std::abs(data.features.row(n)[0]), 8.0);
    if (n > 0) changes += (data.features.row(n)[0] > 0.0) != (data.features.row(n - 1)[0] > 0.0) ? 1 : 0;
  }
  EXPECT_EQ(rare, 100U);
  EXPECT_GT(changes,
            1300U);  // in each of 950 pairs of rows, and half the time between them; without alternation about 50
}

}  // namespace
}  // namespace motet::discover::generate_test
