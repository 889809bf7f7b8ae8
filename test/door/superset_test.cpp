#include "motet/superset.h"

#include "door/support.h"
#include "support/errors.h"

namespace motet::superset {
namespace {

Items sample_items() {
  const auto lines = door::lines_of(door::sample_file("superset/candidates.csv"));
  Items items{door::features_of(lines, 1, 3), {}, {}};
  for (std::size_t n = 1; n < lines.size(); ++n) {
    std::istringstream rest(lines[n][4]);
    for (std::string name; std::getline(rest, name, '|');) {
      if (std::find(items.classes.begin(), items.classes.end(), name) == items.classes.end()) {
        items.classes.push_back(name);
      }
    }
  }
  std::sort(items.classes.begin(), items.classes.end());
  for (std::size_t n = 1; n < lines.size(); ++n) {
    std::vector<Candidate>& candidates = items.candidates.emplace_back();
    std::istringstream rest(lines[n][4]);
    for (std::string name; std::getline(rest, name, '|');) {
      const auto found = std::find(items.classes.begin(), items.classes.end(), name);
      candidates.push_back({static_cast<std::uint32_t>(found - items.classes.begin())});
    }
  }
  return items;
}

class SupersetDoor : public CommandTest {
 protected:
  std::string file = door::sample_file("superset/candidates.csv");
};

TEST_F(SupersetDoor, GivesTheBytesOfTheCommandLine) {
  ASSERT_EQ(motet({"superset", "train", file, "--truth-column", "truth", "--method", "logistic-em", "--model",
                   "@m.json", "--disambiguated", "@d.csv"})
                .code,
            0);
  ASSERT_EQ(motet({"superset", "predict", file, "--model", "@m.json", "--out", "@p.csv", "--coverage", "0.9"}).code, 0);
  const Items items = sample_items();
  const Trained trained = train(items, {{"method", "logistic-em"}});
  EXPECT_EQ(to_text(trained.model), folder.read("m.json"));
  const Model model = model_from_text(to_text(trained.model));
  EXPECT_EQ(disambiguate(model, items).size(), trained.probability.size());
  const Predictions found = predict(model, items.features, {{"coverage", 0.9}});
  const auto predicted = door::lines_of(folder / "p.csv");
  const auto cleared = door::lines_of(folder / "d.csv");
  const std::size_t classes = items.classes.size();
  ASSERT_EQ(predicted.size(), found.label.size() + 1);
  for (std::size_t n = 0; n < found.label.size(); ++n) {
    EXPECT_EQ(predicted[n + 1][1], model.classes()[static_cast<std::size_t>(found.label[n])]);
    EXPECT_EQ(predicted[n + 1][2], motet::to_text(found.confidence[n]));
    EXPECT_EQ(predicted[n + 1][4], motet::to_text(found.probability[n * classes]));
    const double* const p = trained.probability.data() + n * classes;
    EXPECT_EQ(cleared[n + 1][2], motet::to_text(*std::max_element(p, p + classes)));
  }
}

TEST_F(SupersetDoor, BadInputIsRefused) {
  const auto with = [](std::vector<Candidate> candidates) {
    return Items{{{"a"}, {1.0}}, {"x", "y"}, {std::move(candidates)}};
  };
  const auto usage = [&](const Items& items) { return folder.error_of([&] { train(items); }, ErrorKind::usage); };
  EXPECT_EQ(usage(with({{2}})), "items: a candidate has a number beyond the list of classes");
  EXPECT_EQ(usage(with({{0, 0.0}})), "items: the weight of a candidate is not above 0");
  EXPECT_EQ(folder.error_of([&] { train(with({{1}, {1}})); }), "items: candidate 'y' is named twice");
}

TEST_F(SupersetDoor, SimulatesAsTheCommandLine) {
  ASSERT_EQ(motet("superset simulate --items 20 --extra 2 --seed 4 --out @c.csv").code, 0);
  const Simulated made = simulate({{"items", 20}, {"extra", 2}}, {.seed = 4});
  const auto lines = door::lines_of(folder / "c.csv");
  ASSERT_EQ(lines.size(), 21U);
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(lines[0].begin(), lines[0].end(), name) - lines[0].begin());
  };
  for (std::size_t n = 0; n < 20; ++n) {
    std::string joined;
    for (const Candidate& one : made.items.candidates[n]) {
      joined += (joined.empty() ? "" : "|") + made.items.classes[one.label];
    }
    EXPECT_EQ(lines[n + 1][column("candidates")], joined);
    EXPECT_EQ(lines[n + 1][column("x1")], motet::to_text(made.items.features.values[n * 4]));
    const std::string& truth = made.items.classes[static_cast<std::size_t>(made.truth[n])];
    EXPECT_EQ(lines[n + 1].back(), truth);
  }
  EXPECT_EQ(simulate_options().size(), 8U);
}

}  // namespace
}  // namespace motet::superset
