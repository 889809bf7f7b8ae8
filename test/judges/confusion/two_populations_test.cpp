#include "motet/judges/confusion/two_populations.h"

#include "judges/regression_cases.h"
#include "motet/base/numeric.h"
#include "support/errors.h"

namespace motet::judges::two_populations_test {
namespace {

NameList names(const std::vector<std::string>& list) { return NameList(list); }

NameList numbered(std::size_t count) {
  NameList list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(std::to_string(i));
  return list;
}

// Judge j votes for class "no" on the first first[j] of `items` items, for "yes" on the others.
Votes votes_with(const std::vector<std::string>& judges, std::size_t items, const std::vector<std::uint32_t>& first) {
  std::vector<Vote> list;
  for (std::uint32_t j = 0; j < judges.size(); ++j) {
    for (std::uint32_t i = 0; i < items; ++i) list.push_back({i, j, i < first[j] ? 0U : 1U});
  }
  return make_votes(numbered(items), names(judges), names({"no", "yes"}), list);
}

std::uint32_t draw_first(std::size_t items, double prior, double theta11, double theta22, Rng& rng) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < items; ++i) {
    const double says_first = rng.uniform() < prior ? theta11 : 1.0 - theta22;
    count += rng.uniform() < says_first ? 1U : 0U;
  }
  return count;
}

TEST(TwoPopulations, SolvesTheTwoEquations) {
  // theta11 = .9, theta22 = .7: p_a = .75 * .9 + .25 * .3 = .75, p_b = .3 * .9 + .7 * .3 = .48.
  const Votes a = votes_with({"ann", "bob"}, 100, {75, 25});
  const Votes b = votes_with({"bob", "ann"}, 100, {52, 48});  // bob says the opposite of ann
  const TwoPopulationsResult result = rate_two_populations(a, b, {.prior_a = 0.75, .prior_b = 0.3});
  constexpr double rounding = 1e-12;
  ASSERT_EQ(result.judges.size(), 2U);
  const TwoPopulationsJudge& ann = result.judges[0];
  EXPECT_EQ(ann.name, "ann");
  EXPECT_NEAR(ann.right_on_first.value, 0.9, rounding);
  EXPECT_NEAR(ann.right_on_second.value, 0.7, rounding);
  EXPECT_NEAR(ann.risk_a.value, 0.75 * 0.1 + 0.25 * 0.3, rounding);
  EXPECT_NEAR(ann.risk_b.value, 0.3 * 0.1 + 0.7 * 0.3, rounding);
  EXPECT_NEAR(result.judges[1].right_on_first.value, 0.1, rounding);
  EXPECT_NEAR(result.judges[1].right_on_second.value, 0.3, rounding);
  EXPECT_TRUE(result.warnings.empty());
  // The variance of a risk, by hand: risk_a = c + x p_a + z p_b with x, z from differences.
  const double va = 0.75 * 0.25 / 100.0;
  const double vb = 0.48 * 0.52 / 100.0;
  const double x = (-0.75 * 0.7 + 0.25 * -0.3) / 0.45;
  const double z = (0.75 * 0.25 + 0.25 * 0.75) / 0.45;
  EXPECT_NEAR(ann.risk_a.error, std::sqrt(x * x * va + z * z * vb), rounding);
}

TEST(TwoPopulations, SpreadMatchesTheory) {
  constexpr std::size_t items = 1000;
  constexpr int repeats = 4000;
  const TwoPopulationsOptions options{.prior_a = 0.75, .prior_b = 0.3};
  const TwoPopulationsResult exact =
      rate_two_populations(votes_with({"a"}, items, {750}), votes_with({"a"}, items, {480}), options);
  EXPECT_NEAR(exact.judges[0].right_on_first.error, 0.02304, 5e-6);  // E20, five digits
  EXPECT_NEAR(exact.judges[0].right_on_second.error, 0.02787, 5e-6);

  std::vector<double> first;
  std::vector<double> second;
  int covered = 0;
  Rng rng(Seed{31});
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Votes a = votes_with({"a"}, items, {draw_first(items, 0.75, 0.9, 0.7, rng)});
    const Votes b = votes_with({"a"}, items, {draw_first(items, 0.3, 0.9, 0.7, rng)});
    const TwoPopulationsJudge judge = rate_two_populations(a, b, options).judges[0];
    first.push_back(judge.right_on_first.value);
    second.push_back(judge.right_on_second.value);
    covered += judge.right_on_second.interval.contains(0.7) ? 1 : 0;
  }
  // A spread from 4000 values has a relative standard error of 1/sqrt(8000) = 1.1 %: four of them.
  EXPECT_NEAR(mean_sd(first).sd / 0.02304, 1.0, 0.045);
  EXPECT_NEAR(mean_sd(second).sd / 0.02787, 1.0, 0.045);
  EXPECT_NEAR(mean_sd(first).mean, 0.9, 4.0 * 0.02304 / std::sqrt(repeats));
  // Binomial: sqrt(.95 * .05 / 4000) = .0034, four of them.
  EXPECT_NEAR(static_cast<double>(covered) / repeats, 0.95, 0.014);
}

