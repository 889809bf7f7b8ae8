// `motet multilabel train`, stopped somewhere on its way and taken up again.
#include <gtest/gtest.h>

#include "app/multilabel/support.h"

namespace motet::multilabel::checkpoint_test {
namespace {

// Tries ways to train, calibrates, then fits what it chose.
class InterruptedTraining : public MultilabelCommand {
 protected:
  Stopped trained_until(const Signal& signal, const Words& words) const {
    return stopped(joined({"multilabel", "train"}, words), signal);
  }

  // Stops in the stage, goes on, and ends with the bytes of a run that nobody stopped.
  void expect_goes_on(const std::string& stage, std::size_t stop_at, const std::string& said, Words words) const {
    words = joined(words, {"--threads", "1", "--seed", "5"});
    const Stopped whole = trained_until({stage, 0}, joined(words, {"--model", "@a.model", "--json", "@a.json"}));
    ASSERT_EQ(whole.code, 0) << whole.err;
    ASSERT_GT(whole.reports, stop_at);
    const Words kept = "--model @b.model --json @b.json --checkpoint @ck";
    folder.write("b.model", "");
    const Stopped first = trained_until({stage, stop_at}, joined(words, kept));
    EXPECT_EQ(first.code, 130);
    EXPECT_TRUE(first.err.starts_with("motet: " + said)) << first.err;
    EXPECT_TRUE(first.err.ends_with("; the checkpoint is in ck; the same command with --resume goes on from it\n"))
        << first.err;
    EXPECT_EQ(folder.read("b.model"), "");
    const Stopped second = trained_until({stage, 0}, joined(joined(words, kept), {"--resume"}));
    EXPECT_EQ(second.code, 0) << second.err;
    EXPECT_LT(second.reports, whole.reports);
    EXPECT_EQ(folder.read("b.model"), folder.read("a.model"));
    EXPECT_EQ(folder.read("b.json"), folder.read("a.json"));
    EXPECT_EQ(folder.read("ck"), "");
  }
};

TEST_F(InterruptedTraining, ARunThatIsInterruptedBeforeItsFirstStepSavesNothing) {
  CancelFlag cancel;
  cancel.set(SIGINT);
  const Ran stopped = motet({"multilabel", "train", "@train.csv", "--label-count", "3", "--model", "@m.json", "--quiet",
                             "--checkpoint", "@ck", "--checkpoint-every", "0"},
                            &cancel);
  EXPECT_EQ(stopped.code, 130);
  EXPECT_TRUE(stopped.err.starts_with("motet: interrupted ")) << stopped.err;
  EXPECT_EQ(folder.read("m.json"), "");
  EXPECT_EQ(folder.read("ck"), "");
}

TEST_F(InterruptedTraining, GoesOnFromTheIterationItHadReached) {
  for (const char* covariance : {"diagonal", "full"}) {
    expect_goes_on("fitting", 3, "interrupted at iteration ",
                   Words("@train.csv --label-count 3") + Words{"--covariance", covariance});
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

const std::vector<std::string> automatic{"@train.csv", "--label-count", "3",       "--method",     "auto", "--folds",
                                         "3",          "--model",       "@m.json", "--checkpoint", "@ck",  "--threads",
                                         "1"};

TEST_F(InterruptedTraining, AfterTheChoiceNothingIsTriedAgain) {
  EXPECT_EQ(trained_until({"calibrating", 1}, automatic).code, 130);
  const Stopped second = trained_until({"trying ways to train", 0}, joined(automatic, {"--resume"}));
  EXPECT_EQ(second.code, 0) << second.err;
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
  EXPECT_EQ(trained_until({"trying ways to train", 3}, automatic).code, 130);
  // The default, but now it is said.
  const Ran again = trained_until({"fitting", 0}, joined(automatic, {"--resume", "--combine", "sum"}));
  EXPECT_EQ(again.code, 3);
  EXPECT_EQ(again.err, "motet: error: ck: the checkpoint belongs to other data or options; start without --resume\n");
}

TEST_F(InterruptedTraining, ADamagedCheckpointIsRefused) {
  for (const char* stage : {"trying ways to train", "calibrating"}) {
    EXPECT_EQ(trained_until({stage, 1}, automatic).code, 130);
    std::string text = folder.read("ck");
    const std::size_t first = text.find('[', text.find("\"parameters\"")) + 1;
    text.insert(first, "-1.0,");
    folder.write("ck", without_checksum(text));
    const Ran damaged = trained_until({"fitting", 0}, joined(automatic, {"--resume"}));
    EXPECT_EQ(damaged.code, 3);
    EXPECT_EQ(damaged.err, "motet: error: train.csv: the checkpoint is damaged; start without --resume\n");
  }
}

}  // namespace
}  // namespace motet::multilabel::checkpoint_test
