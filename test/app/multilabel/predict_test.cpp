#include "motet/app/multilabel/predict.h"

#include <gtest/gtest.h>

#include "app/multilabel/support.h"
#include "motet/io/record_file.h"

namespace motet::multilabel::predict_test {
namespace {

class PredictVerb : public MultilabelCommand {};

TEST_F(PredictVerb, DataWithoutLabelsOrInAnotherOrderArePredictedTheSame) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  ASSERT_EQ(run({"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv"}).code, 0);
  std::string other = "note,y,x,item\n";
  for (const std::string& line : lines_of("test.csv")) {
    if (line.starts_with("item,")) continue;
    const std::size_t x = line.find(',') + 1;
    const std::size_t y = line.find(',', x) + 1;
    const std::size_t end = line.find(',', y);
    other += "text," + line.substr(y, end - y) + "," + line.substr(x, y - 1 - x) + "," + line.substr(0, x - 1) + "\n";
  }
  folder.write("other.csv", other);
  const Ran ran = run({"predict", "@other.csv", "--model", "@m.json", "--out", "-", "--leave-out", "note"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, folder.read("p.csv"));
}

TEST_F(PredictVerb, UnsureItemsAreLeftWithoutLabels) {
  ASSERT_EQ(train().code, 0);
  folder.write("far.csv", "x,y\n4,0\n1000,-3000\n");
  ASSERT_EQ(run({"predict", "@far.csv", "--model", "@m.json", "--out", "@p.csv", "--reject-below", "1"}).code, 0);
  const std::vector<std::string> lines = lines_of("p.csv");
  EXPECT_EQ(lines[1].substr(0, 3), "1,,");
  EXPECT_EQ(lines[1].substr(lines[1].size() - 2), ",1");
  EXPECT_EQ(lines[2].substr(lines[2].size() - 4), ",1,1");  // an outlier too
}

// Training calibrates the likeliest of the observed sets, and nothing else.
TEST_F(PredictVerb, ProbabilitiesOfAnotherDecisionAreSaidToBeApproximate) {
  const auto warning = [](const std::string& decision, const std::string& candidates) {
    return "probabilities were calibrated for --decision map among --candidates observed; for --decision " + decision +
           " among --candidates " + candidates + " they are only approximate";
  };
  ASSERT_EQ(train().code, 0);
  const std::vector<std::string> predict{"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv"};
  const std::vector<std::string> evaluate{"evaluate", "@test.csv", "--model", "@m.json"};
  for (const auto& words : {predict, evaluate}) {
    EXPECT_EQ(run(words).out.find("calibrated for"), std::string::npos);
    const Ran ml = run(words, {"--decision", "ml", "--candidates", "all", "--json", "@r.json"});
    ASSERT_EQ(ml.code, 0) << ml.err;
    EXPECT_NE(ml.out.find(warning("ml", "all")), std::string::npos) << ml.out;
    EXPECT_EQ(json_of("r.json").at("warnings").as_list().back().as_text(), warning("ml", "all"));
    const Ran hamming = run(words, {"--decision", "hamming"});
    EXPECT_NE(hamming.out.find(warning("hamming", "observed")), std::string::npos) << hamming.out;
  }
  const Ran folds = run({"evaluate", "@test.csv", "--label-count", "3", "--cross-validate", "2"}, {"--decision", "ml"});
  EXPECT_NE(folds.out.find(warning("ml", "observed")), std::string::npos) << folds.out;
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  EXPECT_EQ(run(predict, {"--decision", "ml"}).out.find("calibrated for"), std::string::npos);
}

TEST_F(PredictVerb, TheHeuristicAndTheLimitOfNodes) {
  ASSERT_EQ(run({"simulate", "--items", "300", "--labels", "18", "--features", "18", "--out", "@s.csv"}).code, 0);
  ASSERT_EQ(run({"train", "@s.csv", "--label-count", "18", "--model", "@m.json", "--no-calibration", "--covariance",
                 "shared"})
                .code,
            0);
  folder.write("few.csv", [&] {
    std::string text;
    for (std::size_t n = 0; n < 21; ++n) text += lines_of("s.csv")[n] + "\n";
    return text;
  }());
  const std::vector<std::string> predict{"predict", "@few.csv",     "--model", "@m.json", "--out",
                                         "@p.csv",  "--candidates", "all",     "--json",  "@r.json"};
  ASSERT_EQ(run(predict).code, 0);
  EXPECT_EQ(json_of("r.json").at("unproved").as_whole(), 0);
  const std::vector<std::string> exact = lines_of("p.csv");
  const Ran limited = run(predict, {"--node-limit", "5"});
  ASSERT_EQ(limited.code, 0) << limited.err;
  EXPECT_GT(json_of("r.json").at("unproved").as_whole(), 0);
  EXPECT_NE(limited.out.find(" not proved best (largest gap "), std::string::npos) << limited.out;
  const Ran quick = run(predict, {"--heuristic-error", "0.01"});
  ASSERT_EQ(quick.code, 0) << quick.err;
  std::size_t same = 0;
  const std::vector<std::string> heuristic = lines_of("p.csv");
  const auto labels = [](const std::string& line) {
    const std::size_t first = line.find(',') + 1;
    return line.substr(first, line.find(',', first) - first);
  };
  for (std::size_t n = 1; n < exact.size(); ++n) same += labels(exact[n]) == labels(heuristic[n]) ? 1 : 0;
  EXPECT_GE(same, 18U);  // an error of 1 in 100 loses more than 2 of 20 items once in 1,000 times
}

TEST_F(PredictVerb, FarItemsAreOutliersAlsoWithoutCalibration) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  const auto outliers = [&] {
    EXPECT_EQ(run({"predict", "@far.csv", "--model", "@m.json", "--out", "@p.csv", "--json", "@r.json"}).code, 0);
    return json_of("r.json").at("outliers").as_number();
  };
  folder.write("far.csv", "x,y\n1000,1000\n-900,800\n4,0\n");
  EXPECT_EQ(outliers(), 2.0);
  folder.write("far.csv", small_items(240, 1));
  EXPECT_LE(outliers(), 5.0);  // of the training items themselves about 1 in 100
}

TEST_F(PredictVerb, PredictByLabelsSaysWhatItsProbabilityIs) {
  ASSERT_EQ(train({"--method", "probabilistic"}).code, 0);
  const Ran ran = run({"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv", "--decision", "one-against-all",
                       "--json", "@p.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string warning =
      "with --decision one-against-all the probability of a set is the product of those of its labels; it is not "
      "calibrated";
  EXPECT_NE(ran.out.find("warning: " + warning + "\n"), std::string::npos) << ran.out;
  EXPECT_EQ(lines_of("p.csv").size(), 121U);
  EXPECT_EQ(folder.read("p.csv").find("nan"), std::string::npos);
  const Value json = json_of("p.json");
  for (const Value& item : json.at("predictions").as_list()) {
    EXPECT_EQ(item.at("probability").as_number(), item.at("posterior").as_number());
  }
}

TEST_F(PredictVerb, WithoutSourcesAllDecisionsWork) {
  for (const char* method : {"log-linear", "logistic", "svm", "chain", "powerset"}) {
    ASSERT_EQ(train({"--method", method}).code, 0);
    const Ran ran = run({"predict", "@test.csv", "--label-count", "3", "--model", "@m.json", "--out", "@p.csv"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out.find("warning"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("unlike the training items"), std::string::npos) << ran.out;
    for (const char* decision : {"ml", "hamming"}) {
      for (const char* candidates : {"all", "degree:2"}) {
        const Ran asked = run({"predict", "@test.csv", "--label-count", "3", "--model", "@m.json", "--out", "@p.csv",
                               "--decision", decision, "--candidates", candidates});
        EXPECT_EQ(asked.code, 0) << asked.err;
      }
    }
    const Ran judged = run({"evaluate", "@test.csv", "--label-count", "3", "--model", "@m.json"});
    EXPECT_EQ(judged.code, 0) << judged.err;
  }
  expect_refused({"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv", "--candidates", "all",
                  "--heuristic-error", "0.1"},
                 2, "--heuristic-error needs sources, which a model of --method powerset has not; leave it 0");
}

TEST_F(PredictVerb, SetsThatNoTrainingItemHasAreTold) {
  folder.write("few.csv",
               "x,y,a,b,c\n4,0,1,0,0\n5,1,1,0,0\n0,4,0,1,0\n1,5,0,1,0\n-4,-4,0,0,1\n-5,-3,0,0,1\n4,-4,1,0,1\n"
               "-4,4,0,1,1\n3,0,1,0,0\n0,3,0,1,0\n");
  ASSERT_EQ(run({"train", "@few.csv", "--label-count", "3", "--model", "@m.json", "--method", "log-linear", "--penalty",
                 "0.001"})
                .code,
            0);
  folder.write("new.csv", "x,y\n9,9\n4,0\n");
  const Ran ran = run({"predict", "@new.csv", "--model", "@m.json", "--out", "@p.csv", "--json", "@p.json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"1 with a label set that no training item has"});
  const Value json = json_of("p.json");
  EXPECT_TRUE(json.at("predictions").as_list()[0].at("novel").as_bool());
  EXPECT_FALSE(json.at("predictions").as_list()[1].at("novel").as_bool());
  expect_in(run({"predict", "@new.csv", "--model", "@m.json", "--out", "@p.csv", "--candidates", "observed"}).out,
            {"probabilities were calibrated for --decision map among --candidates all; for --decision map among "
             "--candidates observed they are only approximate"});
}

TEST_F(PredictVerb, AnOldModelDoesNotKnowMissingValues) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  Record record = read_record(folder / "m.json");
  Value::Object fields = record.fields.as_object();
  std::erase_if(fields, [](const auto& field) { return field.first == "fill"; });
  record.fields = Value(fields);
  write_record(folder / "m.json", record);
  folder.write("gap.csv", "x,y\n1,2\n3,\n");
  expect_refused({"predict", "@gap.csv", "--model", "@m.json", "--out", "@p.csv"}, 3,
                 "gap.csv: values are missing, and the model, of an older motet, does not know what to take for them; "
                 "fill them in, or train it again");
}

TEST_F(PredictVerb, OptionsThatAreMissingOrDoNotFit) {
  expect_refused({"predict", "@test.csv"}, 2, "predict: needs --model and --out");
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  expect_refused({"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv", "--heuristic-error", "0.05"}, 2,
                 "--heuristic-error needs --candidates all or degree:M; leave it 0 with observed");
  expect_refused(
      {"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv", "--candidates", "some"}, 2,
      "--candidates: 'some' is not known; 'auto', 'observed', 'degree:M' with M of at least 1, or 'all' is allowed");
}

}  // namespace
}  // namespace motet::multilabel::predict_test
