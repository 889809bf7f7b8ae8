#include "motet/superset/lsb_cmm/lsb_stochastic.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "motet/base/error.h"
#include "motet/engine/iterate.h"
#include "motet/superset/lsb_cmm/m_step.h"

namespace motet::superset {
namespace {

constexpr double first_rates[] = {1.0, 0.5, 0.25, 0.125};
constexpr double rate_power = 0.6;
constexpr double rate_steps = 4.0;  // before the rate falls
constexpr std::size_t update_rounds = 5;
constexpr std::size_t epochs = 3;
constexpr std::size_t full_iterations = 5;
constexpr std::size_t trial_steps = 12;   // of each r_1
constexpr std::size_t most_aside = 2000;  // rows the trials are judged by
enum : std::uint64_t { order_stream, jitter_stream };

// Rows of the whole gathered side by side.
struct Batch {
  std::vector<double> x;
  std::vector<std::uint32_t> of;

  void gather(const LsbRows& rows, std::span<const std::uint32_t> which) {
    of.assign(which.begin(), which.end());
    x.resize(which.size() * rows.dimensions);
    for (std::size_t i = 0; i < which.size(); ++i) {
      std::copy_n(rows.x.data() + which[i] * rows.dimensions, rows.dimensions, x.data() + i * rows.dimensions);
    }
  }
  LsbRows rows(const LsbRows& whole) const { return {whole.items, x, whole.dimensions, of}; }
};

class Stepper {
 public:
  Stepper(const LsbRule& rule, const StickCurvature& curvature, Threads threads)
      : rule_(rule), curvature_(curvature), threads_(threads) {}

  // `prior` (components x classes): what a counts from. Each row stands for `scale` items.
  double step(const LsbRows& rows, LsbParameters& parameters, std::span<const double> prior, double scale, double rate,
              const FreePhi& free_phi) {
    const std::size_t width = parameters.width();
    rho_.resize(rows.count() * width);
    slope_.resize(rows.count() * width);
    const LsbKept kept{rho_, slope_};
    const ScaledTable table = scaled_table(parameters.a, parameters.classes, rule_.prior.alpha, width);
    const EStepSums sums = e_step(rows, parameters, table, kept, free_phi, threads_);
    const std::vector<double> before = parameters.w;
    m_step(rows, parameters, sums, kept, curvature_, rule_.m_step, scale, threads_);
    for (std::size_t i = 0; i < before.size(); ++i) parameters.w[i] = before[i] + rate * (parameters.w[i] - before[i]);
    for (std::size_t i = 0; i < parameters.a.size(); ++i) {
      const double from = prior.empty() ? rule_.prior.alpha : prior[i];
      parameters.a[i] += rate * (from + scale * sums.counts[i] - parameters.a[i]);
    }
    return sums.sum_log_z;
  }

 private:
  const LsbRule& rule_;
  const StickCurvature& curvature_;
  Threads threads_;
  std::vector<double> rho_;
  std::vector<float> slope_;
};

double rate_at(double first, std::size_t t) {
  return first * std::pow(1.0 + static_cast<double>(t) / rate_steps, -rate_power);
}

std::vector<double> mass_in(const LsbParameters& parameters, double alpha) {
  std::vector<double> mass(parameters.components);
  for (std::size_t i = 0; i < parameters.a.size(); ++i) mass[i / parameters.classes] += parameters.a[i] - alpha;
  return mass;
}

// sum_n log sum_l M_nl p_nl
double foreseen(const LsbRows& rows, const LsbParameters& parameters, Threads threads) {
  const std::vector<double> p = class_probabilities(model_of(parameters, {}), rows.x, threads);
  const CandidateItems& items = rows.items;
  double sum = 0.0;
  for (std::size_t n = 0; n < rows.count(); ++n) {
    const std::size_t item = rows.item(n);
    double share = items.outside;
    for (std::size_t i = items.starts[item]; i < items.starts[item + 1]; ++i) {
      share += (items.weight_at(i) - items.outside) * p[n * parameters.classes + items.label[i]];
    }
    sum += std::log(std::max(share, 1e-300));
  }
  return sum;
}

class Stochastic {
 public:
  Stochastic(const LsbRows& rows, const LsbStart& start, const LsbRule& rule, std::size_t batch, const Rng& rng,
             const RunContext& run, std::string_view stage)
      : rows_(rows),
        rule_(rule),
        batch_rows_(batch),
        rng_(rng),
        run_(run),
        stage_(stage),
        curvature_(rows, rule.prior, run.threads),
        stepper_(rule_, curvature_, run.threads),
        order_(rows.count()) {
    std::iota(order_.begin(), order_.end(), 0U);
    shuffle(0);
    // At least one: rows of no item would be all of them.
    const std::size_t aside = std::min(most_aside, std::max<std::size_t>(1, rows.count() / 10));
    aside_.gather(rows_, std::span(order_).last(aside));
    begin(start);
  }

