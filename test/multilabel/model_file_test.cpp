// Model files of older versions are read and still say the same; those of newer ones are refused.
#include <gtest/gtest.h>

#include "motet/base/error.h"
#include "motet/io/record_file.h"
#include "motet/multilabel/predict.h"

namespace motet::multilabel::model_file_test {
namespace {

Record first_version() { return read_record(std::string(MOTET_TEST_DIR) + "/golden/multilabel/model_v1.json"); }

TEST(MultilabelModelFile, ReadsTheFirstVersion) {
  const Record old = first_version();
  const MultilabelModel model = multilabel_from_record(old);
  EXPECT_EQ(model.labels, (std::vector<std::string>{"label1", "label2", "label3"}));
  EXPECT_EQ(model.preparation.columns, (std::vector<std::string>{"x1", "x2"}));
  EXPECT_EQ(model.sources.location[2], 1.8180899197245706);
  EXPECT_EQ(model.calibration.slope, 0.9844714255944572);
  EXPECT_EQ(to_record(model), old);
}

TEST(MultilabelModelFile, TheFirstVersionStillSaysTheSame) {
  NumberTable features;
  features.columns = {"x1", "x2"};
  features.values = {0.5, -1.0, 1.75, -2.25, -0.75, -2.0, 8.0, 8.0};
  const SetPredictions found = predict(multilabel_from_record(first_version()), features, {}, {});
  const std::vector<std::string> labels{"label1", "label2", "label3", "label1|label2"};
  const double log_likelihood[] = {-1.8669275523928062, -1.2752717854898854, -1.9319761003677094, -48.5864757457521};
  const double posterior[] = {0.43109754588350174, 0.6596981318502059, 0.4626786945730423, 0.9999999570729147};
  const double probability[] = {0.42672625832065453, 0.6523799146072647, 0.4577524389293816, 0.9999999428842864};
  constexpr double rounding = 1e-12;  // of logarithms and their sums in another order
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(joined_labels(found.sets.row(n), found.labels), labels[n]);
    EXPECT_NEAR(found.log_likelihood[n], log_likelihood[n], 50.0 * rounding);
    EXPECT_NEAR(found.posterior[n], posterior[n], rounding);
    EXPECT_NEAR(found.probability[n], probability[n], rounding);
    EXPECT_EQ(found.outlier[n], n == 3 ? 1 : 0);
  }
}

TEST(MultilabelModelFile, ANewerVersionIsRefused) {
  Record newer = first_version();
  newer.version = 2;
  try {
    multilabel_from_record(newer);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_STREQ(error.what(),
                 "'multilabel' model of version 2 is newer than this program, which reads 1 to 1; use a newer motet");
  }
}

}  // namespace
}  // namespace motet::multilabel::model_file_test