TEST(TwoPopulations, IntervalsStayInTheUnitIntervalAndErrorsAboveZero) {
  const TwoPopulationsJudge judge =
      rate_two_populations(votes_with({"a"}, 10, {10}), votes_with({"a"}, 10, {0}), {.prior_a = 1.0, .prior_b = 0.0})
          .judges[0];
  EXPECT_EQ(judge.right_on_first.value, 1.0);
  EXPECT_EQ(judge.right_on_second.value, 1.0);
  EXPECT_NEAR(judge.right_on_first.error, std::sqrt(0.05 * 0.95 / 10.0), 1e-12);  // half a vote inside
  EXPECT_EQ(judge.right_on_first.interval.high, 1.0);
  EXPECT_LT(judge.right_on_first.interval.low, 0.9);
}

TEST(TwoPopulations, Warnings) {
  const TwoPopulationsResult result =
      rate_two_populations(votes_with({"ann", "bob"}, 1000, {990, 500}), votes_with({"ann", "cid"}, 1000, {100, 300}),
                           {.prior_a = 0.6, .prior_b = 0.4});
  ASSERT_EQ(result.judges.size(), 1U);
  EXPECT_EQ(result.judges[0].right_on_first.value, 1.0);
  EXPECT_EQ(
      result.warnings,
      (std::vector<std::string>{
          "judge 'ann': accuracy on 'no' = 2.77 was cut to 1, further than chance explains; are the priors right, "
          "and does the judge err alike in both populations?",
          "judge 'ann': accuracy on 'yes' = 2.68 was cut to 1, further than chance explains; are the priors right, "
          "and does the judge err alike in both populations?",
          "judge 'bob' voted only in the first population; left out",
          "judge 'cid' voted only in the second population; left out"}));
}

TEST(TwoPopulations, Refusals) {
  const Votes two = votes_with({"ann"}, 4, {2});
  const Votes other = votes_with({"bob"}, 4, {2});
  const std::vector<Vote> one_vote = {{0, 0, 2}};
  const Votes three = make_votes(names({"i"}), names({"ann"}), names({"a", "b", "c"}), one_vote);
  EXPECT_EQ(
      error_of([&] { rate_two_populations(two, two, {.prior_a = 0.4, .prior_b = 0.4}); }, ErrorKind::unanswerable),
      "--prior-a and --prior-b are both 0.4; two populations tell the two kinds of error apart only when their priors "
      "differ");
  EXPECT_EQ(
      error_of([&] { rate_two_populations(three, three, {.prior_a = 0.4, .prior_b = 0.5}); }, ErrorKind::bad_data),
      "3 classes; two populations rate judges on exactly 2");
  EXPECT_EQ(error_of([&] { rate_two_populations(two, three, {.prior_a = 0.4, .prior_b = 0.5}); }, ErrorKind::bad_data),
            "the two populations have different classes; they must be the same two");
  EXPECT_EQ(
      error_of([&] { rate_two_populations(two, other, {.prior_a = 0.4, .prior_b = 0.5}); }, ErrorKind::unanswerable),
      "no judge voted in both populations; none can be rated");
  EXPECT_EQ(error_of([&] { rate_two_populations(two, two, {.prior_a = 0.4, .prior_b = 1.5}); }, ErrorKind::usage),
            "--prior-b 1.5 is outside [0, 1]");
}

}  // namespace
}  // namespace motet::judges::two_populations_test
