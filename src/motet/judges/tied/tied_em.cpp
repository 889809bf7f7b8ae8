#include "motet/judges/tied/tied_em.h"

#include <algorithm>
#include <cmath>

#include "motet/base/numeric.h"

namespace motet::judges {
namespace {

constexpr double neutral_rho = 0.3;  // where nothing is known yet
constexpr double most_rho = 0.999;
constexpr double farthest_leap = 5.0;  // of a theta, away from the last EM step

double beta_of(double accuracy) { return 0.5 * std::log(accuracy / (1.0 - accuracy)); }

}  // namespace

TiedLayout::TiedLayout(std::size_t judges, std::size_t classes, std::span<const ErrorPair> pairs)
    : judge_count(judges), class_count(classes), blocks(make_blocks(judges, pairs)), block_of(judges), digit(judges) {
  parameter_count = classes;
  table_size = classes;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::uint32_t weight = 1;
    for (const std::size_t judge : blocks[b].judges) {
      block_of[judge] = b;
      digit[judge] = weight;
      weight *= 3;
    }
    theta_at.push_back(parameter_count);
    cells_at.push_back(table_size);
    parameter_count += blocks[b].feature_count() + (has_rho(b) ? 1 : 0);
    table_size += blocks[b].cell_count * layer_count(blocks[b], classes);
  }
}

std::vector<double> TiedLayout::pack(const TiedParameters& parameters) const {
  std::vector<double> flat = parameters.prior;
  flat.reserve(parameter_count);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    double rho = 0.0;
    for (const std::size_t judge : blocks[b].judges) {
      flat.push_back(parameters.beta[judge]);
      rho = std::max(rho, parameters.rho[judge]);
    }
    for (const std::size_t pair : blocks[b].pairs) flat.push_back(parameters.gamma[pair]);
    if (has_rho(b)) flat.push_back(rho);
  }
  return flat;
}

TiedParameters TiedLayout::unpack(std::span<const double> parameters, std::size_t pair_count) const {
  TiedParameters result;
  result.prior.assign(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(class_count));
  result.beta.resize(judge_count);
  result.gamma.resize(pair_count);
  result.rho.resize(judge_count);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::span<const double> theta = theta_of(b, parameters);
    for (std::size_t t = 0; t < blocks[b].size(); ++t) {
      result.beta[blocks[b].judges[t]] = theta[t];
      result.rho[blocks[b].judges[t]] = rho_of(b, parameters);
    }
    for (std::size_t p = 0; p < blocks[b].pairs.size(); ++p) {
      result.gamma[blocks[b].pairs[p]] = theta[blocks[b].size() + p];
    }
  }
  return result;
}

std::vector<double> TiedLayout::log_table(std::span<const double> parameters) const {
  std::vector<double> logs;
  logs.reserve(table_size);
  for (std::size_t y = 0; y < class_count; ++y) logs.push_back(std::log(parameters[y]));
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const PatternLaw law = pattern_law(blocks[b], theta_of(b, parameters));
    const std::vector<double> cells = log_cells(blocks[b], law, rho_of(b, parameters), class_count);
    logs.insert(logs.end(), cells.begin(), cells.end());
  }
  return logs;
}

std::vector<double> TiedLayout::accuracies(std::span<const double> parameters) const {
  std::vector<double> accuracy(judge_count);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const ErrorMoments moments = error_moments(blocks[b], pattern_law(blocks[b], theta_of(b, parameters)));
    for (std::size_t t = 0; t < blocks[b].size(); ++t) accuracy[blocks[b].judges[t]] = 0.5 * (1.0 + moments.mean[t]);
  }
  return accuracy;
}

