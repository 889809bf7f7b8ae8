#include "motet/roles/role_model.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "roles/model_cases.h"

namespace motet::roles::role_model_test {
namespace {

template <class Kind>
std::string words_of(std::initializer_list<Kind> kinds) {
  std::string words;
  for (const Kind kind : kinds) words.append(words.empty() ? "" : " ").append(name_of(kind));
  return words;
}

TEST(RoleModel, WordsAreThoseOfTheCommandLine) {
  EXPECT_EQ(words_of({RoleNoise::mixture, RoleNoise::none, RoleNoise::flip, RoleNoise::symmetric_flip}),
            "mixture none flip symmetric-flip");
  EXPECT_EQ(words_of({NoiseScope::global, NoiseScope::permission, NoiseScope::user}), "global permission user");
  EXPECT_EQ(words_of({RoleMethod::mac, RoleMethod::sac, RoleMethod::asso, RoleMethod::dbps, RoleMethod::bica,
                      RoleMethod::ino}),
            "mac sac asso dbps bica ino");
}

TEST(RoleModel, TellsItsNoiseInTheWordsOfTheMixture) {
  RoleModel model = hard_model(bits_of({"10"}), 1, 0.03, 0.93);
  EXPECT_NEAR(noise_fraction(model), 0.1, 1e-15);
  EXPECT_NEAR(set_probability(model), 0.3, 1e-14);
  model.p0 = {0.0};
  model.p1 = {1.0};
  EXPECT_EQ(set_probability(model), 0.5);
  model.absence = {0.49, 0.5};
  EXPECT_EQ(rounded_roles(model), bits_of({"10"}));  // (9.27): u = 1 iff beta < 1/2
}

// p0 + 1 - p1, summed in that order, was below p0 = 0.15 for p1 = 1.
TEST(RoleModel, NoiseThatOnlyAddsHasSetProbabilityOne) {
  for (const double p0 : {0.01, 0.05, 0.15, 0.3, 0.45}) {
    const RoleModel model = hard_model(bits_of({"10"}), 1, p0, 1.0);
    EXPECT_EQ(noise_fraction(model), p0);
    EXPECT_EQ(set_probability(model), 1.0);
  }
}

// Three roles with absences of eighths; sets {}, 0, 1, 2, 01, 02, 12.
RoleModel soft_roles() {
  RoleModel model = hard_model(bits_of({"10", "01", "11"}), 2, 0.0, 0.75);
  model.absence = {0.125, 0.875, 0.75, 0.25, 0.5, 0.5};
  model.set_share = {0.125, 0.0, 0.25, 0.125, 0.0, 0.25, 0.25};
  return model;
}

TEST(RoleModel, ASetLacksWhatAllItsRolesLack) {
  const RoleModel model = soft_roles();
  EXPECT_EQ(union_beta(model, 0, 0), 1.0);
  EXPECT_EQ(union_beta(model, 4, 0), 0.125 * 0.75);
  EXPECT_EQ(union_beta(model, 6, 1), 0.25 * 0.5);
  // p1 - (p1 - p0) beta, and what would be certain is kept from it.
  EXPECT_EQ(held_probability(model, 0, 0.5), 0.375);
  EXPECT_EQ(held_probability(model, 0, 1.0), least_q);
  RoleModel sure = model;
  sure.p1 = {1.0};
  EXPECT_EQ(held_probability(sure, 0, 0.0), 1.0 - least_q);
}

TEST(RoleModel, LevelsMayBeOnePerPermission) {
  RoleModel model = soft_roles();
  model.p0 = {0.125, 0.25};
  model.p1 = {0.5, 1.0};
  EXPECT_EQ(held_probability(model, 1, 0.5), 0.625);
  EXPECT_EQ(noise_fraction(model), 0.1875 + 0.25);  // of the means
}

TEST(RoleModel, AnotherOrderOfTheRolesIsTheSameModel) {
  RoleModel model = soft_roles();
  model.frozen = {0, 1, 0};
  const RoleModel turned = with_role_order(model, {2, 0, 1});
  EXPECT_EQ(turned.roles, (std::vector<std::string>{"r2", "r0", "r1"}));
  EXPECT_EQ(turned.frozen, (std::vector<std::uint8_t>{0, 0, 1}));
  EXPECT_EQ(turned.set_share, model.set_share);  // sets keep their places
  for (std::size_t l = 0; l < model.sets.size(); ++l) {
    for (std::size_t i = 1; i < turned.sets[l].size(); ++i) EXPECT_LT(turned.sets[l][i - 1], turned.sets[l][i]);
    for (std::size_t d = 0; d < 2; ++d) EXPECT_EQ(union_beta(turned, l, d), union_beta(model, l, d)) << l << ' ' << d;
  }
}

TEST(RoleModel, FrozenRolesComeFirstThenThoseOfMostUsers) {
  RoleModel model = soft_roles();  // members: 0.25, 0.5, 0.625
  EXPECT_EQ(order_by_members(model), (std::vector<std::size_t>{2, 1, 0}));
  model.frozen = {1, 1, 0};
  EXPECT_EQ(order_by_members(model), (std::vector<std::size_t>{0, 1, 2}));
  model.frozen = {0, 0, 0};
  model.attributes.emplace();
  model.attributes->marginal = {0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0};  // counts where there are attributes
  EXPECT_EQ(order_by_members(model), (std::vector<std::size_t>{0, 1, 2}));
}

}  // namespace
}  // namespace motet::roles::role_model_test
