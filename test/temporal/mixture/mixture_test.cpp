#include "motet/temporal/mixture/mixture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/io/json.h"
#include "motet/io/record_file.h"
#include "support/errors.h"
#include "temporal/row_cases.h"

namespace motet::temporal::mixture_test {
namespace {

Mixture some_mixture() {
  Mixture mixture;
  mixture.columns = {"a", "b", "c"};
  mixture.covariance = MixtureCovariance::full;
  mixture.components = some_components(2, 3, 1);
  mixture.components[0].share = 1.0 / 3.0;
  mixture.components[0].of_class = 1;
  mixture.classes = {"nothing", "song"};
  mixture.field = {2, WeightShape::custom, {1.0, 0.3}, 0.1, Border::clique, 0};
  return mixture;
}

std::string message_of(const Record& record) {
  return error_of([&] { mixture_from_record(record); }, ErrorKind::bad_data);
}

TEST(Mixture, SpreadIsThatOfAllComponentsTogether) {
  Mixture mixture;
  mixture.columns = {"a", "b"};
  mixture.components.resize(2);
  mixture.components[0].mean = {1.0, 5.0};
  mixture.components[0].covariance = {2.0, 0.5, 0.5, 0.0};
  mixture.components[0].share = 0.25;
  mixture.components[1].mean = {5.0, 5.0};
  mixture.components[1].covariance = {6.0, 0.0, 0.0, 0.0};
  mixture.components[1].share = 0.75;
  const MixtureSpread found = spread_of(mixture);
  EXPECT_DOUBLE_EQ(found.mean[0], 4.0);
  EXPECT_DOUBLE_EQ(found.deviation[0], std::sqrt(0.25 * (2.0 + 9.0) + 0.75 * (6.0 + 1.0)));
  EXPECT_EQ(found.mean[1], 5.0);
  EXPECT_EQ(found.deviation[1], 0.0);
}

TEST(MixtureRecord, RoundTripKeepsEverything) {
  for (const MixtureCovariance kind : {MixtureCovariance::full, MixtureCovariance::diagonal, MixtureCovariance::tied}) {
    Mixture mixture = some_mixture();
    mixture.covariance = kind;
    const Record record = to_record(mixture);
    const Mixture back =
        mixture_from_record({record.kind, record.version, parse_json(to_json(record.fields, 1), "m.json")});
    EXPECT_EQ(to_record(back), record);
    EXPECT_EQ(back.columns, mixture.columns);
    EXPECT_EQ(back.covariance, kind);
    EXPECT_EQ(back.components, mixture.components);
    EXPECT_EQ(back.classes, mixture.classes);
    EXPECT_EQ(back.field, mixture.field);
  }
}

TEST(MixtureRecord, ReadsTheFirstVersion) {
  const Mixture mixture =
      mixture_from_record(read_record(std::string(MOTET_TEST_DIR) + "/golden/temporal/model_v1.json"));
  EXPECT_EQ(mixture.columns, (std::vector<std::string>{"c1", "c2"}));
  EXPECT_EQ(mixture.covariance, MixtureCovariance::full);
  ASSERT_EQ(mixture.components.size(), 2U);
  EXPECT_EQ(mixture.components[0].mean, (std::vector<double>{0.5, -1.25}));
  EXPECT_EQ(mixture.components[0].of_class, 0);
  EXPECT_EQ(mixture.components[1].covariance, (std::vector<double>{1.0, 0.0, 0.0, 0.125}));
  EXPECT_EQ(mixture.components[1].share, 0.25);
  EXPECT_EQ(mixture.components[1].of_class, -1);
  EXPECT_EQ(mixture.field, (TimeField{2, WeightShape::quadratic, {}, 0.375, Border::clique, 0}));
}

TEST(MixtureRecord, RefusesANewerVersion) {
  Record record = to_record(some_mixture());
  record.version = 3;
  EXPECT_EQ(message_of(record),
            "'temporal' model of version 3 is newer than this program, which reads 1 to 2; use a newer motet");
}

Mixture chained_mixture() {
  Mixture mixture = some_mixture();
  mixture.field = {};
  mixture.chain = {{0.25, 0.75}, {0.9, 0.1, 0.3, 0.7}};
  return mixture;
}

TEST(MixtureRecord, AChainMakesASecondVersion) {
  EXPECT_EQ(to_record(some_mixture()).version, 1);  // which older programs read
  const Record record = to_record(chained_mixture());
  EXPECT_EQ(record.version, 2);
  const Mixture back =
      mixture_from_record({record.kind, record.version, parse_json(to_json(record.fields, 1), "m.json")});
  EXPECT_EQ(back.chain, chained_mixture().chain);
  EXPECT_EQ(to_record(back), record);
  const Mixture kept = mixture_from_record(read_record(std::string(MOTET_TEST_DIR) + "/golden/temporal/model_v2.json"));
  EXPECT_EQ(kept.chain, chained_mixture().chain);
}

TEST(MixtureRecord, RefusesABrokenChain) {
  const auto broken = [](const char* key, const std::vector<double>& values) {
    Record record = to_record(chained_mixture());
    Value chain = record.fields.at("chain");
    chain.set(key, Value::list_of(values));
    record.fields.set("chain", chain);
    return message_of(record);
  };
  EXPECT_EQ(broken("start", {0.0, 1.0}), "field 'start' has an entry that is not above 0");
  EXPECT_EQ(broken("start", {0.5, 0.25}), "field 'start' does not sum to 1");
  EXPECT_EQ(broken("transition", {0.9, 0.1, -0.3, 1.3}), "field 'transition' has an entry that is not above 0");
  EXPECT_EQ(broken("transition", {0.9, 0.1, NAN, 0.7}),
            "field 'chain.transition' = nan is no number; numbers of a model are at most 1e+300 in size");
  EXPECT_EQ(broken("transition", {0.9, 0.1, 0.7, 0.7}), "field 'transition' does not sum to 1");
  EXPECT_EQ(broken("transition", {1.0}), "field 'transition' has 1 entries; 4 are needed");
}

TEST(MixtureRecord, RefusesBrokenFields) {
  const auto broken = [](const char* key, Value value) {
    Record record = to_record(some_mixture());
    record.fields.set(key, std::move(value));
    return message_of(record);
  };
  EXPECT_EQ(broken("columns", Value::List{}), "field 'columns' is empty");
  EXPECT_EQ(broken("covariance", "round"), "field 'covariance' is 'round'");
  EXPECT_EQ(broken("components", Value::List{}), "field 'components' has 0 entries; 1 to 255 are allowed");
  EXPECT_EQ(broken("classes", Value::List{}), "field 'class' names a class that does not exist");

  const auto broken_component = [](const char* key, Value value) {
    Record record = to_record(some_mixture());
    Value component = record.fields.at("components").as_list()[0];
    component.set(key, std::move(value));
    record.fields.set("components", Value::list({component}));
    return message_of(record);
  };
  EXPECT_EQ(broken_component("share", 1.5), "field 'share' is outside [0, 1]");
  EXPECT_EQ(broken_component("covariance", Value::list_of(std::vector<double>{1, 2, 0, 2, 1, 0, 0, 0, 1})),
            "field 'covariance' is not symmetric and positive definite");
  EXPECT_EQ(broken_component("covariance", Value::list_of(std::vector<double>{1, 0.1, 0, 0.2, 1, 0, 0, 0, 1})),
            "field 'covariance' is not symmetric and positive definite");
  EXPECT_EQ(broken_component("mean", Value::list_of(std::vector<double>{1, 2, INFINITY})),
            "field 'components.mean' = inf is too large; numbers of a model are at most 1e+300 in size");

  const auto broken_field = [](const char* key, Value value) {
    Record record = to_record(some_mixture());
    Value field = record.fields.at("field");
    field.set(key, std::move(value));
    record.fields.set("field", field);
    return message_of(record);
  };
  EXPECT_EQ(broken_field("radius", -1), "field 'radius' is negative");
  EXPECT_EQ(broken_field("radius", 1'000'000'000), "field 'radius' is 1000000000; at most 1000000 is allowed");
  EXPECT_EQ(broken_field("strength", -0.5), "field 'strength' = -0.5 is outside [0, 1e+06]");
  EXPECT_EQ(broken_field("border", "none"), "field 'border' is 'none'");

  Mixture still = some_mixture();
  still.field = {};
  still.components[0].share = 0.25;
  still.components[1].share = 0.25;
  EXPECT_EQ(message_of(to_record(still)), "field 'share' has shares that sum to 0.5, not 1");
}

}  // namespace
}  // namespace motet::temporal::mixture_test
