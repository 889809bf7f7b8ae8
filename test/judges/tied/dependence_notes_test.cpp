#include "motet/judges/tied/dependence_notes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "judges/tied_votes.h"
#include "support/errors.h"
#include "support/words.h"

namespace motet::judges::dependence_notes_test {
namespace {

using Labels = std::vector<std::vector<int>>;
using Words = std::vector<std::string>;

const std::vector<double> uniform{0.5, 0.5};
const std::vector<double> unequal{0.7, 0.3};

Votes silent(std::size_t judges, std::size_t voting, std::size_t classes = 2) {
  Labels labels(4, std::vector<int>(judges, no_vote));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < voting; ++j) labels[i][j] = static_cast<int>((i + j) % 2);
  }
  return votes_from(labels, classes);
}

TEST(RefuseDependence, NeedsThreeJudgesWithVotesOrSomethingKnown) {
  const auto refusal = [](const Votes& votes, std::span<const double> prior) {
    return refuse_dependence(make_vote_table(votes), prior);
  };
  const std::string rest =
      ": at least three must label the same items; add judges, known labels, or a known and unequal class prior";
  const std::string whether = "whether judges err together cannot be told from the votes of ";
  EXPECT_EQ(refusal(silent(4, 2), {}), whether + "two" + rest);
  EXPECT_EQ(refusal(silent(4, 1), uniform), whether + "one" + rest);
  EXPECT_EQ(refusal(silent(4, 0), {}), whether + "none" + rest);
  EXPECT_EQ(refusal(silent(4, 3), uniform), "");
  EXPECT_EQ(refusal(silent(4, 2), unequal), "");
  Votes known = silent(4, 2);
  known.known = {0, Votes::unknown, Votes::unknown, Votes::unknown};
  EXPECT_EQ(refusal(known, uniform), "");
}

PatternBudget budget_of(std::size_t judges, std::size_t classes, const std::vector<double>& prior = {}) {
  return pattern_budget(make_vote_table(silent(judges, judges, classes)), prior);
}

// In how many ways judges can agree: labellings, the same up to the names of the classes once only.
std::size_t ways_to_agree(std::size_t judges, std::size_t classes) {
  std::size_t ways = 0;
  std::vector<std::size_t> label(judges, 0);
  while (true) {
    std::size_t highest = 0;
    bool is_first = true;  // labels appear in the order of their numbers
    for (const std::size_t l : label) {
      is_first = is_first && l <= highest;
      if (l == highest) ++highest;
    }
    ways += is_first ? 1 : 0;
    std::size_t j = 0;
    while (j < judges && ++label[j] == classes) label[j++] = 0;
    if (j == judges) return ways;
  }
}

TEST(PatternBudget, PatternsAreThoseOfVotesOrOfAgreement) {
  for (const std::size_t classes : {std::size_t{2}, std::size_t{3}}) {
    const std::vector<double> equal(classes, 1.0 / static_cast<double>(classes));
    for (std::size_t judges = 1; judges <= 5; ++judges) {
      const PatternBudget open = budget_of(judges, classes);
      EXPECT_EQ(open.patterns, std::pow(classes, judges));
      EXPECT_EQ(open.parameters, judges + classes - 1);
      const PatternBudget even = budget_of(judges, classes, equal);
      EXPECT_EQ(even.patterns, static_cast<double>(ways_to_agree(judges, classes)));
      EXPECT_EQ(even.parameters, judges);
    }
  }
  Votes known = silent(3, 3);
  known.known = {0, 1, 0, 1};
  EXPECT_EQ(pattern_budget(make_vote_table(known), uniform).patterns, std::numeric_limits<double>::infinity());
  EXPECT_EQ(pattern_budget(make_vote_table(silent(5, 3)), {}).parameters, 3U + 1U);  // only judges that vote
}

