#include "motet/superset/lsb_fit.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/engine/way_done.h"

namespace motet {
namespace {

constexpr double rounding = 1e-9;    // how far the bound may fall, relative
constexpr double dead_mass = 1e-8;   // items; taking such a component out raises the bound by its prior alone
constexpr double spare_mass = 1e-3;  // items; at the end, when the bound is no longer followed

class Loop {
 public:
  Loop(const LsbRows& rows, const LsbStart& start, const LsbRule& rule, const Rng& jitter, const RunContext& run,
       std::string_view stage)
      : rows_(rows),
        rule_(rule),
        run_(run),
        stage_(stage),
        curvature_(rows, rule.prior, run.threads),
        way_done_(rule.tolerance) {
    if (resume(start)) return;
    parameters_.components = start.components;
    parameters_.classes = rows.items.classes.size();
    parameters_.dimensions = rows.dimensions;
    parameters_.w.assign((rows.dimensions + 1) * parameters_.width(), 0.0);
    parameters_.a = start.concentration;
    expect([&](std::size_t n, std::span<double> phi) { free_shares(start, jitter, n, phi); });
    maximise();
  }

  LsbFit go() {
    for (;;) {
      expect({});
      if (!record()) break;
      save(false);
      maximise();
      if (rule_.prune) prune(parameters_, sums_.mass, dead_mass);
    }
    if (fit_.summary.stop == Stop::interrupted) save(true);
    maximise();
    if (rule_.prune) prune(parameters_, sums_.mass, spare_mass);
    fit_.model = model_of(parameters_, std::move(sums_.mass));
    return std::move(fit_);
  }

 private:
  void expect(const FreePhi& free_phi) {
    const std::size_t width = parameters_.width();
    rho_.resize(rows_.count() * width);
    slope_.resize(rows_.count() * width);
    const ScaledTable table = scaled_table(parameters_.a, parameters_.classes, rule_.prior.alpha, width);
    sums_ = e_step(rows_, parameters_, table, {rho_, slope_}, free_phi, run_.threads);
    bound_ = {sums_.sum_log_z, table.divergence, log_prior(parameters_, rule_.prior)};
  }

  void maximise() {
    for (std::size_t i = 0; i < parameters_.a.size(); ++i) parameters_.a[i] = rule_.prior.alpha + sums_.counts[i];
    m_step(rows_, parameters_, sums_, {rho_, slope_}, curvature_, rule_.m_step, 1.0, run_.threads);
  }

  // Notes the bound; false when the fit ends here.
  bool record() {
    const double now = bound_.value();
    if (!std::isfinite(now)) fail(ErrorKind::internal, fmt::format("the bound is {}", now));
    std::vector<double>& trace = fit_.summary.objective;
    const double before = trace.empty() ? -std::numeric_limits<double>::infinity() : trace.back();
    trace.push_back(now);
    fit_.bounds.push_back(bound_);
    const double size = std::max(1.0, std::abs(now));
    if (now < before - rounding * size) {
      fit_.summary.stop = Stop::objective_fell;
      fit_.summary.warnings.push_back(
          fmt::format("the bound fell by {} at iteration {}; this is a defect", before - now, trace.size()));
      return false;
    }
    if (run_.observer && !stage_.empty() && trace.size() > 1) {
      run_.observer({"fitting", way_done_.percent((now - before) / size), 100.0, "%"});
    }
    if (run_.cancelled()) {
      fit_.summary.stop = Stop::interrupted;
      return false;
    }
    if (now - before < rule_.tolerance * size) {
      fit_.summary.stop = Stop::converged;
      return false;
    }
    fit_.summary.stop = Stop::iteration_limit;
    return trace.size() < rule_.max_iterations;
  }

  void save(bool urgent) {
    if (!run_.save || stage_.empty()) return;
    Checkpoint kept{std::string(stage_), fit_.summary.iterations(), {}, fit_.summary.objective, urgent};
    kept.parameters.push_back(static_cast<double>(parameters_.components));
    kept.parameters.insert(kept.parameters.end(), parameters_.w.begin(), parameters_.w.end());
    kept.parameters.insert(kept.parameters.end(), parameters_.a.begin(), parameters_.a.end());
    run_.save(kept);
  }

  bool resume(const LsbStart& start) {
    if (!run_.resume || stage_.empty()) return false;
    const Checkpoint* const kept = run_.resume(stage_);
    if (kept == nullptr) return false;
    const auto components = kept->parameters.empty() ? std::size_t{0} : static_cast<std::size_t>(kept->parameters[0]);
    parameters_ = {components, rows_.items.classes.size(), rows_.dimensions, {}, {}};
    const std::size_t of_w = (rows_.dimensions + 1) * parameters_.width();
    if (components == 0 || components > start.components ||
        kept->parameters.size() != 1 + of_w + components * parameters_.classes) {
      fail(ErrorKind::bad_data, "the checkpoint belongs to other data or options; start without --resume");
    }
    const auto w = kept->parameters.begin() + 1;
    parameters_.w.assign(w, w + static_cast<std::ptrdiff_t>(of_w));
    parameters_.a.assign(w + static_cast<std::ptrdiff_t>(of_w), kept->parameters.end());
    fit_.summary.objective = kept->objective;
    // The bound of these parameters comes again with the first E-step.
    if (!fit_.summary.objective.empty()) fit_.summary.objective.pop_back();
    return true;
  }

  const LsbRows& rows_;
  const LsbRule& rule_;
  const RunContext& run_;
  std::string_view stage_;
  StickCurvature curvature_;
  WayDone way_done_;
  LsbParameters parameters_;
  std::vector<double> rho_;
  std::vector<float> slope_;
  EStepSums sums_;
  LsbBound bound_;
  LsbFit fit_;
};

}  // namespace

LsbFit fit_from(const LsbRows& rows, const LsbStart& start, const LsbRule& rule, const Rng& jitter,
                const RunContext& run, std::string_view stage) {
  return Loop(rows, start, rule, jitter, run, stage).go();
}

LsbRule rule_of(const SupersetOptions& options) {
  LsbRule rule;
  rule.prior = {options.alpha, options.prior_scale, options.bias_variance};
  rule.max_iterations = options.max_iterations;
  rule.tolerance = options.tolerance;
  return rule;
}

}  // namespace motet
