#include "motet/roles/choice/selection.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet::roles {
namespace {

bool is_better(double a, double b, Better better) { return better == Better::larger ? a > b : a < b; }

std::optional<std::size_t> best_of(std::span<const double> scores, Better better) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!std::isnan(scores[i]) && (!best || is_better(scores[i], scores[*best], better))) best = i;
  }
  return best;
}

double difference_error(std::span<const double> values, std::span<const double> best, double error, double best_error) {
  if (values.size() != best.size()) return std::hypot(error, best_error);
  if (values.size() < 2) return no_number;
  std::vector<double> differences(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) differences[i] = values[i] - best[i];
  return mean_sd(differences).error;
}

std::optional<std::size_t> chosen(const PairedScores& scores, Better better, std::span<const RoleTrial> trials) {
  const std::optional<std::size_t> at = smallest_within_one_se(scores.mean, scores.difference_error, better);
  if (!at) return {};
  return trials[*at].roles;
}

PairedScores compare(std::span<const RoleTrial> trials, std::vector<double> RoleTrial::*values, Better better) {
  std::vector<std::vector<double>> lists;
  for (const RoleTrial& trial : trials) lists.push_back(trial.*values);
  return compare_paired(lists, better);
}

double value_of(const SelectionRow& row, Criterion criterion) {
  switch (criterion) {
    case Criterion::capacity: return row.capacity;
    case Criterion::generalization: return row.generalization;
    case Criterion::stability: return row.stability;
    case Criterion::held_out: return row.held_out;
    case Criterion::bic: return row.bic;
    case Criterion::description_length: return row.description_length;
  }
  return no_number;
}

void add_empty(Selection& result, const RoleTrial& trial, const SelectionRow& row) {
  for (const MissingScore& missing : trial.missing) {
    const bool is_told = std::any_of(result.empty.begin(), result.empty.end(), [&](const EmptyScore& empty) {
      return empty.roles == trial.roles && empty.criterion == missing.criterion;
    });
    if (is_told || !std::isnan(value_of(row, missing.criterion))) continue;
    result.empty.push_back({trial.roles, missing.criterion, missing.reason});
  }
}

// One measurement each: no folds to pair, so the errors of the measurements are used as they are.
void use_own_errors(PairedScores& scores, std::span<const RoleTrial> trials) {
  if (!scores.best) return;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].capacity.size() == 1) scores.error[i] = trials[i].capacity_error;
  }
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (i == *scores.best || trials[i].capacity.size() != 1) continue;
    scores.difference_error[i] = std::hypot(scores.error[i], scores.error[*scores.best]);
  }
}

}  // namespace

std::optional<std::size_t> smallest_within_one_se(std::span<const double> scores,
                                                  std::span<const double> difference_error, Better better) {
  if (scores.size() != difference_error.size())
    fail(ErrorKind::internal, "selection: scores and errors differ in number");
  const std::optional<std::size_t> best = best_of(scores, better);
  if (!best) return {};
  for (std::size_t i = 0; i < *best; ++i) {
    const double error = std::isnan(difference_error[i]) ? 0.0 : difference_error[i];
    if (std::abs(scores[i] - scores[*best]) <= error) return i;
  }
  return best;
}

PairedScores compare_paired(std::span<const std::vector<double>> values, Better better) {
  PairedScores result;
  for (const std::vector<double>& of_one : values) {
    const MeanSd score = mean_sd(of_one);
    result.mean.push_back(of_one.empty() ? no_number : score.mean);
    result.error.push_back(of_one.size() < 2 ? no_number : score.error);
  }
  result.best = best_of(result.mean, better);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!result.best || std::isnan(result.mean[i])) {
      result.difference_error.push_back(no_number);
    } else if (i == *result.best) {
      result.difference_error.push_back(0.0);
    } else {
      result.difference_error.push_back(
          difference_error(values[i], values[*result.best], result.error[i], result.error[*result.best]));
    }
  }
  return result;
}

std::optional<std::size_t> Selection::by(Criterion criterion) const {
  switch (criterion) {
    case Criterion::capacity: return capacity;
    case Criterion::generalization: return generalization;
    case Criterion::stability: return stability;
    case Criterion::held_out: return held_out;
    case Criterion::bic: return bic;
    case Criterion::description_length: return description_length;
  }
  return {};
}

Selection choose_roles(std::vector<RoleTrial> trials) {
  std::stable_sort(trials.begin(), trials.end(), [](const auto& a, const auto& b) { return a.roles < b.roles; });
  const PairedScores held_out = compare(trials, &RoleTrial::held_out, Better::larger);
  const PairedScores generalization = compare(trials, &RoleTrial::generalization, Better::smaller);
  const PairedScores stability = compare(trials, &RoleTrial::stability, Better::larger);
  PairedScores capacity = compare(trials, &RoleTrial::capacity, Better::larger);
  use_own_errors(capacity, trials);

  Selection result;
  std::vector<double> bic;
  std::vector<double> description_length;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    bic.push_back(trials[i].bic);
    description_length.push_back(trials[i].description_length);
    result.rows.push_back({trials[i].roles, held_out.mean[i], held_out.error[i], generalization.mean[i],
                           generalization.error[i], stability.mean[i], stability.error[i], capacity.mean[i],
                           capacity.error[i], trials[i].bic, trials[i].description_length});
    add_empty(result, trials[i], result.rows.back());
  }
  result.held_out = chosen(held_out, Better::larger, trials);
  result.generalization = chosen(generalization, Better::smaller, trials);
  result.stability = chosen(stability, Better::larger, trials);
  result.capacity = chosen(capacity, Better::larger, trials);
  const std::optional<std::size_t> least = best_of(bic, Better::smaller);
  if (least) result.bic = trials[*least].roles;
  const std::optional<std::size_t> shortest = best_of(description_length, Better::smaller);
  if (shortest) result.description_length = trials[*shortest].roles;
  return result;
}

}  // namespace motet::roles
