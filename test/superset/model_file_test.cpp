// A model file of the first version stays readable and says what it said.
#include <gtest/gtest.h>

#include "motet/base/error.h"
#include "motet/io/record_file.h"
#include "motet/superset/predict.h"

namespace motet::superset::model_file_test {
namespace {

Record first_version() { return read_record(std::string(MOTET_TEST_DIR) + "/golden/superset/model_v1.json"); }

TEST(SupersetModelFile, TheFirstVersionIsReadAndPredictsAsItDid) {
  const SupersetModel model = superset_from_record(first_version());
  EXPECT_EQ(model.classes, (std::vector<std::string>{"c1", "c2", "c3"}));
  EXPECT_EQ(model.items, 60U);
  EXPECT_EQ(model.options.method, SupersetMethod::lsb_cmm);
  Features features;
  features.columns = {"x1", "x2"};
  features.values = {0, 0, 4, -3, -2, 5};
  features.starts = {0, 3};
  features.sequences = {""};
  const SupersetPrediction said = predict(model, features, {0.0, 0.9}, {1});
  const std::vector<double> written = {0.38684718146142244, 0.27400662912075124, 0.33914618941782626,
                                       0.3036396056498463,  0.24468499476652428, 0.45167539958362946,
                                       0.5427477672936096,  0.15971603416202268, 0.29753619854436764};
  for (std::size_t i = 0; i < written.size(); ++i) EXPECT_NEAR(said.probability[i], written[i], 1e-12) << i;
  EXPECT_EQ(said.sets[2], (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(to_record(model), first_version());
}

TEST(SupersetModelFile, ANewerVersionIsRefused) {
  Record record = first_version();
  record.version = 2;
  try {
    superset_from_record(record);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "'superset' model of version 2 is newer than this program, which reads 1 to 1; use a newer motet");
  }
}

}  // namespace
}  // namespace motet::superset::model_file_test
