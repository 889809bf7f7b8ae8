#include "motet/superset/member_record.h"

#include <gtest/gtest.h>

#include "superset/candidate_cases.h"
#include "support/errors.h"

namespace motet::superset::member_record_test {
namespace {

constexpr std::size_t dimensions = 2, classes = 3;

SupersetMember lines(bool bent) {
  SupersetMember member;
  member.plan = {SupersetMethod::svm, true, bent, false, 0.25};
  member.neighbours = 4;
  member.sharpness = 1.5;
  if (bent) member.landmarks = {2, 0.5, {1.0, 2.0}, {1.25}};
  const std::size_t inputs = bent ? 1 : dimensions;
  member.linear = {inputs, classes, {}};
  for (std::size_t i = 0; i < (inputs + 1) * classes; ++i)
    member.linear.weights.push_back(0.1 * static_cast<double>(i));
  return member;
}

SupersetMember memory() {
  SupersetMember member;
  member.plan = {SupersetMethod::ipal, true, false, true};
  member.memory = {dimensions, classes, {1.0, 2.0, 3.0, 4.0}, {1.0, 0.0, 0.5, 0.0, 1.0, 0.0}};
  return member;
}

SupersetMember mixtures() {
  SupersetMember member;
  member.plan = {SupersetMethod::lsb_cmm, false, false, false, 1.0, 7, 2};
  member.mixtures.push_back({dimensions, classes, {0.5, -1.0, 2.0}, {1.0, 2.0, 0.25, 0.5, 3.0, 0.125}, {4.0, 1.5}});
  member.mixtures.push_back({dimensions, classes, {}, {1.0, 2.0, 3.0}, {6.0}});
  return member;
}

TEST(SupersetMemberRecord, EveryKindComesBackAsItWas) {
  for (const SupersetMember& member : {lines(false), lines(true), memory(), mixtures()}) {
    EXPECT_EQ(member_from(to_value(member), dimensions, classes), member) << name_of(member.plan);
  }
}

// The message when one field is something else.
std::string with_field(const SupersetMember& member, const char* key, Value value) {
  Value record = to_value(member);
  record.set(key, std::move(value));
  return error_of([&] { member_from(record, dimensions, classes); });
}

TEST(SupersetMemberRecord, EveryBrokenFieldHasItsMessage) {
  EXPECT_EQ(with_field(lines(false), "method", "auto"), "field 'method' is 'auto'");
  EXPECT_EQ(with_field(lines(false), "penalty", -1.0), "field 'penalty' = -1 is not a number of at least 0");
  EXPECT_EQ(with_field(lines(false), "sharpness", 0.0), "field 'sharpness' = 0 is not positive");
  EXPECT_EQ(with_field(lines(false), "components", -1), "field 'components' = -1 is below 0");
  EXPECT_EQ(with_field(lines(false), "restarts", 0), "field 'restarts' = 0 is below 1");
  EXPECT_EQ(with_field(lines(false), "neighbours", 0), "field 'neighbours' = 0 is below 1");
  EXPECT_EQ(with_field(lines(false), "weights", Value::list({1.0})), "field 'weights' has 1 entries; 9 are needed");
  EXPECT_EQ(with_field(lines(false), "bent", true), "landmarks: field 'landmarks' is missing");
  EXPECT_EQ(with_field(memory(), "bent", true), "field 'bent' does not fit the method");
  EXPECT_EQ(with_field(memory(), "x", Value::List{}), "field 'x' has 0 numbers, which are no rows of 2");
  EXPECT_EQ(with_field(memory(), "x", Value::list({1.0, 2.0, 3.0})), "field 'x' has 3 numbers, which are no rows of 2");
  EXPECT_EQ(with_field(memory(), "target", Value::list({1, 0, 0, 1, 0, -1})), "field 'target' is negative");
  EXPECT_EQ(with_field(mixtures(), "mixtures", Value::List{}), "field 'mixtures' is empty");
}

TEST(SupersetMemberRecord, BrokenLandmarksAndMixturesAreNamed) {
  const auto landmarks = [](double scale, double factor) {
    return with_field(
        lines(true), "landmarks",
        Value::object({{"scale", scale}, {"z", Value::list({1.0, 2.0})}, {"factor", Value::list({factor})}}));
  };
  EXPECT_EQ(landmarks(0.5, 1.25), "");
  EXPECT_EQ(landmarks(0.0, 1.25), "landmarks: field 'scale' = 0 is not positive");
  EXPECT_EQ(landmarks(0.5, 0.0), "landmarks: field 'factor' cannot be inverted");
  const auto second_mixture = [](const char* key, Value value) {
    Value::List list = to_value(mixtures()).at("mixtures").as_list();
    list[1].set(key, std::move(value));
    return with_field(mixtures(), "mixtures", std::move(list));
  };
  EXPECT_EQ(second_mixture("concentration", Value::list({1.0, 2.0})),
            "mixture 2: field 'concentration' has 2 numbers, which are no rows of 3");
  EXPECT_EQ(second_mixture("concentration", Value::list({1.0, 2.0, 0.0})),
            "mixture 2: field 'concentration' = 0 is outside [1e-12, 1e+15]");
  EXPECT_EQ(second_mixture("mass", Value::list({-1.0})), "mixture 2: field 'mass' = -1 is outside [0, 1e+15]");
  EXPECT_EQ(second_mixture("weights", Value::list({1.0})), "mixture 2: field 'weights' has 1 entries; 0 are needed");
}

}  // namespace
}  // namespace motet::superset::member_record_test
