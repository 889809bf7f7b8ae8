#include "motet/cli/progress.h"

#include <gtest/gtest.h>

#include <sstream>

namespace motet::progress_test {
namespace {

TEST(ProgressText, ShowsABarAndTheTimeLeft) {
  EXPECT_EQ(progress_text({"fitting", 50.0, 100.0, "%"}, 10.0), "fitting [############............]  50 %  10 s left");
  EXPECT_EQ(progress_text({"fitting", 25.0, 100.0, "%"}, 60.0), "fitting [######..................]  25 %  3 min left");
  EXPECT_EQ(progress_text({"fitting", 1.0, 100.0, "%"}, 100.0), "fitting [........................]   1 %  2.8 h left");
}

TEST(ProgressText, WhatAResumedRunFoundDoneTookNoTime) {
  EXPECT_EQ(progress_text({"fitting", 60.0, 100.0, "%"}, 10.0, 50.0),
            "fitting [##############..........]  60 %  40 s left");
  EXPECT_EQ(progress_text({"fitting", 50.0, 100.0, "%"}, 10.0, 50.0), "fitting [############............]  50 %");
}

TEST(ProgressText, ShowsTheRateOfWhatIsCounted) {
  EXPECT_EQ(progress_text({"reading votes.csv", 30.0, 120.0, "MB"}, 3.0),
            "reading votes.csv [######..................]  25 %  10 MB/s  9 s left");
}

TEST(ProgressText, NeedsNoTotal) {
  EXPECT_EQ(progress_text({"reading standard input", 12.0, 0.0, "MB"}, 4.0), "reading standard input 12 MB  3 MB/s");
}

TEST(ProgressText, SaysNothingOfTheTimeLeftAtTheStartAndTheEnd) {
  EXPECT_EQ(progress_text({"fitting", 0.0, 100.0, "%"}, 3.0), "fitting [........................]   0 %");
  EXPECT_EQ(progress_text({"fitting", 50.0, 100.0, "%"}, 0.1), "fitting [############............]  50 %");
  EXPECT_EQ(progress_text({"fitting", 100.0, 100.0, "%"}, 9.0), "fitting [########################] 100 %");
  EXPECT_EQ(progress_text({"fitting", 120.0, 100.0, "%"}, 9.0), "fitting [########################] 100 %");
}

TEST(ProgressPrinter, RewritesOneLineOfATerminalAndCleansUp) {
  std::ostringstream err;
  {
    ProgressPrinter printer(err, true);
    printer.show({"reading a.csv", 0.0, 100.0, "MB"});
    printer.show({"fitting", 0.0, 100.0, "%"});
  }
  EXPECT_EQ(err.str(),
            "\r\x1b[Kreading a.csv [........................]   0 %"
            "\r\x1b[Kfitting [........................]   0 %"
            "\r\x1b[K");
}

TEST(ProgressPrinter, IsSilentAboutShortWorkElsewhere) {
  std::ostringstream err;
  {
    ProgressPrinter printer(err, false);
    printer.show({"reading a.csv", 0.0, 100.0, "MB"});
    printer.show({"fitting", 0.0, 100.0, "%"});
  }
  EXPECT_EQ(err.str(), "");
}

}  // namespace
}  // namespace motet::progress_test
