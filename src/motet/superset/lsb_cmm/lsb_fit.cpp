#include "motet/superset/lsb_cmm/lsb_fit.h"

#include "motet/engine/iterate.h"
#include "motet/superset/lsb_cmm/m_step.h"

namespace motet::superset {
namespace {

constexpr double dead_mass = 1e-8;  // items; taking such a component out raises the bound by its prior alone

class MixtureFit {
 public:
  MixtureFit(const LsbRows& rows, const LsbStart& start, const LsbRule& rule, const Rng& jitter, const RunContext& run,
             std::string_view stage)
      : rows_(rows),
        rule_(rule),
        run_(run),
        stage_(stage),
        curvature_(rows, rule.prior, run.threads),
        start_(start),
        jitter_(jitter) {}

  LsbFit go() {
    IterationRule ends{rule_.max_iterations, 0.0, rule_.tolerance, rule_.tolerance, lsb_rounding};
    fit_.summary = iterate({[&] { return objective(); },
                            [&] { return step(); },
                            [&] { return keep(); },
                            [&](std::span<const double> kept) { return take(kept); },
                            {}},
                           ends, run_, stage_);
    maximise();
    if (rule_.prune) prune(parameters_, sums_.mass, spare_mass);
    fit_.model = model_of(parameters_, std::move(sums_.mass));
    return std::move(fit_);
  }

 private:
  // The start is an M-step from shares, not parameters: taken when no checkpoint gave any.
  void begin() {
    parameters_ = {start_.components, rows_.items.classes.size(), rows_.dimensions, {}, start_.concentration};
    parameters_.w.assign((rows_.dimensions + 1) * parameters_.width(), 0.0);
    expect([&](std::size_t n, std::span<double> phi) { free_shares(start_, jitter_, n, phi); });
    maximise();
  }

  double objective() {
    if (parameters_.components == 0) begin();
    expect({});
    fit_.bounds.push_back(bound_);
    return bound_.value();
  }

  Step step() {
    maximise();
    if (rule_.prune) prune(parameters_, sums_.mass, dead_mass);
    return {};
  }

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

  std::vector<double> keep() {
    if (parameters_.components == 0) begin();
    std::vector<double> kept{static_cast<double>(parameters_.components)};
    kept.insert(kept.end(), parameters_.w.begin(), parameters_.w.end());
    kept.insert(kept.end(), parameters_.a.begin(), parameters_.a.end());
    return kept;
  }

  bool take(std::span<const double> kept) {
    const auto components = kept.empty() ? std::size_t{0} : static_cast<std::size_t>(kept[0]);
    LsbParameters taken{components, rows_.items.classes.size(), rows_.dimensions, {}, {}};
    const std::size_t of_w = (rows_.dimensions + 1) * taken.width();
    if (components == 0 || components > start_.components || kept.size() != 1 + of_w + components * taken.classes) {
      return false;
    }
    const auto w = kept.begin() + 1;
    taken.w.assign(w, w + static_cast<std::ptrdiff_t>(of_w));
    taken.a.assign(w + static_cast<std::ptrdiff_t>(of_w), kept.end());
    parameters_ = std::move(taken);
    return true;
  }

  const LsbRows& rows_;
  const LsbRule& rule_;
  const RunContext& run_;
  std::string_view stage_;
  StickCurvature curvature_;
  const LsbStart& start_;
  const Rng& jitter_;
  LsbParameters parameters_;  // without components before the start
  std::vector<double> rho_;
  std::vector<float> slope_;
  EStepSums sums_;
  LsbBound bound_;
  LsbFit fit_;
};

}  // namespace

LsbFit fit_from(const LsbRows& rows, const LsbStart& start, const LsbRule& rule, const Rng& jitter,
                const RunContext& run, std::string_view stage) {
  return MixtureFit(rows, start, rule, jitter, run, stage).go();
}

LsbRule rule_of(const SupersetOptions& options) {
  LsbRule rule;
  rule.prior = {options.alpha, options.prior_scale, options.bias_variance};
  rule.max_iterations = options.max_iterations;
  rule.tolerance = options.tolerance;
  return rule;
}

bool prune(LsbParameters& parameters, std::vector<double>& mass, double least) {
  std::vector<std::size_t> stay;
  for (std::size_t k = 0; k < parameters.components; ++k) {
    if (mass[k] >= least) stay.push_back(k);
  }
  if (stay.size() == parameters.components || stay.empty()) return false;
  LsbParameters left{stay.size(), parameters.classes, parameters.dimensions, {}, {}};
  std::vector<double> left_mass;
  const std::size_t width = left.width();
  left.w.assign((parameters.dimensions + 1) * width, 0.0);
  for (std::size_t j = 0; j < stay.size(); ++j) {
    const std::size_t k = stay[j];
    // The last component that is left closes the stick, whatever its logit was.
    for (std::size_t d = 0; d <= parameters.dimensions && j + 1 < stay.size(); ++d) {
      left.w[d * width + j] = parameters.w[d * parameters.width() + k];
    }
    const auto a = parameters.a.begin() + static_cast<std::ptrdiff_t>(k * parameters.classes);
    left.a.insert(left.a.end(), a, a + static_cast<std::ptrdiff_t>(parameters.classes));
    left_mass.push_back(mass[k]);
  }
  parameters = std::move(left);
  mass = std::move(left_mass);
  return true;
}

LsbParameters parameters_of(const LsbCmm& model) {
  LsbParameters parameters{model.components(), model.classes, model.dimensions, {}, model.concentration};
  const std::size_t width = parameters.width();
  parameters.w.assign((model.dimensions + 1) * width, 0.0);
  for (std::size_t k = 0; k < parameters.sticks(); ++k) {
    for (std::size_t d = 0; d <= model.dimensions; ++d) {
      parameters.w[d * width + k] = model.weights[k * (model.dimensions + 1) + d];
    }
  }
  return parameters;
}

LsbCmm model_of(const LsbParameters& parameters, std::vector<double> mass) {
  LsbCmm model;
  model.dimensions = parameters.dimensions;
  model.classes = parameters.classes;
  model.concentration = parameters.a;
  model.mass = std::move(mass);
  for (std::size_t k = 0; k < parameters.sticks(); ++k) {
    for (std::size_t d = 0; d <= parameters.dimensions; ++d) {
      model.weights.push_back(parameters.w[d * parameters.width() + k]);
    }
  }
  return model;
}

}  // namespace motet::superset