  LsbFit go() {
    choose_rate();
    const std::size_t a_pass = std::max<std::size_t>(1, order_.size() / batch_rows_);
    for (std::size_t t = 0; t < epochs * a_pass && !run_.cancelled(); ++t) {
      if (t % a_pass == 0 && t > 0) {
        std::vector<double> mass = mass_in(parameters_, rule_.prior.alpha);
        prune(parameters_, mass, spare_mass);
        shuffle(t / a_pass);
      }
      step(parameters_, t % a_pass, rate_at(first_rate_, t));
      if (run_.observer && !stage_.empty()) {
        run_.observer({"fitting", static_cast<double>(t + 1), static_cast<double>(epochs * a_pass), "batches"});
      }
    }
    finish();
    return std::move(fit_);
  }

 private:
  void shuffle(std::size_t epoch) {
    Rng rng = rng_.child(order_stream).child(epoch);
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[rng.below(i)]);
  }

  double scale() const { return static_cast<double>(rows_.count()) / static_cast<double>(batch_.of.size()); }

  void step(LsbParameters& parameters, std::size_t place, double rate) {
    const std::size_t from = place * batch_rows_;
    batch_.gather(rows_, std::span(order_).subspan(from, std::min(batch_rows_, order_.size() - from)));
    stepper_.step(batch_.rows(rows_), parameters, {}, scale(), rate, {});
  }

  void begin(const LsbStart& start) {
    parameters_ = {start.components, rows_.items.classes.size(), rows_.dimensions, {}, start.concentration};
    parameters_.w.assign((rows_.dimensions + 1) * parameters_.width(), 0.0);
    batch_.gather(rows_, std::span(order_).first(std::min(batch_rows_, order_.size())));
    const Rng jitter = rng_.child(jitter_stream);
    stepper_.step(batch_.rows(rows_), parameters_, {}, scale(), 1.0,
                  [&](std::size_t n, std::span<double> phi) { free_shares(start, jitter, n, phi); });
  }

  void choose_rate() {
    double best = 0.0;
    for (const double rate : first_rates) {
      LsbParameters trial = parameters_;
      const std::size_t there = std::max<std::size_t>(1, order_.size() / batch_rows_);
      for (std::size_t t = 0; t < trial_steps && !run_.cancelled(); ++t) step(trial, t % there, rate_at(rate, t));
      const double score = foreseen(aside_.rows(rows_), trial, run_.threads);
      if (rate == first_rates[0] || score > best) {
        best = score;
        first_rate_ = rate;
      }
    }
  }

  // Full iterations: a as EM has it, w by one step of the bound.
  void finish() {
    EStepSums sums;
    const auto bound = [&] {
      const ScaledTable table =
          scaled_table(parameters_.a, parameters_.classes, rule_.prior.alpha, parameters_.width());
      sums = e_step(rows_, parameters_, table, {}, {}, run_.threads);
      fit_.bounds.push_back({sums.sum_log_z, table.divergence, log_prior(parameters_, rule_.prior)});
      return fit_.bounds.back().value();
    };
    const auto count = [&] {
      for (std::size_t i = 0; i < parameters_.a.size(); ++i) parameters_.a[i] = rule_.prior.alpha + sums.counts[i];
    };
    const auto step = [&] {
      count();
      if (curvature_.is_bound()) climb(sums);
      return Step{};
    };
    const double any_rise = -std::numeric_limits<double>::infinity();
    const IterationRule ends{full_iterations + 1, 0.0, 0.0, any_rise, lsb_rounding};
    fit_.summary = iterate({bound, step, {}, {}, {}}, ends, run_, {});
    if (fit_.summary.stop == Stop::iteration_limit) count();
    prune(parameters_, sums.mass, spare_mass);
    fit_.model = model_of(parameters_, std::move(sums.mass));
  }

