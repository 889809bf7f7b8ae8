#include "motet/superset/train.h"

#include <gtest/gtest.h>

#include "motet/superset/predict.h"
#include "superset/candidate_cases.h"
#include "support/cancelled.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::superset::train_test {
namespace {

SupersetOptions quick(SupersetMethod method) {
  SupersetOptions options{.method = method, .components = 6, .restarts = 2, .folds = 2};
  return options;
}

TEST(SupersetTrain, EveryMethodLearnsAndDisambiguatesEasyItems) {
  const CandidateItems items = easy_items(90);
  const CandidateItems fresh = easy_items(90, Seed{11});
  using enum SupersetMethod;
  for (const SupersetMethod method : {lsb_cmm, logistic, clpl, knn, svm, naive}) {
    const TrainedSuperset trained = train_superset(items, quick(method), {});
    const SupersetPrediction said = predict(trained.model, fresh.features, {}, {1});
    EXPECT_GT(accuracy_of(said.probability, fresh), 0.9) << static_cast<int>(method);
    EXPECT_GT(accuracy_of(trained.probability, items), 0.9) << static_cast<int>(method);
    for (std::size_t n = 0; n < fresh.rows(); ++n) {
      EXPECT_NEAR(said.probability[n * 3] + said.probability[n * 3 + 1] + said.probability[n * 3 + 2], 1.0, 1e-9);
    }
  }
}

TEST(SupersetTrain, TrueLabelsAreNotLookedAt) {
  CandidateItems items = easy_items(60);
  const SupersetModel with = train_superset(items, quick(SupersetMethod::automatic), {}).model;
  items.truth.clear();
  EXPECT_EQ(to_record(train_superset(items, quick(SupersetMethod::automatic), {}).model), to_record(with));
}

TEST(SupersetTrain, TheSameModelComesFromAnyNumberOfThreads) {
  const CandidateItems items = easy_items(90);
  RunContext one, three;
  one.threads = {1};
  StartedThreads started(3);
  three.threads = started;
  EXPECT_EQ(to_record(train_superset(items, quick(SupersetMethod::automatic), one).model),
            to_record(train_superset(items, quick(SupersetMethod::automatic), three).model));
}

TEST(SupersetTrain, AutoSaysWhatItTriedAndItsWeightsSumToOne) {
  const SupersetModel model = train_superset(easy_items(60), quick(SupersetMethod::automatic), {}).model;
  ASSERT_GT(model.scores.size(), 3U);
  EXPECT_EQ(model.scores.back().name, "average");
  double sum = 0.0;
  for (const MemberScore& score : model.scores) sum += score.weight;
  EXPECT_NEAR(sum, 2.0, 1e-9);  // the members', and 1 of the average
}

TEST(SupersetTrain, RenamedClassesGiveTheSameAnswersUnderTheirNewNames) {
  // Class orders of the mixture and ties of neighbours' votes go by number, so only exact methods are compared.
  const CandidateItems items = easy_items(90);
  CandidateItems turned = items;
  turned.classes = {"z", "y", "x"};
  for (std::size_t n = 0; n < items.rows(); ++n) {
    for (std::size_t i = items.starts[n]; i < items.starts[n + 1]; ++i) {
      turned.label[items.starts[n] + items.starts[n + 1] - 1 - i] = 2 - items.label[i];
    }
  }
  using enum SupersetMethod;
  for (const SupersetMethod method : {logistic, knn, ipal, clpl, naive}) {
    const std::vector<double> p =
        predict(train_superset(items, quick(method), {}).model, items.features, {}, {1}).probability;
    const std::vector<double> q =
        predict(train_superset(turned, quick(method), {}).model, items.features, {}, {1}).probability;
    for (std::size_t n = 0; n < items.rows(); ++n) {
      for (std::size_t l = 0; l < 3; ++l) {
        // Descents stop within their tolerance of the optimum, not on it.
        EXPECT_NEAR(q[n * 3 + l], p[n * 3 + 2 - l], 1e-3) << static_cast<int>(method);
      }
    }
  }
}

TEST(SupersetTrain, AnInterruptedCalibrationGoesOnAndEndsTheSame) {
  const CandidateItems items = easy_items(90);
  const SupersetOptions options = quick(SupersetMethod::automatic);
  const Record whole = to_record(train_superset(items, options, {}).model);
  StoppedRun stopped(5);
  EXPECT_EQ(error_of([&] { train_superset(items, options, stopped.run); }).substr(0, 26), "interrupted while fitting ");
  EXPECT_EQ(stopped.kept.iteration, 5U);
  RunContext again = resumed_run(stopped.kept);
  std::size_t saved = 0;
  again.save = [&](const Checkpoint& state) {
    ++saved;
    EXPECT_GT(state.iteration, 5U);
  };
  EXPECT_EQ(to_record(train_superset(items, options, again).model), whole);
  EXPECT_GT(saved, 0U);
}

// The fits after the calibration are short beside it and begin anew; their states must not take the place of its own.
TEST(SupersetTrain, OnlyTheCalibrationIsKept) {
  std::size_t saved = 0;
  RunContext run;
  run.save = [&](const Checkpoint& state) {
    ++saved;
    EXPECT_EQ(state.stage, "superset");
  };
  train_superset(easy_items(60), quick(SupersetMethod::lsb_cmm), run);
  EXPECT_GT(saved, 0U);
}

TEST(SupersetTrain, TooFewItemsForTheFoldsAreRefused) {
  SupersetOptions options = quick(SupersetMethod::logistic);
  options.folds = 5;
  EXPECT_EQ(error_of([&] { train_superset(easy_items(3), options, {}); }),
            "3 items cannot be cut into --folds 5 parts; fewer --folds or more items are needed");
}

TEST(SupersetTrain, ItemsThatSayNothingAreRefused) {
  const SupersetOptions options = quick(SupersetMethod::logistic);
  const auto refused = [&](const CandidateItems& items, const SupersetOptions& asked) {
    return error_of([&] { train_superset(items, asked, {}); });
  };
  CandidateItems open = easy_items(6);
  open.starts = {0};
  open.label.clear();
  for (int n = 0; n < 6; ++n) {
    open.label.insert(open.label.end(), {0, 1, 2});
    open.starts.push_back(open.label.size());
  }
  EXPECT_EQ(refused(open, options), "no item says anything of its label; some need fewer candidates than all classes");
  CandidateItems alike = easy_items(6);
  for (std::size_t i = 2; i < alike.features.values.size(); ++i)
    alike.features.values[i] = alike.features.values[i % 2];
  EXPECT_EQ(refused(alike, options), "all features are the same for every item, so nothing tells the classes apart");
  CandidateItems without = easy_items(6);
  without.features.columns.clear();
  without.features.values.clear();
  without.features.rows_without_columns = 6;
  EXPECT_EQ(refused(without, options), "there are no features");
}

TEST(SupersetTrain, FeaturesWhoseSquaresAreNoNumbersAreRefused) {
  SupersetOptions options = quick(SupersetMethod::logistic);
  options.standardize = false;
  CandidateItems items = easy_items(6);
  items.features.values[3] = -1e71;
  EXPECT_EQ(
      error_of([&] { train_superset(items, options, {}); }),
      "feature 'y' = -1e+71 is too large to be taken as it is; leave out --no-standardize, or divide it by a large "
      "number");
}

// Batches of candidates as they are, without a matrix of evidence, learn what whole passes learn.
TEST(SupersetTrain, BatchesGoByTheCandidatesAsTheyAre) {
  const CandidateItems items = easy_items(240), fresh = easy_items(90, Seed{11});
  SupersetOptions options = quick(SupersetMethod::lsb_cmm);
  options.batch = 60;
  const TrainedSuperset trained = train_superset(items, options, {});
  EXPECT_GT(accuracy_of(predict(trained.model, fresh.features, {}, {1}).probability, fresh), 0.9);
}

TEST(SupersetAutoSlow, BlobsWithThreeFalseCandidatesAreTold) {
  BlobOptions blobs;
  blobs.items = 700;
  const CandidateItems items = simulate_candidates(simulate_blobs(blobs, Rng(Seed{1})), {1.0, 3, 0.0}, Rng(Seed{101}));
  const auto [fresh, seen] = every_nth_of(items, 7);
  SupersetOptions options;
  options.folds = 2;
  const TrainedSuperset trained = train_superset(seen, options, {});
  EXPECT_GE(accuracy_of(predict(trained.model, fresh.features, {}, {1}).probability, fresh), 0.83);
}

}  // namespace
}  // namespace motet::superset::train_test
