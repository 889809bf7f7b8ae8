// `motet multilabel evaluate`: rejection, and all that is confused.
#include <gtest/gtest.h>

#include "cli/multilabel_support.h"

namespace motet::multilabel_evaluate_test {
namespace {

class MultilabelEvaluateVerb : public MultilabelCommand {};

TEST_F(MultilabelEvaluateVerb, RejectionIsThatOfPredict) {
  ASSERT_EQ(train().code, 0);
  const std::vector<std::string> reject{"--reject-below", "0.95"};
  ASSERT_EQ(run({"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv"}, reject).code, 0);
  const std::vector<std::string> sets{"a", "b", "c", "a|b", "a|c", "b|c"};
  double rejected = 0.0;
  double wrong = 0.0;
  const std::vector<std::string> lines = lines_of("p.csv");
  for (std::size_t n = 1; n < lines.size(); ++n) {
    if (lines[n].ends_with(",1")) {
      rejected += 1.0;
    } else if (!lines[n].starts_with("i" + std::to_string(n) + "," + sets[(n - 1) % 6] + ",")) {
      wrong += 1.0;
    }
  }
  ASSERT_GT(rejected, 0.0);
  ASSERT_LT(rejected, 120.0);
  const Ran ran = run({"evaluate", "@test.csv", "--model", "@m.json", "--json", "@r.json"}, reject);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("reject_below").as_number(), 0.95);
  EXPECT_EQ(json.at("rejected").as_number(), rejected);
  EXPECT_DOUBLE_EQ(json.at("rejected_share").as_number(), rejected / 120.0);
  EXPECT_DOUBLE_EQ(json.at("kept_error_rate").as_number(), wrong / (120.0 - rejected));
  EXPECT_NE(ran.out.find("reject-below = 0.95 leaves "), std::string::npos) << ran.out;
  ASSERT_EQ(run({"evaluate", "@test.csv", "--model", "@m.json", "--json", "@all.json"}).code, 0);
  EXPECT_EQ(json_of("all.json").at("error_rate").as_number(), json.at("error_rate").as_number());
  EXPECT_EQ(json_of("all.json").at("rejected").as_number(), 0.0);
}

TEST_F(MultilabelEvaluateVerb, RejectionByUncalibratedProbabilitiesIsWarnedOf) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  const std::string warning =
      "warning: m.json: the model was trained without calibration; its probabilities are likely too high\n";
  const Ran ran = run({"evaluate", "@test.csv", "--model", "@m.json", "--reject-below", "0.5"});
  EXPECT_NE(ran.out.find(warning), std::string::npos) << ran.out;
  EXPECT_EQ(run({"evaluate", "@test.csv", "--model", "@m.json"}).out.find(warning), std::string::npos);
  EXPECT_EQ(run({"evaluate", "@train.csv", "--label-count", "3", "--cross-validate", "2", "--no-calibration",
                 "--reject-below", "0.5", "--json", "@r.json"})
                .code,
            0);
  EXPECT_EQ(json_of("r.json").at("reject_below").as_number(), 0.5);
}

// Labels that have nothing to do with the features: nearly every set is taken for every other.
TEST_F(MultilabelEvaluateVerb, AllConfusedSetsAreInTheJson) {
  Rng rng(Seed{3});
  std::string text = "x,a,b,c,d\n";
  for (int n = 0; n < 300; ++n) {
    const std::uint64_t set = 1 + rng.below(15);
    text += to_text(rng.normal());
    for (std::uint64_t k = 0; k < 4; ++k) text += (set >> k & 1) != 0 ? ",1" : ",0";
    text += "\n";
  }
  folder.write("d.csv", text);
  ASSERT_EQ(run({"train", "@d.csv", "--label-count", "4", "--model", "@m.json", "--no-calibration"}).code, 0);
  const Ran ran = run({"evaluate", "@d.csv", "--model", "@m.json", "--decision", "ml", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  EXPECT_GT(json.at("confused").as_list().size(), 30U);
  double items = 0.0;
  for (const Value& pair : json.at("confused").as_list()) items += pair.at("items").as_number();
  EXPECT_DOUBLE_EQ(items / 300.0, json.at("error_rate").as_number());
}

}  // namespace
}  // namespace motet::multilabel_evaluate_test
