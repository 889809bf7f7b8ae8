// What `motet multilabel train` says of a fit.
#include <gtest/gtest.h>

#include "cli/multilabel_support.h"

namespace motet::multilabel_train_test {
namespace {

class MultilabelTrainVerb : public MultilabelCommand {
 protected:
  // Two labels, `features` columns of noise, `items` rows.
  void write_noise(std::size_t items, std::size_t features) const {
    Rng rng(Seed{9});
    std::string text = "a,b";
    for (std::size_t d = 0; d < features; ++d) text += ",x" + std::to_string(d);
    for (std::size_t n = 0; n < items; ++n) {
      text += n % 3 == 0 ? "\n1,0" : n % 3 == 1 ? "\n0,1" : "\n1,1";
      for (std::size_t d = 0; d < features; ++d) text += "," + to_text(rng.normal());
    }
    folder.write("d.csv", text + "\n");
  }
  std::string trained(const std::vector<std::string>& more) const {
    const Ran ran = run({"train", "@d.csv", "--label-columns", "a,b", "--model", "@m.json", "--no-calibration"}, more);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  }
};

TEST_F(MultilabelTrainVerb, MoreFeaturesThanItemsAreWarnedOf) {
  write_noise(12, 40);
  const auto warned = [&](const std::vector<std::string>& more, const std::string& warning) {
    const std::string out = trained(more);
    return out.find("warning: " + warning + "\n") != std::string::npos;
  };
  EXPECT_TRUE(warned({},
                     "40 features are more than the 12 items: variances lean on shrinkage, not on the items alone; "
                     "--pca N takes fewer"));
  EXPECT_TRUE(
      warned({"--covariance", "full", "--prior-strength", "2"},
             "40 features are more than the 12 items: covariances lean on shrinkage and prior, not on the items "
             "alone; --pca N takes fewer"));
  EXPECT_EQ(trained({"--shrinkage", "0"}).find("features are more"), std::string::npos);
  EXPECT_EQ(trained({"--pca", "3"}).find("features are more"), std::string::npos);
  write_noise(42, 40);
  EXPECT_EQ(trained({}).find("features are more"), std::string::npos);
}

TEST_F(MultilabelTrainVerb, TheLogLikelihoodAndTheObjectiveAreToldApart) {
  ASSERT_EQ(train({"--no-calibration", "--json", "@r.json"}).code, 0);
  const Value shrunk = json_of("r.json");
  EXPECT_GT(shrunk.at("log_likelihood").as_number(), shrunk.at("objective").as_number());
  ASSERT_EQ(train({"--no-calibration", "--json", "@r.json", "--shrinkage", "0"}).code, 0);
  const Value plain = json_of("r.json");
  EXPECT_NEAR(plain.at("log_likelihood").as_number(), plain.at("objective").as_number(), 1e-6);
  // Maximum likelihood is the largest there is.
  EXPECT_GT(plain.at("log_likelihood").as_number(), shrunk.at("log_likelihood").as_number());
}

TEST_F(MultilabelTrainVerb, ValuesAreRefusedWithTheSourceThatWasNamed) {
  folder.write("d.csv", "item,x,a,b\np,1,1,0\nq,-2,0,1\n");
  expect_error(
      {"multilabel", "train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--source", "bernoulli", "--quiet"},
      3,
      "d.csv: item 'q': x = -2 cannot come from source = bernoulli with combine = sum; numbers from 0 on are "
      "allowed");
  expect_error({"multilabel", "train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--source", "bernoulli",
                "--combine", "or", "--quiet"},
               3, "d.csv: item 'q': x = -2 cannot come from source = bernoulli; 0 and 1 are allowed");
}

TEST_F(MultilabelTrainVerb, WhatPredictWouldRefuseIsRefused) {
  folder.write("d.csv", "x,y,a,b\n1,2,1,0\n2,1,1,0\n3,1.5,0,1\n2,3,0,1\n5,4,1,1\n4,5,1,1\n");
  const auto expect = [&](const std::string& source, const std::string& combine, const std::string& covariance,
                          const std::string& method, const std::string& text) {
    expect_error({"multilabel", "train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--source", source,
                  "--combine", combine, "--covariance", covariance, "--method", method, "--no-calibration", "--quiet"},
                 2, text);
  };
  for (const char* method : {"ignore", "new", "cross", "probabilistic"}) {
    for (const char* covariance : {"full", "shared"}) {
      const std::string start = "covariance = " + std::string(covariance) + " has no density with combine = ";
      expect("gaussian", "min", covariance, method, start + "min; spherical and diagonal have");
      expect("gaussian", "product", covariance, method, start + "product; spherical and diagonal have");
      expect("lognormal", "sum", covariance, method, start + "sum; spherical and diagonal have");
    }
  }
  expect("lognormal", "mean", "shared", "deconvolution",
         "covariance = shared: source = lognormal with combine = mean has only diagonal");
}

TEST_F(MultilabelTrainVerb, ItemsThatTeachNothingAreNoReasonToRefuse) {
  folder.write("d.csv", "x,a,b\n1,1,0\n2,1,0\n3,0,1\n2,0,1\n-5,1,1\n0,1,1\n");
  const std::vector<std::string> words{"train",   "@d.csv",   "--label-count", "2",         "--model",
                                       "@m.json", "--source", "lognormal",     "--combine", "product"};
  const Ran ran = run(words, {"--method", "ignore", "--no-calibration", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("warning: some items have values that the sources of their labels cannot give together: "
                         "there is no log-likelihood of all items\n"),
            std::string::npos)
      << ran.out;
  EXPECT_TRUE(json_of("r.json").at("log_likelihood").is_null());
  const Ran held_out = run(words, {"--method", "ignore", "--folds", "2"});
  EXPECT_EQ(held_out.code, 0) << held_out.err;
  // Items that teach are.
  EXPECT_EQ(run(words, {"--method", "cross", "--no-calibration"}).code, 3);
  folder.write("d.csv", "x,a,b\n1,1,0\n-2,1,0\n3,0,1\n2,0,1\n5,1,1\n");
  EXPECT_EQ(run(words, {"--method", "ignore", "--no-calibration"}).code, 3);
}

TEST_F(MultilabelTrainVerb, ValuesWhoseSquaresAreTooLargeAreRefusedAsTheyAre) {
  folder.write("d.csv", "x,a,b\n1e153,1,0\n1e153,0,1\n1e153,1,1\n1e153,1,0\n1,0,1\n1e153,1,0\n");
  for (const char* combine : {"product", "min", "sum"}) {
    expect_error({"multilabel", "train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--method", "new",
                  "--combine", combine, "--quiet"},
                 3,
                 "d.csv: item '1': x = 1e+153 is too large to be taken as it is; divide the feature by a large number, "
                 "or use --standardize with gaussian sources");
  }
  EXPECT_EQ(
      run({"train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--no-calibration"}, {"--standardize"}).code,
      0);
}

TEST_F(MultilabelTrainVerb, FarItemsAreOutliersAlsoWithoutCalibration) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  const auto outliers = [&] {
    EXPECT_EQ(run({"predict", "@far.csv", "--model", "@m.json", "--out", "@p.csv", "--json", "@r.json"}).code, 0);
    return json_of("r.json").at("outliers").as_number();
  };
  folder.write("far.csv", "x,y\n1000,1000\n-900,800\n4,0\n");
  EXPECT_EQ(outliers(), 2.0);
  folder.write("far.csv", small_items(240, 1));
  EXPECT_LE(outliers(), 5.0);  // of the training items themselves about 1 in 100
}

TEST_F(MultilabelTrainVerb, EqualItemsMakeAModelThatIsRead) {
  std::string text = "x,y,z,a\n";
  for (const char label : std::string("00000101")) text += std::string("1.5,1.5,1.5,") + label + "\n";
  folder.write("d.csv", text);
  const std::vector<std::string> one_label{"--label-count", "1", "--model", "@m.json", "--quiet"};
  ASSERT_EQ(run({"train", "@d.csv", "--method", "probabilistic", "--no-calibration"}, one_label).code, 0);
  const Ran ran = run({"predict", "@d.csv", "--out", "@p.csv"}, one_label);
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(MultilabelTrainVerb, CandidatesThatAreNoneAreRefused) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  expect_error({"multilabel", "predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv", "--candidates", "some",
                "--quiet"},
               2, "candidates = 'some' is not known; 'observed', 'degree:M' with M of at least 1, or 'all' is allowed");
}

}  // namespace
}  // namespace motet::multilabel_train_test
