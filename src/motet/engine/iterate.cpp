#include "motet/engine/iterate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/engine/way_done.h"

namespace motet {
namespace {

class Loop {
 public:
  Loop(const Iterated& fit, const IterationRule& rule, const RunContext& run, std::string_view stage,
       std::vector<double> trace)
      : fit_(fit), rule_(rule), run_(run), stage_(stage) {
    summary_.objective = std::move(trace);
    resume();
    // The objective of the state comes again.
    if (!summary_.objective.empty()) summary_.objective.pop_back();
  }

  FitSummary go() {
    try {
      loop();
    } catch (const Error& error) {
      // In the middle of a step: the state before it is kept.
      if (error.kind() != ErrorKind::interrupted || !run_.cancelled() || summary_.objective.empty()) throw;
      save(true);
      summary_.stop = Stop::interrupted;
    }
    return std::move(summary_);
  }

 private:
  void loop() {
    while (record()) {
      save(false);
      const Step step = fit_.step();
      if (step.stop) {
        summary_.stop = *step.stop;
        break;
      }
      if (rule_.tolerance > 0.0) tell(step.change / rule_.tolerance);
      if (!(step.change <= rule_.tolerance)) continue;
      tell(0.0);
      summary_.objective.push_back(fit_.objective());
      summary_.stop = Stop::converged;
      break;
    }
  }

  // Notes the objective of the state; false when the fit ends here.
  bool record() {
    std::vector<double>& trace = summary_.objective;
    std::vector<double> state = keeps() ? fit_.keep() : std::vector<double>{};
    const double now = fit_.objective();
    const double before = trace.empty() ? -std::numeric_limits<double>::infinity() : trace.back();
    if (!std::isfinite(now)) {
      if (fit_.go_back && !trace.empty()) return fell(before, now);
      fail(ErrorKind::internal, fmt::format("the objective is {} at iteration {}", now, trace.size()));
    }
    const double allowed = fit_.go_back ? rule_.least_rise : rule_.allowed_fall * std::max(1.0, std::abs(now));
    if (rule_.must_rise && now - before < -allowed) return fell(before, now);
    trace.push_back(now);
    if (!state.empty()) kept_ = {std::string(stage_), trace.size(), std::move(state), trace, false};
    const double rise = rule_.must_rise ? now - before : std::abs(now - before);
    const double goal =
        rule_.relative_rise > 0.0 ? std::max(rule_.least_rise, rule_.relative_rise * std::abs(now)) : rule_.least_rise;
    if (rule_.tolerance == 0.0 && trace.size() > 1) tell(rise / std::max(goal, 1e-200));
    summary_.stop = Stop::iteration_limit;
    if (run_.cancelled()) {
      save(true);
      summary_.stop = Stop::interrupted;
    } else if (rise < goal) {
      summary_.stop = Stop::converged;
    }
    return summary_.stop == Stop::iteration_limit && trace.size() < rule_.max_iterations;
  }

  bool fell(double before, double now) {
    summary_.stop = Stop::objective_fell;
    if (fit_.go_back) {
      summary_.warnings.push_back(fit_.go_back(before - now, summary_.iterations() + 1));
      return false;
    }
    summary_.objective.push_back(now);
    summary_.warnings.push_back(
        fmt::format("the objective fell by {} at iteration {}; this is a defect", before - now, summary_.iterations()));
    return false;
  }

  // `change` in units of that which ends the fit.
  void tell(double change) {
    if (run_.observer && !stage_.empty()) run_.observer({"fitting", way_done_.percent(change), 100.0, "%"});
  }

  bool keeps() const { return run_.save && fit_.keep && !stage_.empty(); }

  void save(bool urgent) {
    if (!keeps() || kept_.parameters.empty()) return;
    kept_.urgent = urgent;
    run_.save(kept_);
  }

  void resume() {
    if (!run_.resume || !fit_.take || stage_.empty()) return;
    const Checkpoint* const kept = run_.resume(stage_);
    if (kept == nullptr) return;
    if (!fit_.take(kept->parameters)) {
      fail(ErrorKind::bad_data, "the checkpoint belongs to other data or options; start without --resume");
    }
    summary_.objective = kept->objective;
  }

  const Iterated& fit_;
  const IterationRule& rule_;
  const RunContext& run_;
  std::string_view stage_;
  FitSummary summary_;
  WayDone way_done_{1.0};
  Checkpoint kept_;  // the last state that the fit can go on from
};

}  // namespace

FitSummary iterate(const Iterated& fit, const IterationRule& rule, const RunContext& run, std::string_view stage,
                   std::vector<double> trace) {
  return Loop(fit, rule, run, stage, std::move(trace)).go();
}

}  // namespace motet
