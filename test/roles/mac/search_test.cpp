#include "motet/roles/mac/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "roles/mac_cases.h"
#include "roles/planted_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::search_test {
namespace {

// Users of the overlapping sources of chapter 9: three roles over 24 permissions.
struct Planted {
  BitMatrix roles = chapter9_sources(Chapter9Sources::overlapping);
  MergedMatrix data;

  explicit Planted(double noise = 0.1)
      : data(each_alone(
            chapter9_data(roles, {.single_items = 15, .multiple_items = 15, .noise_fraction = noise}, Rng(Seed{4}))
                .access.held)) {}
};

SearchRules two_a_user() {
  SearchRules rules;
  rules.degree = 2;
  return rules;
}

// By row and set: log p(x, L) by plain loops.
std::vector<std::vector<double>> joint_of(const MergedMatrix& data, const MacShape& shape, const RoleState& state) {
  const std::vector<double> parameters =
      mac_start(shape, absence_of(state.roles), data.bits.columns(), state.p0, state.p1);
  std::vector<std::vector<double>> joint(data.bits.rows());
  for (std::size_t n = 0; n < joint.size(); ++n) {
    for (std::size_t l = 0; l < shape.sets.size(); ++l) {
      joint[n].push_back(std::log(state.share[l]) +
                         static_cast<double>(naive_log_likelihood(data, shape, parameters, n, l)));
    }
  }
  return joint;
}

double log_sum(const std::vector<double>& terms) {
  const double top = *std::max_element(terms.begin(), terms.end());
  double sum = 0.0;
  for (const double term : terms) sum += std::exp(term - top);
  return top + std::log(sum);
}

TEST(RoleSearch, TheDegreeFallsUntilTheSetsAreFewEnough) {
  EXPECT_EQ(feasible_degree(3, 3), 3U);
  EXPECT_EQ(feasible_degree(100, 3), 2U);     // 1 + 100 + 4,950 sets; with three 161,700 more
  EXPECT_EQ(feasible_degree(200, 3), 1U);     // 1 + 200 + 19,900
  EXPECT_EQ(feasible_degree(10'000, 3), 1U);  // never none
}

TEST(RoleSearch, ShapesFollowTheRules) {
  SearchRules rules = two_a_user();
  rules.noise = RoleNoise::flip;
  rules.keep = bits_of({"10", "01"});
  rules.never_with_one_user = {{0, 1}};
  const MacShape shape = shape_of(rules, 3);
  EXPECT_TRUE(shape.rounded);
  EXPECT_EQ(shape.noise, RoleNoise::flip);
  EXPECT_EQ(shape.frozen, (std::vector<std::uint8_t>{1, 1, 0}));
  EXPECT_EQ(shape.sets.size(), 6U);  // {}, three of one and two of the three pairs
  EXPECT_TRUE(shape_of(two_a_user(), 3).frozen.empty());
}

TEST(RoleSearch, AStateKeepsWhatMustBeKeptAndParted) {
  const MergedMatrix data = each_alone(bits_of({"1100", "0011", "1111"}));
  SearchRules rules = two_a_user();
  rules.keep = bits_of({"0110"});
  rules.never_with = {{}, {}, {3}, {2}};
  RoleSearch search(data, rules, {});
  EXPECT_NEAR(search.density(), 8.0 / 12.0, 1e-15);
  const RoleState state = search.state_of(bits_of({"1111", "1011"}), -1.0, 2.0);
  EXPECT_EQ(state.roles, bits_of({"0110", "1010"}));
  EXPECT_EQ(state.p0, least_noise);
  EXPECT_EQ(state.p1, 1.0 - least_noise);
  EXPECT_EQ(state.share, std::vector<double>(4, 0.25));
  EXPECT_EQ(search.kept_only().roles, rules.keep);
}

// EM never lowers the objective, which is the likelihood of the users and the prior of the parameters.
TEST(RoleSearch, ImprovingRaisesTheLikelihood) {
  const Planted planted;
  RoleSearch search(planted.data, two_a_user(), {});
  Rng rng(Seed{5});
  double before = -std::numeric_limits<double>::infinity();
  RoleState state = search.state_of(drawn_bits(3, 24, 0.4, rng), 0.2, 0.7);
  for (int i = 0; i < 6; ++i) {
    state = search.improve(std::move(state), 2);
    EXPECT_GE(state.objective, before - 1e-9 * std::abs(before)) << i;
    before = state.objective;
  }
  const MacShape& shape = search.shape(3);
  double sum = 0.0;
  for (const std::vector<double>& terms : joint_of(planted.data, shape, state)) sum += log_sum(terms);
  std::vector<double> parameters = mac_start(shape, absence_of(state.roles), 24, state.p0, state.p1);
  std::copy(state.share.begin(), state.share.end(),
            parameters.begin() + static_cast<std::ptrdiff_t>(mac_parts(shape, 24).prior()));
  sum += mac_problem(planted.data, shape, {1}).log_prior(parameters);
  EXPECT_NEAR(state.objective, sum, 1e-3 * std::abs(sum));  // of the step before its parameters
  EXPECT_LE(state.objective, sum + 1e-9 * std::abs(sum));
}

// What users lose when no set may hold the role: the rest of their mass.
TEST(RoleSearch, LossesAreThoseOfTheSetsThatHoldTheRole) {
  const Planted planted;
  Rng rng(Seed{6});
  MergedMatrix data = planted.data;
  for (double& weight : data.row_weight) weight = 1.0 + static_cast<double>(rng.below(3));
  RoleSearch search(data, two_a_user(), {});
  const RoleState state = search.improve(search.state_of(planted.roles, 0.05, 0.95), 10);
  const MacShape& shape = search.shape(3);
  const std::vector<std::vector<double>> joint = joint_of(data, shape, state);
  const std::vector<double> loss = search.removal_loss(state);
  for (std::uint32_t k = 0; k < 3; ++k) {
    double wanted = 0.0;
    for (std::size_t n = 0; n < joint.size(); ++n) {
      std::vector<double> rest;
      for (std::size_t l = 0; l < joint[n].size(); ++l) {
        const auto set = shape.sets[l];
        if (std::find(set.begin(), set.end(), k) == set.end()) rest.push_back(joint[n][l]);
      }
      wanted += data.row_weight[n] * (log_sum(joint[n]) - log_sum(rest));
    }
    EXPECT_NEAR(loss[k], wanted, 1e-2 * wanted) << k;  // of sets that are next to impossible, the best alone counts
  }
}

TEST(RoleSearch, KeptRolesCannotBeLost) {
  const Planted planted;
  SearchRules rules = two_a_user();
  rules.keep = planted.roles.rows_of(std::vector{0U});
  RoleSearch search(planted.data, rules, {});
  const std::vector<double> loss = search.removal_loss(search.state_of(planted.roles, 0.05, 0.95));
  EXPECT_TRUE(std::isinf(loss[0]));
  EXPECT_TRUE(std::isfinite(loss[1]) && std::isfinite(loss[2]));
}

// Without role 1 of {}, 0, 1, 01 the sets that held it are those of the rest, and a tenth is dealt out anew.
TEST(RoleSearch, WithoutARoleItsSetsJoinTheOthers) {
  const MergedMatrix data = each_alone(bits_of({"1100", "0011"}));
  RoleSearch search(data, two_a_user(), {});
  RoleState state = search.state_of(bits_of({"1100", "0011"}), 0.1, 0.9);
  state.share = {0.1, 0.2, 0.3, 0.4};
  const RoleState first = search.without(state, 1);
  EXPECT_EQ(first.roles, bits_of({"1100"}));
  EXPECT_NEAR(first.share[0], 0.9 * (0.1 + 0.3) + 0.05, 1e-15);
  EXPECT_NEAR(first.share[1], 0.9 * (0.2 + 0.4) + 0.05, 1e-15);
  const RoleState second = search.without(state, 0);
  EXPECT_EQ(second.roles, bits_of({"0011"}));
  EXPECT_NEAR(second.share[1], 0.9 * (0.3 + 0.4) + 0.05, 1e-15);
}

TEST(RoleSearch, GrowsByTheRoleThatIsMissing) {
  const Planted planted;
  RoleSearch search(planted.data, two_a_user(), {});
  const RoleState two = search.improve(search.state_of(planted.roles.rows_of(std::vector{0U, 2U}), 0.05, 0.95), 5);
  Rng rng(Seed{7});
  const RoleState three = search.grow(two, 2, false, rng);
  EXPECT_EQ(three.count(), 3U);
  EXPECT_GT(three.objective, two.objective);
  EXPECT_EQ(role_error(three.roles, planted.roles), 0.0);
}

TEST(RoleSearch, GrowsBySplittingARoleInTwo) {
  const BitMatrix sources = chapter9_sources(Chapter9Sources::orthogonal);
  const PlantedAccess planted =
      chapter9_data(sources, {.single_items = 15, .multiple_items = 15, .noise_fraction = 0.1}, Rng(Seed{8}));
  const MergedMatrix data = each_alone(planted.access.held);
  RoleSearch search(data, two_a_user(), {});
  BitMatrix joined(2, 24);  // the first two as one
  for (std::size_t d = 0; d < 24; ++d) joined.set(d < 16 ? 0 : 1, d);
  Rng rng(Seed{9});
  const RoleState grown = search.grow(search.state_of(joined, 0.05, 0.95), 2, true, rng);
  EXPECT_EQ(role_error(grown.roles, sources), 0.0);
}

TEST(RoleSearch, WhereNothingIsLeftOverNothingGrows) {
  const MergedMatrix data = each_alone(bits_of({"11", "11", "00"}));
  RoleSearch search(data, two_a_user(), {});
  Rng rng(Seed{1});
  EXPECT_EQ(search.grow(search.improve(search.state_of(bits_of({"11"}), 0.1, 0.9), 5), 2, true, rng).count(), 1U);
}

// From two right roles and a useless copy: a move takes the copy away for what is missing.
TEST(RoleSearch, MovesReplaceAUselessRole) {
  const Planted planted;
  for (const bool replaces : {false, true}) {
    RoleSearch search(planted.data, two_a_user(), {});
    const RoleState start =
        search.improve(search.state_of(planted.roles.rows_of(std::vector{0U, 2U, 2U}), 0.05, 0.95), 5);
    EXPECT_GT(role_error(start.roles, planted.roles), 0.0);
    Rng rng(Seed{10});
    const RoleState moved = replaces ? search.replace_weakest(start, 3, rng) : search.grow_and_prune(start, 3, rng);
    EXPECT_GT(moved.objective, start.objective);
    EXPECT_EQ(role_error(moved.roles, planted.roles), 0.0) << replaces;
  }
}

TEST(RoleSearch, HasTheSameBitsOnAnyNumberOfThreads) {
  const Planted planted(0.3);
  const auto grown = [&](Threads threads) {
    RoleSearch search(planted.data, two_a_user(), with_threads(threads));
    Rng rng(Seed{11});
    return search.grow(search.grow(search.kept_only(), 2, true, rng), 2, true, rng);
  };
  const RoleState one = grown({1});
  const RoleState other = grown(StartedThreads(2));
  EXPECT_EQ(other.roles, one.roles);
  EXPECT_EQ(other.share, one.share);
  EXPECT_EQ(other.objective, one.objective);
}

TEST(RoleSearch, StopsWhenItIsTold) {
  const Planted planted;
  CancelFlag flag;
  flag.set(2);
  RunContext run;
  run.cancel = &flag;
  RoleSearch search(planted.data, two_a_user(), run);
  EXPECT_EQ(error_of([&] { search.improve(search.state_of(planted.roles, 0.1, 0.9), 1); }, ErrorKind::interrupted),
            "interrupted");
}

}  // namespace
}  // namespace motet::roles::search_test
