// The experiments on items of several sources: their helpers, and that each runs on small data.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "experiments/multilabel/curves.h"
#include "experiments/multilabel/simulated.h"
#include "experiments/support.h"

namespace motet::multilabel::multilabel_experiments_test {
namespace {

TEST(MultilabelExperiments, ARootOfAMeanHasItsErrorByTheDeltaMethod) {
  const Measured found = root_mean_of({1.0, 3.0, 2.0, 2.0});
  EXPECT_NEAR(found.value, std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(found.error, 0.5 * std::sqrt(2.0 / 3.0) / 2.0 / std::sqrt(2.0), 1e-15);
}

TEST(MultilabelExperiments, EveryRowWithAReferenceCountsAndThoseFarAwayAreNamed) {
  Curves curves("Recall", "recall");
  curves.add("cross", 10, {1.0, 0.1}, Curves::no_theory, {{10, {1.2, 0.1}}});
  curves.add("cross", 20, {1.0, 0.1}, Curves::no_theory, {{20, {2.0}}});
  curves.add("cross", 30, {1.0, 0.1}, Curves::no_theory, {{20, {2.0}}});
  ExperimentWriter writer("x", "X");
  writer.section("s", "");
  ReferenceAgreement agreement;
  EXPECT_EQ(agreement.text(), "0 of 0 references lie within three standard errors");
  curves.write(writer, agreement, false, 1);
  EXPECT_EQ(agreement.text(),
            "1 of 2 references lie within three standard errors; not so: Recall, cross with 20 items (1.0 ± 0.1 "
            "against 2.0, -7.1)");
  agreement.add("b", "3", "4", 3.0);
  EXPECT_TRUE(agreement.text().starts_with("2 of 3 ")) << agreement.text();
}

TEST(MultilabelExperiments, CountsAreDrawnAgainUntilEverySetHasEnough) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<std::size_t> counts = draw_counts(3, 9, 2, Rng(Seed{seed}));
    EXPECT_EQ(counts[0] + counts[1] + counts[2], 9U);
    EXPECT_GE(*std::min_element(counts.begin(), counts.end()), 2U);
  }
}

TEST(MultilabelExperiments, NewIsComparedWithTheCombinationOfTheSources) {
  Sources truth{Family::bernoulli, Combination::logical_or, Covariance::diagonal, 1, 2, false, {0.4, 0.2}};
  TrainedSources trained;
  trained.method = Training::fresh;
  trained.sets = BitMatrix(1, 2);
  trained.sets.set(0, 0);
  trained.sets.set(0, 1);
  trained.sources = truth;
  trained.sources.count = 1;
  trained.sources.location = {0.62};
  EXPECT_NEAR(squared_errors(trained, truth)[0], 0.01, 1e-12);  // 0.52 is right
}

// --- each experiment ----------------------------------------------------------------

class MultilabelExperimentsSlow : public ExperimentTest {
 protected:
  // Two labels that add, in MULAN's format, under the names of all four sets. As in scene, the items of a set come
  // one after the other: the first hundred lack a label.
  void write_data() const {
    std::filesystem::create_directory(folder / "multilabel");
    for (const std::string name : {"emotions", "scene", "yeast", "birds"}) {
      std::filesystem::create_directory(folder / ("multilabel/" + name));
      const std::string stem = "multilabel/" + name + "/" + name;
      folder.write(stem + ".xml",
                   "<labels xmlns=\"http://mulan.sourceforge.net/labels\">\n<label name=\"a\"></label>\n"
                   "<label name=\"b\"></label>\n</labels>\n");
      std::string text =
          "@relation r\n@attribute x numeric\n@attribute y numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n";
      for (int n = 0; n < 180; ++n) {
        const int set = n < 120 ? 0 : 1 + n % 2;
        const double a = set != 1 ? 1.0 : 0.0;
        const double b = set != 0 ? 1.0 : 0.0;
        const double x = 5.0 * a + 0.1 * ((n * 7) % 11);
        const double y = 4.0 * b + 0.1 * ((n * 5) % 13);
        text +=
            std::to_string(x) + "," + std::to_string(y) + "," + (a > 0 ? "1" : "0") + "," + (b > 0 ? "1" : "0") + "\n";
      }
      folder.write(stem + "-train.arff", text);
      folder.write(stem + "-test.arff", text);
    }
  }
};

TEST_P(MultilabelExperimentsSlow, RunsOnSmallDataTheSameOnAnyNumberOfThreads) {
  write_data();
  expect_the_same_on_any_number_of_threads();
}

INSTANTIATE_TEST_SUITE_P(All, MultilabelExperimentsSlow,
                         testing::Values("multilabel-fig5-2", "multilabel-fig5-3", "multilabel-fig5-4",
                                         "multilabel-fig6-1", "multilabel-fig6-4", "multilabel-fig6-6",
                                         "multilabel-coverage", "multilabel-public-sets"),
                         plain_name);

using MultilabelExperimentVerb = CommandTest;

std::string ours_of(const Value& json, const std::string& table, const std::string& training, std::int64_t items) {
  for (const Value& row : json.at(table).as_list()) {
    if (row.at("training").as_text() == training && row.at("items").as_whole() == items)
      return row.at("ours").as_text();
  }
  return "no row";
}

// (2.18) is a mean over labels: of items {1}, {2} and {1, 2}, decided for one label each, three quarters, not five
// sixths.
TEST_F(MultilabelExperimentVerb, RecallOfFigure63IsTheMeanOverLabels) {
  ASSERT_EQ(motet({"reproduce", "multilabel-fig6-1", "--quick", "--quiet", "--json", "@r.json"}).code, 0);
  const double recall = std::stod(ours_of(json_of("r.json"), "Figure 6.3, recall", "ignore", 300));
  EXPECT_NEAR(recall, 0.75, 0.03);
}

TEST_F(MultilabelExperimentVerb, Figure53HasTheDecisionsByLabels) {
  ASSERT_EQ(motet({"reproduce", "multilabel-fig5-3", "--quick", "--quiet", "--json", "@r.json"}).code, 0);
  const Value json = json_of("r.json");
  for (const std::string training : {"cross", "probabilistic"}) {
    const double by_sets = std::stod(ours_of(json, "Recall, B", training, 100));
    const double by_labels = std::stod(ours_of(json, "Recall, B", training + ", one-against-all", 100));
    EXPECT_GT(by_labels, by_sets) << training;
  }
}

TEST_F(MultilabelExperimentVerb, ConstantsAreThoseOfTheReference) {
  const Ran ran = done({"reproduce", "multilabel-constants", "--quiet"});
  expect_in(ran.out, {"0.0962218115", "0.3950691412"});
}

TEST_F(MultilabelExperimentVerb, RareLabelsSetAutoBesideTheOthers) {
  const Ran ran = done({"reproduce", "multilabel-rare-labels", "--quick"});
  expect_in(ran.out, {"small", "auto", "log-linear", "powerset", "lp-svm", "ml-knn"});
}

TEST_F(MultilabelExperimentVerb, AbsentDataAreSaid) {
  expect_error({"reproduce", "multilabel-public-sets", "--data", "@none"}, 3,
               "the public data 'multilabel/emotions' are not here; name their folder with --data or MOTET_DATA");
}

}  // namespace
}  // namespace motet::multilabel::multilabel_experiments_test
