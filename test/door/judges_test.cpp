#include "motet/judges.h"

#include <limits>

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

TEST_F(JudgesDoor, AModelTellsItsJudges) {
  const Votes votes = sample_votes();
  const Estimate fitted = estimate(votes);
  const Estimate told = estimate_of(model_from_text(to_text(fitted.model)), 0.5);
  ASSERT_EQ(told.judges.size(), fitted.judges.size());
  for (std::size_t j = 0; j < told.judges.size(); ++j) {
    EXPECT_EQ(told.judges[j].accuracy, fitted.judges[j].accuracy);
    EXPECT_EQ(told.judges[j].confusion, fitted.judges[j].confusion);
    EXPECT_EQ(told.judges[j].votes, fitted.judges[j].votes);
    EXPECT_GT(told.judges[j].interval.low, fitted.judges[j].interval.low);  // 0.5 is narrower than 0.95
  }
  EXPECT_EQ(told.prior, fitted.prior);
  EXPECT_FALSE(told.effective_judges.has_value());
  const Estimate tied = estimate(votes, {{"noise", "symmetric"}, {"dependence", "pairwise"}});
  ASSERT_TRUE(tied.effective_judges.has_value());
  EXPECT_GT(*tied.effective_judges, 1.0);
  EXPECT_LT(*tied.effective_judges, 7.0);
  EXPECT_EQ(estimate_of(tied.model).effective_judges, tied.effective_judges);
  EXPECT_EQ(folder.error_of([&] { estimate_of(fitted.model, 2.0); }, ErrorKind::usage),
            "--confidence 2 is outside [0.5, 0.9999]");
}

TEST_F(JudgesDoor, SimulatesAsTheCommandLine) {
  ASSERT_EQ(motet("judges simulate --items 40 --classes 3 --answered 0.7 --seed 3 --out @v.csv --truth @t.csv").code,
            0);
  const Simulated made = simulate({{"items", 40}, {"classes", 3}, {"answered", 0.7}}, {.seed = 3});
  const auto lines = door::lines_of(folder / "v.csv");
  ASSERT_EQ(lines.size(), made.votes.votes.size() + 1);
  for (std::size_t i = 0; i < made.votes.votes.size(); ++i) {
    const Vote& vote = made.votes.votes[i];
    EXPECT_EQ(lines[i + 1], (std::vector<std::string>{made.votes.items[vote.item], made.votes.judges[vote.judge],
                                                      made.votes.classes[vote.label]}));
  }
  const auto truth = door::lines_of(folder / "t.csv");
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(truth[i + 1][1], made.votes.classes[static_cast<std::size_t>(made.truth[i])]);
  }
  EXPECT_EQ(made.accuracy.size(), 5U);
  EXPECT_EQ(simulate_options()[0].name, "items");
}

TEST_F(JudgesDoor, TwoPopulationsAreThoseOfTheCommandLine) {
  ASSERT_EQ(motet("judges simulate --items 500 --prior a=0.8,b=0.2 --out @a.csv").code, 0);
  ASSERT_EQ(motet("judges simulate --items 400 --prior a=0.3,b=0.7 --seed 2 --out @b.csv").code, 0);
  ASSERT_EQ(
      motet("judges two-populations @a.csv @b.csv --prior-a a=0.8,b=0.2 --prior-b a=0.3,b=0.7 --json @r.json").code, 0);
  const Votes a = simulate({{"items", 500}, {"prior", "a=0.8,b=0.2"}}).votes;
  const Votes b = simulate({{"items", 400}, {"prior", "a=0.3,b=0.7"}}, {.seed = 2}).votes;
  const TwoPopulations found = two_populations(a, b, 0.8, 0.3);
  const Value told = json_of("r.json");
  ASSERT_EQ(found.judges.size(), told.at("judges").as_list().size());
  const Value& first = told.at("judges").as_list()[0];
  EXPECT_EQ(first.at("name").as_text(), found.judges[0].name);
  EXPECT_EQ(found.judges[0].votes_b, 400U);
  EXPECT_TRUE(found.judges[0].right_on_first.interval.contains(found.judges[0].right_on_first.value));
  EXPECT_LT(found.judges[0].risk_a.standard_error, 0.2);
  Votes three = a;
  three.classes.emplace_back("c");
  EXPECT_EQ(folder.error_of([&] { two_populations(three, b, 0.8, 0.3); }),
            "votes: 3 classes; two-populations needs exactly two");
}

TEST_F(JudgesDoor, NumbersGiveTheBytesOfTheCommandLine) {
  Numbers numbers{{}, {"a", "b"}, {}};
  std::string csv = "item,a,b\n";
  for (int i = 0; i < 60; ++i) {
    numbers.items.push_back("i" + std::to_string(i));
    const double truth = (i * 37 % 60) / 10.0 - 3.0;
    numbers.values.insert(numbers.values.end(), {truth + (i * 11 % 7 - 3) / 8.0, truth + (i * 13 % 9 - 4) / 4.0});
    csv += numbers.items.back() + "," + motet::to_text(numbers.values[2U * numbers.items.size() - 2]) + "," +
           motet::to_text(numbers.values.back()) + "\n";
  }
  folder.write("p.csv", csv);
  ASSERT_EQ(
      motet("judges regression @p.csv --mean 0 --variance 3 --noise channel --model @m.json --combined @v.csv").code,
      0);
  const NumericEstimate found = estimate_numbers(numbers, {{"mean", 0}, {"variance", 3}, {"noise", "channel"}});
  EXPECT_EQ(to_text(found.model), folder.read("m.json"));
  const NumericModel again = numeric_model_from_text(to_text(found.model));
  EXPECT_EQ(estimate_of(again).judges[1].mse, found.judges[1].mse);
  const Values values = combine(again, numbers);
  EXPECT_EQ(door::lines_of(folder / "v.csv")[1][1], motet::to_text(values.mean[0]));
  EXPECT_EQ(values.standard_deviation.size(), 60U);
  const auto usage = [&](const auto& body) { return folder.error_of(body, ErrorKind::usage); };
  EXPECT_EQ(usage([&] { estimate_numbers(numbers, {{"mean", 0}}); }), "--variance: must be given");
  EXPECT_EQ(usage([&] {
              estimate_numbers(numbers, {{"mean", 0}, {"variance", 1}});
            }),
            "--noise-variance: must be given");
  numbers.values[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(folder.error_of([&] { combine(again, numbers); }), "numbers: a value is infinite");
  numbers.values.pop_back();
  EXPECT_EQ(folder.error_of([&] { combine(again, numbers); }), "numbers: values: 119 values where there must be 120");
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
