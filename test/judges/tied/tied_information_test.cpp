#include "motet/judges/tied/tied_information.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "judges/tied_votes.h"

namespace motet::judges::tied_information_test {
namespace {

// Neither pseudo items nor a scale: the information is that of the votes alone.
const ErrorPenalty no_penalty{0.0, std::numeric_limits<double>::infinity(), 0.0};

Eigen::VectorXd score_of(const TiedErrors& model, std::span<const double> at, std::size_t row) {
  const std::vector<double> score = row_score(model, at, row);
  return Eigen::Map<const Eigen::VectorXd>(score.data(), static_cast<Eigen::Index>(score.size()));
}

// Scores are checked against differences of the row's log-likelihood.
TEST(TiedInformation, RowScoresAreGradients) {
  constexpr double h = 1e-5;
  const Votes votes = linked_votes(3, Seed{24});
  const VoteTable table = make_vote_table(votes);
  const TiedErrors model(table, {}, two_pairs, {});
  const TiedLayout& layout = model.layout();
  const std::vector<double> at = linked_parameters(layout, three_classes);
  const auto log_likelihood = [&](const std::vector<double>& parameters, std::size_t row) {
    std::vector<double> posterior(3);
    const std::vector<double> logs = layout.log_table(parameters);
    return infer_entries(std::span(logs).first(3), logs, model.places_of_row(row), Votes::unknown, 1.0, posterior);
  };
  // Where the free coordinates stand in the flat parameters: rho is not one of them.
  std::vector<std::size_t> places;
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    for (std::size_t f = 0; f < layout.blocks[b].feature_count(); ++f) places.push_back(layout.theta_at[b] + f);
  }
  for (std::size_t row = 0; row < 10; ++row) {
    const std::vector<double> score = row_score(model, at, row);
    ASSERT_EQ(score.size(), places.size() + 2);
    for (std::size_t i = 0; i < score.size(); ++i) {
      const auto moved = [&](double by) {
        std::vector<double> parameters = at;
        if (i < places.size()) {
          parameters[places[i]] += by;
          return parameters;
        }
        const std::size_t y = i - places.size();  // log odds against the last class
        parameters[y] *= std::exp(by);
        const double total = parameters[0] + parameters[1] + parameters[2];
        for (std::size_t c = 0; c < 3; ++c) parameters[c] /= total;
        return parameters;
      };
      const double slope = (log_likelihood(moved(h), row) - log_likelihood(moved(-h), row)) / (2.0 * h);
      EXPECT_NEAR(score[i], slope, 1e-8);
    }
  }
}

// Two classes and judges that are alone: accuracy is 1 / (1 + exp(-2 beta)), so its slope is 2 theta (1 - theta).
TEST(TiedInformation, VariancesAreThoseOfTheInverseSumOfOuterProducts) {
  const Votes votes = linked_votes(2, Seed{26});
  const VoteTable table = make_vote_table(votes);
  const TiedErrors model(table, {}, {}, no_penalty);
  TiedParameters parameters;
  parameters.prior = {0.55, 0.45};
  parameters.beta = {0.4, 0.3, 0.6, 0.5};
  parameters.rho.assign(4, 0.0);
  const std::vector<double> at = model.layout().pack(parameters);
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(5, 5);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const Eigen::VectorXd score = score_of(model, at, row);
    information += table.weight(row) * score * score.transpose();
  }
  const Eigen::MatrixXd covariance = information.inverse();
  const TiedUncertainty found = tied_uncertainty(model, at, {});
  constexpr double ridge = 1e-6;  // what keeps flat directions finite, with room
  for (std::size_t j = 0; j < 4; ++j) {
    const double theta = 1.0 / (1.0 + std::exp(-2.0 * parameters.beta[j]));
    const double slope = 2.0 * theta * (1.0 - theta);
    const auto i = static_cast<Eigen::Index>(j);
    const double expected = slope * slope * covariance(i, i);
    EXPECT_NEAR(found.accuracy_variance[j], expected, ridge * expected);
  }
  const double spread = 0.55 * 0.45;  // slope of a share by its log odds
  EXPECT_NEAR(found.prior_variance[0], spread * spread * covariance(4, 4), ridge * spread * spread * covariance(4, 4));
}

