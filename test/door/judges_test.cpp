#include "motet/judges.h"

#include "door/support.h"
#include "support/errors.h"

namespace motet::judges {
namespace {

Votes sample_votes() {
  std::vector<NamedVote> votes;
  const auto lines = door::lines_of(door::sample_file("judges/votes.csv"));
  for (std::size_t i = 1; i < lines.size(); ++i) votes.push_back({lines[i][0], lines[i][1], lines[i][2]});
  return votes_from(votes);
}

class JudgesDoor : public CommandTest {};

TEST_F(JudgesDoor, GivesTheBytesOfTheCommandLine) {
  const Ran ran =
      motet({"judges", "estimate", sample(), "--combined", "@labels.csv", "--model", "@m.json", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Votes votes = sample_votes();
  const Estimate found = estimate(votes);
  EXPECT_EQ(to_text(found.model), folder.read("m.json"));

  const Value told = json_of("r.json");
  ASSERT_EQ(told.at("judges").as_list().size(), found.judges.size());
  for (std::size_t j = 0; j < found.judges.size(); ++j) {
    const Value& judge = told.at("judges").as_list()[j];
    EXPECT_EQ(judge.at("name").as_text(), found.judges[j].name);
    EXPECT_EQ(judge.at("accuracy").as_number(), found.judges[j].accuracy);
    EXPECT_EQ(judge.at("accuracy_interval").as_list()[0].as_number(), found.judges[j].interval.low);
    EXPECT_EQ(judge.at("confusion").as_list()[1].as_list()[2].as_number(), found.judges[j].confusion[1 * 3 + 2]);
  }
  const Labels labels = combine(found.model, votes);
  const auto lines = door::lines_of(folder / "labels.csv");
  ASSERT_EQ(lines.size(), votes.items.size() + 1);
  for (std::size_t i = 0; i < votes.items.size(); ++i) {
    EXPECT_EQ(lines[i + 1][0], votes.items[i]);
    EXPECT_EQ(lines[i + 1][1], found.model.classes()[labels.label[i]]);
    EXPECT_EQ(lines[i + 1][2], motet::to_text(labels.probability[i]));
    EXPECT_EQ(labels.posterior[i * 3 + labels.label[i]], labels.probability[i]);
  }
}

TEST_F(JudgesDoor, OptionsAndSeedReachTheFit) {
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--noise", "symmetric", "--bootstrap", "20", "--seed", "5",
                   "--model", "@m.json"})
                .code,
            0);
  const motet::Run run{.seed = 5, .threads = 2};
  EXPECT_EQ(to_text(estimate(sample_votes(), {{"noise", "symmetric"}, {"bootstrap", 20}}, run).model),
            folder.read("m.json"));
}

TEST_F(JudgesDoor, KnownClassesCount) {
  Votes votes = sample_votes();
  const double before = estimate(votes).judges[0].accuracy;
  votes.known.assign(votes.items.size(), -1);
  for (std::size_t i = 0; i < 40; ++i) votes.known[i] = 0;
  EXPECT_NE(estimate(votes).judges[0].accuracy, before);
}

TEST_F(JudgesDoor, ClassesAndJudgesOfAModelAreFoundByName) {
  const Model model = estimate(sample_votes()).model;
  const Votes few{{"x"}, {"stranger", "judge2"}, {"c", "a"}, {{0, 1, 0}, {0, 0, 1}}};
  const Votes same{{"x"}, {"judge2"}, {"a", "b", "c"}, {{0, 0, 2}}};
  const Labels labels = combine(model, few);
  EXPECT_EQ(labels.unknown_judges, (std::vector<std::string>{"stranger"}));
  EXPECT_EQ(labels.posterior, combine(model, same).posterior);
  const Votes strange{{"x"}, {"judge2"}, {"z"}, {{0, 0, 0}}};
  EXPECT_EQ(folder.error_of([&] { combine(model, strange); }), "label 'z' is not one of {'a', 'b', 'c'}");
}

TEST_F(JudgesDoor, AModelIsTextAndBack) {
  const Model model = estimate(sample_votes()).model;
  const Model again = model_from_text(to_text(model));
  EXPECT_EQ(to_text(again), to_text(model));
  EXPECT_EQ(again.judges().size(), 7U);
  EXPECT_EQ(folder.error_of([] { model_from_text("{}"); }), "model: not a motet model file");
}

TEST_F(JudgesDoor, UpdateAddsVotes) {
  folder.write("new.csv", "item,judge,label\nn1,judge1,a\nn1,judge2,a\nn2,judge1,b\nn2,judge3,c\n");
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--model", "@m.json"}).code, 0);
  ASSERT_EQ(motet("judges estimate --update @new.csv --model @m.json").code, 0);
  const Votes more = votes_from(std::vector<NamedVote>{
      {"n1", "judge1", "a"}, {"n1", "judge2", "a"}, {"n2", "judge1", "b"}, {"n2", "judge3", "c"}});
  EXPECT_EQ(to_text(update(estimate(sample_votes()).model, more)), folder.read("m.json"));
}

TEST_F(JudgesDoor, BadInputIsRefused) {
  const Votes votes = sample_votes();
  const auto usage = [&](const auto& body) { return folder.error_of(body, ErrorKind::usage); };
  EXPECT_EQ(usage([&] { estimate(votes, {{"confidence", 2.0}}); }), "--confidence 2 is outside [0.5, 0.9999]");
  EXPECT_TRUE(usage([&] {
                estimate(votes, {{"nois", "glad"}});
              }).starts_with("there is no option 'nois'; there are prior, "));
  EXPECT_EQ(usage([] {
              estimate({{"x"}, {"j"}, {"a", "b"}, {{0, 1, 0}}});
            }),
            "votes: an item, judge or label has a number beyond the list of names");
  EXPECT_EQ(folder.error_of([] {
    estimate({{"x"}, {"j"}, {"a"}, {{0, 0, 0}}});
  }),
            "votes: at least two classes are needed");
}

TEST_F(JudgesDoor, OptionsAreListed) {
  const OptionList options = estimate_options();
  ASSERT_FALSE(options.empty());
  EXPECT_EQ(options[0].name, "prior");
  EXPECT_EQ(options[0].default_text, "estimate");
}

}  // namespace
}  // namespace motet::judges
