#include "motet/temporal/field/field_problem.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace motet::temporal::field_problem_test {
namespace {

using States = std::vector<std::uint8_t>;
using Labels = std::vector<std::int32_t>;

const std::vector<std::size_t> starts{0, 1, 3};
const std::vector<double> densities(6);  // two components of three rows

void refuses(const std::string& text, const FieldProblem& problem) {
  expect_error(ErrorKind::usage, text, [&] { check(problem); });
}

TEST(FieldProblem, SizesThatFitAreTaken) {
  const Labels labels{-1, 0, 1};
  const Labels of_class{1, 0};
  EXPECT_NO_THROW(check({starts, densities, 2, {}, {}}));
  EXPECT_NO_THROW(check({starts, densities, 2, labels, of_class}));
  const std::vector<std::size_t> no_rows{0};
  EXPECT_NO_THROW(check({no_rows, {}, 2, {}, {}}));
}

TEST(FieldProblem, SizesThatDoNotFitAreRefused) {
  const Labels two{-1, 0};
  const Labels three{-1, 0, 0};
  refuses("field: components = 0 is outside [1, 255]", {starts, {}, 0, {}, {}});
  refuses("field: components = 256 is outside [1, 255]", {starts, densities, 256, {}, {}});
  refuses("field: 6 densities are not 3 components of 3 rows", {starts, densities, 3, {}, {}});
  refuses("field: 2 labels are not one per row of 3", {starts, densities, 2, two, two});
  refuses("field: 3 classes of components are not one per component of 2", {starts, densities, 2, three, three});
}

TEST(FieldProblem, StartsRiseFromNoughtOn) {
  const std::string text = "field: starts must rise from 0 to the number of rows";
  for (const std::vector<std::size_t>& wrong : {std::vector<std::size_t>{}, {1, 3}, {0, 3, 2}}) {
    expect_error(ErrorKind::usage, text, [&] { check_starts(wrong); });
  }
  EXPECT_NO_THROW(check_starts(std::vector<std::size_t>{0, 0, 2, 2}));
}

TEST(FieldProblem, StatesAreComponents) {
  EXPECT_NO_THROW(check_states(States{0, 1, 1}, 3, 2));
  EXPECT_NO_THROW(check_states({}, 0, 2));
  expect_error(ErrorKind::usage, "field: 2 states are not one per row of 3", [] { check_states(States{0, 1}, 3, 2); });
  expect_error(ErrorKind::usage, "field: state = 2 is not a component; allowed are 0 to 1", [] {
    check_states(States{0, 2, 1}, 3, 2);
  });
}

States allowed(const AllowedComponents& components, std::size_t row) {
  const std::span<const std::uint8_t> some = components.of(row);
  return {some.begin(), some.end()};
}

TEST(AllowedComponents, AreThoseOfTheClassOfALabelledRow) {
  const std::vector<double> four(12);
  const Labels labels{1, -1, 0};
  const Labels of_class{0, 1, -1, 0};  // component 2 belongs to none
  const AllowedComponents found({starts, four, 4, labels, of_class});
  EXPECT_EQ(allowed(found, 0), States{1});
  EXPECT_EQ(allowed(found, 1), (States{0, 1, 2, 3}));
  EXPECT_EQ(allowed(found, 2), (States{0, 3}));
  EXPECT_FALSE(found.all_allowed(0));
  EXPECT_TRUE(found.all_allowed(1));
  const AllowedComponents without({starts, four, 4, {}, {}});
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_TRUE(without.all_allowed(n));
    EXPECT_EQ(allowed(without, n), (States{0, 1, 2, 3}));
  }
}

TEST(AllowedComponents, AClassWithoutOneIsRefused) {
  const Labels of_class{0, 2};
  for (const std::int32_t label : {1, 3}) {
    const Labels labels{0, label, 2};
    expect_error(ErrorKind::usage,
                 "row 2: label = " + std::to_string(label) + " is a class without a component; give it one first", [&] {
                   AllowedComponents({starts, densities, 2, labels, of_class});
                 });
  }
}

}  // namespace
}  // namespace motet::temporal::field_problem_test
