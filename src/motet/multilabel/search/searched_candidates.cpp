#include "motet/multilabel/search/searched_candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace motet::multilabel {
namespace {

// Sets the search gives beside the observed ones: enough that those left out matter little.
constexpr std::size_t least_found = 16;

SearchOptions search_options(const PredictOptions& options) {
  SearchOptions result;
  result.max_degree = options.candidates.kind == CandidateKind::degree ? options.candidates.degree : 0;
  result.best = std::max(options.best, least_found);
  result.node_limit = options.node_limit;
  result.use_prior = options.decision != Decision::ml;
  return result;
}

BitMatrix joined(const BitMatrix& first, const std::vector<std::vector<std::uint64_t>>& more) {
  BitMatrix result(first.rows() + more.size(), first.columns());
  for (std::size_t j = 0; j < result.rows(); ++j) {
    if (j < first.rows()) {
      std::copy(first.row(j).begin(), first.row(j).end(), result.row(j).begin());
    } else {
      std::copy(more[j - first.rows()].begin(), more[j - first.rows()].end(), result.row(j).begin());
    }
  }
  return result;
}

}  // namespace

SearchedCandidates::SearchedCandidates(const MultilabelModel& model, const PredictOptions& options)
    : model_(model),
      is_ml_(options.decision == Decision::ml),
      most_degree_(options.candidates.kind == CandidateKind::degree ? options.candidates.degree : model.prior.labels()),
      degree_weights_(log_degree_weights(model.prior)),
      search_(model, search_options(options)) {
  std::size_t largest = 1;
  for (std::size_t j = 0; j < model.prior.sets.rows(); ++j) {
    const std::size_t degree = model.prior.sets.count(j);
    largest = std::max(largest, degree);
    if (degree <= most_degree_) observed_rows_.push_back(static_cast<std::uint32_t>(j));
  }
  observed_ = model.prior.sets.rows_of(observed_rows_);
  observed_prior_ = log_priors(model.prior, observed_);
  if (options.heuristic_error > 0.0) {
    threshold_ = make_threshold(model.sources, std::min(largest, most_degree_), options.heuristic_error);
  }
}

ItemCandidates SearchedCandidates::of(std::span<const double> x, std::span<const double> observed_density,
                                      const CancelFlag* cancel) const {
  ItemCandidates result;
  for (const std::uint32_t row : observed_rows_) result.log_density.push_back(observed_density[row]);
  result.log_prior = observed_prior_;
  const std::vector<std::uint64_t> kept = threshold_ ? kept_sources(*threshold_, x) : std::vector<std::uint64_t>{};
  const FoundSets found = search_.find(x, kept, cancel);
  const double novel = std::log(model_.prior.novel);
  std::vector<std::vector<std::uint64_t>> more;
  for (std::size_t i = 0; i < found.sets.rows(); ++i) {
    const std::span<const std::uint64_t> set = found.sets.row(i);
    if (find_set(observed_, set) != no_set) continue;
    double smooth = degree_weights_[found.sets.count(i)];
    for_each_bit(set, [&](std::size_t k) { smooth += model_.prior.log_odds[k]; });
    more.emplace_back(set.begin(), set.end());
    result.log_prior.push_back(novel + smooth);
    result.log_density.push_back(is_ml_ ? found.score[i] : found.score[i] - smooth);
  }
  result.sets = joined(observed_, more);
  result.outside = -std::numeric_limits<double>::infinity();
  if (found.gap > 0.0) {
    result.outside = (found.score.empty() ? 0.0 : found.score[0]) + found.gap + (is_ml_ ? 0.0 : novel);
  }
  if (threshold_) add_dropped(x, kept, result);
  return result;
}

void SearchedCandidates::add_dropped(std::span<const double> x, std::span<const std::uint64_t> kept,
                                     ItemCandidates& result) const {
  std::vector<std::size_t> dropped;
  for (std::size_t k = 0; k < model_.prior.labels(); ++k) {
    if ((kept[k / 64] >> (k % 64) & 1U) == 0) dropped.push_back(k);
  }
  std::vector<std::vector<std::uint64_t>> more;
  const auto add = [&](std::size_t first, std::size_t second) {
    BitMatrix set(1, model_.prior.labels());
    set.set(0, first);
    set.set(0, second);
    if (find_set(result.sets, set.row(0)) == no_set) more.emplace_back(set.row(0).begin(), set.row(0).end());
  };
  for (std::size_t i = 0; i < dropped.size(); ++i) {
    add(dropped[i], dropped[i]);
    for (std::size_t j = 0; j < i && most_degree_ > 1; ++j) add(dropped[j], dropped[i]);
  }
  const BitMatrix sets = joined(BitMatrix(0, model_.prior.labels()), more);
  if (sets.rows() == 0) return;
  const std::vector<double> density = log_densities(model_, sets, x, {1});
  const std::vector<double> prior = log_priors(model_.prior, sets);
  result.log_density.insert(result.log_density.end(), density.begin(), density.end());
  result.log_prior.insert(result.log_prior.end(), prior.begin(), prior.end());
  result.sets = joined(result.sets, more);
}

}  // namespace motet::multilabel
