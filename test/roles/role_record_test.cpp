#include "motet/roles/role_record.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "motet/base/numeric.h"
#include "motet/io/json.h"
#include "motet/io/record_file.h"
#include "motet/roles/mac/posterior.h"
#include "roles/mac_cases.h"
#include "roles/model_cases.h"
#include "support/errors.h"

namespace motet::roles::role_record_test {
namespace {

RoleModel full_model(NoiseScope scope) {
  Rng rng(Seed{1});
  RoleModel model = hard_model(bits_of({"11000", "01110", "00011"}), 2, 0.1, 0.8);
  model.method = RoleMethod::mac;
  model.noise = RoleNoise::flip;
  model.scope = scope;
  if (scope != NoiseScope::user) {
    for (double& b : model.absence) b = rng.uniform();
  }
  if (scope == NoiseScope::permission) {
    model.p0 = {0.1, 1.0 / 3.0, 0.01, 0.2, 0.05};
    model.p1 = {0.9, 2.0 / 3.0, 0.99, 0.8, 0.95};
  }
  if (scope == NoiseScope::user) model.user_noise = {1.0 / 7.0, 2.0, 30.0, 4.5};
  fill_shares(model.set_share, rng);
  AttributePrior prior;
  prior.names = {"department", "site"};
  prior.values = {{"it", "hr"}, {"x"}};
  prior.share = {0.2, 0.5, 0.3};
  prior.weight = 0.7;
  prior.marginal.resize(model.sets.size());
  fill_shares(prior.marginal, rng);
  for (const std::size_t values : {3U, 2U}) {
    std::vector<std::vector<double>> given(values, std::vector<double>(model.sets.size()));
    for (std::vector<double>& shares : given) fill_shares(shares, rng);
    prior.set_given.push_back(std::move(given));
  }
  model.attributes = prior;
  model.frozen = {1, 0, 0};
  model.users = 1234.0;
  return model;
}

TEST(RoleRecord, RoundTripKeepsEverything) {
  for (const NoiseScope scope : {NoiseScope::global, NoiseScope::permission, NoiseScope::user}) {
    for (const bool with_attributes : {false, true}) {
      RoleModel model = full_model(scope);
      if (!with_attributes) model.attributes.reset();
      const Record record = to_record(model);
      const RoleModel back =
          roles_from_record({record.kind, record.version, parse_json(to_json(record.fields, 1), "m.json")});
      EXPECT_EQ(to_record(back), record);
      EXPECT_EQ(back.absence, model.absence);
      EXPECT_EQ(back.p0, model.p0);
      EXPECT_EQ(back.p1, model.p1);
      EXPECT_EQ(back.user_noise, model.user_noise);
      EXPECT_EQ(back.sets, model.sets);
      EXPECT_EQ(back.set_share, model.set_share);
      EXPECT_EQ(back.frozen, model.frozen);
      EXPECT_EQ(back.users, model.users);
      EXPECT_EQ(back.attributes.has_value(), with_attributes);
      const BitMatrix held = bits_of({"11010", "00011"});
      EXPECT_EQ(user_posteriors(back, held, {}, {}).log_likelihood,
                user_posteriors(model, held, {}, {}).log_likelihood);
    }
  }
}

TEST(RoleRecord, KeepsThePriceOfOverGrants) {
  RoleModel model = full_model(NoiseScope::global);
  EXPECT_EQ(to_record(model).fields.find("over_grant_cost"), nullptr);
  for (const double cost : {2.5, infinity}) {
    model.over_grant_cost = cost;
    const Record record = to_record(model);
    EXPECT_EQ(roles_from_record({record.kind, record.version, parse_json(to_json(record.fields, 1), "m.json")})
                  .over_grant_cost,
              cost);
  }
  Record broken = to_record(model);
  broken.fields.set("over_grant_cost", "often");
  EXPECT_EQ(error_of([&] { roles_from_record(broken); }, ErrorKind::bad_data), "field 'over_grant_cost' is 'often'");
}

TEST(RoleRecord, ReadsTheFirstVersion) {
  const Record old = read_record(std::string(MOTET_TEST_DIR) + "/golden/roles/model_v1.json");
  const RoleModel model = roles_from_record(old);
  EXPECT_EQ(model.permissions, (std::vector<std::string>{"mail", "wiki", "pay", "audit"}));
  EXPECT_EQ(model.roles, (std::vector<std::string>{"staff", "clerk"}));
  EXPECT_EQ(model.beta(1, 2), 0.0625);
  EXPECT_EQ(model.noise, RoleNoise::mixture);
  EXPECT_EQ(model.sets.size(), 4U);
  EXPECT_EQ(model.attributes->values[0], (std::vector<std::string>{"sales", "desk"}));
  EXPECT_EQ(to_record(model), old);
}

std::string refused(const Record& record) {
  return error_of([&] { roles_from_record(record); }, ErrorKind::bad_data);
}

// The message when one field is something else.
std::string with_field(const char* key, Value value, NoiseScope scope = NoiseScope::global) {
  Record record = to_record(full_model(scope));
  record.fields.set(key, std::move(value));
  return refused(record);
}

TEST(RoleRecord, NewerAndOtherModelsAreRefused) {
  Record record = to_record(full_model(NoiseScope::global));
  record.version = 2;
  EXPECT_EQ(refused(record),
            "'roles' model of version 2 is newer than this program, which reads 1 to 1; use a newer motet");
  record.version = 1;
  record.kind = "judges";
  EXPECT_EQ(refused(record), "holds a 'judges' model; a 'roles' model is needed");
}

TEST(RoleRecord, EveryBrokenFieldHasItsMessage) {
  EXPECT_EQ(with_field("method", "magic"), "field 'method' is 'magic'");
  EXPECT_EQ(with_field("noise", "loud"), "field 'noise' is 'loud'");
  EXPECT_EQ(with_field("noise_scope", "house"), "field 'noise_scope' is 'house'");
  EXPECT_EQ(with_field("absence", Value::list({0.5})), "field 'absence' has 1 entries; 15 are needed");
  EXPECT_EQ(with_field("absence", Value::list_of(std::vector<double>(15, 1.5))),
            "field 'absence' = 1.5 is outside [0, 1]");
  EXPECT_EQ(with_field("p0", Value::list({0.1, 0.2})), "field 'p0' has 2 entries; 1 are needed");
  EXPECT_EQ(with_field("p0", Value::list({-0.1})), "field 'p0' = -0.1 is outside [0, 1]");
  EXPECT_EQ(with_field("p1", Value::list({1.1})), "field 'p1' = 1.1 is outside [0, 1]");
  EXPECT_EQ(with_field("p1", Value::list({0.5}), NoiseScope::permission), "field 'p1' has 1 entries; 5 are needed");
  EXPECT_EQ(with_field("user_noise", Value::list({1.0})), "field 'user_noise' has 1 entries; 0 are needed");
  EXPECT_EQ(with_field("user_noise", Value::list({1.0, 0.0, 2.0, 3.0}), NoiseScope::user),
            "field 'user_noise' is not positive");
  EXPECT_EQ(with_field("sets", Value(Value::List{})), "field 'sets' is empty");
  const std::string no_role = "field 'sets' names a role that does not exist, or one twice";
  EXPECT_EQ(with_field("sets", Value::list({Value::list({7})})), no_role);
  EXPECT_EQ(with_field("sets", Value::list({Value::list({-1})})), no_role);
  EXPECT_EQ(with_field("sets", Value::list({Value::list({1, 1})})), no_role);
  EXPECT_EQ(with_field("set_shares", Value::list({1.0})), "field 'set_shares' has 1 entries; 7 are needed");
  EXPECT_EQ(with_field("set_shares", Value::list_of(std::vector<double>(7, 2.0))),
            "field 'set_shares' = 2 is outside [0, 1]");
  EXPECT_EQ(with_field("set_shares", Value::list_of(std::vector<double>(7, 0.0))),
            "field 'set_shares' has shares that sum to 0, not 1");
  EXPECT_EQ(with_field("frozen", Value::list({true})), "field 'frozen' does not fit the roles");
}

RoleModel grown_model() {
  RoleModel model = hard_model(bits_of({"11000", "01110", "00011"}), 2, 0.1, 0.8);
  model.grown = GrownPrior{4, 0.25, {0.5, 0.125, 0.75}, {{0, 2}}};
  return model;
}

TEST(RoleRecord, KeepsWhatSetsThatAreNotListedNeed) {
  const Record record = to_record(grown_model());
  const RoleModel back =
      roles_from_record({record.kind, record.version, parse_json(to_json(record.fields, 1), "m.json")});
  ASSERT_TRUE(back.grown);
  EXPECT_EQ(back.grown->most_roles, 4U);
  EXPECT_EQ(back.grown->unseen, 0.25);
  EXPECT_EQ(back.grown->role_share, (std::vector<double>{0.5, 0.125, 0.75}));
  EXPECT_EQ(back.grown->never_together, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 2}}));
  EXPECT_EQ(to_record(back), record);
}

