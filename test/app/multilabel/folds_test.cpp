#include "motet/app/multilabel/folds.h"

#include <gtest/gtest.h>

#include "app/multilabel/support.h"

namespace motet::multilabel::folds_test {
namespace {

class EvaluateFolds : public MultilabelCommand {};

TEST_F(EvaluateFolds, ALabelThatAFoldLacksIsNeverGivenThere) {
  std::string text = small_items(60, 3);
  text.replace(0, text.find('\n'), "item,x,y,a,b,c,d");
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 3)) {
    const std::size_t end = text.find('\n', at + 1);
    text.insert(end, end == text.size() - 1 ? ",1" : ",0");
  }
  folder.write("d.csv", text);
  const Ran ran = run({"evaluate", "@d.csv", "--label-count", "4", "--cross-validate", "2", "--no-calibration"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("label 'd' is in no training item of fold"), std::string::npos) << ran.out;
}

TEST(TrainingPart, LeavesOutLabelsThatNoItemHasAndPutsThemBack) {
  LabelledItems items = items_of("x,a,b,c\n1,1,0,0\n2,0,0,1\n3,1,0,1\n");
  const TrainingPart part(items);
  EXPECT_EQ(part.labels, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(part.items.labels, (std::vector<std::string>{"a", "c"}));
  ASSERT_EQ(part.items.sets.columns(), 2U);
  const BitMatrix wide = part.widened(part.items.sets, 3);
  ASSERT_EQ(wide.columns(), 3U);
  for (std::size_t n = 0; n < 3; ++n) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(wide(n, k), items.sets(n, k)) << n << " " << k;
  }
  items.sets.set(0, 1);
  EXPECT_EQ(TrainingPart(items).items.labels.size(), 3U);
}

// Three folds by hand: item n is in fold n % 3.
struct Folds {
  LabelledItems items = items_of(small_items(60, 5));
  Parts parts;
  Folds() {
    std::vector<std::uint32_t> of_row;
    for (std::uint32_t n = 0; n < 60; ++n) of_row.push_back(n % 3);
    parts = given_parts(of_row);
  }
};

TEST(DecideByFolds, EachFoldIsDecidedByATrainingOnTheOthers) {
  const Folds folds;
  FoldOptions options;
  options.calibrate = false;
  Decided all(60, 3);
  std::vector<std::string> warnings;
  decide_by_folds(folds.items, folds.parts, options, {}, all, warnings);
  BitMatrix baseline(60, 3);
  Decided of_word(60, 3);
  decide_by_folds("lp-lda", "linear", folds.items, folds.parts, {}, of_word);
  EXPECT_TRUE(warnings.empty());
  EXPECT_TRUE(all.chosen.empty());  // nothing is left to choose
  for (std::uint32_t f = 0; f < 3; ++f) {
    const LabelledItems seen = rows_of(folds.items, folds.parts.others(f));
    const std::vector<std::uint32_t> rows = folds.parts.rows_of(f);
    const LabelledItems unseen = rows_of(folds.items, rows);
    const Decided one = decide_about(seen, unseen, options, {});
    const BitMatrix word = baseline_about("lp-lda", seen, unseen.features, {});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t n = rows[i];
      EXPECT_EQ(all.probability[n], one.probability[i]);
      EXPECT_EQ(all.outlier[n], one.outlier[i]);
      EXPECT_EQ(all.known[n], find_set(index_label_sets(seen.sets).sets, unseen.sets.row(i)) == no_set ? 0 : 1);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(all.sets(n, k), one.sets(i, k));
        EXPECT_EQ(all.marginal[3 * n + k], one.marginal[3 * i + k]);
        EXPECT_EQ(of_word.sets(n, k), word(i, k));
      }
    }
  }
}

TEST(DecideByFolds, ALabelOfOneFoldAloneIsNeverGivenAndItsSetsAreUnknown) {
  Folds folds;
  for (std::size_t n = 0; n < 60; ++n) folds.items.sets.set(n, 2, n == 3);  // c only in fold 0
  for (std::size_t n = 0; n < 60; ++n) folds.items.sets.set(n, 0);
  FoldOptions options;
  options.calibrate = false;
  options.train.method = Training::fresh;
  options.name = "new";
  Decided all(60, 3);
  std::vector<std::string> warnings;
  std::vector<std::string> stages;
  RunContext run;
  run.observer = [&](const Progress& progress) {
    stages.emplace_back(progress.stage.substr(0, progress.stage.find(':')));
  };
  decide_by_folds(folds.items, folds.parts, options, run, all, warnings);
  EXPECT_EQ(warnings, std::vector<std::string>{"label 'c' is in no training item of fold 1: it is never given there"});
  for (std::size_t n = 0; n < 60; n += 3) {
    EXPECT_FALSE(all.sets(n, 2));
    EXPECT_EQ(all.marginal[3 * n + 2], 0.0);
  }
  EXPECT_EQ(all.known[3], 0);
  EXPECT_EQ(all.known[6], 1);
  for (const std::string& stage : stages) EXPECT_TRUE(stage.starts_with("new, fold ")) << stage;
}

}  // namespace
}  // namespace motet::multilabel::folds_test