void TiedLayout::add_entry(std::size_t block, std::span<const std::uint32_t> votes,
                           std::vector<std::uint32_t>& places) const {
  const auto k = static_cast<std::uint32_t>(class_count);
  const auto cells = static_cast<std::uint32_t>(blocks[block].cell_count);
  std::uint32_t all_wrong = cells - 1;  // all missing, until a vote is found
  for (const std::uint32_t code : votes) all_wrong -= 2 * digit[code / k];
  for (std::uint32_t y = 0; y < k; ++y) {
    std::uint32_t cell = all_wrong;
    std::uint32_t wrong = 0;
    std::uint32_t label = 0;
    bool alike = true;
    for (const std::uint32_t code : votes) {
      if (code % k == y) {
        cell += digit[code / k];
        continue;
      }
      alike = alike && (wrong == 0 || label == code % k);
      label = code % k;
      ++wrong;
    }
    const bool together = has_rho(block) && wrong >= 2 && alike;
    places.push_back(static_cast<std::uint32_t>(cells_at[block]) + cell + (together ? cells : 0));
  }
}

void TiedLayout::add_entries(std::span<const std::uint32_t> codes, std::vector<std::uint32_t>& touched,
                             std::vector<std::uint32_t>& places) const {
  std::vector<std::uint32_t> votes;
  for (std::size_t v = 0; v < codes.size(); ++v) {
    const std::size_t judge = codes[v] / class_count;
    const std::size_t block = block_of[judge];
    if (blocks[block].size() == 1) {
      touched.push_back(static_cast<std::uint32_t>(block));
      add_entry(block, codes.subspan(v, 1), places);
      continue;
    }
    // A block's entry is made at its first vote; codes ascend by judge.
    const auto in_block = [&](std::uint32_t code) { return block_of[code / class_count] == block; };
    const auto here = codes.begin() + static_cast<std::ptrdiff_t>(v);
    if (std::any_of(codes.begin(), here, in_block)) continue;
    votes.clear();
    std::copy_if(here, codes.end(), std::back_inserter(votes), in_block);
    touched.push_back(static_cast<std::uint32_t>(block));
    add_entry(block, votes, places);
  }
}

double infer_entries(std::span<const double> log_prior, std::span<const double> log_table,
                     std::span<const std::uint32_t> places, std::int32_t known, double inverse_temperature,
                     std::span<double> posterior) {
  const std::size_t class_count = log_prior.size();
  std::copy(log_prior.begin(), log_prior.end(), posterior.begin());
  for (std::size_t at = 0; at < places.size(); at += class_count) {
    for (std::size_t y = 0; y < class_count; ++y) posterior[y] += log_table[places[at + y]];
  }
  if (known != Votes::unknown) {
    const double log_p = posterior[static_cast<std::size_t>(known)];
    std::fill(posterior.begin(), posterior.end(), 0.0);
    posterior[static_cast<std::size_t>(known)] = 1.0;
    return log_p;
  }
  for (double& value : posterior) value *= inverse_temperature;
  const double peak = *std::max_element(posterior.begin(), posterior.end());
  double sum = 0.0;
  for (double& value : posterior) {
    value = std::exp(value - peak);
    sum += value;
  }
  for (double& value : posterior) value /= sum;
  return (peak + std::log(sum)) / inverse_temperature;
}

TiedErrors::TiedErrors(const VoteTable& table, std::span<const double> known_prior, std::span<const ErrorPair> pairs,
                       const ErrorPenalty& penalty)
    : table_(table),
      known_prior_(known_prior.begin(), known_prior.end()),
      layout_(table.judge_count, table.class_count, pairs),
      penalty_(penalty),
      pair_count_(pairs.size()) {
  entry_starts_.reserve(table.row_count() + 1);
  touched_.reserve(table.codes.size());
  places_.reserve(table.codes.size() * table.class_count);
  entry_starts_.push_back(0);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    layout_.add_entries(table.of_row(row), touched_, places_);
    entry_starts_.push_back(touched_.size());
  }
}

