#include "motet/superset/companions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/rng.h"
#include "motet/superset/predict.h"
#include "motet/superset/train.h"
#include "superset/candidate_cases.h"

namespace motet::superset::companions_test {
namespace {

struct Drawn {
  EvidenceMatrix evidence;
  std::vector<double> probability;  // the truth is drawn from it
};

// Labels join sets by chance, each with its own rate.
Drawn draw(std::size_t rows, const std::vector<double>& rate, Seed seed) {
  const std::size_t classes = rate.size();
  Drawn drawn{{rows, classes, {}}, {}};
  Rng rng(seed);
  for (std::size_t n = 0; n < rows; ++n) {
    std::vector<double> p(classes);
    double sum = 0.0;
    for (double& value : p) sum += value = std::exp(1.5 * rng.normal());
    for (double& value : p) value /= sum;
    const std::size_t truth = rng.categorical(p);
    for (std::size_t l = 0; l < classes; ++l) {
      drawn.evidence.values.push_back(l == truth || rng.uniform() < rate[l] ? 1.0 : 0.0);
    }
    drawn.probability.insert(drawn.probability.end(), p.begin(), p.end());
  }
  return drawn;
}

TEST(Companions, PlantedRatesAreFoundAndTheObjectiveNeverFalls) {
  const std::vector<double> rate{0.6, 0.3, 0.1, 0.02, 0.4};
  const Drawn drawn = draw(4000, rate, Seed{3});
  const CompanionFit fit = fit_companions(drawn.evidence, drawn.probability);
  for (std::size_t i = 1; i < fit.summary.objective.size(); ++i) {
    EXPECT_GE(fit.summary.objective[i], fit.summary.objective[i - 1] - 1e-9 * std::abs(fit.summary.objective[i]));
  }
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  for (std::size_t l = 0; l < rate.size(); ++l) {
    // Four standard errors of a share among 4000 rows, and half as much again because the truth is hidden.
    EXPECT_NEAR(fit.rate[l], rate[l], 6.0 * std::sqrt(rate[l] * (1.0 - rate[l]) / 4000.0)) << l;
  }
}

TEST(Companions, TheLikelihoodIsThatOfWholeSets) {
  // Of three classes: the seven sets that are not empty have the probabilities of all but nothing.
  const std::vector<double> rate{0.5, 0.2, 0.7};
  const std::vector<double> p{0.2, 0.5, 0.3};
  double sum = 0.0;
  for (int set = 1; set < 7; ++set) {  // the set of all three says nothing and is not counted
    const EvidenceMatrix evidence{1, 3, {set & 1 ? 1.0 : 0.0, set & 2 ? 1.0 : 0.0, set & 4 ? 1.0 : 0.0}};
    sum += std::exp(companion_log_likelihoods(evidence, p, rate)[0]);
  }
  const double all = 0.2 * 0.2 * 0.7 + 0.5 * 0.5 * 0.7 + 0.3 * 0.5 * 0.2;
  EXPECT_NEAR(sum, 1.0 - all, 1e-12);
}

TEST(Companions, WeightsAndRowsOfAllClassesAreLeftAsTheyAre) {
  const EvidenceMatrix evidence{3, 3, {1.0, 0.5, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0}};
  EXPECT_FALSE(is_plain(evidence.row(0)));
  EXPECT_FALSE(is_plain(evidence.row(1)));
  EXPECT_TRUE(is_plain(evidence.row(2)));
  const EvidenceMatrix weighed = credited(evidence, credits(std::vector<double>{0.4, 0.1, 0.1}, 1.0));
  EXPECT_EQ(weighed.values, (std::vector<double>{1.0, 0.5, 0.0, 1.0, 1.0, 1.0, 0.25, 1.0, 0.0}));
}

// Two rare classes that never come without `sky`, whose own items are a third; `sky` is everywhere.
CandidateItems pictures(std::size_t rows, Seed seed) {
  CandidateItems items;
  items.features.columns = {"x", "y"};
  items.classes = {"sky", "cow", "boat", "tree"};
  const double centre[4][2] = {{0.0, 0.0}, {2.5, 0.0}, {0.0, 2.5}, {2.5, 2.5}};
  Rng rng(seed);
  for (std::size_t n = 0; n < rows; ++n) {
    const auto truth = static_cast<std::uint32_t>(rng.below(4));
    for (const double c : centre[truth]) items.features.values.push_back(c + rng.normal());
    std::vector<std::uint32_t> set;
    for (std::uint32_t l = 0; l < 4; ++l) {
      if (l == truth || rng.uniform() < (l == 0 ? 0.95 : 0.15)) set.push_back(l);
    }
    items.label.insert(items.label.end(), set.begin(), set.end());
    items.starts.push_back(items.label.size());
    items.truth.push_back(static_cast<std::int32_t>(truth));
  }
  return items;
}

TEST(CompanionsSlow, AutoWeighsThemWhereOneClassIsInNearlyEverySet) {
  const CandidateItems items = pictures(500, Seed{4});
  const CandidateItems fresh = pictures(500, Seed{5});
  SupersetOptions options{.folds = 3};
  const auto accuracy = [&](CompanionRule rule) {
    options.companions = rule;
    const TrainedSuperset trained = train_superset(items, options, {});
    if (rule == CompanionRule::automatic) {
      EXPECT_LT(trained.model.credit[0], 0.9);
      // Rates from companions of 500 items; the labels are hidden, so twice four standard errors.
      EXPECT_NEAR(trained.model.companions[0], 0.95, 8.0 * std::sqrt(0.95 * 0.05 / 500.0));
    }
    return accuracy_of(predict(trained.model, fresh.features, {}, {1}).probability, fresh);
  };
  const double equal = accuracy(CompanionRule::equal);
  EXPECT_GT(accuracy(CompanionRule::automatic), equal + 0.05);
}

TEST(Companions, AutoTakesCandidatesAsEqualWhereTheyJoinByChance) {
  SupersetOptions options{.folds = 3};
  const SupersetModel model = train_superset(easy_items(150), options, {}).model;
  EXPECT_EQ(model.credit, std::vector<double>(3, 1.0));
}

}  // namespace
}  // namespace motet::superset::companions_test
