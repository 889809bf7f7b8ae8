#include "motet/multilabel/choice/kept_choice.h"

#include <gtest/gtest.h>

#include <map>

#include "motet/multilabel/choice/ways.h"
#include "support/expect_error.h"

namespace motet::multilabel::kept_choice_test {
namespace {

std::vector<TrainOptions> three_ways() {
  std::vector<TrainOptions> ways(3);
  ways[1].combine = Combination::mean;
  ways[2].method = Training::fresh;
  return ways;
}

std::vector<Trial> two_trials(const std::vector<TrainOptions>& ways) {
  return {{name_of_way(ways[2]), ways[2], 0.25, 0.02, 0.8, 0.0, 0.0, 2},
          {name_of_way(ways[0]), ways[0], 0.3, 0.03, 0.9, 0.05, 0.01, 0}};
}

// What a run saves, and gives back to the next.
struct Kept {
  RunContext run() {
    RunContext context;
    context.save = [this](const Checkpoint& state) {
      saved[state.stage] = state;
      ++times;
    };
    context.resume = [this](std::string_view stage) -> const Checkpoint* {
      const auto found = saved.find(std::string(stage));
      return found == saved.end() ? nullptr : &found->second;
    };
    return context;
  }
  std::map<std::string, Checkpoint> saved;
  std::size_t times = 0;
};

TEST(KeptChoice, AFirstRunHasNothingYetAndKeepsItsTrialsAtOnce) {
  const std::vector<TrainOptions> ways = three_ways();
  Kept kept;
  const RunContext run = kept.run();
  KeptChoice choice(run, ways);
  EXPECT_TRUE(choice.trials().empty());
  choice.keep(two_trials(ways));
  ASSERT_EQ(kept.saved.size(), 1U);
  EXPECT_TRUE(kept.saved.at("chosen way").urgent);
  EXPECT_FALSE(choice.fit_run().resume);
}

TEST(KeptChoice, TrialsComeBackTheSame) {
  const std::vector<TrainOptions> ways = three_ways();
  Kept kept;
  const RunContext run = kept.run();
  KeptChoice(run, ways).keep(two_trials(ways));
  KeptChoice again(run, ways);
  const std::vector<Trial> trials = again.trials();
  const std::vector<Trial> expected = two_trials(ways);
  ASSERT_EQ(trials.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(trials[i].name, expected[i].name);
    EXPECT_EQ(trials[i].way, expected[i].way);
    EXPECT_EQ(trials[i].options.method, expected[i].options.method);
    EXPECT_EQ(trials[i].error, expected[i].error);
    EXPECT_EQ(trials[i].standard_error, expected[i].standard_error);
    EXPECT_EQ(trials[i].log_loss, expected[i].log_loss);
    EXPECT_EQ(trials[i].behind, expected[i].behind);
    EXPECT_EQ(trials[i].behind_error, expected[i].behind_error);
  }
  again.keep(trials);
  EXPECT_EQ(kept.times, 1U);             // what is there need not be written again
  EXPECT_FALSE(again.fit_run().resume);  // the fit had not begun
}

TEST(KeptChoice, TheFitIsKeptBehindItsTrialsAndGoesOnFromWhereItWas) {
  const std::vector<TrainOptions> ways = three_ways();
  Kept kept;
  const RunContext run = kept.run();
  KeptChoice choice(run, ways);
  choice.keep(two_trials(ways));
  const RunContext fitting = choice.fit_run();
  fitting.save({"deconvolution", 7, {1.5, 2.5}, {-9.0, -8.0}, true});
  KeptChoice again(run, ways);
  EXPECT_EQ(again.trials().size(), 2U);
  again.keep(again.trials());
  const RunContext resumed = again.fit_run();
  ASSERT_TRUE(resumed.resume);
  const Checkpoint* const state = resumed.resume("deconvolution");
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->iteration, 7U);
  EXPECT_EQ(state->parameters, (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(state->objective, (std::vector<double>{-9.0, -8.0}));
  resumed.save({"deconvolution", 8, {1.6, 2.6}, {-9.0, -8.0, -7.0}, false});
  EXPECT_EQ(KeptChoice(run, ways).trials().size(), 2U);
  EXPECT_EQ(kept.saved.at("chosen way").iteration, 8U);
}

TEST(KeptChoice, ARunThatKeepsNothingIsLeftAlone) {
  const std::vector<TrainOptions> ways = three_ways();
  const RunContext run;
  KeptChoice choice(run, ways);
  choice.keep(two_trials(ways));
  EXPECT_FALSE(choice.fit_run().save);
  EXPECT_FALSE(choice.fit_run().resume);
}

TEST(KeptChoice, ADamagedCheckpointIsRefused) {
  const std::vector<TrainOptions> ways = three_ways();
  const std::vector<std::vector<double>> damaged = {{},                                   // no number of trials
                                                    {0.0},                                // none
                                                    {2.0, 0.0, 0.1, 0.1, 0.1, 0.1, 0.1},  // two, and the numbers of one
                                                    {1.0, 3.0, 0.1, 0.1, 0.1, 0.1, 0.1},  // a way that there is not
                                                    {1.0, -1.0, 0.1, 0.1, 0.1, 0.1, 0.1}};
  for (const std::vector<double>& numbers : damaged) {
    Kept kept;
    kept.saved["chosen way"] = {"chosen way", 0, numbers, {}, true};
    const RunContext run = kept.run();
    expect_error(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume",
                 [&] { KeptChoice(run, ways).trials(); });
  }
}

}  // namespace
}  // namespace motet::multilabel::kept_choice_test