EmProblem TiedErrors::problem() const {
  EmProblem problem;
  problem.leaf_count = table_.leaf_count();
  problem.statistic_count = 1 + layout_.table_size;
  problem.prepare = [this](std::span<const double> parameters) { return layout_.log_table(parameters); };
  problem.accumulate = [this](std::span<const double> log_table, std::size_t leaf, double inverse_temperature,
                              std::span<double> statistics) {
    accumulate(log_table, leaf, inverse_temperature, statistics);
  };
  problem.maximise = [this](std::span<const double> statistics, std::span<const double> old) {
    return maximise(statistics, old);
  };
  problem.log_prior = [this](std::span<const double> parameters) { return log_prior(parameters); };
  problem.project = [this](std::span<const double> em_point, std::span<double> candidate) {
    project(em_point, candidate);
  };
  return problem;
}

void TiedErrors::accumulate(std::span<const double> log_table, std::size_t leaf, double inverse_temperature,
                            std::span<double> statistics) const {
  std::vector<double> posterior(layout_.class_count);
  for (std::size_t row = table_.leaves[leaf]; row < table_.leaves[leaf + 1]; ++row) {
    statistics[0] +=
        table_.weight(row) * infer_entries(log_table.first(layout_.class_count), log_table, places_of_row(row),
                                           table_.known_class(row), inverse_temperature, posterior);
    add_row(row, posterior, statistics);
  }
}

void TiedErrors::add_row(std::size_t row, std::span<const double> posterior, std::span<double> statistics) const {
  const std::size_t k = layout_.class_count;
  const double weight = table_.weight(row);
  const std::span<const std::uint32_t> places = places_of_row(row);
  for (std::size_t y = 0; y < k; ++y) {
    const double share = weight * posterior[y];
    if (share == 0.0) continue;
    statistics[1 + y] += share;
    for (std::size_t at = y; at < places.size(); at += k) statistics[1 + places[at]] += share;
  }
}

std::vector<double> TiedErrors::maximise(std::span<const double> statistics, std::span<const double> old) const {
  const std::size_t k = layout_.class_count;
  std::vector<double> next(old.begin(), old.end());
  if (known_prior_.empty()) {
    double total = 0.0;
    for (std::size_t y = 0; y < k; ++y) total += statistics[1 + y] + penalty_.pseudo_classes;
    for (std::size_t y = 0; y < k; ++y) next[y] = (statistics[1 + y] + penalty_.pseudo_classes) / total;
  }
  for (std::size_t b = 0; b < layout_.blocks.size(); ++b) {
    const ErrorBlock& block = layout_.blocks[b];
    const std::span<const double> theta = layout_.theta_of(b, old);
    const auto cells =
        statistics.subspan(1 + layout_.cells_at[b], block.cell_count * layer_count(block, layout_.class_count));
    const PatternCounts counts = pattern_counts(block, pattern_law(block, theta), cells);
    const std::vector<double> better = maximise_block(block, theta, counts, penalty_);
    std::copy(better.begin(), better.end(), next.begin() + static_cast<std::ptrdiff_t>(layout_.theta_at[b]));
    if (!layout_.has_rho(b)) continue;
    next[layout_.theta_at[b] + block.feature_count()] = maximise_shared_errors(block, layout_.rho_of(b, old), cells, k);
  }
  return next;
}

double TiedErrors::log_prior(std::span<const double> parameters) const {
  double sum = 0.0;
  if (known_prior_.empty() && penalty_.pseudo_classes > 0.0) {
    for (std::size_t y = 0; y < layout_.class_count; ++y) sum += penalty_.pseudo_classes * std::log(parameters[y]);
  }
  for (std::size_t b = 0; b < layout_.blocks.size(); ++b) {
    const ErrorBlock& block = layout_.blocks[b];
    const std::span<const double> theta = layout_.theta_of(b, parameters);
    const double log_normaliser = penalty_.pseudo_items > 0.0 ? pattern_law(block, theta).log_normaliser : 0.0;
    sum += block_log_prior(block, theta, log_normaliser, penalty_) + std::log1p(-layout_.rho_of(b, parameters));
  }
  return sum;
}

