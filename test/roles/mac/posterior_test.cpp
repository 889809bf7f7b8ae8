#include "motet/roles/mac/posterior.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/bits.h"
#include "roles/mac_cases.h"
#include "roles/model_cases.h"
#include "support/cancelled.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::posterior_test {
namespace {

RoleModel random_model(std::size_t roles, std::size_t permissions, NoiseScope scope, std::uint64_t seed) {
  Rng rng(Seed{seed});
  RoleModel model = hard_model(drawn_bits(roles, permissions, 0.4, rng), 2, 0.1, 0.85);
  for (double& b : model.absence) b = scope == NoiseScope::user ? b : rng.uniform(0.02, 0.98);
  fill_shares(model.set_share, rng);
  model.scope = scope;
  if (scope == NoiseScope::permission) {
    model.p0.clear();
    model.p1.clear();
    for (std::size_t d = 0; d < permissions; ++d) {
      model.p0.push_back(rng.uniform(0.02, 0.3));
      model.p1.push_back(rng.uniform(0.6, 0.98));
    }
  }
  if (scope == NoiseScope::user) {
    model.user_noise = {1.5, 9.0, 8.0, 2.0};
    model.p0 = {1.5 / 10.5};
    model.p1 = {0.8};
  }
  return model;
}

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

// log p(known cells | L), the long way.
double cells_log(const RoleModel& model, const BitMatrix& held, const BitMatrix* known, std::size_t user,
                 std::size_t set) {
  double sum = 0.0;
  double count[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
  for (std::size_t d = 0; d < model.permission_count(); ++d) {
    if (known != nullptr && !(*known)(user, d)) continue;
    double absent = 1.0;
    for (const std::uint32_t k : model.sets[set]) absent *= model.beta(k, d);
    const double q = model.p1_of(d) - (model.p1_of(d) - model.p0_of(d)) * absent;
    sum += std::log(held(user, d) ? q : 1.0 - q);
    count[absent < 0.5 ? 1 : 0][held(user, d) ? 1 : 0] += 1.0;
  }
  if (model.scope != NoiseScope::user) return sum;
  const std::vector<double>& b = model.user_noise;
  return log_beta(b[0] + count[0][1], b[1] + count[0][0]) - log_beta(b[0], b[1]) +
         log_beta(b[2] + count[1][1], b[3] + count[1][0]) - log_beta(b[2], b[3]);
}

void expect_brute_force(const RoleModel& model, const BitMatrix& held, const BitMatrix* known) {
  const UserPosteriors found = user_posteriors(model, held, {known, nullptr}, {});
  ASSERT_EQ(found.user_count(), held.rows());
  for (std::size_t n = 0; n < held.rows(); ++n) {
    std::vector<long double> score;
    for (std::size_t l = 0; l < model.sets.size(); ++l) {
      score.push_back(std::log(model.set_share[l]) + cells_log(model, held, known, n, l));
    }
    const NaivePosterior wanted = naive_posterior(score, 1.0L);
    EXPECT_NEAR(found.log_likelihood[n], static_cast<double>(wanted.log_sum), 1e-9);
    double sum = 0.0;
    double last = 2.0;
    for (const SetShare& share : found.of(n)) {
      // Sets below 1e-6 of the best are left out, which the others share among them.
      EXPECT_NEAR(share.probability, static_cast<double>(wanted.share[share.set]), 1e-4);
      EXPECT_LE(share.probability, last);
      last = share.probability;
      sum += share.probability;
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
  EXPECT_LT(found.dropped, 1e-6 * static_cast<double>(model.sets.size()));
}

class Posterior : public testing::TestWithParam<NoiseScope> {};

TEST_P(Posterior, EqualsAllSetsAndCells) {
  for (const std::size_t permissions : {5U, 70U}) {
    const RoleModel model = random_model(4, permissions, GetParam(), 1);
    Rng rng(Seed{2});
    const BitMatrix held = drawn_bits(130, permissions, 0.4, rng);
    expect_brute_force(model, held, nullptr);
    const BitMatrix known = drawn_bits(130, permissions, 0.5, rng);
    expect_brute_force(model, held, &known);
  }
}

// Columns nobody knows are as if the model had never had them.
TEST_P(Posterior, OfPartlyKnownUsersIsThatOfAModelWithoutTheOtherColumns) {
  const RoleModel model = random_model(3, 20, GetParam(), 3);
  Rng rng(Seed{4});
  const BitMatrix held = drawn_bits(50, 20, 0.4, rng);
  BitMatrix known(50, 20);
  std::vector<std::uint32_t> columns;
  for (std::uint32_t d = 0; d < 20; d += 3) {
    columns.push_back(d);
    for (std::size_t n = 0; n < 50; ++n) known.set(n, d);
  }
  RoleModel small = model;
  small.permissions.resize(columns.size());
  small.absence.clear();
  for (std::size_t k = 0; k < 3; ++k) {
    for (const std::uint32_t d : columns) small.absence.push_back(model.beta(k, d));
  }
  if (GetParam() == NoiseScope::permission) {
    small.p0.clear();
    small.p1.clear();
    for (const std::uint32_t d : columns) {
      small.p0.push_back(model.p0[d]);
      small.p1.push_back(model.p1[d]);
    }
  }
  const UserPosteriors part = user_posteriors(model, held, {&known, nullptr}, {});
  const UserPosteriors whole = user_posteriors(small, held.columns_of(columns), {}, {});
  ASSERT_EQ(part.ends, whole.ends);
  for (std::size_t n = 0; n < 50; ++n) EXPECT_NEAR(part.log_likelihood[n], whole.log_likelihood[n], 1e-10);
  for (std::size_t i = 0; i < part.shares.size(); ++i) {
    EXPECT_NEAR(part.shares[i].probability, whole.shares[i].probability, 1e-10);
  }
}

TEST_P(Posterior, OfNothingKnownIsThePrior) {
  const RoleModel model = random_model(2, 6, GetParam(), 5);
  const BitMatrix nothing(1, 6);
  const UserPosteriors found = user_posteriors(model, nothing, {&nothing, nullptr}, {});
  EXPECT_NEAR(found.log_likelihood[0], 0.0, 1e-12);
  for (const SetShare& share : found.of(0)) EXPECT_NEAR(share.probability, model.set_share[share.set], 1e-12);
}

TEST_P(Posterior, IsTheSameOnAnyNumberOfThreadsAndInAnyOrder) {
  const RoleModel model = random_model(4, 30, GetParam(), 6);
  Rng rng(Seed{7});
  const BitMatrix held = drawn_bits(2000, 30, 0.3, rng);
  std::vector<UserPosteriors> found;
  for (const unsigned threads : {1U, 2U, 4U}) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    found.push_back(user_posteriors(model, held, {}, run));
    EXPECT_EQ(found.back().log_likelihood, found[0].log_likelihood);
    EXPECT_EQ(found.back().ends, found[0].ends);
  }
  std::vector<std::uint32_t> backwards;
  for (std::uint32_t n = 2000; n > 0; --n) backwards.push_back(n - 1);
  const UserPosteriors turned = user_posteriors(model, held.rows_of(backwards), {}, {});
  for (std::size_t n = 0; n < 2000; ++n) {
    EXPECT_NEAR(turned.log_likelihood[n], found[0].log_likelihood[1999 - n], 1e-10);
    EXPECT_EQ(turned.of(n)[0].set, found[0].of(1999 - n)[0].set);
  }
}

INSTANTIATE_TEST_SUITE_P(Scopes, Posterior,
                         testing::Values(NoiseScope::global, NoiseScope::permission, NoiseScope::user));

// Two roles of one permission each: everything by hand.
RoleModel two_roles() {
  RoleModel model = hard_model(bits_of({"10", "01"}), 2, 0.1, 0.8);
  model.set_share = {0.1, 0.4, 0.3, 0.2};  // {}, {0}, {1}, {0, 1}
  return model;
}

TEST(PosteriorByHand, OfAUserWhoHoldsTheFirst) {
  const RoleModel model = two_roles();
  const UserPosteriors found = user_posteriors(model, bits_of({"10"}), {}, {});
  // p(x | L): {} .1 .9, {0} .8 .9, {1} .1 .2, {0, 1} .8 .2
  const double joint[4] = {0.1 * 0.09, 0.4 * 0.72, 0.3 * 0.02, 0.2 * 0.16};
  const double total = joint[0] + joint[1] + joint[2] + joint[3];
  EXPECT_NEAR(found.log_likelihood[0], std::log(total), 1e-12);
  ASSERT_EQ(found.of(0).size(), 4U);
  EXPECT_EQ(found.of(0)[0].set, 1U);
  EXPECT_EQ(found.of(0)[1].set, 3U);
  EXPECT_NEAR(found.of(0)[0].probability, joint[1] / total, 1e-12);
  const std::vector<double> roles = role_shares(model, found.of(0));
  EXPECT_NEAR(roles[0], (joint[1] + joint[3]) / total, 1e-12);
  EXPECT_NEAR(roles[1], (joint[2] + joint[3]) / total, 1e-12);
  // Role k grants exactly permission k.
  const std::vector<double> grants = granted(model, found.of(0));
  EXPECT_NEAR(grants[0], roles[0], 1e-12);
  EXPECT_NEAR(grants[1], roles[1], 1e-12);
  EXPECT_EQ(most_probable_roles(model, found), bits_of({"10"}));
}

Attributes one_attribute(std::vector<std::string> words, std::vector<std::uint32_t> value) {
  Attributes attributes;
  attributes.names = {"department"};
  attributes.values = {NameList(words)};
  attributes.value = std::move(value);
  return attributes;
}

TEST(PosteriorByHand, AttributesAreMatchedByWordAndUnknownWordsLeftOut) {
  RoleModel model = two_roles();
  AttributePrior prior;
  prior.names = {"department"};
  prior.values = {{"it", "hr"}};
  prior.share = {0.25, 0.75};
  prior.marginal = {0.1, 0.2, 0.6, 0.1};
  prior.set_given = {{{0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {0.25, 0.25, 0.25, 0.25}}};
  model.attributes = prior;
  const BitMatrix nothing(4, 2);
  // The file lists other words in another order: hr, sales, it, and one value is missing.
  const Attributes attributes = one_attribute({"hr", "sales", "it"}, {0, 1, 2, Attributes::missing});
  const UserPosteriors found = user_posteriors(model, nothing, {&nothing, &attributes}, {});
  const auto share = [&](std::size_t user, std::uint32_t set) {
    for (const SetShare& s : found.of(user)) {
      if (s.set == set) return s.probability;
    }
    return 0.0;
  };
  EXPECT_NEAR(share(0, 2), 0.25 * 0.3 + 0.75, 1e-12);         // hr
  EXPECT_NEAR(share(1, 2), 0.6, 1e-12);                       // unknown: as users are in general
  EXPECT_NEAR(share(2, 1), 0.25 * 0.4 + 0.75, 1e-12);         // it
  EXPECT_NEAR(share(3, 1), 0.25 * 0.4 + 0.75 * 0.25, 1e-12);  // missing has a distribution of its own
  // Without attributes: as users are in general.
  const UserPosteriors general = user_posteriors(model, nothing, {&nothing, nullptr}, {});
  EXPECT_EQ(general.of(0).front().set, 2U);
  EXPECT_NEAR(general.of(0).front().probability, 0.6, 1e-12);
}

TEST(PosteriorByHand, EndsCleanlyWhenCancelled) {
  const RoleModel model = two_roles();
  error_of([&] { user_posteriors(model, bits_of({"10"}), {}, cancelled_run()); }, ErrorKind::interrupted);
}

TEST(Posterior, SharesThatSumToMoreThanOneByRoundingGiveNoProbabilityAboveOne) {
  const RoleModel model = hard_model(bits_of({"10", "01"}), 2, 0.1, 0.9);  // sets {}, {0}, {1}, {0, 1}
  const std::vector<SetShare> with_role = {{1, 0.5}, {3, 0.5000000000000002}};
  EXPECT_EQ(role_shares(model, with_role)[0], 1.0);
  EXPECT_EQ(role_shares(model, with_role)[1], 0.5000000000000002);
  EXPECT_EQ(no_role_share(model, with_role), 0.0);
  EXPECT_EQ(no_role_share(model, std::vector<SetShare>{{0, 1.0000000000000002}}), 1.0);
}

TEST(Posterior, SharesOfAllUsersStandUserByUser) {
  const RoleModel model = hard_model(bits_of({"10", "01"}), 2, 0.1, 0.9);
  UserPosteriors users;
  users.shares = {{1, 0.75}, {3, 0.25}, {0, 1.0}};
  users.ends = {2, 3};
  EXPECT_EQ(role_shares(model, users), (std::vector<double>{1.0, 0.25, 0.0, 0.0}));
}

}  // namespace
}  // namespace motet::roles::posterior_test
