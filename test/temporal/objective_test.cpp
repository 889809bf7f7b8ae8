#include "motet/temporal/objective.h"

#include <gtest/gtest.h>

#include <cmath>

#include "temporal/row_cases.h"

namespace motet::temporal::objective_test {
namespace {

// Three components in two columns.
Mixture three_components() {
  Mixture mixture;
  mixture.columns = {"x1", "x2"};
  mixture.components = some_components(3, 2, 1);
  return mixture;
}

TEST(ParameterCount, IsThatOfWhatAFitChooses) {
  constexpr std::size_t means = 3 * 2;
  constexpr std::size_t shares = 2;
  Mixture mixture = three_components();
  EXPECT_EQ(parameter_count(mixture, false), means + 3 * 3 + shares);
  mixture.covariance = MixtureCovariance::diagonal;
  EXPECT_EQ(parameter_count(mixture, false), means + 3 * 2 + shares);
  mixture.covariance = MixtureCovariance::tied;
  EXPECT_EQ(parameter_count(mixture, false), means + 3 + shares);
  mixture.emission = ComponentLaw::student_t;
  EXPECT_EQ(parameter_count(mixture, false), means + 3 + shares + 3);
  mixture.degrees_are_given = true;
  EXPECT_EQ(parameter_count(mixture, false), means + 3 + shares);
  mixture.classes = {"a", "b", "c", "d"};
  EXPECT_EQ(parameter_count(mixture, false), means + 3 + shares);  // of_class is not a number that is fitted
  for (Component& component : mixture.components) component.class_shares.assign(4, 0.25);
  EXPECT_EQ(parameter_count(mixture, false), means + 3 + shares + 3 * 3);
}

TEST(ParameterCount, AFieldOrAChainTakesThePlaceOfTheShares) {
  constexpr std::size_t shapes = 3 * 2 + 3 * 3;
  Mixture mixture = three_components();
  mixture.field = {.radius = 4, .strength = 0.0};
  EXPECT_EQ(parameter_count(mixture, true), shapes + 2);  // without strength there are shares
  mixture.field.strength = 0.3;
  EXPECT_EQ(parameter_count(mixture, false), shapes);
  EXPECT_EQ(parameter_count(mixture, true), shapes + 1);
  mixture.chain = {std::vector<double>(3, 1.0 / 3.0), std::vector<double>(9, 1.0 / 3.0)};
  EXPECT_EQ(parameter_count(mixture, false), shapes + 2 + 3 * 2);  // a start and three rows that sum to 1
}

TEST(LikelihoodOf, IsPerRowAndHasTheBicOfItsParameters) {
  const Mixture mixture = three_components();
  for (const ObjectiveKind kind : {ObjectiveKind::log_likelihood, ObjectiveKind::lower_bound}) {
    const Likelihood found = likelihood_of(kind, -500.0, 200, mixture, false);
    EXPECT_EQ(found.kind, kind);
    EXPECT_EQ(found.a_row, -2.5);
    EXPECT_EQ(found.parameters, 17U);
    EXPECT_DOUBLE_EQ(found.bic.value(), 17.0 * std::log(200.0) + 1000.0);
  }
}

TEST(LikelihoodOf, APseudoLikelihoodOrNoRowsCompareWithNothing) {
  const Mixture mixture = three_components();
  const Likelihood pseudo = likelihood_of(ObjectiveKind::pseudo_log_likelihood, -500.0, 200, mixture, false);
  EXPECT_FALSE(pseudo.a_row.has_value());
  EXPECT_FALSE(pseudo.bic.has_value());
  EXPECT_EQ(pseudo.parameters, 17U);
  EXPECT_FALSE(likelihood_of(ObjectiveKind::log_likelihood, 0.0, 0, mixture, false).bic.has_value());
}

TEST(ObjectiveKind, IsNamedForPeople) {
  EXPECT_EQ(name_of(ObjectiveKind::log_likelihood), "log-likelihood");
  EXPECT_EQ(name_of(ObjectiveKind::lower_bound), "lower bound of the log-likelihood");
  EXPECT_EQ(name_of(ObjectiveKind::pseudo_log_likelihood), "pseudo-log-likelihood");
}

}  // namespace
}  // namespace motet::temporal::objective_test
