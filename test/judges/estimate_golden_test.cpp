// Reference numbers of an independent computation, through the public interface.
#include <gtest/gtest.h>

#include <ostream>

#include <cmath>

#include "judges/golden_data.h"
#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/judges/combine.h"
#include "motet/judges/estimate.h"

namespace motet::judges::estimate_golden_test {
namespace {

constexpr double probability_tolerance = 1e-6;  // stated with the fixtures
constexpr double relative_tolerance = 1e-6;

struct Fixture {
  std::string name;
  std::size_t classes;
  std::string prior;
};

void PrintTo(const Fixture& item, std::ostream* out) { *out << item.name; }

class EstimateGolden : public testing::TestWithParam<Fixture> {
 protected:
  Value expected(std::string_view what) const {
    const std::string path = std::string(MOTET_TEST_DIR) + "/golden/judges/expected.json";
    return parse_json(read_whole(path), path).at(GetParam().name).at(what);
  }

  JudgesFit fit(JudgesOptions options, std::size_t gold = 0) const {
    options.tolerance = 1e-11;  // the fixtures are exact optima
    return estimate_judges(golden_votes(GetParam().name, GetParam().classes, gold), options, {});
  }

  JudgesOptions symmetric(std::string prior) const {
    JudgesOptions options;
    options.noise = JudgeNoise::symmetric;
    options.prior = std::move(prior);
    return options;
  }

  JudgesOptions add_one(std::string prior) const {
    JudgesOptions options{.prior = std::move(prior), .smoothing = 1.0};
    return options;
  }

  static void expect_accuracies(const JudgesFit& found, const std::vector<double>& theta) {
    ASSERT_EQ(found.judges.size(), theta.size());
    for (std::size_t j = 0; j < theta.size(); ++j)
      EXPECT_NEAR(found.judges[j].accuracy, theta[j], probability_tolerance);
  }

  static void expect_likelihood(const JudgesFit& found, const Value& expected) {
    const double value = expected.at("ll").as_number();
    EXPECT_NEAR(found.log_likelihood, value, relative_tolerance * std::abs(value));
  }

  static void expect_prior(const JudgesFit& found, const Value& expected) {
    const std::vector<double> prior = numbers_at(expected, "p");
    for (std::size_t y = 0; y < prior.size(); ++y) EXPECT_NEAR(found.model.prior(y), prior[y], probability_tolerance);
  }

  static void expect_tables(const JudgesFit& found, const Value& expected) {
    const Value::List& diagonals = expected.at("diag").as_list();
    const std::vector<double> risk = numbers_at(expected, "risk");
    for (std::size_t j = 0; j < diagonals.size(); ++j) {
      for (std::size_t y = 0; y < found.model.class_count(); ++y) {
        EXPECT_NEAR(found.model.cell(j, y, y), diagonals[j].as_list()[y].as_number(), probability_tolerance);
      }
      EXPECT_NEAR(1.0 - found.judges[j].accuracy, risk[j], probability_tolerance);
    }
  }
};

TEST_P(EstimateGolden, SymmetricKnownPrior) {
  const Value golden = expected("sym_known_p");
  JudgesOptions options = symmetric(GetParam().prior);
  options.information = InformationKind::outer_product;
  const JudgesFit found = fit(options);
  expect_accuracies(found, numbers_at(golden, "theta"));
  expect_likelihood(found, golden);
  const std::vector<double> errors = numbers_at(golden, "se_opg");
  for (std::size_t j = 0; j < errors.size(); ++j) {
    EXPECT_NEAR(found.judges[j].standard_error, errors[j], probability_tolerance);
  }
}

TEST_P(EstimateGolden, SymmetricEstimatedPrior) {
  const Value golden = expected("sym_est_p");
  const JudgesFit found = fit(symmetric("estimate"));
  expect_accuracies(found, numbers_at(golden, "theta"));
  expect_prior(found, golden);
  expect_likelihood(found, golden);
}

TEST_P(EstimateGolden, FiftyKnownLabels) {
  const Value golden = expected("sym_known_p_50gold");
  const JudgesFit found = fit(symmetric(GetParam().prior), 50);
  expect_accuracies(found, numbers_at(golden, "theta"));
  expect_likelihood(found, golden);
}

TEST_P(EstimateGolden, ConfusionKnownPriorAddOne) {
  const Value golden = expected("conf_known_p_add1");
  const JudgesFit found = fit(add_one(GetParam().prior));
  expect_tables(found, golden);
  expect_likelihood(found, golden);
}

TEST_P(EstimateGolden, ConfusionEstimatedPriorAddOne) {
  const Value golden = expected("conf_est_p_add1");
  const JudgesFit found = fit(add_one("estimate"));
  expect_tables(found, golden);
  expect_prior(found, golden);
  expect_likelihood(found, golden);
  const Votes all_known =
      golden_votes(GetParam().name, GetParam().classes, golden_votes(GetParam().name, GetParam().classes).item_count());
  double right = 0.0;
  combine(found.model, golden_votes(GetParam().name, GetParam().classes),
          [&](std::size_t i, std::span<const double> posterior) {
            right += static_cast<std::int32_t>(best_label(posterior).label) == all_known.known[i] ? 1.0 : 0.0;
          });
  EXPECT_NEAR(right / static_cast<double>(all_known.item_count()), golden.at("label_acc").as_number(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, EstimateGolden,
                         testing::Values(Fixture{"A_binary_full", 2, "0=0.25,1=0.75"},
                                         Fixture{"B_binary_missing", 2, "0=0.4,1=0.6"},
                                         Fixture{"C_4class_missing", 4, "0=0.4,1=0.3,2=0.2,3=0.1"}),
                         [](const auto& fixture) { return fixture.param.name; });

}  // namespace
}  // namespace motet::judges::estimate_golden_test
