#include "motet/multilabel.h"

#include <algorithm>

#include "door/support.h"
#include "support/errors.h"
#include "support/words.h"

namespace motet::multilabel {
namespace {

Items sample_items() {
  const auto lines = door::lines_of(door::sample_file("multilabel/items.csv"));
  Items items{door::features_of(lines, 0, 6), {lines[0].begin() + 6, lines[0].end()}, {}};
  for (std::size_t n = 1; n < lines.size(); ++n) {
    LabelSet& set = items.sets.emplace_back();
    for (std::uint32_t k = 0; k < 4; ++k) {
      if (lines[n][6 + k] == "1") set.push_back(k);
    }
  }
  return items;
}

class MultilabelDoor : public CommandTest {
 protected:
  std::string file = door::sample_file("multilabel/items.csv");
  void train_sample(const Words& more = {}) const {
    const Words words = Words{"multilabel", "train", file, "--label-count", "4", "--model", "@m.json"} + more;
    ASSERT_EQ(motet(words).code, 0);
  }
};

TEST_F(MultilabelDoor, GivesTheBytesOfTheCommandLine) {
  train_sample();
  ASSERT_EQ(motet({"multilabel", "predict", file, "--model", "@m.json", "--out", "@p.csv", "--label-count", "4"}).code,
            0);
  const Items items = sample_items();
  const Trained trained = train(items);
  EXPECT_EQ(to_text(trained.model), folder.read("m.json"));
  const Predictions found = predict(model_from_text(to_text(trained.model)), items.features);
  const auto lines = door::lines_of(folder / "p.csv");
  ASSERT_EQ(lines.size(), found.sets.size() + 1);
  for (std::size_t n = 0; n < found.sets.size(); ++n) {
    std::string names;
    for (const std::uint32_t k : found.sets[n]) names += (names.empty() ? "" : "|") + trained.model.labels()[k];
    EXPECT_EQ(lines[n + 1][1], names);
    EXPECT_EQ(lines[n + 1][2], motet::to_text(found.probability[n]));
    EXPECT_EQ(lines[n + 1][3], motet::to_text(found.log_likelihood[n]));
    EXPECT_EQ(lines[n + 1][4], std::to_string(found.outlier[n]));
  }
}

TEST_F(MultilabelDoor, OptionsReachTheFit) {
  train_sample({"--method", "cross", "--no-calibration"});
  EXPECT_EQ(to_text(train(sample_items(), {{"method", "cross"}, {"no_calibration", true}}).model),
            folder.read("m.json"));
}

TEST_F(MultilabelDoor, ColumnsAreFoundByName) {
  const Items items = sample_items();
  const Model model = train(items, {{"no_calibration", true}}).model;
  FeatureTable turned{{items.features.columns.rbegin(), items.features.columns.rend()}, {}};
  for (std::size_t n = 0; n < items.features.rows(); ++n) {
    for (std::size_t c = 6; c-- > 0;) turned.values.push_back(items.features.values[n * 6 + c]);
  }
  EXPECT_EQ(predict(model, turned).marginal, predict(model, items.features).marginal);
}

TEST_F(MultilabelDoor, RejectsWhatIsUnsure) {
  const Items items = sample_items();
  const Model model = train(items).model;
  const Predictions found = predict(model, items.features, {{"reject_below", 1.0}});
  EXPECT_EQ(found.rejected[0], 1);
  EXPECT_TRUE(found.sets[0].empty());
}

TEST_F(MultilabelDoor, BadInputIsRefused) {
  EXPECT_EQ(folder.error_of([] {
    train({{{"a"}, {1, 2}}, {"l"}, {{0}}});
  }),
            "items: sets: 1 values where there must be 2");
  EXPECT_EQ(folder.error_of(
                [] {
                  train({{{"a"}, {1}}, {"l"}, {{1}}});
                },
                ErrorKind::usage),
            "items: a label has a number beyond the list of names");
}

TEST_F(MultilabelDoor, SimulatesAsTheCommandLine) {
  ASSERT_EQ(motet("multilabel simulate --items 20 --labels 3 --seed 4 --out @i.csv").code, 0);
  const Items made = simulate({{"items", 20}, {"labels", 3}}, {.seed = 4});
  const auto lines = door::lines_of(folder / "i.csv");
  ASSERT_EQ(lines.size(), 21U);
  EXPECT_EQ(made.labels, (std::vector<std::string>{"label1", "label2", "label3"}));
  const auto at = static_cast<std::size_t>(std::find(lines[0].begin(), lines[0].end(), "label1") - lines[0].begin());
  const auto first = static_cast<std::size_t>(std::find(lines[0].begin(), lines[0].end(), "x1") - lines[0].begin());
  for (std::size_t n = 0; n < 20; ++n) {
    EXPECT_EQ(lines[n + 1][first + 2], motet::to_text(made.features.values[n * made.features.columns.size() + 2]));
    LabelSet set;
    for (std::uint32_t k = 0; k < 3; ++k) {
      if (lines[n + 1][at + k] == "1") set.push_back(k);
    }
    EXPECT_EQ(made.sets[n], set);
  }
  EXPECT_EQ(simulate_options()[0].name, "items");
}

TEST_F(MultilabelDoor, SeparatesAsTheCommandLine) {
  const Items items = simulate({{"items", 40}, {"labels", 3}});
  const Model model = train(items, {{"no_calibration", true}}).model;
  const Emissions found = separate(model, items);
  EXPECT_EQ(found.columns, items.features.columns);
  EXPECT_EQ(found.sources, items.labels);
  ASSERT_EQ(found.mean.size(), found.item.size() * found.columns.size());
  std::vector<LabelSet> sets(40);
  std::vector<double> sum(40, 0.0);
  for (std::size_t i = 0; i < found.item.size(); ++i) {
    sets[found.item[i]].push_back(found.source[i]);
    sum[found.item[i]] += found.mean[i * found.columns.size()];
    EXPECT_GE(found.standard_deviation[i * found.columns.size()], 0.0);
  }
  EXPECT_EQ(sets, items.sets);
  for (std::size_t n = 0; n < 40; ++n) EXPECT_NEAR(sum[n], items.features.values[n * found.columns.size()], 1e-9);
  Items strange = items;
  strange.labels[1] = "z";
  EXPECT_EQ(folder.error_of([&] { separate(model, strange); }), "items: label 'z' has no source in the model");
  strange.labels.pop_back();
  EXPECT_EQ(folder.error_of([&] { separate(model, strange); }).substr(0, 6), "items:");
  const Model fresh = train(items, {{"method", "new"}, {"no_calibration", true}}).model;
  EXPECT_EQ(
      folder.error_of([&] { separate(fresh, items); }, ErrorKind::unanswerable),
      "model: of --method new, has one source per label set, which cannot be taken apart; train with deconvolution");
  const Model linear = train(items, {{"method", "logistic"}, {"no_calibration", true}}).model;
  EXPECT_EQ(
      folder.error_of([&] { separate(linear, items); }, ErrorKind::unanswerable),
      "model: of --method logistic, has no sources that items could be taken apart into; train with deconvolution");
}

// Labels that always come together are one source, and a label that never came none.
TEST_F(MultilabelDoor, SeparatesIntoTheSourcesThatWereLearnt) {
  Items items = simulate({{"items", 40}, {"labels", 3}});
  items.labels = {"a", "b", "c", "twin", "never"};
  for (LabelSet& set : items.sets) {
    if (std::ranges::find(set, 1U) != set.end()) set.push_back(3);
  }
  const Model model = train(items, {{"no_calibration", true}}).model;
  EXPECT_EQ(model.labels(), items.labels);
  const Emissions found = separate(model, items);
  EXPECT_EQ(found.sources, (std::vector<std::string>{"a", "b|twin", "c"}));
  for (std::size_t i = 0; i < found.item.size(); ++i) {
    const LabelSet& set = items.sets[found.item[i]];
    EXPECT_NE(std::ranges::find(set, found.source[i]), set.end());
  }
}

}  // namespace
}  // namespace motet::multilabel