TEST(PatternBudget, AllowsAsManyParametersAsPatternsLessOne) {
  const std::vector<ErrorPair> pairs = {{0, 1}, {0, 2}, {1, 2}, {0, 3}};
  const auto first = [&](std::size_t count) { return std::span(pairs).first(count); };
  EXPECT_TRUE(budget_of(3, 2).allows(first(3)));           // 4 + 3 parameters, 8 patterns
  EXPECT_TRUE(budget_of(3, 2, uniform).allows(first(0)));  // 3, 4 patterns
  EXPECT_FALSE(budget_of(3, 2, uniform).allows(first(1)));
  EXPECT_TRUE(budget_of(4, 2, uniform).allows(first(3)));  // 4 + 3, 8 patterns
  EXPECT_FALSE(budget_of(4, 2, uniform).allows(first(4)));
  // Three classes: each block has a share of errors in common beside its pairs.
  const std::vector<double> thirds(3, 1.0 / 3.0);
  EXPECT_EQ(budget_of(3, 3, thirds).patterns, 5.0);
  EXPECT_FALSE(budget_of(3, 3, thirds).allows(first(1)));  // 3 + 1 + 1, 5 patterns
  EXPECT_TRUE(budget_of(40, 2).allows(pairs));             // plenty
}

TEST(TooSymmetric, WhereAnEqualPriorLeavesNoRoomForAPair) {
  const auto asked = [](std::size_t judges, std::vector<double> prior) {
    return too_symmetric(make_vote_table(silent(judges, judges)), prior);
  };
  EXPECT_TRUE(asked(3, {0.52, 0.48}));
  EXPECT_FALSE(asked(3, {0.56, 0.44}));
  EXPECT_FALSE(asked(4, {0.5, 0.5}));
  EXPECT_FALSE(asked(1, {0.5, 0.5}));
}

DependenceFit independent_fit(std::size_t judges, double accuracy) {
  DependenceFit fit;
  fit.dependence.beta.assign(judges, 0.5 * std::log(accuracy / (1.0 - accuracy)));
  fit.dependence.accuracy.assign(judges, accuracy);
  fit.dependence.shared_errors.assign(judges, 0.0);
  return fit;
}

NameList names(std::size_t judges) { return silent(judges, judges).judges; }

TEST(DependenceWarnings, SayWhatWasFound) {
  DependenceFit fit = independent_fit(4, 0.75);
  fit.dependence.pairs = {{0, 1, 0.9, 0.6, 20.0}, {2, 3, -0.4, -0.25, 9.0}};
  fit.unmeasured = {{1, 3}};
  fit.by_class_gain = 17.6;
  fit.rival = RivalReading{{0, 2}, 1.5, {0.55, 0.75, 0.9, 0.75}};
  EXPECT_EQ(dependence_warnings(fit, 2, {}, true, names(4)),
            (Words{"judges 'judge1' and 'judge2' err together (their errors correlate 0.60): the two count as 1.2 "
                   "independent judges; this is allowed for",
                   "judges 'judge3' and 'judge4' tend to be wrong on different items (their errors correlate -0.25); "
                   "this is allowed for",
                   "judges 'judge2' and 'judge4' may err together, but with that in the model these votes no longer "
                   "determine the accuracies, so it is left out; add judges, items or known labels",
                   "errors depend on the class (a table for each judge fits better, BIC +18), which can pass for "
                   "dependence between judges; compare with the full confusion tables without dependence",
                   "another reading fits nearly as well: judges 'judge1' and 'judge3' err together, and their "
                   "accuracies are 'judge1' 0.55 instead of 0.75, 'judge3' 0.90 instead of 0.75; these votes do not "
                   "tell the two readings apart, more judges, items or known labels would"}));
}

TEST(DependenceWarnings, AreShortWhereThereIsLittleToSay) {
  DependenceFit fit = independent_fit(3, 0.75);
  fit.by_class_gain = 10.0;
  EXPECT_EQ(dependence_warnings(fit, 2, {}, true, names(3)), Words{});
  EXPECT_EQ(dependence_warnings(fit, 2, {}, false, names(3)),
            Words{"dependence was not looked for: no two judges have 30 items in common"});
  fit.checkable = false;
  fit.rival = RivalReading{{0, 1}, 0.5, {0.5, 0.5, 0.9}};
  EXPECT_EQ(dependence_warnings(fit, 2, {}, false, names(3)),
            Words{"dependence cannot be checked with three judges and equally frequent classes; add a judge, known "
                  "labels or a known and unequal class prior"});
}

