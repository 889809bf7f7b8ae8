#include "motet/judges/model.h"
#include "motet/io/record_file.h"

#include <gtest/gtest.h>

#include "motet/io/json.h"
#include "motet/judges/estimate.h"
#include "motet/judges/simulate.h"
#include "motet/judges/update.h"
#include "support/expect_error.h"

namespace motet::judges::model_test {
namespace {

JudgesModel fitted(std::size_t judges, std::size_t classes) {
  SimulateOptions options;
  options.items = 200;
  options.judges = judges;
  options.classes = classes;
  return estimate_judges(simulate_votes(options, Seed{3}).votes, {}, {}).model;
}

void refuses(const std::string& text, const Record& record) {
  expect_error(ErrorKind::bad_data, text, [&] { judges_from_record(record); });
}

void refuses_field(const std::string& text, Record record, const std::string& field, Value value) {
  record.fields.set(field, std::move(value));
  refuses(text, record);
}

TEST(JudgesModel, SurvivesItsFile) {
  const JudgesModel model = fitted(4, 3);
  const Record record = to_record(model);
  EXPECT_EQ(to_record(judges_from_record(record)), record);
  const Value text = parse_json(to_json(record.fields, 1), "memory");
  EXPECT_EQ(judges_from_record({record.kind, record.version, text}).parameters, model.parameters);
}

TEST(JudgesModel, ReadsTheFirstVersion) {
  const Record old = read_record(std::string(MOTET_TEST_DIR) + "/golden/judges/model_v1.json");
  const JudgesModel model = judges_from_record(old);
  EXPECT_EQ(model.judges, (std::vector<std::string>{"ann", "bob", "cy"}));
  EXPECT_EQ(model.class_count(), 2U);
  EXPECT_EQ(to_record(model), old);
}

TEST(JudgesModel, KnowsWhereItsNumbersStand) {
  JudgesModel model;
  model.classes = {"a", "b"};
  model.judges = {"x", "y"};
  // Prior, then for each judge and what it said a row of the true classes.
  model.parameters = {0.25, 0.75, 1.0, 0.0, 0.0, 1.0, 0.9, 0.4, 0.1, 0.6};
  EXPECT_EQ(model.prior(1), 0.75);
  EXPECT_EQ(model.cell(1, 0, 1), 0.4);
  EXPECT_EQ(model.cell(1, 1, 0), 0.1);
  EXPECT_DOUBLE_EQ(model.accuracy(0), 1.0);
  EXPECT_DOUBLE_EQ(model.accuracy(1), 0.25 * 0.9 + 0.75 * 0.6);
  EXPECT_TRUE(model.is_table());
}

TEST(JudgesModel, OfAnotherKindOrANewerVersionIsRefused) {
  Record record = to_record(fitted(3, 2));
  record.version = 99;
  refuses("'judges' model of version 99 is newer than this program, which reads 1 to 1; use a newer motet", record);
  record.version = 1;
  record.kind = "roles";
  refuses("holds a 'roles' model; a 'judges' model is needed", record);
}

TEST(JudgesModel, FieldsThatCannotBeAreRefused) {
  const Record good = to_record(fitted(3, 2));
  refuses_field("field 'prior' has 1 entries; 2 are needed", good, "prior", Value::list({0.5}));
  refuses_field("field 'prior' = 7 is outside [0, 1]", good, "prior", Value::list({0.5, 7.0}));
  refuses_field("field 'noise' is 'loud'; one of {symmetric, confusion, glad, shared, subtypes} is needed", good,
                "noise", "loud");
  refuses_field("a judges model needs two classes and a judge", good, "classes", Value::list({"a"}));
  refuses_field("a judges model needs two classes and a judge", good, "judges", Value(Value::List{}));
  refuses_field("field 'vote_weight' = 0 is outside [1e-06, 1]", good, "vote_weight", 0.0);
  refuses_field("field 'items' = -1 is outside [0, 1e+15]", good, "items", -1.0);
}

TEST(JudgesModel, StatesAreReadOrRefused) {
  const JudgesModel model = fitted(3, 2);
  ASSERT_TRUE(model.states.has_value());
  const Record good = to_record(model);
  const JudgesModel read = judges_from_record(good);
  EXPECT_EQ(read.states->shape, model.states->shape);
  EXPECT_EQ(read.states->parameters, model.states->parameters);
  EXPECT_EQ(read.states->right_strength, model.states->right_strength);
  const auto refuses = [&](const std::string& text, const char* key, Value value) {
    Value states = good.fields.at("states");
    states.set(key, std::move(value));
    refuses_field(text, good, "states", states);
  };
  refuses("field 'per_class' = 0 is outside 1 to 1000", "per_class", 0);
  refuses("field 'levels' must begin with 0", "levels", Value::list({0.5}));
  refuses("field 'background' has 1 entries; 2 are needed", "background", Value::list({0.5}));
  refuses("field 'right_strength' = -1 is outside [0, 1e+15]", "right_strength", -1.0);
  refuses("field 'state_shares' has 3 entries; 2 are needed", "state_shares", Value::list({0.2, 0.3, 0.5}));
}

// Four judges of whom two err together.
Value dependence_of(std::size_t second, double shared_errors) {
  const Value pair =
      Value::object({{"first", 0}, {"second", second}, {"gamma", 0.5}, {"correlation", 0.3}, {"bic_gain", 12.0}});
  return Value::object({{"beta", Value::list({0.5, 0.4, 0.3, 0.2})},
                        {"accuracy", Value::list({0.7, 0.7, 0.7, 0.7})},
                        {"shared_errors", Value::list({shared_errors, shared_errors, 0.0, 0.0})},
                        {"effective_judges", 3.5},
                        {"pairs", Value::list({pair})}});
}

TEST(JudgesModel, DependenceIsReadOrRefused) {
  Record record = to_record(fitted(4, 2));
  record.fields.set("dependence", dependence_of(1, 0.25));
  const JudgesModel model = judges_from_record(record);
  ASSERT_TRUE(model.dependence.has_value());
  EXPECT_EQ(pairs_of(*model.dependence), (std::vector<ErrorPair>{{0, 1}}));
  EXPECT_EQ(model.dependence->shared_errors[1], 0.25);
  EXPECT_EQ(to_record(model), record);
  refuses_field("field 'pairs' names a judge that does not exist", record, "dependence", dependence_of(4, 0.25));
  refuses_field("field 'pairs' names a judge that does not exist", record, "dependence", dependence_of(0, 0.25));
  refuses_field("field 'shared_errors' is outside [0, 1)", record, "dependence", dependence_of(1, 1.0));
}

TEST(JudgesModel, KeepsTheAccuracyThatIsToldUntilVotesAreAdded) {
  JudgesModel model = fitted(3, 2);
  model.seen_accuracy.clear();
  const Record without = to_record(model);
  EXPECT_EQ(without.fields.find("seen_accuracy"), nullptr);
  model.seen_accuracy = {0.5, 0.75, 1.0};
  const Record record = to_record(model);
  EXPECT_EQ(judges_from_record(record).seen_accuracy, model.seen_accuracy);
  const JudgesFit told = fit_from_model(model, 0.95);
  EXPECT_EQ(told.judges[1].accuracy, 0.75);
  EXPECT_EQ(told.judges[1].long_run_accuracy, model.accuracy(1));
  refuses_field("field 'seen_accuracy' = 1.5 is outside [0, 1]", record, "seen_accuracy",
                Value::list_of(std::vector<double>{0.5, 0.75, 1.5}));
}

TEST(JudgesModel, MorePairsThanCanBeGoneThroughAreRefused) {
  Record record = to_record(fitted(11, 2));
  Value::List pairs;
  for (std::size_t j = 0; j < 10; ++j) {
    pairs.push_back(
        Value::object({{"first", j}, {"second", j + 1}, {"gamma", 0.1}, {"correlation", 0.1}, {"bic_gain", 1.0}}));
  }
  Value dependence = Value::object({{"beta", Value::list_of(std::vector<double>(11, 0.5))},
                                    {"accuracy", Value::list_of(std::vector<double>(11, 0.7))},
                                    {"shared_errors", Value::list_of(std::vector<double>(11, 0.0))},
                                    {"effective_judges", 8.0},
                                    {"pairs", std::move(pairs)}});
  refuses_field("field 'pairs' links more than 10 judges", record, "dependence", std::move(dependence));
}

}  // namespace
}  // namespace motet::judges::model_test
