// What is written of simulated items, and how far the sources of a model are from it.
#include "motet/app/multilabel/truth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/multilabel/support.h"

namespace motet::multilabel::truth_test {
namespace {

class TruthFile : public MultilabelCommand {};

TEST_F(TruthFile, TheDistanceFromTheTruthIsThatOfTheLocations) {
  folder.write("t.csv",
               "source,parameter,y,x\n"
               "c,mean,-4,-4\nb,mean,4,0\na,mean,0,4\na,variance,1,1\n");
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  const Ran ran = run({"analyze", "@train.csv", "--model", "@m.json", "--truth", "@t.csv", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const double truth[3][2] = {{4, 0}, {0, 4}, {-4, -4}};
  const Value::List found = json_of("r.json").at("parameters").as_list();
  double a_1 = 0.0;
  double a_2 = 0.0;
  double squares = 0.0;
  double variances = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    double of_source = 0.0;
    for (std::size_t d = 0; d < 2; ++d) {
      const double difference = found[2 * k + d].at("value").as_number() - truth[k][d];
      a_1 += std::abs(difference) / 6.0;
      of_source += difference * difference;
      variances += std::pow(found[2 * k + d].at("standard_error").at("deconvolution").as_number(), 2.0);
    }
    a_2 += std::sqrt(of_source) / 6.0;
    squares += of_source / 3.0;  // (2.12) is a mean over sources, not over parameters
  }
  constexpr double rounding = 1e-12;
  const Value told = json_of("r.json").at("truth");
  EXPECT_NEAR(told.at("a_1").as_number(), a_1, rounding);
  EXPECT_NEAR(told.at("a_2").as_number(), a_2, rounding);
  EXPECT_NEAR(told.at("mean_squared_error").as_number(), squares, rounding);
  EXPECT_NEAR(told.at("root_mean_square").as_number(), std::sqrt(squares), rounding);
  EXPECT_NEAR(told.at("predicted_root_mean_square").as_number(), std::sqrt(variances / 3.0), rounding);
  expect_in(ran.out, {"distance from the true locations: a_1 "});
}

TEST_F(TruthFile, TheTruthOfASimulationHasLocationsAndSpreads) {
  for (const char* covariance : {"diagonal", "full", "shared"}) {
    ASSERT_EQ(run({"simulate", "--items", "300", "--labels", "2", "--features", "2", "--covariance", covariance,
                   "--out", "@s.csv", "--truth", "@t.csv"})
                  .code,
              0);
    std::vector<std::string> first;
    for (const std::string& line : lines_of("t.csv"))
      first.push_back(line.substr(0, line.find(',', line.find(',') + 1)));
    std::vector<std::string> expected = {"source,parameter", "label1,mean", "label2,mean"};
    const std::string word = covariance;
    if (word == "diagonal") expected.insert(expected.end(), {"label1,variance", "label2,variance"});
    for (const std::string source : {"label1", "label2"}) {
      if (word == "full") expected.insert(expected.end(), {source + ",covariance x1", source + ",covariance x2"});
    }
    if (word == "shared") expected.insert(expected.end(), {"all sources,covariance x1", "all sources,covariance x2"});
    EXPECT_EQ(first, expected);
    ASSERT_EQ(run({"train", "@s.csv", "--label-count", "2", "--covariance", covariance, "--model", "@m.json",
                   "--no-calibration"})
                  .code,
              0);
    const Ran ran = run("analyze @s.csv --model @m.json --truth @t.csv --json @r.json");
    ASSERT_EQ(ran.code, 0) << ran.err;
    // 300 items of variance 1 and less, half of them with the source: errors around 0.1.
    EXPECT_LT(json_of("r.json").at("truth").at("root_mean_square").as_number(), 0.3);
  }
}

TEST_F(TruthFile, ATruthThatDoesNotFitIsRefused) {
  const Words words{"multilabel", "analyze", "@train.csv", "--model", "@m.json", "--truth", "@t.csv", "--quiet"};
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  folder.write("t.csv", "source,parameter,x\na,mean,1\n");
  expect_error(words, 3,
               "t.csv:1: there is no column 'y'; 'source', 'parameter' and the features of the model are needed, as "
               "`multilabel simulate --truth` writes them");
  folder.write("t.csv", "source,parameter,x,y\na,mean,1,2\nb,mean,1,2\nc,rate,1,2\n");
  expect_error(words, 3, "t.csv: there is no line with the mean of source 'c'");
  folder.write("t.csv", "source,parameter,x,y\na,mean,1,2\nb,mean,1,\nc,mean,1,2\n");
  expect_error(words, 3, "t.csv:3: column 'y': '' is not a number");
  ASSERT_EQ(train("--no-calibration --standardize").code, 0);
  expect_error(words, 4,
               "m.json: its sources are those of prepared features (--standardize, --pca); only a model of features as "
               "they come can be compared with --truth");
  folder.write("d.csv", "x,y,a,b,c\n1,2,1,0,1\n2,1,0,1,1\n3,1,1,0,1\n4,2,0,1,1\n");
  ASSERT_EQ(run("train @d.csv --label-count 3 --method new --model @m.json --no-calibration").code, 0);
  expect_error(
      "multilabel analyze @d.csv --model @m.json --truth @t.csv --quiet", 4,
      "m.json: a model of --method new has one source per label set; there is nothing to compare with --truth");
}

}  // namespace
}  // namespace motet::multilabel::truth_test