TEST(DependenceWarnings, ManyPairsAreCountedAndJudgesWithoutNamesNumbered) {
  DependenceFit fit = independent_fit(14, 0.75);
  for (std::size_t j = 0; j < 14; j += 2) fit.dependence.pairs.push_back({j, j + 1, 0.9, 1.0, 20.0});
  const Words found = dependence_warnings(fit, 2, {}, true, {});
  ASSERT_EQ(found.size(), 6U);
  EXPECT_EQ(found[0],
            "judges 1 and 2 err together (their errors correlate 1.00): the two count as 1.0 independent "
            "judges; this is allowed for");
  EXPECT_EQ(found[5], "2 more pairs of judges err together; this is allowed for");
}

// Skills of 1/2 explain an agreement beyond chance of 1/4.
TEST(DependenceWarnings, AgreementThatTheFitDoesNotExplainIsNamed) {
  DependenceFit fit = independent_fit(3, 0.75);
  Agreement agreement;
  agreement.pairs = {{0, 1, 400.0, 320.0, 0.6, 0.0}, {0, 2, 400.0, 250.0, 0.25, 0.0}, {1, 2, 400.0, 290.0, 0.45, 0.0}};
  const std::string told =
      "judges 'judge1' and 'judge2' agree on 320 of 400 shared items, 7.0 standard deviations more than this fit "
      "explains: look whether one copies the other";
  EXPECT_EQ(dependence_warnings(fit, 2, agreement, true, names(3)), Words{told});
  fit.dependence.pairs = {{0, 1, 0.9, 0.6, 20.0}};
  EXPECT_EQ(dependence_warnings(fit, 2, agreement, true, names(3)).size(), 1U);  // the pair alone: it is allowed for
}

TEST(DependenceWarnings, TwinsAreNamedUnlessOthersAgreeAsOften) {
  const DependenceFit fit = independent_fit(3, 0.99);
  Agreement agreement;
  agreement.pairs = {{0, 1, 50.0, 49.0, 0.96, 0.0}, {0, 2, 50.0, 40.0, 0.6, 0.0}, {1, 2, 50.0, 45.0, 0.8, 0.0}};
  EXPECT_EQ(dependence_warnings(fit, 2, agreement, true, names(3)),
            Words{"judges 'judge1' and 'judge2' agree on 49 of 50 shared items and with nobody else nearly as often: "
                  "either both are nearly always right, as is assumed here, or one copies the other"});
  agreement.pairs[2].agreed = 46.0;
  EXPECT_EQ(dependence_warnings(fit, 2, agreement, true, names(3)), Words{});
}

// With every class known the tables are counts with half a vote added, and the difference of BIC is plain arithmetic.
TEST(GainByClass, IsTheDifferenceOfBicToTables) {
  Labels labels;
  for (int i = 0; i < 60; ++i) labels.push_back({i % 2, i % 5 == 0 ? 1 - i % 2 : i % 2, i % 3 == 0 ? 1 : i % 2});
  Votes votes = votes_from(labels, 2);
  for (int i = 0; i < 60; ++i) votes.known.push_back(i % 2);
  const VoteTable table = make_vote_table(votes);
  double tables = 0.0;
  for (std::size_t j = 0; j < 3; ++j) {
    double counts[2][2] = {{0.0, 0.0}, {0.0, 0.0}};  // true class, label
    for (std::size_t i = 0; i < 60; ++i) counts[i % 2][labels[i][j]] += 1.0;
    for (const auto& row : counts) {
      for (const double count : row) tables += count > 0.0 ? count * std::log((count + 0.5) / 31.0) : 0.0;
    }
  }
  tables += 60.0 * std::log(0.5);
  DependenceFit fit = independent_fit(3, 0.8);
  fit.log_likelihood = -90.0;
  // A table of two classes has two numbers, an accuracy one: three more in all.
  const double expected = 2.0 * (tables + 90.0) - 3.0 * std::log(60.0);
  EXPECT_NEAR(gain_by_class(table, uniform, fit, {}), expected, 1e-3);  // steps that end at 1e-5
  fit.dependence.pairs = {{0, 1, 0.5, 0.3, 1.0}};
  EXPECT_NEAR(gain_by_class(table, uniform, fit, {}), expected + std::log(60.0), 1e-3);
}

}  // namespace
}  // namespace motet::judges::dependence_notes_test
