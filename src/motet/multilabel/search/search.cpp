#include "motet/multilabel/search/search.h"

#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/multilabel/search/interval_search.h"
#include "motet/multilabel/search/matrix_search.h"
#include "motet/multilabel/search/sphere_plan.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

SearchTerms make_terms(const MultilabelModel& model, const SearchOptions& options) {
  const std::size_t labels = model.sources.label_count();
  SearchTerms terms{std::vector<double>(labels + 1), std::vector<double>(labels)};
  if (options.use_prior) {
    terms.constant = log_degree_weights(model.prior);
    for (double& value : terms.constant) value = -value;
    for (std::size_t k = 0; k < labels; ++k) terms.weight[k] = -model.prior.log_odds[k];
  }
  if (!model.sources.background) terms.constant[0] = no_cost_limit;
  for (std::size_t j = options.max_degree + 1; options.max_degree > 0 && j <= labels; ++j) {
    terms.constant[j] = no_cost_limit;
  }
  return terms;
}

std::unique_ptr<const SearchPlan> make_plan(const Sources& sources, const SearchTerms& terms) {
  if (!is_gaussian(sources.family)) return make_interval_plan(sources, terms);
  if (has_one_covariance(sources)) return make_sphere_plan(sources, terms);
  if (is_diagonal(sources)) return make_interval_plan(sources, terms);
  return make_matrix_plan(sources, terms);
}

}  // namespace

struct SetSearch::Plan {
  SearchOptions options;
  std::size_t labels = 0;
  bool is_lognormal = false;
  std::unique_ptr<const SearchPlan> way;
};

SetSearch::SetSearch(const MultilabelModel& model, const SearchOptions& options) {
  if (!can_search(model)) {
    fail(ErrorKind::usage, "label sets of this model cannot be searched; only enumerated");
  }
  auto plan = std::make_unique<Plan>();
  plan->options = options;
  plan->labels = model.sources.label_count();
  plan->is_lognormal = family_of(model.sources.family).is_logarithm;
  plan->way = make_plan(model.sources, make_terms(model, options));
  plan_ = std::move(plan);
}

SetSearch::~SetSearch() = default;
SetSearch::SetSearch(SetSearch&&) noexcept = default;

FoundSets SetSearch::find(std::span<const double> x, std::span<const std::uint64_t> allowed,
                          const CancelFlag* cancel) const {
  FoundSets found;
  std::vector<double> value(x.begin(), x.end());
  double jacobian = 0.0;
  if (plan_->is_lognormal) {
    for (double& v : value) {
      v = std::log(v);
      jacobian -= v;
    }
  }
  for (const double v : value) {
    if (!std::isfinite(v)) return found;
  }
  std::vector<std::uint8_t> free;
  if (!allowed.empty()) {
    free.assign(plan_->labels, 0);
    for_each_bit(allowed, [&](std::size_t k) { free[k] = 1; });
  }
  BestSets best(std::max<std::size_t>(plan_->options.best, 1), plan_->options.node_limit, cancel);
  plan_->way->find(value, free, best);
  found.sets = BitMatrix(best.entries().size(), plan_->labels);
  for (std::size_t i = 0; i < best.entries().size(); ++i) {
    found.score.push_back(jacobian - best.entries()[i].cost);
    for (std::size_t k = 0; k < plan_->labels; ++k) {
      if (best.entries()[i].has[k] != 0) found.sets.set(i, k);
    }
  }
  found.gap = best.gap();
  found.nodes = best.nodes();
  return found;
}

bool can_search(const MultilabelModel& model) {
  return !model.per_set() && !model.linear && is_closed_form(model.sources.family, model.sources.combination);
}

}  // namespace motet::multilabel
