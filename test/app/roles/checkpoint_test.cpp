// `motet roles mine`, stopped by a signal and taken up again.
#include <gtest/gtest.h>

#include "app/roles/support.h"

namespace motet::roles::checkpoint_test {
namespace {

class InterruptedMineSlow : public RolesCommand {
 protected:
  static std::vector<std::string> with(const Words& more) {
    return joined({"roles", "mine", roles_sample(), "--roles", "6", "--starts", "1", "--centroids", "soft",
                   "--tolerance", "1e-9", "--attributes", roles_sample("hr.csv")},
                  more);
  }
};

TEST_F(InterruptedMineSlow, EndsWithTheSignalsCode) {
  const Ran by_int = stopped(with({"--json", "@r.json"}), {"searching for roles", 1});
  EXPECT_EQ(by_int.code, 130);
  EXPECT_TRUE(by_int.err.starts_with("motet: interrupted")) << by_int.err;
  EXPECT_EQ(by_int.out, "");
  EXPECT_EQ(stopped(with({}), {"fitting", 1, SIGTERM}).code, 143);
  EXPECT_EQ(folder.file_count(), 0U);
}

TEST_F(InterruptedMineSlow, SaysHowToGoOnAndGoesOnToTheSameModel) {
  ASSERT_EQ(motet(with({"--model", "@a.model", "--assignments", "@a.csv"})).code, 0);
  const Ran first = stopped(with({"--checkpoint", "@ck"}), {"fitting", 2});
  EXPECT_EQ(first.code, 130);
  EXPECT_TRUE(first.err.ends_with("; the checkpoint is in ck; the same command with --resume goes on from it\n"))
      << first.err;
  const Ran last = done(with("--checkpoint @ck --resume --model @b.model --assignments @b.csv"));
  EXPECT_EQ(folder.read("b.model"), folder.read("a.model"));
  EXPECT_EQ(folder.read("b.csv"), folder.read("a.csv"));
  EXPECT_EQ(folder.read("ck"), "");
}

TEST_F(InterruptedMineSlow, KeepsTheSearchToo) {
  ASSERT_EQ(motet(with({"--model", "@a.model"})).code, 0);
  const Stopped whole = stopped(with({}), {"searching for roles", 0});
  for (const std::size_t at : {whole.reports / 3, whole.reports - 1}) {
    const Ran first = stopped(with({"--checkpoint", "@ck"}), {"searching for roles", at});
    EXPECT_EQ(first.code, 130);
    EXPECT_TRUE(first.err.ends_with("; the checkpoint is in ck; the same command with --resume goes on from it\n"))
        << at << " of " << whole.reports << ": " << first.err;
    const Stopped rest = stopped(with("--checkpoint @ck --resume --model @b.model"), {"searching for roles", 0});
    ASSERT_EQ(rest.code, 0) << rest.err;
    EXPECT_LT(rest.reports, whole.reports);
    EXPECT_EQ(folder.read("b.model"), folder.read("a.model")) << at;
  }
}

TEST_F(InterruptedMineSlow, RefusesTheCheckpointOfOtherOptions) {
  ASSERT_EQ(stopped(with({"--checkpoint", "@ck"}), {"fitting", 2}).code, 130);
  expect_error(with({"--checkpoint", "@ck", "--resume", "--noise", "flip"}), 3,
               "ck: the checkpoint belongs to other data or options; start without --resume");
  expect_error(with({"--checkpoint", "@ck", "--resume", "--exclude", "status=dormant"}), 3,
               "ck: the checkpoint belongs to other data or options; start without --resume");
}

TEST_F(InterruptedMineSlow, WhileReading) {
  CancelFlag cancel;
  cancel.set(SIGTERM);
  folder.write("a.csv", small_access);
  const Ran ran = motet({"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "2"}, &cancel);
  EXPECT_EQ(ran.code, 143);
  EXPECT_EQ(ran.err, "motet: interrupted while reading a.csv\n");
}

}  // namespace
}  // namespace motet::roles::checkpoint_test
