#include "motet/app/checkpoint.h"

#include <gtest/gtest.h>

#include "cli/support.h"
#include "motet/base/rng.h"

namespace motet::checkpoint_test {
namespace {

void data(Fingerprint& shaping) { shaping.add(1); }

const Checkpoint some_state{"fit", 3, {0.25, 0.1}, {-3.0, -2.0, -1.5}, false};

TEST(CheckpointFile, ComesBackAsItWas) {
  const TemporaryFolder folder;
  CheckpointOptions options{folder / "ck", 0.0, true};
  CheckpointFile written(options, data);
  RunContext run;
  written.attach(run);
  EXPECT_EQ(run.resume("fit"), nullptr);
  EXPECT_EQ(written.how_to_go_on(), "nothing was saved yet");
  run.save(some_state);
  EXPECT_EQ(folder.without_path(written.how_to_go_on()),
            "the checkpoint is in ck; the same command with --resume goes on from it");

  CheckpointFile found(options, data);
  found.attach(run);
  EXPECT_EQ(folder.without_path(found.how_to_go_on()),
            "the checkpoint is in ck; the same command with --resume goes on from it");
  EXPECT_EQ(run.resume("start 1"), nullptr);
  const Checkpoint* state = run.resume("fit");
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->iteration, 3U);
  EXPECT_EQ(state->parameters, some_state.parameters);
  EXPECT_EQ(state->objective, some_state.objective);
  found.remove();
  EXPECT_EQ(folder.file_count(), 0U);
}

// A run whose state is kept in a file, and not more often than so many seconds.
struct KeptRun {
  TemporaryFolder folder;
  CheckpointFile file;
  RunContext run;

