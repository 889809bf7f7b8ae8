#include "motet/superset/member.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/superset/linear/clpl.h"
#include "motet/superset/linear/logistic.h"
#include "motet/superset/linear/naive.h"
#include "motet/superset/linear/svm.h"
#include "motet/superset/lsb_cmm/neighbour_evidence.h"
#include "motet/superset/neighbours/ipal.h"

namespace motet::superset {
namespace {

constexpr std::size_t most_landmarks = 300;
constexpr double least_probability = 1e-3;  // of a label no neighbour votes for
constexpr double clpl_penalty = 10.0;       // what a penalty of 1 means for the squared hinges of clpl

// Beyond so many rows the methods that look at all pairs of rows are left out of `auto`.
constexpr std::size_t most_pairwise_rows = 20000;

std::vector<std::uint32_t> class_order(std::size_t classes, std::size_t restart, Seed seed) {
  std::vector<std::uint32_t> order(classes);
  std::iota(order.begin(), order.end(), 0U);
  if (restart == 0) return order;
  Rng lot = stream(seed, Stream::superset_class_order, restart - 1);
  for (std::size_t i = classes; i > 1; --i) std::swap(order[i - 1], order[lot.below(i)]);
  return order;
}

LinearFit fit_lines(const MemberPlan& plan, const EvidenceMatrix& evidence, std::span<const double> x,
                    std::size_t dimensions, const RunContext& run) {
  switch (plan.method) {
    case SupersetMethod::logistic: return fit_logistic(evidence, x, dimensions, plan.penalty, run);
    case SupersetMethod::clpl: return fit_clpl(evidence, x, dimensions, clpl_penalty * plan.penalty, run);
    case SupersetMethod::svm: return fit_svm(evidence, x, dimensions, clpl_penalty * plan.penalty, run);
    default: return fit_naive(evidence, x, dimensions, plan.penalty, run);
  }
}

void to_log(std::vector<double>& p, double least) {
  for (double& value : p) value = std::log(value + least);
}

std::vector<double> mixture_probabilities(const std::vector<LsbCmm>& mixtures, std::span<const double> x,
                                          Threads threads) {
  std::vector<double> mean;
  for (const LsbCmm& mixture : mixtures) {
    const std::vector<double> p = class_probabilities(mixture, x, threads);
    if (mean.empty()) mean.assign(p.size(), 0.0);
    for (std::size_t i = 0; i < p.size(); ++i) mean[i] += p[i] / static_cast<double>(mixtures.size());
  }
  return mean;
}

}  // namespace

std::string name_of(const MemberPlan& plan) {
  std::string name = superset_method_words[static_cast<std::size_t>(plan.method)];
  if (plan.unit_rows) name += ", unit rows";
  if (plan.bent) name += ", landmarks";
  if (plan.propagated) name += ", propagated";
  return name;
}

MemberPlan plan_of(const SupersetOptions& options) {
  MemberPlan plan;
  plan.method = options.method;
  plan.penalty = options.penalty;
  plan.components = options.components;
  plan.restarts = options.method == SupersetMethod::lsb_cmm ? options.restarts : 1;
  plan.unit_rows = options.method == SupersetMethod::ipal;
  return plan;
}

std::vector<MemberPlan> plans_of_auto(const SupersetOptions& options, std::size_t rows) {
  using enum SupersetMethod;
  const double line = 3.0 * options.penalty;
  const double bend = 0.03 * options.penalty;
  std::vector<MemberPlan> plans{{logistic, false, false, false, line}, {logistic, true, false, false, line}};
  if (rows > most_pairwise_rows) {
    plans.push_back({logistic, false, true, false, bend});
    plans.push_back({logistic, true, true, false, bend});
    return plans;
  }
  plans.push_back({ipal, true, false, false, 1.0});
  plans.push_back({knn, false, false, false, 1.0});
  plans.push_back({logistic, true, false, true, line});
  plans.push_back({logistic, true, true, true, bend});
  plans.push_back({logistic, false, true, true, bend});
  return plans;
}

MemberFit fit_mixtures(const MemberPlan& plan, const CandidateItems& items, std::span<const double> x,
                       const SupersetOptions& options, const RunContext& run) {
  MemberFit fit;
  fit.member.plan = plan;
  fit.member.neighbours = options.neighbours;
  SupersetOptions own = options;
  own.components = plan.components;
  for (std::size_t restart = 0; restart < plan.restarts; ++restart) {
    const std::vector<std::uint32_t> order = class_order(items.classes.size(), restart, run.seed);
    LsbFit one = fit_lsb_cmm(items, x, own, order, run);
    fit.member.mixtures.push_back(std::move(one.model));
    if (restart == 0) fit.summary = std::move(one.summary);
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while fitting " + name_of(plan));
  }
  return fit;
}

MemberFit fit_member(const MemberPlan& plan, const EvidenceMatrix& evidence, std::span<const double> x,
                     std::size_t dimensions, const SupersetOptions& options, const RunContext& run) {
  MemberFit fit;
  fit.member.plan = plan;
  fit.member.neighbours = options.neighbours;
  std::vector<double> scaled;
  if (plan.unit_rows) {
    scaled = unit_rows(x, dimensions);
    x = scaled;
  }
  EvidenceMatrix known = evidence;
  if (plan.propagated || plan.method == SupersetMethod::ipal) {
    SpreadLabels flow = propagate_labels(evidence, x, dimensions, options.neighbours, run);
    known.values = std::move(flow.probability);
    fit.summary = std::move(flow.summary);
  }
  switch (plan.method) {
    case SupersetMethod::lsb_cmm:
      if (options.smoothing && !plan.propagated && options.batch == 0 && evidence.rows <= most_rows_for_neighbours) {
        known = evidence_of_neighbours(evidence, x, dimensions, options.neighbours, run);
      }
      return fit_mixtures(plan, candidates_of(known), x, options, run);
    case SupersetMethod::knn:
    case SupersetMethod::ipal: fit.member.memory = remember(known, x, dimensions); break;
    default: {
      std::vector<double> likenesses;
      if (plan.bent) {
        fit.member.landmarks =
            choose_landmarks(x, dimensions, most_landmarks, 1.0, stream(run.seed, Stream::superset_landmarks));
        likenesses = likeness(fit.member.landmarks, x, run.threads);
        x = likenesses;
      }
      const std::size_t inputs = plan.bent ? fit.member.landmarks.count() : dimensions;
      LinearFit lines = fit_lines(plan, known, x, inputs, run);
      fit.member.linear = std::move(lines.model);
      fit.summary = std::move(lines.summary);
    }
  }
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while fitting " + name_of(plan));
  return fit;
}

std::vector<double> member_scores(const SupersetMember& member, std::span<const double> x, std::size_t dimensions,
                                  Threads threads) {
  std::vector<double> scaled;
  if (member.plan.unit_rows) {
    scaled = unit_rows(x, dimensions);
    x = scaled;
  }
  std::vector<double> g;
  switch (member.plan.method) {
    case SupersetMethod::lsb_cmm:
      g = mixture_probabilities(member.mixtures, x, threads);
      to_log(g, 1e-12);
      break;
    case SupersetMethod::knn:
      g = neighbour_votes(member.memory, x, member.neighbours, false, threads);
      to_log(g, least_probability);
      break;
    case SupersetMethod::ipal: g = rebuilding_scores(member.memory, x, member.neighbours, threads); break;
    default: {
      std::vector<double> likenesses;
      if (member.plan.bent) {
        likenesses = likeness(member.landmarks, x, threads);
        x = likenesses;
      }
      g = scores(member.linear, x, threads);
      if (member.plan.method == SupersetMethod::naive) {
        for (double& f : g) f = std::min(f, 0.0) - std::log1p(std::exp(-std::abs(f)));
      }
    }
  }
  return g;
}

}  // namespace motet::superset
