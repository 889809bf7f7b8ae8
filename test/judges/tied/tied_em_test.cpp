#include "motet/judges/tied/tied_em.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judges/tied_votes.h"
#include "motet/base/numeric.h"

namespace motet::judges::tied_em_test {
namespace {

TEST(TiedEm, LikelihoodIsThatOfAllPatternsWithMissingVotesAndThreeClasses) {
  for (const std::vector<double>& prior : {std::vector<double>{0.6, 0.4}, three_classes}) {
    const auto labels = linked_labels(prior, Seed{21});
    Votes votes = votes_from(labels, prior.size());
    votes.known.assign(votes.item_count(), Votes::unknown);
    votes.known[3] = 1;
    const VoteTable table = make_vote_table(votes);
    const TiedErrors model(table, prior, two_pairs, {});
    double expected = 0.0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      std::vector<double> joint;
      for (std::size_t y = 0; y < prior.size(); ++y) {
        joint.push_back(brute_force_log_joint(linked_dependence(), prior, labels[i], y));
      }
      expected += i == 3 ? joint[1] : log_sum_exp(joint);
    }
    const std::vector<double> at = linked_parameters(model.layout(), prior);
    EXPECT_NEAR(expect(model.problem(), at, 1.0, Threads{1})[0], expected, 1e-10);
  }
}

TEST(TiedEm, PackingAndBack) {
  const Votes votes = linked_votes(3, Seed{22});
  const VoteTable table = make_vote_table(votes);
  const TiedErrors model(table, {}, two_pairs, {});
  const std::vector<double> flat = linked_parameters(model.layout(), three_classes);
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
      const Votes votes = linked_votes(classes, Seed{23});
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

}  // namespace
}  // namespace motet::judges::tied_em_test