TEST(RoleRecord, BrokenGrownSetsHaveTheirMessages) {
  const auto broken = [](const char* key, Value value) {
    Record record = to_record(grown_model());
    Value grown = record.fields.at("grown");
    grown.set(key, std::move(value));
    record.fields.set("grown", std::move(grown));
    return refused(record);
  };
  EXPECT_EQ(broken("most_roles", 0), "field 'most_roles' = 0 is below 1");
  EXPECT_EQ(broken("unseen", 1.5), "field 'unseen' = 1.5 is outside [0, 1]");
  EXPECT_EQ(broken("role_shares", Value::list({0.5})), "field 'role_shares' has 1 entries; 3 are needed");
  EXPECT_EQ(broken("role_shares", Value::list({0.5, 0.5, 1.0})), "field 'role_shares' = 1 is not between 0 and 1");
  EXPECT_EQ(broken("never_together", Value::list({Value::list({0})})), "field 'never_together' is not a list of pairs");
  EXPECT_EQ(broken("never_together", Value::list({Value::list({0, 3})})),
            "field 'never_together' names a role that does not exist");
  Record both = to_record(full_model(NoiseScope::global));
  both.fields.set("grown", to_record(grown_model()).fields.at("grown"));
  EXPECT_EQ(refused(both), "field 'grown' does not go with attributes or noise that is not global");
}

TEST(RoleRecord, BrokenAttributesHaveTheirMessages) {
  const auto broken = [](const char* key, Value value) {
    Record record = to_record(full_model(NoiseScope::global));
    Value attributes = record.fields.at("attributes");
    Value::List list = attributes.at("attributes").as_list();
    list[1].set(key, std::move(value));
    attributes.set("attributes", std::move(list));
    record.fields.set("attributes", attributes);
    return refused(record);
  };
  EXPECT_EQ(broken("share", -0.5), "field 'share' = -0.5 is negative");
  EXPECT_EQ(broken("share", 1.5).substr(0, 37), "field 'share' has shares that sum to ");
  EXPECT_EQ(broken("values", Value::list({"x", "y"})), "field 'set_shares' does not fit the attribute's values");
  EXPECT_EQ(broken("set_shares", Value::list({Value::list({0.5})})), "field 'set_shares' has 1 entries; 7 are needed");
  Value::List lines(2, Value::list_of(std::vector<double>(7, 2.0)));
  EXPECT_EQ(broken("set_shares", std::move(lines)), "field 'set_shares' = 2 is outside [0, 1]");
}

}  // namespace
}  // namespace motet::roles::role_record_test
