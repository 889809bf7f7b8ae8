// `motet multilabel train`, stopped somewhere on its way and taken up again.
#include <gtest/gtest.h>

#include "cli/multilabel_support.h"
#include "motet/app/multilabel/verbs.h"

namespace motet::multilabel::checkpoint_test {
namespace {

class InterruptedTraining : public MultilabelCommand {
 protected:
  struct Stopped {
    Ran ran;
    std::size_t reports = 0;  // of the stage
  };

  // A signal arrives with the report number `stop_at` of this stage; 0: never.
  Stopped train_until(const std::string& stage, std::size_t stop_at, std::vector<std::string> words) const {
    CancelFlag cancel;
    Stopped result;
    Verb verb = multilabel_verbs().at(0);
    const auto start = verb.start;
    verb.start = [&] {
      Job job = start();
      job.run = [&, run = job.run](VerbContext& context) {
        context.run.observer = [&](const Progress& progress) {
          if (progress.stage == stage && ++result.reports == stop_at) cancel.set(2);
        };
        return run(context);
      };
      return job;
    };
    words.insert(words.begin(), {"multilabel", "train"});
    std::vector<std::string> args;
    for (const std::string& word : words) args.push_back(word.starts_with('@') ? folder / word.substr(1) : word);
    std::ostringstream out;
    std::ostringstream err;
    const std::vector<Verb> verbs = {verb};
    result.ran.code = run_cli(args, verbs, {out, err, false, &cancel});
    result.ran.out = out.str();
    result.ran.err = folder.without_path(err.str());
    return result;
  }

  // Stops in the stage, goes on, and ends with the bytes of a run that nobody stopped.
  void expect_goes_on(const std::string& stage, std::size_t stop_at, const std::string& said,
                      std::vector<std::string> words) const {
    words.insert(words.end(), {"--threads", "1", "--seed", "5"});
    const auto with = [&](const std::vector<std::string>& more) {
      std::vector<std::string> all = words;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    const Stopped whole = train_until(stage, 0, with({"--model", "@a.model", "--json", "@a.json"}));
    ASSERT_EQ(whole.ran.code, 0) << whole.ran.err;
    ASSERT_GT(whole.reports, stop_at);
    const std::vector<std::string> kept{"--model", "@b.model", "--json", "@b.json", "--checkpoint", "@ck"};
    folder.write("b.model", "");
    const Stopped first = train_until(stage, stop_at, with(kept));
    EXPECT_EQ(first.ran.code, 130);
    EXPECT_TRUE(first.ran.err.starts_with("motet: " + said)) << first.ran.err;
    EXPECT_TRUE(first.ran.err.ends_with("; the checkpoint is in ck; the same command with --resume goes on from it\n"))
        << first.ran.err;
    EXPECT_EQ(folder.read("b.model"), "");
    std::vector<std::string> again = with(kept);
    again.push_back("--resume");
    const Stopped second = train_until(stage, 0, again);
    EXPECT_EQ(second.ran.code, 0) << second.ran.err;
    EXPECT_LT(second.reports, whole.reports);
    EXPECT_EQ(folder.read("b.model"), folder.read("a.model"));
    EXPECT_EQ(folder.read("b.json"), folder.read("a.json"));
    EXPECT_EQ(folder.read("ck"), "");
  }
};

TEST_F(InterruptedTraining, GoesOnFromTheIterationItHadReached) {
  const std::vector<std::string> words{"@train.csv", "--label-count", "3"};
  for (const char* covariance : {"diagonal", "full"}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--covariance", covariance});
    expect_goes_on("fitting", 3, "interrupted at iteration ", all);
  }
}

TEST_F(InterruptedTraining, AutoTriesNoWayTwice) {
  expect_goes_on("trying ways to train", 4, "interrupted while trying ways to train",
                 {"@train.csv", "--label-count", "3", "--method", "auto", "--folds", "3"});
}

TEST_F(InterruptedTraining, AutoGoesOnWithTheFitOfWhatItChose) {
  expect_goes_on("fitting", 3, "interrupted at iteration ",
                 {MOTET_TEST_DIR "/../samples/multilabel/items.csv", "--label-count", "4", "--method", "auto",
                  "--folds", "3", "--covariance", "diagonal", "--background"});
}

TEST_F(InterruptedTraining, AfterTheChoiceNothingIsTriedAgain) {
  const std::vector<std::string> words{"@train.csv", "--label-count", "3",       "--method",     "auto", "--folds",
                                       "3",          "--model",       "@m.json", "--checkpoint", "@ck",  "--threads",
                                       "1"};
  EXPECT_EQ(train_until("calibrating", 1, words).ran.code, 130);
  std::vector<std::string> again = words;
  again.push_back("--resume");
  const Stopped second = train_until("trying ways to train", 0, again);
  EXPECT_EQ(second.ran.code, 0) << second.ran.err;
  EXPECT_EQ(second.reports, 0U);
}

TEST_F(InterruptedTraining, SourcesWithoutAClosedFormGoOnFeatureByFeature) {
  folder.write("counts.csv",
               "x,y,z,a,b\n1,2,1,1,0\n2,0,3,1,0\n0,5,2,0,1\n1,6,4,0,1\n0,3,1,1,1\n1,4,2,1,1\n2,2,2,1,0\n"
               "1,7,1,0,1\n0,2,2,1,1\n1,3,3,1,1\n");
  expect_goes_on("fitting", 1, "interrupted at iteration ",
                 {"@counts.csv", "--label-count", "2", "--source", "poisson", "--combine", "min", "--no-calibration"});
}

TEST_F(InterruptedTraining, ACheckpointOfAnotherChoiceIsRefused) {
  const std::vector<std::string> words{"@train.csv", "--label-count", "3",       "--method",     "auto", "--folds",
                                       "3",          "--model",       "@m.json", "--checkpoint", "@ck",  "--threads",
                                       "1"};
  EXPECT_EQ(train_until("trying ways to train", 3, words).ran.code, 130);
  std::vector<std::string> other = words;
  other.insert(other.end(), {"--resume", "--combine", "sum"});  // the default, but now it is said
  const Stopped again = train_until("fitting", 0, other);
  EXPECT_EQ(again.ran.code, 3);
  EXPECT_EQ(again.ran.err,
            "motet: error: ck: the checkpoint belongs to other data or options; start without --resume\n");
}

TEST_F(InterruptedTraining, ADamagedCheckpointIsRefused) {
  const std::vector<std::string> words{"@train.csv", "--label-count", "3",       "--method",     "auto", "--folds",
                                       "3",          "--model",       "@m.json", "--checkpoint", "@ck",  "--threads",
                                       "1"};
  for (const char* stage : {"trying ways to train", "calibrating"}) {
    EXPECT_EQ(train_until(stage, 1, words).ran.code, 130);
    std::string text = folder.read("ck");
    const std::size_t first = text.find('[', text.find("\"parameters\"")) + 1;
    text.insert(first, "-1.0,");
    folder.write("ck", without_checksum(text));
    std::vector<std::string> again = words;
    again.push_back("--resume");
    const Stopped damaged = train_until("fitting", 0, again);
    EXPECT_EQ(damaged.ran.code, 3);
    EXPECT_EQ(damaged.ran.err, "motet: error: train.csv: the checkpoint is damaged; start without --resume\n");
  }
}

}  // namespace
}  // namespace motet::multilabel::checkpoint_test
