#include "motet/app/audio/study_document.h"

#include <gtest/gtest.h>

#include "report/plot_cases.h"

namespace motet::audio::study_document_test {
namespace {

TEST(StudyDocument, ANumberHasQuartiles) {
  Study study;
  study.ways.push_back({"clips", {1.0, 2.0}, {3.0, 3.0}, {0.0, 1.0, 2.0, 3.0, 4.0}, {}, 70.0, 30.0});
  study.importance.push_back({"P11_160", 0.25, 0.125});
  Clips clips;
  clips.rows = {1, {1, 2, 3}};
  clips.columns = {"P11_160"};
  clips.target.values = {1, 2, 3};
  const Document document = study_document(study, clips, "t60", {});
  EXPECT_EQ(document.text,
            "3 clips, 1 features, t60 as a number\n\n"
            "held out by  learned from  held out  mean |residual|      +-  median of those learned from    25 %  "
            "median    75 %\n"
            "clips                70.0      30.0           1.5000  0.5000                        3.0000  1.0000  "
            "2.0000  3.0000\n"
            "\n"
            "feature  increase of the error      +-\n"
            "P11_160                 0.2500  0.1250\n");
  EXPECT_EQ(document.json.at("ways").as_list()[0].at("residual_50").as_number(), 2.0);
  EXPECT_EQ(document.json.find("confusion"), nullptr);
  const Plot& residuals = document.sections[0].plots[0];
  EXPECT_EQ(layers_of(residuals),
            "rule[datum.part === 'box'] bar[datum.part === 'box'] tick[datum.part === 'box'] "
            "point[datum.part === 'beyond']");
  EXPECT_EQ(rows_of(residuals)[0].at("third").as_number(), 3.0);
}

TEST(StudyDocument, AClassHasWhatItIsTakenFor) {
  Study study;
  study.ways.push_back({"clips", {0.25, 0.5}, {0.5, 0.5}, {}, {1.0, 0.0, 0.0, 1.0}, 2.0, 1.0});
  study.ways.push_back({"sources", {0.25, 0.5}, {0.5, 0.5}, {}, {3.0, 1.0, 0.0, 0.0}, 2.0, 2.0});
  Clips clips;
  clips.rows = {1, {1, 2, 3}};
  clips.columns = {"P11_160"};
  clips.target = {{"owl", "hen"}, {0, 1, 1}};
  const Document document = study_document(study, clips, "label", {});
  const Plot& confusion = document.sections[0].plots[0];
  ASSERT_EQ(rows_of(confusion).size(), 4U);
  EXPECT_EQ(rows_of(confusion)[1],
            Value::object({{"name", "owl"}, {"column", "hen"}, {"value", 0.25}}));  // of the strictest way
  EXPECT_TRUE(rows_of(confusion)[2].at("value").is_null());                         // no hen was held out
  EXPECT_NE(confusion.caption.find("held out by sources"), std::string::npos);
  const Plot& errors = document.sections[0].plots[1];
  EXPECT_EQ(rows_of(errors)[1], Value::object({{"name", "owl"}, {"value", 0.25}, {"group", "held out by sources"}}));
  const Value::List& told = document.json.at("confusion").as_list();
  ASSERT_EQ(told.size(), 8U);
  EXPECT_EQ(told[5], Value::object({{"held_out_by", "sources"}, {"truth", "owl"}, {"said", "hen"}, {"clips", 1}}));
}

}  // namespace
}  // namespace motet::audio::study_document_test
