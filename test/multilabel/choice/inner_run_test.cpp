#include "motet/multilabel/choice/inner_run.h"

#include <gtest/gtest.h>

#include <csignal>

#include "support/errors.h"

namespace motet::multilabel::inner_run_test {
namespace {

TEST(InnerRun, KeepsNothingAndNamesItsProgress) {
  CancelFlag cancel;
  RunContext outer;
  std::vector<std::string> stages;
  outer.cancel = &cancel;
  outer.save = [](const Checkpoint&) {};
  outer.resume = [](std::string_view) { return nullptr; };
  outer.observer = [&](const Progress& progress) { stages.emplace_back(progress.stage); };
  const RunContext inner = inner_run(outer, "fold 2 of 3", 1);
  EXPECT_FALSE(inner.save);
  EXPECT_FALSE(inner.resume);
  inner.observer({"fitting", 1.0, 2.0, "%"});
  EXPECT_EQ(stages, std::vector<std::string>{"fold 2 of 3: fitting"});
  EXPECT_EQ(inner.seed, inner_run(outer, "other words", 1).seed);
  EXPECT_NE(inner.seed, inner_run(outer, "fold 2 of 3", 2).seed);
  EXPECT_NE(inner.seed, inner_run(outer, "fold 2 of 3", 1, Stream::multilabel_learning_curve).seed);
  EXPECT_FALSE(inner_run({}, "fold 2 of 3", 1).observer);
  cancel.set(SIGINT);
  EXPECT_EQ(error_of([&] { inner_run(outer, "fold 2 of 3", 1); }, ErrorKind::interrupted),
            "interrupted in fold 2 of 3");
}

}  // namespace
}  // namespace motet::multilabel::inner_run_test
