#include "motet/sources/sources.h"

#include <gtest/gtest.h>

#include "source_cases.h"
#include "support/errors.h"

namespace motet::sources_test {
namespace {

using enum Combination;

Sources simple() {
  Sources sources;
  sources.dimensions = 2;
  sources.count = 3;
  sources.background = true;
  sources.location = {1, 2, 3, 4, 5, 6};
  sources.spread = {1, 2, 3, 4, 5, 6};
  return sources;
}

std::string refusal(const Value& value) {
  return error_of([&] { sources_from(value); }, ErrorKind::bad_data);
}

std::string refusal_with(const char* key, Value replaced) {
  Value value = to_value(simple());
  value.set(key, std::move(replaced));
  return refusal(value);
}

TEST(Sources, TheBackgroundIsAMemberOfEverySet) {
  const Sources sources = simple();
  EXPECT_EQ(sources.label_count(), 2U);
  EXPECT_EQ(members(sources, one_set(2, {1}).row(0)), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(members(sources, one_set(2, {}).row(0)), (std::vector<std::size_t>{2}));
}

TEST(Sources, ASetWithALabelThatDoesNotExistIsADefect) {
  EXPECT_THROW(members(simple(), one_set(3, {2}).row(0)), Error);
}

TEST(Sources, MomentsOfASumAddAndThoseOfAMeanAreDivided) {
  Sources sources = simple();
  sources.noise = {0.5, 0.1, 0.1, 0.5};
  const BitMatrix set = one_set(2, {0});
  SetMoments moments = set_moments(sources, set.row(0));
  EXPECT_EQ(moments.mean, (std::vector<double>{6, 8}));
  EXPECT_EQ(moments.covariance, (std::vector<double>{6.5, 0.1, 0.1, 8.5}));
  sources.combination = mean;
  moments = set_moments(sources, set.row(0));
  EXPECT_EQ(moments.mean, (std::vector<double>{3, 4}));
  EXPECT_EQ(moments.covariance, (std::vector<double>{2.0, 0.1, 0.1, 2.5}));
}

TEST(Sources, ACovarianceIsAMatrixWhateverItsKind) {
  Sources sources = simple();
  EXPECT_EQ(covariance_of(sources, 1), (std::vector<double>{3, 0, 0, 4}));
  sources.covariance = Covariance::spherical;
  EXPECT_EQ(covariance_of(sources, 1), (std::vector<double>{2, 0, 0, 2}));
  sources.covariance = Covariance::shared;
  sources.spread = {2, 1, 1, 2};
  EXPECT_EQ(covariance_of(sources, 1), sources.spread);
  sources.covariance = Covariance::full;
  sources.spread = {1, 0, 0, 1, 3, 1, 1, 3, 1, 0, 0, 1};
  EXPECT_EQ(covariance_of(sources, 1), (std::vector<double>{3, 1, 1, 3}));
  sources.covariance = Covariance::point;
  EXPECT_EQ(covariance_of(sources, 1), (std::vector<double>{0, 0, 0, 0}));
}

TEST(Sources, EveryKindSurvivesItsValue) {
  for (const Family family : {Family::gaussian, Family::lognormal}) {
    for (const Covariance covariance :
         {Covariance::spherical, Covariance::diagonal, Covariance::full, Covariance::shared, Covariance::point}) {
      const Sources sources = random_sources(family, product, covariance, 3, 4, true, true, 5);
      EXPECT_EQ(sources_from(to_value(sources)), sources);
    }
  }
  for (const Family family : {Family::bernoulli, Family::exponential, Family::gamma, Family::poisson}) {
    const Sources sources = random_sources(family, one_of, Covariance::diagonal, 3, 4, false, true, 5);
    EXPECT_EQ(sources_from(to_value(sources)), sources);
  }
}

TEST(Sources, ValuesThatCannotBeAreRefused) {
  EXPECT_EQ(refusal_with("family", "cauchy"), "field 'family' is 'cauchy'");
  EXPECT_EQ(refusal_with("combination", "or"),
            "--combine or has no meaning for gaussian sources; they have sum, mean, one-of, min, product");
  EXPECT_EQ(refusal_with("dimensions", 0), "field 'dimensions' = 0 is not a size");
  EXPECT_EQ(refusal_with("location", Value::list({1.0})), "field 'location' has 1 entries; 6 are needed");
  EXPECT_EQ(refusal_with("spread", Value::list({1, 2, 3, 4, 5, -6})),
            "field 'spread' has -6; a variance from 0 on is allowed");
  EXPECT_EQ(refusal_with("noise", Value::list({1.0})), "field 'noise' has 1 entries; 0 or 4 are allowed");
  EXPECT_EQ(refusal_with("noise", Value::list({1.0, 2.0, 2.0, 1.0})), "field 'noise' is not a covariance matrix");
  EXPECT_EQ(refusal_with("noise", Value::list({1.0, 0.5, 0.1, 1.0})), "field 'noise' is not a covariance matrix");
}

TEST(Sources, NumbersOutsideTheFamilyAreRefused) {
  const auto refusal_of = [](Family family, Combination combination, double location, double spread = 1.0) {
    Sources sources = random_sources(family, combination, Covariance::diagonal, 2, 1, false, false, 1);
    sources.location[1] = location;
    if (!sources.spread.empty()) sources.spread[0] = spread;
    return refusal(to_value(sources));
  };
  EXPECT_EQ(refusal_of(Family::bernoulli, logical_or, 1.5),
            "field 'location' has 1.5; a probability from 0 to 1 is allowed");
  EXPECT_EQ(refusal_of(Family::exponential, minimum, 0.0), "field 'location' has 0; a rate above 0 is allowed");
  EXPECT_EQ(refusal_of(Family::poisson, sum, -1.0), "field 'location' has -1; a rate from 0 on is allowed");
  EXPECT_EQ(refusal_of(Family::gamma, sum, 0.0), "field 'location' has 0; a shape above 0 is allowed");
  EXPECT_EQ(refusal_of(Family::gamma, sum, 1.0, 0.0), "field 'spread' has 0; a rate above 0 is allowed");
}

TEST(Sources, CovariancePointNeedsNoise) {
  const Sources sources = random_sources(Family::gaussian, sum, Covariance::point, 2, 2, false, false, 1);
  EXPECT_EQ(refusal(to_value(sources)), "field 'noise' is empty; covariance point needs it");
}

TEST(Sources, OnlyTheStatedPairsHaveAClosedForm) {
  EXPECT_TRUE(has_closed_form(Family::gaussian, mean));
  EXPECT_TRUE(has_closed_form(Family::poisson, one_of));
  EXPECT_FALSE(has_closed_form(Family::exponential, sum));
  EXPECT_FALSE(has_closed_form(Family::bernoulli, minimum));
  EXPECT_THROW(require_pair(Family::poisson, logical_and), Error);
  EXPECT_NO_THROW(require_pair(Family::lognormal, sum));
}

}  // namespace
}  // namespace motet::sources_test
