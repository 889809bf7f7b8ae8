#include "motet/judges/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/errors.h"

namespace motet::judges::simulate_test {
namespace {

// Four standard errors of a share: of the some 50 compared here one misses in 300 seeds.
constexpr double errors_allowed = 4.0;

void expect_share(double count, double total, double p) {
  EXPECT_NEAR(count / total, p, errors_allowed * std::sqrt(p * (1.0 - p) / total) + 1e-12);
}

SimulateOptions options_of(std::size_t items, std::size_t judges, std::size_t classes) {
  SimulateOptions options;
  options.items = items;
  options.judges = judges;
  options.classes = classes;
  return options;
}

// How often judge j said c when y was true, [y][c]; the last column counts no vote.
std::vector<std::vector<double>> table_of(const SimulatedVotes& data, std::size_t judge) {
  const std::size_t k = data.votes.class_count();
  std::vector<std::vector<double>> counts(k, std::vector<double>(k + 1, 0.0));
  for (std::size_t i = 0; i < data.votes.item_count(); ++i) {
    std::size_t said = k;
    for (const std::uint32_t code : data.votes.of_item(i)) said = code / k == judge ? code % k : said;
    counts[static_cast<std::size_t>(data.truth[i])][said] += 1.0;
  }
  return counts;
}

TEST(Simulate, FrequenciesAreThosePlanted) {
  for (const double bias : {0.0, 0.4, 1.0}) {
    SimulateOptions options = options_of(20'000, 3, 3);
    options.prior = "a=0.5,b=0.3,c=0.2";
    options.accuracy = "0.9,0.6,0.4";
    options.answered = 0.7;
    options.bias = bias;
    const SimulatedVotes data = simulate_votes(options, Seed{1});
    EXPECT_EQ(data.accuracy, (std::vector<double>{0.9, 0.6, 0.4}));
    const std::vector<double> prior = {0.5, 0.3, 0.2};
    for (std::size_t j = 0; j < 3; ++j) {
      const auto table = table_of(data, j);
      for (std::size_t y = 0; y < 3; ++y) {
        const double items = table[y][0] + table[y][1] + table[y][2] + table[y][3];
        const double answers = items - table[y][3];
        expect_share(items, 20'000.0, prior[y]);
        expect_share(answers, items, 0.7);
        const double wrong = 1.0 - data.accuracy[j];
        expect_share(table[y][y], answers, data.accuracy[j]);
        expect_share(table[y][(y + 1) % 3], answers, wrong * (bias + (1.0 - bias) / 2.0));
        expect_share(table[y][(y + 2) % 3], answers, wrong * (1.0 - bias) / 2.0);
      }
    }
  }
}

TEST(Simulate, TheLastJudgeCopiesAsOftenAsAsked) {
  SimulateOptions options = options_of(20'000, 3, 2);
  options.accuracy = "0.7";
  options.copying = 0.6;
  const SimulatedVotes data = simulate_votes(options, Seed{1});
  double agree[2] = {0.0, 0.0};
  for (std::size_t i = 0; i < 20'000; ++i) {
    const auto codes = data.votes.of_item(i);
    for (std::size_t j = 0; j < 2; ++j) agree[j] += codes[j] % 2 == codes[j + 1] % 2 ? 1.0 : 0.0;
  }
  const double independent = 0.7 * 0.7 + 0.3 * 0.3;
  expect_share(agree[0], 20'000.0, independent);
  expect_share(agree[1], 20'000.0, 0.6 + 0.4 * independent);
}

TEST(Simulate, MoreItemsLeaveTheFirstOnesAlone) {
  SimulateOptions options = options_of(50, 4, 3);
  options.answered = 0.6;
  const SimulatedVotes few = simulate_votes(options, Seed{9});
  options.items = 200;
  const SimulatedVotes many = simulate_votes(options, Seed{9});
  EXPECT_EQ(few.accuracy, many.accuracy);
  EXPECT_TRUE(std::equal(few.truth.begin(), few.truth.end(), many.truth.begin()));
  EXPECT_TRUE(std::equal(few.votes.codes.begin(), few.votes.codes.end(), many.votes.codes.begin()));
  EXPECT_TRUE(std::equal(few.votes.starts.begin(), few.votes.starts.end(), many.votes.starts.begin()));
  EXPECT_NE(simulate_votes(options, Seed{10}).votes.codes, many.votes.codes);
}

TEST(Simulate, AccuraciesFromARangeStayInIt) {
  SimulateOptions options = options_of(1, 500, 2);
  options.accuracy = "0.6..0.7";
  const std::vector<double> accuracy = simulate_votes(options, Seed{1}).accuracy;
  EXPECT_EQ(accuracy.size(), 500U);
  for (const double value : accuracy) EXPECT_TRUE(value >= 0.6 && value < 0.7);
}

TEST(Simulate, ClassNames) {
  EXPECT_EQ(simulated_classes(3).to_vector(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(simulated_classes(26)[25], "z");
  EXPECT_EQ(simulated_classes(27)[26], "c27");
}

TEST(Simulate, BadOptionsAreNamed) {
  const auto refusal = [](auto change) -> std::string {
    SimulateOptions options;
    change(options);
    return error_of([&] { simulate_votes(options, Seed{1}); }, ErrorKind::usage);
  };
  EXPECT_EQ(refusal([](auto& o) { o.items = 0; }), "--items 0 is outside [1, 100000000]");
  EXPECT_EQ(refusal([](auto& o) { o.classes = 1; }), "--classes 1 is outside [2, 1000]");
  EXPECT_EQ(refusal([](auto& o) { o.answered = 0.0; }), "--answered 0 is outside [0.001, 1]");
  EXPECT_EQ(refusal([](auto& o) { o.accuracy = "0.9,0.7"; }), "--accuracy: 2 values for 5 judges");
  EXPECT_EQ(refusal([](auto& o) { o.accuracy = "0.9..0.6"; }), "--accuracy: '0.9..0.6' runs from high to low");
  EXPECT_EQ(refusal([](auto& o) { o.accuracy = "1.2"; }), "--accuracy 1.2 is outside [0, 1]");
  EXPECT_EQ(refusal([](auto& o) { o.accuracy = "good"; }), "--accuracy: 'good' is not a number");
  EXPECT_EQ(refusal([](auto& o) { o.prior = "estimate"; }),
            "--prior: 'estimate' is not possible here; say 'uniform' or the shares");
  EXPECT_EQ(refusal([](auto& o) { o.prior = "a=1"; }), "--prior: class 'b' has no share");
}

}  // namespace
}  // namespace motet::judges::simulate_test
