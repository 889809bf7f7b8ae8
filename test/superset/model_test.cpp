#include "motet/superset/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/io/record_file.h"
#include "motet/superset/predict.h"
#include "motet/superset/train.h"
#include "superset/candidate_cases.h"
#include "superset/model_cases.h"
#include "support/errors.h"

namespace motet::superset::model_test {
namespace {

Record first_version() { return read_record(std::string(MOTET_TEST_DIR) + "/golden/superset/model_v1.json"); }

TEST(SupersetModel, TheFirstVersionIsReadAndPredictsAsItDid) {
  const SupersetModel model = superset_from_record(first_version());
  EXPECT_EQ(model.classes, (std::vector<std::string>{"c1", "c2", "c3"}));
  EXPECT_EQ(model.items, 60U);
  EXPECT_EQ(model.options.method, SupersetMethod::lsb_cmm);
  NumberTable features;
  features.columns = {"x1", "x2"};
  features.values = {0, 0, 4, -3, -2, 5};
  const SupersetPrediction said = predict(model, features, {0.0, 0.9}, {1});
  const std::vector<double> written = {0.38684718146142244, 0.27400662912075124, 0.33914618941782626,
                                       0.3036396056498463,  0.24468499476652428, 0.45167539958362946,
                                       0.5427477672936096,  0.15971603416202268, 0.29753619854436764};
  for (std::size_t i = 0; i < written.size(); ++i) EXPECT_NEAR(said.probability[i], written[i], 1e-12) << i;
  EXPECT_EQ(said.sets[2], (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(to_record(model), first_version());
}

TEST(SupersetModel, ANewerVersionIsRefused) {
  Record record = first_version();
  record.version = 2;
  EXPECT_EQ(error_of([&] { superset_from_record(record); }),
            "'superset' model of version 2 is newer than this program, which reads 1 to 1; use a newer motet");
}

TEST(SupersetModel, AModelComesBackFromItsRecordUnchanged) {
  const CandidateItems items = easy_items(60);
  using enum SupersetMethod;
  for (const SupersetMethod method : {automatic, lsb_cmm, logistic, clpl, knn, ipal, svm, naive}) {
    SupersetOptions options;
    options.method = method;
    options.folds = options.restarts = 2;
    options.components = 6;
    const SupersetModel model = train_superset(items, options, {}).model;
    const Record record = to_record(model);
    const SupersetModel back = superset_from_record(record);
    EXPECT_EQ(to_record(back), record) << static_cast<int>(method);
    EXPECT_EQ(predict(back, items.features, {}, {1}).probability, predict(model, items.features, {}, {1}).probability);
  }
}

TEST(SupersetModel, EveryFieldOfAModelMadeByHandComesBack) {
  SupersetModel model = lines_model();
  model.never = {"yes"};
  model.credit = {1.0, 0.5};
  model.sets.items = 4;
  for (int i = 0; i <= 1000; ++i) model.sets.quantile.push_back(i / 1000.0);
  EXPECT_TRUE(model.is_weighed());
  EXPECT_FALSE(lines_model().is_weighed());
  const SupersetModel back = superset_from_record(to_record(model));
  EXPECT_EQ(back.classes, model.classes);
  EXPECT_EQ(back.never, model.never);
  EXPECT_EQ(back.items, 10U);
  EXPECT_EQ(back.members, model.members);
  EXPECT_EQ(back.weights, model.weights);
  EXPECT_EQ(back.sharpness, 2.0);
  EXPECT_EQ(back.credit, model.credit);
  EXPECT_EQ(back.companions, model.companions);
  EXPECT_EQ(back.scores, model.scores);
  EXPECT_EQ(back.sets, model.sets);
}

// The message when one field is something else.
std::string with_field(const char* key, Value value) {
  Record record = to_record(lines_model());
  record.fields.set(key, std::move(value));
  return error_of([&] { superset_from_record(record); });
}

TEST(SupersetModel, EveryBrokenFieldHasItsMessage) {
  EXPECT_EQ(with_field("classes", Value::list({"no"})), "field 'classes' has fewer than two");
  EXPECT_EQ(with_field("classes", Value::list({"no", "no"})), "field 'classes' names a class twice");
  EXPECT_EQ(with_field("never", Value::list({"maybe"})), "field 'never' names 'maybe', which is no class");
  EXPECT_EQ(with_field("items", -1), "field 'items' = -1 is negative");
  EXPECT_EQ(with_field("members", Value::List{}), "field 'members' is empty");
  EXPECT_EQ(with_field("weights", Value::list({1.0})), "field 'weights' has 1 entries; 2 are needed");
  EXPECT_EQ(with_field("weights", Value::list({1.5, -0.5})), "field 'weights' has a negative one");
  EXPECT_EQ(with_field("weights", Value::list({0.5, 0.25})), "field 'weights' sums to 0.75, not 1");
  EXPECT_EQ(with_field("sharpness", 0.0), "field 'sharpness' = 0 is not positive");
  EXPECT_EQ(with_field("credit", Value::list({1.0, 0.0})), "field 'credit' has 0");
  EXPECT_EQ(with_field("credit", Value::list({1.5, 1.0})), "field 'credit' has 1.5");
  EXPECT_EQ(with_field("companions", Value::list({0.5})), "field 'companions' has 1 entries; 2 are needed");
  EXPECT_EQ(with_field("options", Value::object({})), "options: field 'method' is missing");
  std::vector<double> falls(1001, 0.5);
  falls.back() = 0.25;
  EXPECT_EQ(with_field("sets", Value::object({{"items", 3}, {"quantile", Value::list_of(falls)}})),
            "sets: field 'quantile' falls");
  Value::List members = to_record(lines_model()).fields.at("members").as_list();
  members[1].set("method", "oracle");
  EXPECT_EQ(with_field("members", members), "member 2: field 'method' is 'oracle'");
}

}  // namespace
}  // namespace motet::superset::model_test
