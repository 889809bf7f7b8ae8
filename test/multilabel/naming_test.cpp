#include "motet/multilabel/naming.h"

#include <gtest/gtest.h>

#include "multilabel/fit_cases.h"

namespace motet::multilabel::naming_test {
namespace {

TEST(MultilabelNaming, ProjectedFeaturesAreNamedByComponent) {
  Preparation preparation;
  preparation.columns = {"a", "b", "c"};
  EXPECT_EQ(model_columns(preparation), preparation.columns);
  preparation.components = {1, 0, 0, 0, 1, 0};
  preparation.explained = {0.6, 0.3};
  EXPECT_EQ(model_columns(preparation), (std::vector<std::string>{"pc1", "pc2"}));
}

TEST(MultilabelNaming, NamesWhatHasALabelSetOfItsOwn) {
  MultilabelFit fit = two_sources();
  fit.model.options.method = Training::fresh;
  EXPECT_EQ(source_name(fit.model, 0), "speech");
  EXPECT_EQ(source_name(fit.model, 1), "speech|music");
}

TEST(MultilabelNaming, NamesTheBackgroundAndTheEmptySet) {
  const MultilabelModel model = two_sources().model;
  EXPECT_EQ(source_name(model, 1), "music");
  EXPECT_EQ(source_name(model, 2), "background");
  EXPECT_EQ(set_name(BitMatrix(1, 2).row(0), model.labels), "(none)");
}

TEST(MultilabelNaming, DescribesWhatShapesAModel) {
  TrainOptions options;
  options.method = Training::deconvolution;
  options.covariance = Covariance::shared;
  options.background = true;
  options.standardize = true;
  options.pca = 20;
  EXPECT_EQ(describe(options),
            "deconvolution, gaussian sum, shared covariance, background, standardized, 20 components");
  options.kernel = 100;
  options.kernel_width = 0.5;
  options.source = Family::poisson;
  EXPECT_EQ(describe(options),
            "deconvolution, poisson sum, background, standardized, 20 components of a kernel of width 0.5");
  options.method = Training::log_linear;
  EXPECT_EQ(describe(options), "log-linear, penalty 0.1, standardized, 20 components of a kernel of width 0.5");
}

}  // namespace
}  // namespace motet::multilabel::naming_test
