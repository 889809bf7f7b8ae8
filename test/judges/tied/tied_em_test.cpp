#include "motet/judges/tied/tied_em.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judges/tied_votes.h"
#include "motet/base/numeric.h"
#include "motet/judges/tied/error_inference.h"
#include "motet/judges/tied/tied_information.h"

namespace motet::judges::tied_em_test {
namespace {

const std::vector<ErrorPair> two_pairs = {{0, 2}, {2, 3}};
const std::vector<double> three_classes = {0.5, 0.3, 0.2};

Votes some_votes(std::size_t classes, Seed seed) {
  return votes_from(planted_labels({.items = 60,
                                    .accuracy = {0.7, 0.6, 0.8, 0.75},
                                    .prior = std::vector<double>(classes, 1.0),
                                    .copier = 2,
                                    .copied = 0,
                                    .copying = 0.5,
                                    .left_out = 0.3},
                                   seed),
                    classes);
}

std::vector<double> some_parameters(const TiedLayout& layout, std::span<const double> prior) {
  TiedParameters parameters;
  parameters.prior.assign(prior.begin(), prior.end());
  parameters.beta = {0.4, 0.3, 0.6, 0.5};
  parameters.gamma = {0.7, -0.2};
  parameters.rho = {0.35, 0.35, 0.35, 0.35};
  return layout.pack(parameters);
}

ErrorDependence same_as_dependence() {
  ErrorDependence dependence;
  dependence.beta = {0.4, 0.3, 0.6, 0.5};
  dependence.pairs = {{0, 2, 0.7, 0.0, 0.0}, {2, 3, -0.2, 0.0, 0.0}};
  dependence.shared_errors = {0.35, 0.0, 0.35, 0.35};
  return dependence;
}

TEST(TiedEm, LikelihoodIsThatOfAllPatternsWithMissingVotesAndThreeClasses) {
  for (const std::size_t classes : {std::size_t{2}, std::size_t{3}}) {
    std::vector<double> prior(three_classes.begin(), three_classes.begin() + static_cast<std::ptrdiff_t>(classes));
    if (classes == 2) prior = {0.6, 0.4};
    const auto labels = planted_labels({.items = 60,
                                        .accuracy = {0.7, 0.6, 0.8, 0.75},
                                        .prior = prior,
                                        .copier = 2,
                                        .copied = 0,
                                        .copying = 0.5,
                                        .left_out = 0.3},
                                       Seed{21});
    Votes votes = votes_from(labels, classes);
    votes.known.assign(votes.item_count(), Votes::unknown);
    votes.known[3] = 1;
    const VoteTable table = make_vote_table(votes);
    const TiedErrors model(table, prior, two_pairs, {});
    const std::vector<double> parameters = some_parameters(model.layout(), prior);
    const double found = expect(model.problem(), parameters, 1.0, Threads{1})[0];
    const ErrorInference inference(same_as_dependence(), classes);
    double expected = 0.0;
    std::vector<double> posterior(classes);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      std::vector<double> joint(classes);
      for (std::size_t y = 0; y < classes; ++y) {
        joint[y] = brute_force_log_joint(same_as_dependence(), prior, labels[i], y);
      }
      const double total = i == 3 ? joint[1] : log_sum_exp(joint);
      expected += total;
      EXPECT_NEAR(inference.infer(prior, votes.of_item(i), votes.known_class(i), posterior), total, 1e-12);
      for (std::size_t y = 0; y < classes && i != 3; ++y) EXPECT_NEAR(posterior[y], std::exp(joint[y] - total), 1e-12);
    }
    EXPECT_NEAR(found, expected, 1e-10);
  }
}

TEST(TiedEm, PackingAndBack) {
  const Votes votes = some_votes(3, Seed{22});
  const VoteTable table = make_vote_table(votes);
  const TiedErrors model(table, {}, two_pairs, {});
  const std::vector<double> flat = some_parameters(model.layout(), three_classes);
  EXPECT_EQ(flat.size(), model.layout().parameter_count);
  const TiedParameters parameters = model.layout().unpack(flat, 2);
  EXPECT_EQ(parameters.beta, (std::vector<double>{0.4, 0.3, 0.6, 0.5}));
  EXPECT_EQ(parameters.gamma, (std::vector<double>{0.7, -0.2}));
  EXPECT_EQ(parameters.rho, (std::vector<double>{0.35, 0.0, 0.35, 0.35}));
  EXPECT_EQ(model.layout().pack(parameters), flat);
}

TEST(TiedEm, ObjectiveNeverFalls) {
  for (const std::size_t classes : {std::size_t{2}, std::size_t{3}}) {
    for (const bool accelerate : {false, true}) {
      const Votes votes = some_votes(classes, Seed{23});
      const VoteTable table = make_vote_table(votes);
      const TiedErrors model(table, {}, two_pairs, {});
      const std::vector<double> start = model.layout().pack(model.equal_start(0.7));
      TiedParameters with_rho = model.layout().unpack(start, 2);
      with_rho.rho.assign(4, 0.1);
      const EmResult result = run_em(model.problem(), model.layout().pack(with_rho), {500, 1e-9, 1.0, accelerate}, {});
      EXPECT_NE(result.summary.stop, Stop::objective_fell);
      for (std::size_t i = 1; i < result.summary.objective.size(); ++i) {
        EXPECT_GE(result.summary.objective[i], result.summary.objective[i - 1] - 1e-9);
      }
    }
  }
}

// Scores are checked against differences of the row's log-likelihood.
TEST(TiedEm, RowScoresAreGradients) {
  constexpr double h = 1e-5;
  const Votes votes = some_votes(3, Seed{24});
  const VoteTable table = make_vote_table(votes);
  const TiedErrors model(table, {}, two_pairs, {});
  const TiedLayout& layout = model.layout();
  const std::vector<double> at = some_parameters(layout, three_classes);
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

TEST(TiedEm, BlockByBlockInformationIsNarrower) {
  const Votes votes = some_votes(2, Seed{25});
  const VoteTable table = make_vote_table(votes);
  const TiedErrors model(table, {}, two_pairs, {});
  const std::vector<double> at = some_parameters(model.layout(), std::vector<double>{0.5, 0.5});
  const TiedUncertainty whole = tied_uncertainty(model, at, {});
  const TiedUncertainty apart = tied_uncertainty(model, at, {}, 1);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_LE(apart.accuracy_variance[j], whole.accuracy_variance[j] * (1.0 + 1e-6));
  EXPECT_LE(apart.prior_variance[0], whole.prior_variance[0] * (1.0 + 1e-6));
  EXPECT_NEAR(whole.prior_variance[0], whole.prior_variance[1], 1e-12);
}

}  // namespace
}  // namespace motet::judges::tied_em_test
