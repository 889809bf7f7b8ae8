#include "motet/app/multilabel/separate.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "app/multilabel/support.h"

namespace motet::multilabel::separate_test {
namespace {

class SeparateVerb : public MultilabelCommand {};

// Numbers of columns `first` on, by what stands before them.
using Numbers = std::map<std::string, std::vector<double>>;

Numbers numbers_of(const std::vector<std::string>& lines, std::size_t first) {
  Numbers numbers;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::istringstream line(lines[i]);
    std::string key;
    std::string field;
    for (std::size_t c = 0; c < first && std::getline(line, field, ','); ++c) key += (c == 0 ? "" : ",") + field;
    std::vector<double>& row = numbers[key];
    while (std::getline(line, field, ',')) row.push_back(std::stod(field));
  }
  return numbers;
}

// Sums of emissions are the items, in their own units: less the mean of the training items where they were
// standardized and no background has it.
TEST_F(SeparateVerb, EmissionsAddUpToTheItem) {
  const Numbers items = numbers_of(lines_of("test.csv"), 1);
  std::vector<double> mean(2);
  for (const auto& [item, row] : numbers_of(lines_of("train.csv"), 1)) {
    for (std::size_t d = 0; d < 2; ++d) mean[d] += row[d] / 240.0;
  }
  const std::vector<std::vector<std::string>> ways = {{}, {"--standardize"}, {"--standardize", "--background"}};
  for (const std::vector<std::string>& way : ways) {
    ASSERT_EQ(train(joined({"--no-calibration"}, way)).code, 0);
    const Ran ran = run({"separate", "@test.csv", "--model", "@m.json", "--out", "@s.csv"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const bool has_background = way.size() == 2;
    EXPECT_EQ(ran.out, std::string("120 items, ") + (has_background ? "300" : "180") +
                           " emissions of their sources; label sets as in the data\n");
    EXPECT_EQ(lines_of("s.csv")[0], "item,source,x,y");
    Numbers sums;
    for (const auto& [key, row] : numbers_of(lines_of("s.csv"), 2)) {
      std::vector<double>& sum = sums[key.substr(0, key.find(','))];
      sum.resize(2);
      for (std::size_t d = 0; d < 2; ++d) sum[d] += row[d];
    }
    ASSERT_EQ(sums.size(), 120U);
    const bool centred = !way.empty() && !has_background;
    for (const auto& [item, sum] : sums) {
      for (std::size_t d = 0; d < 2; ++d) {
        EXPECT_NEAR(sum[d], items.at(item)[d] - (centred ? mean[d] : 0.0), 1e-9) << item;
      }
    }
  }
  const std::vector<std::string> lines = lines_of("s.csv");
  EXPECT_TRUE(lines[1].starts_with("i1,a,"));
  EXPECT_TRUE(lines[2].starts_with("i1,background,"));
}

TEST_F(SeparateVerb, AModelOfLabelSetsHasNoSourcesToTell) {
  ASSERT_EQ(train({"--no-calibration", "--method", "new"}).code, 0);
  expect_refused(
      {"separate", "@test.csv", "--model", "@m.json", "--out", "@s.csv"}, 4,
      "m.json: a model of --method new has one source per label set, which cannot be taken apart; train with "
      "deconvolution");
}

TEST_F(SeparateVerb, AModelWithoutSourcesHasNoneToTell) {
  ASSERT_EQ(train({"--no-calibration", "--method", "chain"}).code, 0);
  expect_refused({"separate", "@test.csv", "--model", "@m.json", "--out", "@s.csv"}, 4,
                 "m.json: a model of --method chain has no sources that items could be taken apart into; train with "
                 "deconvolution");
  expect_refused({"analyze", "@test.csv", "--label-count", "3", "--model", "@m.json"}, 4,
                 "test.csv: a model of --method chain has no sources that could be analyzed; train with deconvolution");
}

TEST_F(SeparateVerb, LabelsLearntAsOneHaveOneSource) {
  folder.write("twins.csv",
               "x,y,a,twin,b\n1,2,1,1,0\n1.5,2.5,1,1,0\n3,-1,0,0,1\n3.5,-1.5,0,0,1\n4,1,1,1,1\n5,0.5,1,1,1\n");
  const Ran ran = run({"train", "@twins.csv", "--label-count", "3", "--model", "@t.json", "--no-calibration"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(run({"separate", "@twins.csv", "--label-count", "3", "--model", "@t.json", "--out", "@s.csv"}).code, 0);
  EXPECT_TRUE(lines_of("s.csv")[1].starts_with("1,a|twin,")) << lines_of("s.csv")[1];
  EXPECT_EQ(run({"analyze", "@twins.csv", "--label-count", "3", "--model", "@t.json"}).code, 0);
}

TEST_F(SeparateVerb, AnInterruptedRunLeavesNoTable) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  folder.write("many.csv", small_items(1100, 4));
  const Words words = {"multilabel", "separate", "@many.csv", "--model", "@m.json", "--out", "@s.csv"};
  const Stopped first = stopped(words, {"separating"});
  EXPECT_EQ(first.code, 130);
  EXPECT_EQ(first.err, "motet: interrupted while separating\n");
  EXPECT_EQ(folder.read("s.csv"), "");
  EXPECT_EQ(stopped(words, {"separating", 0}).reports, 3U);  // of 512 items, 512 and 76
}

TEST_F(SeparateVerb, EmissionsOfAProjectionAreInItsComponents) {
  ASSERT_EQ(train({"--no-calibration", "--pca", "1"}).code, 0);
  ASSERT_EQ(run({"separate", "@test.csv", "--model", "@m.json", "--out", "@s.csv", "--spread", "--predicted"}).code, 0);
  EXPECT_EQ(lines_of("s.csv")[0], "item,source,pc1,pc1_sd");
}

}  // namespace
}  // namespace motet::multilabel::separate_test