  explicit KeptRun(double seconds, bool resume = false) : file({folder / "ck", seconds, resume}, data) {
    file.attach(run);
    run.save(some_state);
  }
};

TEST(CheckpointFile, WaitsBetweenTwoUnlessItIsUrgent) {
  const KeptRun kept(1e6);
  EXPECT_EQ(kept.folder.file_count(), 0U);
  Checkpoint urgent = some_state;
  urgent.urgent = true;
  kept.run.save(urgent);
  EXPECT_EQ(kept.folder.file_count(), 1U);
}

TEST(CheckpointFile, AFitThatHadNoTimeToBeginKeepsWhatIsThere) {
  const KeptRun kept(0.0, true);
  const std::string before = kept.folder.read("ck");
  Checkpoint empty;
  empty.urgent = true;
  kept.run.save(empty);
  EXPECT_EQ(kept.folder.read("ck"), before);
}

TEST(CheckpointFile, IsNothingWithoutAName) {
  CheckpointFile file({}, data);
  RunContext run;
  file.attach(run);
  EXPECT_FALSE(run.save);
  EXPECT_FALSE(run.resume);
  EXPECT_EQ(file.how_to_go_on(), "nothing was kept; --checkpoint FILE would have kept the state of the fit");
  file.remove();
}

// `judges estimate`, stopped by a signal.
class Interrupted : public CommandTest {
 protected:
  std::vector<std::string> with(const Words& more) const {
    return joined({"judges", "estimate", sample(), "--plain-em"}, more);
  }
};

TEST_F(Interrupted, EndsWithTheSignalsCode) {
  const Ran by_int = stopped(with({"--json", "@r.json"}), {"fitting", 3});
  EXPECT_EQ(by_int.code, 130);
  EXPECT_TRUE(by_int.err.starts_with("motet: interrupted at iteration ")) << by_int.err;
  EXPECT_TRUE(by_int.err.ends_with("; nothing was kept; --checkpoint FILE would have kept the state of the fit\n"))
      << by_int.err;
  EXPECT_EQ(by_int.out, "");
  EXPECT_EQ(stopped(with({}), {"fitting", 3, SIGTERM}).code, 143);
  EXPECT_EQ(folder.file_count(), 0U);
}

TEST_F(Interrupted, GoesOnToTheSameBytes) {
  const std::vector<std::vector<std::string>> ways = {{}, {"--smoothing", "0"}};
  for (const std::vector<std::string>& way : ways) {
    const auto run = [&](const Words& more) { return with(joined(more, way)); };
    ASSERT_EQ(motet(run({"--json", "@a.json", "--model", "@a.model"})).code, 0);
    for (const std::size_t reports : {1U, 2U, 4U}) {
      const Ran first = stopped(run({"--checkpoint", "@ck"}), {"fitting", reports});
      EXPECT_EQ(first.code, 130);
      EXPECT_TRUE(first.err.ends_with("; the checkpoint is in ck; the same command with --resume goes on from it\n"))
          << first.err;
      const Ran again = stopped(run({"--checkpoint", "@ck", "--resume"}), {"fitting", 1, SIGTERM});
      EXPECT_EQ(again.code, 143);
      const Ran last = motet(run("--checkpoint @ck --resume --json @b.json --model @b.model"));
      EXPECT_EQ(last.code, 0) << last.err;
      EXPECT_EQ(folder.read("b.json"), folder.read("a.json"));
      EXPECT_EQ(folder.read("b.model"), folder.read("a.model"));
      EXPECT_EQ(folder.read("ck"), "");
    }
  }
}

TEST_F(Interrupted, RefusesTheCheckpointOfOtherOptions) {
  ASSERT_EQ(stopped(with({"--checkpoint", "@ck"}), {"fitting", 3}).code, 130);
  expect_error(with({"--checkpoint", "@ck", "--resume", "--prior", "uniform"}), 3,
               "ck: the checkpoint belongs to other data or options; start without --resume");
  expect_error(with({"--checkpoint", "@ck", "--resume", "--gold", sample_truth()}), 3,
               "ck: the checkpoint belongs to other data or options; start without --resume");
}

// A byte of a checkpoint or of a model is changed, by lot: refused, or the answer is the same.
TEST_F(Interrupted, DamagedFilesAreRefusedOrChangeNothing) {
  ASSERT_EQ(stopped(with({"--checkpoint", "@ck"}), {"fitting", 3}).code, 130);
  const std::string checkpoint = folder.read("ck");
  ASSERT_EQ(motet(with("--json @a.json --model @a.model")).code, 0);
  const std::string model = folder.read("a.model");
  const Ran combined = motet({"judges", "combine", sample(), "--model", "@a.model", "--combined", "-"});
  Rng draw(Seed{11});
  const auto damaged = [&](std::string text) {
    text[draw.below(text.size())] = "0123456789-.e, \"}]x\n"[draw.below(20)];
    return text;
  };
  std::size_t refused = 0;
  for (int i = 0; i < 250; ++i) {
    folder.write("ck", damaged(checkpoint));
    const Ran resumed = motet(with("--checkpoint @ck --resume --json @b.json"));
    refused += resumed.code == 3 ? 1 : 0;
    if (resumed.code != 3) {
      EXPECT_EQ(resumed.code, 0) << resumed.err;
      EXPECT_EQ(folder.read("b.json"), folder.read("a.json"));
    }
    folder.write("b.model", damaged(model));
    const Ran ran = motet({"judges", "combine", sample(), "--model", "@b.model", "--combined", "-"});
    refused += ran.code == 3 ? 1 : 0;
    EXPECT_EQ(ran.code == 3 ? combined.out : ran.out, combined.out) << ran.err;
  }
  EXPECT_GT(refused, 400U);
}

TEST_F(Interrupted, AResultThatCannotBeWrittenKeepsTheCheckpoint) {
  ASSERT_EQ(stopped(with({"--checkpoint", "@ck"}), {"fitting", 3}).code, 130);
  expect_error(with({"--checkpoint", "@ck", "--resume", "--json", "/dev/full"}), 5,
               "/dev/full: cannot be written: No space left on device");
  EXPECT_NE(folder.read("ck"), "");
}

TEST_F(Interrupted, WhileReading) {
  CancelFlag cancel;
  cancel.set(SIGTERM);
  folder.write("v.csv", small_votes);
  folder.write("a.csv", "user,a,b\nu1,1,0\n");
  const Ran votes = motet("judges estimate @v.csv", &cancel);
  EXPECT_EQ(votes.code, 143);
  EXPECT_EQ(votes.err, "motet: interrupted while reading v.csv\n");
  EXPECT_EQ(motet("roles mine @a.csv --layout matrix --roles 2", &cancel).err,
            "motet: interrupted while reading a.csv\n");
}

}  // namespace
}  // namespace motet::checkpoint_test
