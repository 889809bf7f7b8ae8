#include "motet/multilabel/decision_options.h"

#include <gtest/gtest.h>

namespace motet::multilabel::decision_options_test {
namespace {

TEST(DecisionOptions, EveryFieldReachesThePrediction) {
  PredictionChoice choice;
  const std::vector<Field> fields = fields_of(choice);
  const auto set = [&](std::string_view name, std::string_view text) {
    for (const Field& field : fields) {
      if (field.name == name) return field.set(text);
    }
    FAIL() << name;
  };
  set("candidates", "degree:3");
  set("decision", "hamming");
  set("node_limit", "7");
  set("reject_below", "0.25");
  set("outlier_level", "0.5");
  set("best", "4");
  set("heuristic_error", "0.125");
  EXPECT_EQ(fields.size(), 7U);
  const PredictOptions options = predict_options(choice);
  EXPECT_EQ(options.candidates.kind, CandidateKind::degree);
  EXPECT_EQ(options.candidates.degree, 3U);
  EXPECT_EQ(options.decision, Decision::hamming);
  EXPECT_EQ(options.node_limit, 7U);
  EXPECT_EQ(options.reject_below, 0.25);
  EXPECT_EQ(options.outlier_level, 0.5);
  EXPECT_EQ(options.best, 4U);
  EXPECT_EQ(options.heuristic_error, 0.125);
}

TEST(DecisionOptions, DefaultsAreThoseOfThePrediction) {
  const PredictOptions options = predict_options(PredictionChoice{});
  const PredictOptions plain;
  EXPECT_EQ(options.candidates.kind, plain.candidates.kind);
  EXPECT_EQ(options.decision, plain.decision);
  EXPECT_EQ(options.node_limit, plain.node_limit);
  EXPECT_EQ(options.outlier_level, plain.outlier_level);
  EXPECT_EQ(options.best, plain.best);
  EXPECT_EQ(options.heuristic_error, plain.heuristic_error);
}

}  // namespace
}  // namespace motet::multilabel::decision_options_test