  void climb(EStepSums& sums) {
    const std::size_t width = parameters_.width();
    for (std::size_t i = 0; i < sums.gradient.size(); ++i) {
      sums.gradient[i] -= curvature_.precision()[i / width] * parameters_.w[i];
    }
    std::vector<double> direction(sums.gradient.size());
    curvature_.solve(std::vector<double>(width, boehning), width, sums.gradient, direction);
    for (std::size_t i = 0; i < direction.size(); ++i) {
      if (i % width < parameters_.sticks()) parameters_.w[i] += direction[i];
    }
  }

  const LsbRows& rows_;
  const LsbRule& rule_;
  std::size_t batch_rows_;
  Rng rng_;
  const RunContext& run_;
  std::string_view stage_;
  StickCurvature curvature_;
  Stepper stepper_;
  std::vector<std::uint32_t> order_;
  Batch batch_;
  Batch aside_;
  LsbParameters parameters_;
  double first_rate_ = 1.0;
  LsbFit fit_;
};

}  // namespace

LsbFit fit_stochastic(const LsbRows& rows, const LsbStart& start, const LsbRule& rule, std::size_t batch,
                      const Rng& rng, const RunContext& run, std::string_view stage) {
  return Stochastic(rows, start, rule, batch, rng, run, stage).go();
}

LsbFit update_lsb_cmm(const LsbCmm& model, const CandidateItems& items, std::span<const double> x,
                      const SupersetOptions& options, const RunContext& run) {
  if (items.classes.size() != model.classes || x.size() != items.rows() * model.dimensions) {
    fail(ErrorKind::bad_data,
         fmt::format("{} classes and {} features do not fit a model of {} and {}", items.classes.size(),
                     items.rows() == 0 ? 0 : x.size() / items.rows(), model.classes, model.dimensions));
  }
  const LsbRule rule = rule_of(options);
  const LsbRows rows{items, x, model.dimensions};
  const double seen = std::accumulate(model.mass.begin(), model.mass.end(), 0.0);
  const double all = seen + static_cast<double>(items.rows());
  const StickCurvature curvature(rows, rule.prior, run.threads);
  Stepper stepper(rule, curvature, run.threads);
  LsbFit fit;
  fit.summary.stop = Stop::converged;
  LsbParameters parameters = parameters_of(model);
  for (std::size_t round = 0; round < update_rounds && items.rows() > 0; ++round) {
    if (run.cancelled()) {
      fit.summary.stop = Stop::interrupted;
      break;
    }
    // From the model's w every time: the share is taken once.
    LsbParameters next = parameters;
    next.w = parameters_of(model).w;
    LsbParameters asked = parameters;
    fit.summary.objective.push_back(stepper.step(rows, asked, model.concentration, 1.0, 1.0, {}));
    parameters.a = asked.a;
    const double share = static_cast<double>(items.rows()) / all;
    for (std::size_t i = 0; i < next.w.size(); ++i) next.w[i] += share * (asked.w[i] - next.w[i]);
    parameters.w = std::move(next.w);
  }
  std::vector<double> mass = model.mass;
  for (std::size_t k = 0; k < mass.size(); ++k) {
    for (std::size_t l = 0; l < model.classes; ++l) {
      mass[k] += parameters.a[k * model.classes + l] - model.concentration[k * model.classes + l];
    }
  }
  fit.model = model_of(parameters, std::move(mass));
  return fit;
}

}  // namespace motet::superset
