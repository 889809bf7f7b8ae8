#include "motet/io/reading_progress.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::reading_progress_test {
namespace {

TEST(ReadingProgress, TellsTheFirstStepAndThenEveryFewMegabytes) {
  const TemporaryFolder folder;
  CsvReader reader(folder.write("x.csv", "a,b\n1,2\n"));
  std::vector<std::string> told;
  RunContext run;
  run.observer = [&](const Progress& progress) {
    told.push_back(folder.without_path(std::string(progress.stage)) + " " + to_text(progress.total) + " " +
                   std::string(progress.unit));
  };
  ReadingProgress progress(reader, run);
  progress.step();
  progress.step();
  EXPECT_EQ(told, (std::vector<std::string>{"reading x.csv 8e-06 MB"}));
}

TEST(ReadingProgress, EndsWhenAsked) {
  const TemporaryFolder folder;
  const CsvReader reader(folder.write("x.csv", "a,b\n1,2\n"));
  CancelFlag cancel;
  RunContext run;
  run.cancel = &cancel;
  ReadingProgress progress(reader, run);
  progress.step();
  cancel.set(15);
  EXPECT_EQ(folder.error_of([&] { progress.step(); }, ErrorKind::interrupted), "interrupted while reading x.csv");
}

}  // namespace
}  // namespace motet::reading_progress_test
