#include "motet/judges/confusion/confusion_em.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "judges/vote_cases.h"
#include "support/errors.h"

namespace motet::judges::confusion_em_test {
namespace {

std::vector<double> statistics_of(const Votes& votes, const ConfusionSpec& spec, std::span<const double> parameters) {
  const VoteTable table = make_vote_table(votes);
  return expect(confusion_problem(table, spec), parameters, 1.0, Threads{2});
}

// A statistic sums shares of items, so it is compared on the scale of the largest.
void expect_close(const std::vector<double>& found, const std::vector<double>& careful, double tolerance) {
  ASSERT_EQ(found.size(), careful.size());
  EXPECT_NEAR(found[0], careful[0], tolerance * std::abs(careful[0]));
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_NEAR(found[i], careful[i], tolerance * (1.0 + careful[i])) << i;
}

class Kernel : public testing::TestWithParam<std::size_t> {};  // by the number of classes

TEST_P(Kernel, EqualsLogarithms) {
  constexpr double tolerance = 1e-12;  // products of up to 8 votes: a few rounding errors
  for (const double gold : {0.0, 0.2}) {
    for (const std::size_t items : {60U, 3000U}) {  // each row by itself; merged rows with weights
      const VoteCase wanted{.items = items, .judges = items > 60 ? 2U : 8U, .classes = GetParam(), .gold = gold};
      const Votes votes = random_votes(wanted, Seed{1});
      const std::vector<double> parameters = random_parameters(wanted.judges, GetParam(), Rng(Seed{2}));
      expect_close(statistics_of(votes, {}, parameters), careful_statistics(votes, parameters, 1.0), tolerance);
      ConfusionSpec discounted;
      discounted.vote_weight = 0.4;
      expect_close(statistics_of(votes, discounted, parameters), careful_statistics(votes, parameters, 0.4), tolerance);
    }
  }
}

TEST_P(Kernel, EqualsLogarithmsWithHundredsOfVotesAnItem) {
  constexpr double tolerance = 1e-12;  // 1,200 rounding errors of 1e-16, most of which cancel
  for (const std::size_t judges : {300U, 1200U}) {
    // Accuracy of chance keeps several classes alive while their products fall below 1e-500.
    const VoteCase wanted{.items = 20, .judges = judges, .classes = GetParam(), .accuracy = 0.1};
    const Votes votes = random_votes(wanted, Seed{3});
    const std::vector<double> parameters = random_parameters(judges, GetParam(), Rng(Seed{4}));
    expect_close(statistics_of(votes, {}, parameters), careful_statistics(votes, parameters, 1.0), tolerance);
  }
}

TEST_P(Kernel, EqualsLogarithmsWithTinyProbabilities) {
  // The logarithms themselves are of the order of 10,000 here, each with an error of 1e-12.
  constexpr double tolerance = 1e-10;
  const VoteCase wanted{.items = 200, .judges = 60, .classes = GetParam(), .accuracy = 0.3};
  const Votes votes = random_votes(wanted, Seed{5});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(Seed{seed});
    std::vector<double> parameters = random_parameters(wanted.judges, GetParam(), rng.child(0));
    for (std::size_t i = GetParam(); i < parameters.size(); ++i) {
      if (rng.uniform() < 0.3) parameters[i] = std::pow(10.0, -rng.uniform(1.0, seed % 2 == 0 ? 60.0 : 300.0));
    }
    expect_close(statistics_of(votes, {}, parameters), careful_statistics(votes, parameters, 1.0), tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(ConfusionEm, Kernel, testing::Values(2U, 3U, 4U, 5U, 7U));

TEST(ConfusionEm, AClassThatUnderflowedComesBackWhenTheOthersFall) {
  // Class 0: 8 votes of 1e-45, then 40 of 0.9. Class 1: 8 of 0.5, then 40 of 1e-12. Class 0 is the likelier one.
  std::vector<Vote> list;
  NameList judges;
  std::vector<double> parameters = {0.5, 0.5};
  for (std::uint32_t j = 0; j < 48; ++j) {
    judges.push_back("j" + std::to_string(j));
    list.push_back({0, j, 0});
    const double p[2] = {j < 8 ? 1e-45 : 0.9, j < 8 ? 0.5 : 1e-12};
    parameters.insert(parameters.end(), {p[0], p[1], 1.0 - p[0], 1.0 - p[1]});
  }
  const Votes votes =
      make_votes(NameList(std::vector<std::string>{"x"}), judges, NameList(std::vector<std::string>{"a", "b"}), list);
  const std::vector<double> found = statistics_of(votes, {}, parameters);
  EXPECT_NEAR(found[1], 1.0, 1e-15);
  EXPECT_NEAR(found[0], careful_statistics(votes, parameters, 1.0)[0], 1e-9);  // of about -833
}

TEST(ConfusionEm, InferRowIsBayes) {
  const std::vector<double> parameters = {0.25, 0.75, 0.9, 0.2, 0.1, 0.8};
  std::vector<double> posterior(2);
  const std::vector<std::uint32_t> said = {0};
  EXPECT_NEAR(infer_row(parameters, 2, said, Votes::unknown, posterior), std::log(0.225 + 0.15), 1e-15);
  EXPECT_NEAR(posterior[0], 0.6, 1e-15);
  EXPECT_NEAR(infer_row(parameters, 2, said, 1, posterior), std::log(0.15), 1e-15);
  EXPECT_EQ(posterior, (std::vector<double>{0.0, 1.0}));
  const std::vector<double> impossible = {0.25, 0.75, 0.0, 0.0, 1.0, 1.0};
  EXPECT_EQ(infer_row(impossible, 2, said, Votes::unknown, posterior), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(posterior, (std::vector<double>{0.25, 0.75}));
}

TEST(ConfusionEm, RowsWithoutWeightDoNotCountEvenIfImpossible) {
  const Votes votes = random_votes({.items = 3, .judges = 1, .classes = 2, .answered = 1.0}, Seed{1});
  VoteTable table = make_vote_table(votes);
  table.weights.assign(table.row_count(), 0.0);
  const std::vector<double> parameters = {0.5, 0.5, 0.0, 0.0, 0.0, 0.0};
  for (const double b : {1.0, 0.5}) {
    const auto found = expect(confusion_problem(table, {}), parameters, b, Threads{1});
    EXPECT_EQ(found, std::vector<double>(found.size(), 0.0));
  }
}

TEST(ConfusionEm, AWrongSizeOfThePriorIsADefect) {
  const Votes votes = random_votes({}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  ConfusionSpec spec;
  spec.known_prior = {0.5, 0.5};
  EXPECT_EQ(error_of([&] { confusion_problem(table, spec); }, ErrorKind::internal),
            "confusion_problem: prior does not fit the classes");
}

}  // namespace
}  // namespace motet::judges::confusion_em_test