void TiedErrors::project(std::span<const double> em_point, std::span<double> candidate) const {
  constexpr double share = 1e-3;  // of the EM point that probabilities keep
  const std::size_t k = layout_.class_count;
  double total = 0.0;
  for (std::size_t y = 0; y < k; ++y) {
    candidate[y] = known_prior_.empty() ? std::max(candidate[y], share * em_point[y]) : em_point[y];
    total += candidate[y];
  }
  for (std::size_t y = 0; y < k && known_prior_.empty(); ++y) candidate[y] /= total;
  for (std::size_t i = k; i < candidate.size(); ++i) {
    candidate[i] = std::clamp(candidate[i], em_point[i] - farthest_leap, em_point[i] + farthest_leap);
  }
  for (std::size_t b = 0; b < layout_.blocks.size(); ++b) {
    if (!layout_.has_rho(b)) continue;
    const std::size_t at = layout_.theta_at[b] + layout_.blocks[b].feature_count();
    candidate[at] = std::clamp(candidate[at], share * em_point[at], most_rho);
  }
}

TiedParameters TiedErrors::equal_start(double accuracy) const {
  TiedParameters start;
  start.prior = known_prior_;
  start.beta.assign(layout_.judge_count, beta_of(accuracy));
  start.gamma.assign(pair_count_, 0.0);
  start.rho.assign(layout_.judge_count, 0.0);
  if (!start.prior.empty()) return start;
  start.prior.assign(layout_.class_count, 1.0);
  const std::vector<double> counts = vote_counts(table_);
  double total = static_cast<double>(layout_.class_count);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    start.prior[i % layout_.class_count] += counts[i];
    total += counts[i];
  }
  for (double& share : start.prior) share /= total;
  return start;
}

void TiedErrors::guess_classes(std::size_t row, std::span<const double> log_odds, std::span<double> posterior) const {
  const std::size_t k = layout_.class_count;
  const std::span<const std::uint32_t> codes = table_.of_row(row);
  std::fill(posterior.begin(), posterior.end(), 0.0);
  if (table_.known_class(row) != Votes::unknown) {
    posterior[static_cast<std::size_t>(table_.known_class(row))] = 1.0;
    return;
  }
  for (std::size_t y = 0; y < known_prior_.size(); ++y) posterior[y] = std::log(known_prior_[y]);
  for (const std::uint32_t code : codes) {
    const std::size_t block = layout_.block_of[code / k];
    const auto in_block = [&](std::uint32_t other) { return layout_.block_of[other / k] == block; };
    const auto votes = layout_.blocks[block].size() == 1 ? 1 : std::count_if(codes.begin(), codes.end(), in_block);
    posterior[code % k] += log_odds[code / k] / static_cast<double>(votes);
  }
  const double total = log_sum_exp(posterior);
  for (double& value : posterior) value = std::exp(value - total);
}

std::vector<double> TiedErrors::neutral_start(std::span<const double> skill, const RunContext& run) const {
  const auto k = static_cast<double>(layout_.class_count);
  TiedParameters guess = equal_start(0.5);
  std::vector<double> log_odds(skill.size());
  for (std::size_t j = 0; j < skill.size(); ++j) {
    const double accuracy = (1.0 + (k - 1.0) * skill[j]) / k;
    guess.beta[j] = beta_of(accuracy);
    guess.rho[j] = neutral_rho;
    log_odds[j] = std::log((k - 1.0) * accuracy / (1.0 - accuracy));
  }
  const std::vector<double> statistics = sum_over_tasks(
      table_.leaf_count(), 1 + layout_.table_size, run.threads, [&](std::size_t leaf, std::span<double> sums) {
        std::vector<double> posterior(layout_.class_count);
        for (std::size_t row = table_.leaves[leaf]; row < table_.leaves[leaf + 1]; ++row) {
          guess_classes(row, log_odds, posterior);
          add_row(row, posterior, sums);
        }
      });
  return maximise(statistics, layout_.pack(guess));
}

}  // namespace motet::judges
