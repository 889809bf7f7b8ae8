#include "motet/roles/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "data/bits.h"
#include "motet/base/error.h"
#include "roles/model_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::evaluate_test {
namespace {

RoleModel four_roles(double p0, double p1) {
  BitMatrix roles(4, 40);
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t d = 9 * k; d < 9 * k + 12; ++d) roles.set(k, d);
  }
  return hard_model(roles, 2, p0, p1);
}

TEST(Evaluate, OneDisclosedPermissionByHand) {
  // Two permissions: whichever is disclosed decides between the empty set and the role.
  const RoleModel model = hard_model(bits_of({"11"}), 1, 0.1, 0.9);
  const BitMatrix held = bits_of({"11", "00", "10"});
  const GeneralizationResult result = evaluate_roles(model, {&held}, {0.0, 4}, {}, {});
  EXPECT_EQ(result.disclosed, 1U);
  EXPECT_EQ(result.repeats, 4U);
  for (const PredictionError& error : {result.nearest, result.common, result.posterior, result.granted}) {
    EXPECT_DOUBLE_EQ(error.mean, 1.0 / 3.0);  // the third user always misleads
    EXPECT_NEAR(error.error, 0.0, 1e-12);
    EXPECT_NEAR(error.user_error, 1.0 / 3.0, 1e-12);  // values 0, 0, 1: sd sqrt(1/3), over sqrt(3)
  }
}

TEST(Evaluate, TiesAreBrokenByLotOrByShare) {
  // The disclosed permission is never held by any role: all sets are equally near.
  RoleModel model = hard_model(bits_of({"0111", "0000", "0000"}), 1, 0.01, 0.99);
  model.set_share = {0.01, 0.97, 0.01, 0.01};
  BitMatrix held(4000, 4);
  for (std::size_t n = 0; n < held.rows(); ++n) {
    for (std::size_t d = 1; d < 4; ++d) held.set(n, d);
  }
  // Repeats that disclose permission 0 are the only ones with ties; with one repeat find such a seed.
  for (std::uint64_t seed = 1; seed < 100; ++seed) {
    RunContext run;
    run.seed = Seed{seed};
    const GeneralizationResult result = evaluate_roles(model, {&held}, {0.25, 1}, {}, run);
    if (result.nearest.mean == 0.0) continue;
    EXPECT_NEAR(result.nearest.mean, 0.75, 0.03);  // three sets of four hold nothing
    EXPECT_EQ(result.common.mean, 0.0);
    EXPECT_EQ(result.posterior.mean, 0.0);
    return;
  }
  FAIL() << "permission 0 was never disclosed";
}

TEST(Evaluate, CleanUsersOfTheModelArePredictedAndTheStructureBehindNoisyOnes) {
  const RoleModel model = four_roles(0.1, 0.8);
  Rng rng(Seed{4});
  const DrawnUsers users = draw_users(model, 300, rng);
  const GeneralizationResult noisy = evaluate_roles(model, {&users.held}, {0.5, 5}, {}, {});
  const GeneralizationResult clean = evaluate_roles(model, {&users.held, &users.clean}, {0.5, 5}, {}, {});
  const GeneralizationResult exact = evaluate_roles(model, {&users.clean}, {0.8, 5}, {}, {});
  EXPECT_LT(exact.nearest.mean, 0.01);
  EXPECT_LT(clean.granted.mean, 0.06);
  EXPECT_LE(clean.granted.mean, clean.nearest.mean);
  EXPECT_GT(noisy.posterior.mean, 0.1);  // the noise itself cannot be predicted
  EXPECT_LT(noisy.posterior.mean, 0.22);
  EXPECT_LE(noisy.posterior.mean, noisy.nearest.mean);
}

// Rare held cells: below 1/2 the posterior predicts what is held, not what is granted.
TEST(Evaluate, HeldAndGrantedDifferWhenMostGrantedPermissionsAreNotHeld) {
  const RoleModel model = hard_model(bits_of({"1111111111"}), 1, 0.0, 0.3);
  Rng rng(Seed{4});
  const DrawnUsers users = draw_users(model, 200, rng);
  const GeneralizationResult result = evaluate_roles(model, {&users.held, &users.clean}, {0.8, 3}, {}, {});
  EXPECT_NEAR(result.posterior.mean, 0.5, 0.1);  // predicts nothing held
  EXPECT_LT(result.granted.mean, 0.1);
}

