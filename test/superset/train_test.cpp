#include "motet/superset/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "motet/base/error.h"
#include "motet/superset/calibrate.h"
#include "motet/superset/evaluate.h"
#include "motet/superset/predict.h"
#include "superset/candidate_cases.h"
#include "support/threads.h"

namespace motet::superset::train_test {
namespace {

SupersetOptions quick(SupersetMethod method) {
  SupersetOptions options;
  options.method = method;
  options.folds = 2;
  options.restarts = 2;
  options.components = 6;
  return options;
}

template <class Body>
std::string error_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
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

TEST(SupersetTrain, AModelComesBackFromItsRecordUnchanged) {
  const CandidateItems items = easy_items(60);
  using enum SupersetMethod;
  for (const SupersetMethod method : {automatic, lsb_cmm, logistic, clpl, knn, ipal, svm, naive}) {
    const SupersetModel model = train_superset(items, quick(method), {}).model;
    const Record record = to_record(model);
    const SupersetModel back = superset_from_record(record);
    EXPECT_EQ(to_record(back), record) << static_cast<int>(method);
    EXPECT_EQ(predict(back, items.features, {}, {1}).probability, predict(model, items.features, {}, {1}).probability);
  }
}

TEST(SupersetTrain, ADamagedRecordIsRefusedWithTheField) {
  const Record record = to_record(train_superset(easy_items(30), quick(SupersetMethod::logistic), {}).model);
  Record changed = record;
  changed.fields.set("weights", Value::list({0.5}));
  EXPECT_EQ(error_of([&] { superset_from_record(changed); }), "field 'weights' sums to 0.5, not 1");
  changed = record;
  changed.fields.set("sharpness", -1.0);
  EXPECT_EQ(error_of([&] { superset_from_record(changed); }), "field 'sharpness' = -1 is not positive");
  changed = record;
  changed.fields.set("members", Value::List{});
  EXPECT_EQ(error_of([&] { superset_from_record(changed); }), "field 'members' is empty");
  changed = record;
  Value member = record.fields.at("members").as_list()[0];
  member.set("method", "oracle");
  changed.fields.set("members", Value::list({member}));
  EXPECT_EQ(error_of([&] { superset_from_record(changed); }), "member 1: field 'method' is 'oracle'");
  changed = record;
  changed.version = 2;
  EXPECT_NE(error_of([&] { superset_from_record(changed); }), "");
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
  Checkpoint kept;
  RunContext run;
  CancelFlag cancel;
  run.cancel = &cancel;
  run.save = [&](const Checkpoint& state) {
    kept = state;
    if (state.iteration == 5) cancel.set(2);
  };
  EXPECT_EQ(error_of([&] { train_superset(items, options, run); }).substr(0, 26), "interrupted while fitting ");
  EXPECT_EQ(kept.iteration, 5U);
  RunContext again;
  std::size_t saved = 0;
  again.resume = [&](std::string_view stage) { return kept.stage == stage ? &kept : nullptr; };
  again.save = [&](const Checkpoint& state) {
    ++saved;
    EXPECT_GT(state.iteration, 5U);
  };
  EXPECT_EQ(to_record(train_superset(items, options, again).model), whole);
  EXPECT_GT(saved, 0U);
}

TEST(SupersetTrain, TooFewItemsForTheFoldsAreRefused) {
  SupersetOptions options = quick(SupersetMethod::logistic);
  options.folds = 5;
  EXPECT_EQ(error_of([&] { train_superset(easy_items(3), options, {}); }),
            "3 items cannot be cut into folds = 5 parts; fewer --folds or more items are needed");
}

TEST(SupersetPredict, ItAbstainsBelowTheThreshold) {
  const CandidateItems items = easy_items(60);
  const SupersetModel model = train_superset(items, quick(SupersetMethod::logistic), {}).model;
  const SupersetPrediction said = predict(model, items.features, {0.8, 0.0}, {1});
  for (std::size_t n = 0; n < items.rows(); ++n) EXPECT_EQ(said.label[n] < 0, said.confidence[n] < 0.8);
}

TEST(SupersetPredict, SetsGrowWithTheCoverageAndHoldTheLikeliestLabel) {
  const CandidateItems items = easy_items(90);
  const SupersetModel model = train_superset(items, quick(SupersetMethod::logistic), {}).model;
  const SupersetPrediction narrow = predict(model, items.features, {0.0, 0.5}, {1});
  const SupersetPrediction wide = predict(model, items.features, {0.0, 0.99}, {1});
  for (std::size_t n = 0; n < items.rows(); ++n) {
    EXPECT_TRUE(std::includes(wide.sets[n].begin(), wide.sets[n].end(), narrow.sets[n].begin(), narrow.sets[n].end()));
    EXPECT_TRUE(
        std::binary_search(narrow.sets[n].begin(), narrow.sets[n].end(), static_cast<std::uint32_t>(narrow.label[n])));
  }
}

TEST(SupersetPredict, SetsFromOneCandidateAreThoseOfSplitConformalPrediction) {
  // Nine items, right label's 1 - p = 0.1 ... 0.9: at coverage 0.45, 0.5 with the new item, it is the fifth of nine.
  Evidence evidence{9, 2, {}};
  std::vector<double> p;
  for (int n = 1; n <= 9; ++n) {
    evidence.values.insert(evidence.values.end(), {1.0, 0.0});
    p.insert(p.end(), {1.0 - 0.1 * n, 0.1 * n});
  }
  const SetCalibration sets = calibrate_sets(evidence, p);
  EXPECT_EQ(sets.items, 9U);
  EXPECT_EQ(label_set(sets, std::vector<double>{0.49, 0.51}, 0.45), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(label_set(sets, std::vector<double>{0.5, 0.5}, 0.45), (std::vector<std::uint32_t>{0, 1}));
}

TEST(SupersetPredict, ProbabilitiesThatAreNoNumbersCalibrateNothing) {
  const Evidence evidence{2, 2, {1.0, 0.0, 0.0, 1.0}};
  const SetCalibration sets = calibrate_sets(evidence, std::vector<double>(4, std::nan("")));
  EXPECT_EQ(sets.items, 0U);
  EXPECT_TRUE(sets.quantile.empty());
}

TEST(SupersetPredict, ClassesOfItemsAreFoundByName) {
  const CandidateItems items = easy_items(60);
  const SupersetModel model = train_superset(items, quick(SupersetMethod::logistic), {}).model;
  CandidateItems turned = items;
  turned.classes = {"c", "b", "a"};
  for (std::size_t n = 0; n < items.rows(); ++n) {
    for (std::size_t i = items.starts[n]; i < items.starts[n + 1]; ++i) turned.label[i] = 2 - items.label[i];
  }
  EXPECT_EQ(disambiguate(turned, model, {1}), disambiguate(items, model, {1}));
  turned.classes[0] = "x";
  EXPECT_EQ(error_of([&] { disambiguate(turned, model, {1}); }), "class 'x' is not one of the 3 classes of the model");
}

TEST(SupersetEvaluate, HeldOutItemsAreScoredAndCounted) {
  const CandidateItems items = easy_items(90);
  const Parts fold = random_parts(90, 3, Rng(Seed{2}));
  const SupersetEvaluation result = cross_validate(items, quick(SupersetMethod::logistic), fold, 0.9, {});
  EXPECT_EQ(result.folds.size(), 3U);
  EXPECT_GT(result.inductive.mean, 0.9);
  EXPECT_GE(result.transductive.mean, result.inductive.mean - 0.05);
  std::size_t counted = 0;
  for (const std::size_t count : result.confusion) counted += count;
  EXPECT_EQ(counted, 90U);
  EXPECT_EQ(result.log_likelihood.size(), 90U);
}

TEST(SupersetEvaluate, WithoutAnyTruthThereIsNothingToScore) {
  CandidateItems items = easy_items(30);
  items.truth.clear();
  const Parts fold = random_parts(30, 3, Rng(Seed{2}));
  EXPECT_EQ(error_of([&] { cross_validate(items, quick(SupersetMethod::logistic), fold, 0.0, {}); }),
            "no true label is known; evaluation needs some");
}

}  // namespace
}  // namespace motet::superset::train_test
