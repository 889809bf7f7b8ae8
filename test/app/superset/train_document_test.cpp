#include "motet/app/superset/train_document.h"
#include "support/texts.h"

#include <gtest/gtest.h>

#include "superset/candidate_cases.h"

namespace motet::superset::train_document_test {
namespace {

TrainedSuperset a_training() {
  TrainedSuperset trained;
  trained.model.classes = {"cat", "dog", "eel"};
  trained.model.preparation.columns = {"x"};
  trained.model.options.method = SupersetMethod::logistic;
  trained.model.scores = {{"logistic-em", -0.5, 0.1, 1.0}};
  trained.model.credit = {1.0, 1.0, 1.0};
  trained.model.companions = {0.5, 0.25, 0.125};
  trained.probability = {0.75, 0.25, 0.0, 0.0, 1.0, 0.0, 0.2, 0.2, 0.6};
  return trained;
}

TEST(SupersetTrainReport, TellsHowAmbiguousTheDataAre) {
  const TrainedSuperset trained = a_training();
  const CandidateItems items = three_items();
  EXPECT_EQ(superset_train_document({trained, items, "a.csv"}).text,
            "3 items, 1 feature, 3 classes; 2.00 candidates per item, 1 item with one, 1 with any\n"
            "method logistic-em\n"
            "\n"
            "class  a candidate of  alone  expected items  share  joins others\n"
            "cat                 2      0             0.9  0.317         0.500\n"
            "dog                 3      1             1.4  0.483         0.250\n"
            "eel                 1      0             0.6  0.200         0.125\n"
            "\n"
            "method       weight  candidates foreseen      +-\n"
            "logistic-em   1.000              -0.5000  0.1000\n");
  TrainedSuperset weighed = trained;
  weighed.model.credit = {0.5, 0.75, 1.0};
  expect_in(superset_train_document({weighed, items, "a.csv"}).text,
            {"method logistic-em\n"
             "some classes are in very many sets: their candidates count less, which made sets that were held "
             "out likelier\n"
             "\n"
             "class  a candidate of  alone  expected items  share  joins others  counts\n"
             "cat                 2      0             0.9  0.317         0.500   0.500\n"});
  EXPECT_EQ(superset_train_document({weighed, items, "a.csv"}).json.at("companions").as_text(), "weighed");
  const Value json = superset_train_document({trained, items, "a.csv"}).json;
  EXPECT_EQ(json.at("companions").as_text(), "equal");
  EXPECT_EQ(json.at("classes").as_list()[1].at("companion_rate").as_number(), 0.25);
  EXPECT_EQ(json.at("candidates_mean").as_number(), 2.0);
  EXPECT_EQ(json.at("classes").as_list()[1].at("only_candidate_of").as_whole(), 1);
}

TEST(SupersetTrainReport, WarnsOfClassesAndFeaturesThatTellNothing) {
  TrainedSuperset trained = a_training();
  trained.model.never = {"eel"};
  trained.model.preparation.constant = {"x"};
  const CandidateItems items = three_items();
  const std::string text = superset_train_document({trained, items, "a.csv"}).text;
  expect_in(text, {"1 class is a candidate of no item: 'eel'", "1 feature does not vary and tells nothing: 'x'"});
}

TEST(SupersetTrainReport, ThePageTellsTheComponentsOfAMixture) {
  TrainedSuperset trained = a_training();
  const CandidateItems items = three_items();
  const std::size_t plain = superset_train_document({trained, items, "a.csv"}).sections.size();
  trained.model.members.resize(1);
  trained.model.members[0].mixtures.resize(1);
  LsbCmm& mixture = trained.model.members[0].mixtures[0];
  mixture.classes = 3;
  mixture.concentration = {5.0, 1.0, 0.1, 0.1, 0.2, 3.0};
  mixture.mass = {2.0, 1.0};
  trained.model.weights = {1.0};
  EXPECT_EQ(superset_train_document({trained, items, "a.csv"}).sections.size(), plain + 1);
}

}  // namespace
}  // namespace motet::superset::train_document_test
