#include "motet/engine/iterate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "support/cancelled.h"
#include "support/errors.h"

namespace motet::iterate_test {
namespace {

// -x^2, half of x per step: rises towards 0.
struct Halving {
  double x = 1.0;
  double factor = 0.5;

  Iterated fit() {
    return {[this] { return -x * x; },
            [this] {
              const double before = x;
              x *= factor;
              return Step{std::abs(before - x), {}};
            },
            [this] { return std::vector<double>{x}; },
            [this](std::span<const double> kept) {
              if (kept.size() == 1) x = kept[0];
              return kept.size() == 1;
            },
            {}};
  }
};

TEST(Iterate, EndsByTheChangeWithTheObjectiveOfTheLastState) {
  Halving state;
  const FitSummary summary = iterate(state.fit(), {100, 0.1, 0.0, 0.0}, {}, {});
  EXPECT_EQ(summary.stop, Stop::converged);
  EXPECT_EQ(state.x, 0.0625);  // 0.125 - 0.0625 is the first change below 0.1
  EXPECT_EQ(summary.objective, (std::vector<double>{-1.0, -0.25, -0.0625, -0.015625, -0.00390625}));
}

TEST(Iterate, EndsByASmallRise) {
  Halving state;
  const FitSummary summary = iterate(state.fit(), {100, 0.0, 0.0, 0.1}, {}, {});
  EXPECT_EQ(summary.stop, Stop::converged);
  EXPECT_EQ(summary.objective.back(), -0.015625);
}

TEST(Iterate, EndsAtTheLimit) {
  Halving state;
  const FitSummary summary = iterate(state.fit(), {3, 0.0, 0.0, 0.0}, {}, {});
  EXPECT_EQ(summary.stop, Stop::iteration_limit);
  EXPECT_EQ(summary.iterations(), 3U);
  EXPECT_EQ(state.x, 0.25);  // no step after the last record
}

TEST(Iterate, EndsWhereThereIsNoStepToTake) {
  Halving state;
  Iterated fit = state.fit();
  fit.step = [] { return Step{.stop = Stop::converged}; };
  const FitSummary summary = iterate(fit, {}, {}, {});
  EXPECT_EQ(summary.stop, Stop::converged);
  EXPECT_EQ(summary.iterations(), 1U);
}

TEST(Iterate, AFallIsADefect) {
  Halving state{1.0, 2.0};
  const FitSummary summary = iterate(state.fit(), {}, {}, {});
  EXPECT_EQ(summary.stop, Stop::objective_fell);
  EXPECT_EQ(summary.objective, (std::vector<double>{-1.0, -4.0}));
  EXPECT_EQ(summary.warnings, (std::vector<std::string>{"the objective fell by 3 at iteration 2; this is a defect"}));
}

TEST(Iterate, AFallThatMayBeIsTakenBack) {
  Halving state{1.0, 2.0};
  Iterated fit = state.fit();
  fit.go_back = [&](double fall, std::size_t iteration) {
    state.x = 1.0;
    return std::to_string(fall) + " at " + std::to_string(iteration);
  };
  const FitSummary summary = iterate(fit, {}, {}, {});
  EXPECT_EQ(summary.stop, Stop::objective_fell);
  EXPECT_EQ(summary.objective, std::vector<double>{-1.0});
  EXPECT_EQ(summary.warnings, std::vector<std::string>{"3.000000 at 2"});
}

TEST(Iterate, AStepToNoNumberIsTakenBackWhereFallsMayBe) {
  double x = 1.0;
  Iterated fit;
  fit.objective = [&] { return x; };
  fit.step = [&] {
    x = -std::numeric_limits<double>::infinity();
    return Step{};
  };
  EXPECT_THROW(iterate(fit, {}, {}, {}), Error);
  x = 1.0;
  fit.go_back = [&](double, std::size_t) {
    x = 1.0;
    return std::string("taken back");
  };
  const FitSummary summary = iterate(fit, {}, {}, {});
  EXPECT_EQ(x, 1.0);
  EXPECT_EQ(summary.objective, std::vector<double>{1.0});
  EXPECT_EQ(summary.warnings, std::vector<std::string>{"taken back"});
}

TEST(Iterate, AnObjectiveThatIsNoNumberIsAnError) {
  Halving state{std::nan(""), 0.5};
  EXPECT_THROW(iterate(state.fit(), {}, {}, {}), Error);
}

// A step that takes long looks at the flag by itself; the fit ends with the state before it.
TEST(Iterate, AStepThatIsInterruptedLeavesTheStateBeforeIt) {
  for (const bool in_objective : {false, true}) {
    Halving state;
    const Iterated fit = state.fit();
    StoppedRun stopped;
    std::size_t calls = 0;
    const auto count = [&] {
      if (++calls < 3) return;
      stopped.cancel.set(2);
      fail(ErrorKind::interrupted, "in the middle");
    };
    Iterated failing = fit;
    if (in_objective) {
      failing.objective = [&] { return count(), fit.objective(); };
    } else {
      failing.step = [&] { return count(), fit.step(); };
    }
    const FitSummary summary = iterate(failing, {100, 1e-6, 0.0, 0.0}, stopped.run, "fit");
    EXPECT_EQ(summary.stop, Stop::interrupted);
    EXPECT_EQ(summary.objective.back(), in_objective ? -0.25 : -0.0625);
    EXPECT_TRUE(stopped.kept.urgent);
    EXPECT_EQ(stopped.kept.parameters, std::vector<double>{in_objective ? 0.5 : 0.25});
    EXPECT_EQ(stopped.kept.objective, summary.objective);
  }
}

TEST(Iterate, AFirstStepThatIsInterruptedHasNothingToKeep) {
  Halving state;
  Iterated fit = state.fit();
  fit.objective = []() -> double { fail(ErrorKind::interrupted, "at once"); };
  StoppedRun stopped;
  stopped.cancel.set(2);
  EXPECT_EQ(error_of([&] { iterate(fit, {}, stopped.run, "fit"); }, ErrorKind::interrupted), "at once");
  EXPECT_TRUE(stopped.kept.parameters.empty());
}

TEST(Iterate, GoesOnFromAnyCheckpointToTheSameEnd) {
  const IterationRule rule{100, 1e-6, 0.0, 0.0};
  Halving whole;
  const FitSummary all = iterate(whole.fit(), rule, {}, "fit");
  for (const std::size_t stopped : {1U, 2U, 7U}) {
    StoppedRun first(stopped);
    Halving part;
    EXPECT_EQ(iterate(part.fit(), rule, first.run, "fit").stop, Stop::interrupted);
    EXPECT_TRUE(first.kept.urgent);
    EXPECT_EQ(first.kept.iteration, stopped + 1);
    Halving rest;
    EXPECT_EQ(iterate(rest.fit(), rule, resumed_run(first.kept), "fit").objective, all.objective);
    EXPECT_EQ(rest.x, whole.x);
  }
}

TEST(Iterate, AStateThatCannotBeGoneOnFromLeavesTheOneBefore) {
  Halving state;
  Iterated fit = state.fit();
  fit.keep = [&] { return state.x == 0.25 ? std::vector<double>{} : std::vector<double>{state.x}; };
  StoppedRun stopped(2);
  EXPECT_EQ(iterate(fit, {}, stopped.run, "fit").stop, Stop::interrupted);
  EXPECT_EQ(stopped.kept.parameters, std::vector<double>{0.5});
  EXPECT_EQ(stopped.kept.objective, (std::vector<double>{-1.0, -0.25}));
}

TEST(Iterate, NumbersOfAnotherFitAreRefused) {
  const Checkpoint other{"fit", 1, {1.0, 2.0}, {-1.0}, false};
  Halving state;
  EXPECT_EQ(error_of([&] { iterate(state.fit(), {}, resumed_run(other), "fit"); }, ErrorKind::bad_data),
            "the checkpoint belongs to other data or options; start without --resume");
}

TEST(Iterate, ProgressNeverGoesBack) {
  for (const IterationRule& rule : {IterationRule{100, 1e-6, 0.0, 0.0}, IterationRule{100, 0.0, 0.0, 1e-6}}) {
    double last = -1.0;
    RunContext run;
    run.observer = [&](const Progress& progress) {
      EXPECT_GE(progress.done, last);
      last = progress.done;
    };
    Halving state;
    iterate(state.fit(), rule, run, "fit");
    EXPECT_EQ(last, 100.0);
  }
}

}  // namespace
}  // namespace motet::iterate_test