TEST(Evaluate, ReferencesAreScoredOnTheHiddenCells) {
  const RoleModel model = four_roles(0.1, 0.8);
  Rng rng(Seed{5});
  const DrawnUsers users = draw_users(model, 100, rng);
  std::size_t seen = 0;
  const std::vector<NamedGuess> references = {
      {"nothing", [](const BitMatrix& held, auto) { return BitMatrix(held.rows(), held.columns()); }},
      {"oracle", [&](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
         seen = disclosed.size();
         BitMatrix guess = held;
         for (std::size_t n = 0; n < held.rows(); ++n) {
           for (const std::uint32_t d : disclosed) guess.set(n, d, !held(n, d));  // does not count
         }
         return guess;
       }}};
  const GeneralizationResult result = evaluate_roles(model, {&users.held}, {0.1, 3}, references, {});
  ASSERT_EQ(result.references.size(), 2U);
  EXPECT_EQ(result.references[0].name, "nothing");
  EXPECT_NEAR(result.references[0].error.mean, static_cast<double>(users.held.count()) / 4000.0, 0.05);
  EXPECT_EQ(result.references[1].error.mean, 0.0);
  EXPECT_EQ(seen, 4U);
}

TEST(Evaluate, SameValuesOnAnyNumberOfThreads) {
  const RoleModel model = four_roles(0.1, 0.8);
  Rng rng(Seed{6});
  const DrawnUsers users = draw_users(model, 500, rng);
  const auto evaluate = [&](unsigned threads, std::uint64_t seed) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    run.seed = Seed{seed};
    return evaluate_roles(model, {&users.held}, {0.2, 4}, {}, run);
  };
  for (const unsigned threads : {2U, 4U}) {
    EXPECT_EQ(evaluate(1, 1).nearest.mean, evaluate(threads, 1).nearest.mean);
    EXPECT_EQ(evaluate(1, 1).posterior.error, evaluate(threads, 1).posterior.error);
  }
  EXPECT_NE(evaluate(1, 1).nearest.mean, evaluate(1, 2).nearest.mean);
}

TEST(Evaluate, TheOrderOfUsersDoesNotMatterToThePosterior) {
  const RoleModel model = four_roles(0.1, 0.8);
  Rng rng(Seed{7});
  const DrawnUsers users = draw_users(model, 50, rng);
  std::vector<std::uint32_t> reversed;
  for (std::uint32_t n = 50; n-- > 0;) reversed.push_back(n);
  const BitMatrix held = users.held.rows_of(reversed);
  EXPECT_NEAR(evaluate_roles(model, {&users.held}, {0.2, 4}, {}, {}).posterior.mean,
              evaluate_roles(model, {&held}, {0.2, 4}, {}, {}).posterior.mean, 1e-12);
}

// Attributes that tell the set help where cells do not.
TEST(Evaluate, AttributesOfUsersAreUsed) {
  RoleModel model = hard_model(bits_of({"11110000", "00001111"}), 1, 0.02, 0.98);
  model.set_share = {0.0, 0.5, 0.5};
  model.attributes =
      AttributePrior{{"site"}, {{"a", "b"}}, {0.1, 0.9}, {{{0, 1, 0}, {0, 0, 1}, {0, 0.5, 0.5}}}, 1.0, {0, 0.5, 0.5}};
  model.p0 = {0.45};
  model.p1 = {0.55};
  BitMatrix held(40, 8);
  Attributes attributes;
  attributes.names = {"site"};
  attributes.values.resize(1);
  attributes.values[0].push_back("a");
  attributes.values[0].push_back("b");
  for (std::size_t n = 0; n < 40; ++n) {
    for (std::size_t d = 0; d < 4; ++d) held.set(n, d + 4 * (n % 2));
    attributes.value.push_back(static_cast<std::uint32_t>(n % 2));
  }
  const double without = evaluate_roles(model, {&held}, {0.0, 6}, {}, {}).granted.mean;
  const double with = evaluate_roles(model, {&held, nullptr, &attributes}, {0.0, 6}, {}, {}).granted.mean;
  EXPECT_EQ(with, 0.0);
  EXPECT_GE(without, with);
}

TEST(Evaluate, WhatCannotBePredictedIsSaid) {
  const auto message = [](const RoleModel& model, const BitMatrix& held) {
    return error_of([&] { evaluate_roles(model, {&held}, {}, {}, {}); });
  };
  EXPECT_EQ(message(hard_model(bits_of({"1"}), 1, 0.1, 0.9), bits_of({"1"})),
            "evaluate: permissions = 1 is too few; one must be disclosed and one be left to predict");
  EXPECT_EQ(message(hard_model(bits_of({"11"}), 1, 0.1, 0.9), BitMatrix(0, 2)),
            "evaluate: there are no users to predict");
  EXPECT_EQ(message(hard_model(bits_of({"11"}), 1, 0.1, 0.9), BitMatrix(1, 3)),
            "evaluate: data of another shape than the model");
}

}  // namespace
}  // namespace motet::roles::evaluate_test
