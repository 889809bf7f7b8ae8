// `auto` on public data, where they are: the train and test files of $MOTET_DATA/multilabel.
// The figures to reach are the best of generative models with one preparation each.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "motet/io/labelled_items_file.h"
#include "motet/measure/label_sets.h"
#include "motet/multilabel/baselines/compare.h"
#include "motet/multilabel/predict.h"
#include "motet/multilabel/train.h"

namespace motet::multilabel::auto_data_test {
namespace {

std::string place_of(const std::string& name) {
  const char* const folder = std::getenv("MOTET_DATA");
  return folder == nullptr ? "" : std::string(folder) + "/multilabel/" + name + "/" + name;
}

LabelledItems read(const std::string& name, const char* part) {
  LabelledFormat format;
  format.labels_file = place_of(name) + ".xml";
  return read_labelled_items(place_of(name) + "-" + part + ".arff", format, {}).items;
}

TEST(MultilabelDataSlow, AutoReachesTheErrorAndCalibrationOfEmotions) {
  if (!std::filesystem::exists(place_of("emotions") + ".xml")) GTEST_SKIP() << "set MOTET_DATA to the data sets";
  const LabelledItems train = read("emotions", "train");
  const LabelledItems test = read("emotions", "test");
  TrainOptions options;
  options.method = Training::automatic;
  const MultilabelFit fit = train_multilabel(train, options, true, {});
  const SetPredictions found = predict(fit.model, test.features, {}, {});
  EXPECT_LE(label_set_quality(test.sets, found.sets).error_rate, 0.698);
  std::vector<std::uint8_t> right;
  for (std::size_t n = 0; n < test.rows(); ++n) {
    right.push_back(std::equal(found.sets.row(n).begin(), found.sets.row(n).end(), test.sets.row(n).begin()) ? 1 : 0);
  }
  EXPECT_LT(reliability(found.probability, right).expected_calibration_error, 0.05);
}

// scikit-learn 1.2.1 on the same files: exact-match errors of LDA with shrinkage, SVC (C = 3),
// one logistic regression per label (C = 0.1), and ML-kNN; one test item is 0.005.
TEST(MultilabelDataSlow, BaselinesReproduceTheirPeersOnEmotions) {
  if (!std::filesystem::exists(place_of("emotions") + ".xml")) GTEST_SKIP() << "set MOTET_DATA to the data sets";
  const LabelledItems train = read("emotions", "train");
  const LabelledItems test = read("emotions", "test");
  const std::vector<std::pair<std::string, double>> expected{
      {"lp-lda", 0.693}, {"lp-svm", 0.634}, {"ovr-logistic", 0.762}, {"ml-knn", 0.743}};
  for (const auto& [word, error] : expected) {
    EXPECT_NEAR(label_set_quality(test.sets, run_baseline(word, train, test.features, {})).error_rate, error, 0.006)
        << word;
  }
}

}  // namespace
}  // namespace motet::multilabel::auto_data_test
