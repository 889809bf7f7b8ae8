#include "motet/audio/scenes/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "audio/scenes/blobs.h"

namespace motet::audio::calibration_test {
namespace {

Learned calibrated(const Blobs& blobs, const LearnOptions& options, unsigned threads = 1) {
  RunContext run;
  run.threads = {threads, true};
  Learned learned = learn(blobs.rows, blobs.target, blobs.groups, options, run);
  calibrate(learned, blobs.rows, blobs.target, {blobs.groups}, options, run);
  return learned;
}

// Mean of what is told of the class that is said, and the share of right answers, on clips of another draw.
struct Trust {
  double told = 0.0;
  double right = 0.0;
};

Trust trust_of(const Learned& learned, const Blobs& fresh) {
  const std::vector<double> said = learned.say(fresh.rows);
  const Rows2d scores = learned.scores(fresh.rows);
  Trust trust;
  const auto count = static_cast<double>(said.size());
  for (std::size_t n = 0; n < said.size(); ++n) {
    const std::vector<double> shares = probabilities_of(learned.calibration, scores.row(n));
    trust.told += shares[static_cast<std::size_t>(said[n])] / count;
    trust.right += (said[n] == fresh.target.values[n] ? 1.0 : 0.0) / count;
  }
  return trust;
}

TEST(Calibration, WhatIsToldOfAClassIsHowOftenItIsRight) {
  const Blobs blobs = class_blobs(300, 3, 8, 1.5);
  const Blobs fresh = class_blobs(3000, 3, 8, 1.5, 77);
  for (const LearnOptions& options :
       {LearnOptions{LearnMethod::svm_linear, 5, 1}, {LearnMethod::svm_rbf, 5, 1}, {LearnMethod::forest, 5, 60}}) {
    const Trust trust = trust_of(calibrated(blobs, options), fresh);
    EXPECT_LT(trust.right, 0.85);
    EXPECT_GT(trust.right, 0.6);
    // Three standard errors of the share of 300 clips that are held out: 3 sqrt(0.7 * 0.3 / 300) = 0.08.
    EXPECT_NEAR(trust.told, trust.right, 0.08) << static_cast<int>(options.method);
  }
}

TEST(Calibration, WithoutAnythingToLearnEachClassIsAsProbableAsItIsOften) {
  Blobs blobs = class_blobs(200, 2, 6, 0.0);
  for (std::size_t n = 0; n < 200; ++n) blobs.target.values[n] = n % 4 == 0 ? 1.0 : 0.0;
  const Learned learned = calibrated(blobs, {LearnMethod::svm_linear, 5, 1});
  const Rows2d scores = learned.scores(blobs.rows);
  double mean = 0.0;
  for (std::size_t n = 0; n < 200; ++n) mean += probabilities_of(learned.calibration, scores.row(n))[1] / 200.0;
  EXPECT_NEAR(mean, 0.25, 0.05);
}

// Smoothing alone decides: 10 clips of each class, (10 + 1) / (10 + 2) of those held out; a model of all of them is a
// little surer.
TEST(Calibration, SeparableClassesAreNotTakenForCertain) {
  const Blobs blobs = class_blobs(20, 2, 2, 40.0);
  const Learned learned = calibrated(blobs, {LearnMethod::svm_linear, 5, 1});
  const Rows2d scores = learned.scores(blobs.rows);
  for (std::size_t n = 0; n < 20; ++n) {
    const auto truth = static_cast<std::size_t>(blobs.target.values[n]);
    EXPECT_GT(probabilities_of(learned.calibration, scores.row(n))[truth], 11.0 / 12.0 - 0.03);
    EXPECT_LT(probabilities_of(learned.calibration, scores.row(n))[truth], 11.0 / 12.0 + 0.06);
  }
}

TEST(Calibration, IntervalsHoldTheNumberAsOftenAsTheySay) {
  const Blobs blobs = number_blobs(200, 4);
  const Blobs fresh = number_blobs(2000, 4, 78);
  const Learned learned = calibrated(blobs, {LearnMethod::linear, 5, 1});
  EXPECT_EQ(learned.calibration.residuals.size(), 200U);
  const std::vector<double> said = learned.say(fresh.rows);
  for (const double confidence : {0.5, 0.9}) {
    const AroundSaid around = around_said(learned.calibration, confidence);
    EXPECT_EQ(around.confidence, confidence);
    double inside = 0.0;
    for (std::size_t n = 0; n < said.size(); ++n) {
      const double off = fresh.target.values[n] - said[n];
      inside += off >= around.low && off <= around.high ? 1.0 / 2000.0 : 0.0;
    }
    EXPECT_NEAR(inside, confidence, 3.0 * std::sqrt(confidence * (1.0 - confidence) / 200.0));
  }
}

// The number is that of the response, and each source shifts it: held out by responses alone, a model that knows the
// source looks better than it is of new ones.
TEST(Calibration, IntervalsAreForNewSourcesAndNewResponses) {
  Rng rng(Seed{9});
  Rows2d rows{7, {}};
  Target target;
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> responses;
  std::array<double, 6> shift{};
  for (double& one : shift) one = 2.0 * rng.normal();
  for (std::uint32_t n = 0; n < 120; ++n) {
    const double value = 0.1 * (n / 6);
    for (std::uint32_t s = 0; s < 6; ++s) rows.values.push_back((s == n % 6 ? 1.0 : 0.0) + 0.01 * rng.normal());
    rows.values.push_back(value + shift[n % 6] + 0.05 * rng.normal());
    target.values.push_back(value);
    sources.push_back(n % 6);
    responses.push_back(n / 6);
  }
  const LearnOptions options{LearnMethod::linear, 5, 1};
  const Learned learned = learn(rows, target, sources, options, {});
  const auto width = [&](const Groupings& groupings) {
    Learned one = learned;
    calibrate(one, rows, target, groupings, options, {});
    EXPECT_EQ(one.calibration.residuals.size(), 120U);
    const AroundSaid around = around_said(one.calibration, 0.9);
    return around.high - around.low;
  };
  EXPECT_GT(width({sources, responses}), 3.0 * width({responses}));
}

TEST(Calibration, RanksOfFewResiduals) {
  Calibration calibration;
  EXPECT_EQ(around_said(calibration, 0.9).confidence, 0.0);
  for (int i = -9; i <= 9; ++i) calibration.residuals.push_back(i);  // 19: one gap in twenty on each side
  AroundSaid around = around_said(calibration, 0.9);
  EXPECT_EQ(around.low, -9.0);
  EXPECT_EQ(around.high, 9.0);
  EXPECT_EQ(around.confidence, 0.9);
  around = around_said(calibration, 0.8);
  EXPECT_EQ(around.low, -8.0);
  EXPECT_EQ(around.high, 8.0);
  calibration.residuals.resize(9);
  EXPECT_EQ(around_said(calibration, 0.9).confidence, 0.8);
}

TEST(Calibration, SameOnAnyNumberOfThreads) {
  const Blobs blobs = class_blobs(60, 3, 5, 2.0);
  for (const LearnMethod method : {LearnMethod::svm_rbf, LearnMethod::forest}) {
    const LearnOptions options{method, 5, 10};
    EXPECT_EQ(to_record(calibrated(blobs, options, 1)).fields.at("calibration"),
              to_record(calibrated(blobs, options, 4)).fields.at("calibration"));
  }
}

TEST(Calibration, ThereIsNoneWhereEveryFoldLosesAClass) {
  Blobs blobs = class_blobs(40, 2, 4, 3.0);
  for (std::size_t n = 0; n < 40; ++n) blobs.groups[n] = static_cast<std::uint32_t>(n % 2);  // a source per class
  const Learned learned = calibrated(blobs, {LearnMethod::svm_linear, 5, 1});
  EXPECT_TRUE(learned.calibration.offsets.empty());
  EXPECT_TRUE(probabilities_of(learned.calibration, std::vector<double>{1.0, -1.0}).empty());
}

}  // namespace
}  // namespace motet::audio::calibration_test
