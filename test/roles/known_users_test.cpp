#include "motet/roles/known_users.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/bits.h"
#include "motet/measure/boolean.h"
#include "motet/roles/mac/posterior.h"
#include "roles/model_cases.h"
#include "roles/planted_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::known_users_test {
namespace {

RoleModel two_roles(std::size_t columns = 40) {
  BitMatrix roles(2, columns);
  for (std::size_t d = 0; d < 20; ++d) roles.set(d / 10, d);
  return hard_model(roles, 2, 0.02, 0.95);
}

// Half of the users are copies of twelve patterns no role explains.
BitMatrix with_copies(const RoleModel& model, std::size_t users, Rng& rng) {
  BitMatrix held = draw_users(model, users, rng).held;
  for (std::size_t n = 0; n < users; n += 2) {
    for (std::size_t d = 0; d < held.columns(); ++d) {
      const bool pattern = (d * (n / 2 % 12 + 3) / 4) % 3 == 0;
      held.set(n, d, pattern != (rng.uniform() < 0.03));
    }
  }
  return held;
}

// One user and one other, no column shared but one: with two users each is compared with the other alone.
TEST(KnownUsers, TheObjectiveIsThatOfTheMixture) {
  const RoleModel model = two_roles(20);
  const BitMatrix held = bits_of({"11111111110000000000", "11110000000000000001"});
  const KnownUsers known = fit_known_users(model, held, {});
  const std::vector<double> by_roles = user_posteriors(model, held, {}, {}).log_likelihood;
  // Common 4; of the first 10, of the second 5.
  const double p0 = known.p0;
  const double p1 = known.p1;
  const double first = 4 * std::log(p1) + 1 * std::log1p(-p1) + 6 * std::log(p0) + 9 * std::log1p(-p0);
  const double second = 4 * std::log(p1) + 6 * std::log1p(-p1) + 1 * std::log(p0) + 9 * std::log1p(-p0);
  const double w = known.role_share;
  double expected = std::log(w * std::exp(by_roles[0]) + (1 - w) * std::exp(first)) +
                    std::log(w * std::exp(by_roles[1]) + (1 - w) * std::exp(second));
  for (const double p : {w, p0, p1}) expected += std::log(p) + std::log1p(-p);  // the prior
  constexpr double last_step = 1e-4;                                            // of the fit, at its tolerance
  EXPECT_NEAR(known.summary.objective.back(), expected, last_step);
}

TEST(KnownUsers, TheObjectiveNeverFalls) {
  const RoleModel model = two_roles();
  Rng rng(Seed{2});
  const KnownUsers known = fit_known_users(model, with_copies(model, 120, rng), {});
  ASSERT_GT(known.summary.objective.size(), 2U);
  for (std::size_t i = 1; i < known.summary.objective.size(); ++i) {
    EXPECT_GE(known.summary.objective[i], known.summary.objective[i - 1] - 1e-9 * std::abs(known.summary.objective[i]));
  }
}

TEST(KnownUsers, AreNotNeededWhereRolesExplainEverybody) {
  const RoleModel model = two_roles();
  Rng rng(Seed{3});
  EXPECT_GT(fit_known_users(model, draw_users(model, 300, rng).held, {}).role_share, 0.9);
}

TEST(KnownUsers, PredictWhatNoRoleTells) {
  const RoleModel model = two_roles();
  Rng rng(Seed{4});
  const KnownUsers known = fit_known_users(model, with_copies(model, 240, rng), {});
  EXPECT_LT(known.role_share, 0.6);  // of the copies no role explains any; users of a role are like each other as well
  const BitMatrix test = with_copies(model, 240, rng);
  EvaluateData data;
  data.held = &test;
  EvaluateOptions options{.reveal = 0.3, .repeats = 3};
  const std::vector<NamedGuess> guesses = {{"both", guess_by_roles_and_users(model, known, nullptr, {})}};
  const GeneralizationResult found = evaluate_roles(model, data, options, guesses, {});
  EXPECT_LT(found.references[0].error.mean, 0.7 * found.posterior.mean);
}

TEST(KnownUsers, TheSameOnAnyNumberOfThreadsAndInAnyOrder) {
  const RoleModel model = two_roles();
  Rng rng(Seed{5});
  const BitMatrix held = with_copies(model, 150, rng);
  StartedThreads started(4);
  const RunContext one = with_threads({1});
  const RunContext four = with_threads(started);
  const KnownUsers a = fit_known_users(model, held, one);
  const KnownUsers b = fit_known_users(model, held, four);
  EXPECT_EQ(a.role_share, b.role_share);
  EXPECT_EQ(a.p1, b.p1);
  const std::vector<std::uint32_t> disclosed = {0, 3, 11, 25, 30};
  EXPECT_EQ(guess_by_roles_and_users(model, a, nullptr, one)(held, disclosed),
            guess_by_roles_and_users(model, b, nullptr, four)(held, disclosed));
  std::vector<std::uint32_t> backwards;
  for (std::uint32_t n = 150; n-- > 0;) backwards.push_back(n);
  constexpr double last_step = 1e-5;  // sums in another order end EM a step earlier or later
  EXPECT_NEAR(fit_known_users(model, held.rows_of(backwards), one).role_share, a.role_share, last_step);
}

}  // namespace
}  // namespace motet::roles::known_users_test