TEST(TiedInformation, AKnownPriorHasNoVariance) {
  const Votes votes = linked_votes(3, Seed{27});
  const VoteTable table = make_vote_table(votes);
  const TiedErrors model(table, three_classes, two_pairs, {});
  const TiedUncertainty found = tied_uncertainty(model, linked_parameters(model.layout(), three_classes), {});
  EXPECT_EQ(found.prior_variance, (std::vector<double>{0.0, 0.0, 0.0}));
}

TEST(TiedInformation, BlockByBlockIsNarrower) {
  const Votes votes = linked_votes(2, Seed{25});
  const VoteTable table = make_vote_table(votes);
  const TiedErrors model(table, {}, two_pairs, {});
  const std::vector<double> at = linked_parameters(model.layout(), std::vector<double>{0.5, 0.5});
  const TiedUncertainty whole = tied_uncertainty(model, at, {});
  const TiedUncertainty apart = tied_uncertainty(model, at, {}, 1);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_LE(apart.accuracy_variance[j], whole.accuracy_variance[j] * (1.0 + 1e-6));
  EXPECT_LE(apart.prior_variance[0], whole.prior_variance[0] * (1.0 + 1e-6));
  EXPECT_NEAR(whole.prior_variance[0], whole.prior_variance[1], 1e-12);
}

// The score test of a pair is that of a model which has it, with weight 0: the score of its gamma, cleared of the
// others.
TEST(TiedInformation, ScoreTestsAreThoseOfTheLargerModel) {
  const std::vector<double> prior{0.6, 0.4};
  const Votes votes = votes_from(linked_labels(prior, Seed{28}), 2);
  const VoteTable table = make_vote_table(votes);
  const TiedErrors model(table, prior, {}, no_penalty);
  TiedParameters parameters;
  parameters.prior = prior;
  parameters.beta = {0.5, 0.3, 0.6, 0.5};
  parameters.rho.assign(4, 0.0);
  const std::vector<ErrorPair> pairs = {{0, 2}, {1, 3}};
  const std::vector<double> found = score_tests(model, model.layout().pack(parameters), pairs, {});
  ASSERT_EQ(found.size(), 2U);
  for (std::size_t p = 0; p < 2; ++p) {
    const TiedErrors larger(table, prior, std::vector<ErrorPair>{pairs[p]}, no_penalty);
    TiedParameters with = parameters;
    with.gamma = {0.0};
    const std::vector<double> at = larger.layout().pack(with);
    // Which coordinate is gamma: the last of the block of two.
    Eigen::Index gamma = 0;
    for (std::size_t b = 0; larger.layout().blocks[b].size() == 1; ++b) ++gamma;
    gamma += 2;
    Eigen::MatrixXd information = Eigen::MatrixXd::Zero(4, 4);
    Eigen::VectorXd cross = Eigen::VectorXd::Zero(4);
    Eigen::VectorXd total = Eigen::VectorXd::Zero(4);
    double u = 0.0;
    double square = 0.0;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      const Eigen::VectorXd all = score_of(larger, at, row);
      Eigen::VectorXd rest(4);
      rest << all.head(gamma), all.tail(4 - gamma);
      const double weight = table.weight(row);
      information += weight * rest * rest.transpose();
      cross += weight * all(gamma) * rest;
      total += weight * rest;
      u += weight * all(gamma);
      square += weight * all(gamma) * all(gamma);
    }
    const Eigen::VectorXd solved = information.ldlt().solve(cross);
    const double cleared = u - solved.dot(total);
    const double expected = cleared * cleared / (square - solved.dot(cross));
    EXPECT_NEAR(found[p], expected, 1e-6 * expected) << p;
  }
  EXPECT_GT(found[0], 3.84);  // the judge that copies; 0.95 of a chi-squared is below
  const std::vector<double> none = score_tests(model, model.layout().pack(parameters), pairs, {}, 1);
  EXPECT_EQ(none, (std::vector<double>{0.0, 0.0}));
}

}  // namespace
}  // namespace motet::judges::tied_information_test
