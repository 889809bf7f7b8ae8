#include "motet/judges/confusion/hierarchy.h"

#include <algorithm>
#include <cmath>

namespace motet::judges {
namespace {

constexpr double class_pseudo_items = 1.0;  // in all, spread over the classes
constexpr double excess_charge = 5.0;       // how often the measured excess is charged
constexpr double clear_errors = 2.0;        // standard errors above 1 that count as clear
constexpr double least_votes_an_item = 3.0;
constexpr double least_pull = 0.25;
constexpr double least_probability = 1e-6;  // floor inside the log odds
constexpr std::size_t most_paired_classes = 8;

// Log odds of a vote for class y against another, centred, and their variance under y.
struct Odds {
  std::size_t y = 0;
  std::vector<double> centred;   // by code
  std::vector<double> variance;  // by judge
};

// `others` weighs the classes that y is held against; they sum to 1.
Odds odds_of(std::span<const double> parameters, std::size_t judges, std::size_t k, std::size_t y,
             const std::vector<double>& others) {
  const auto cell = [&](std::size_t j, std::size_t c, std::size_t truth) {
    return parameters[k + (j * k + c) * k + truth];
  };
  const auto log_of = [](double p) { return std::log(std::max(p, least_probability)); };
  Odds odds{y, std::vector<double>(judges * k), std::vector<double>(judges, 0.0)};
  for (std::size_t j = 0; j < judges; ++j) {
    double mean = 0.0;
    for (std::size_t c = 0; c < k; ++c) {
      double against = 0.0;
      for (std::size_t z = 0; z < k; ++z) against += others[z] * cell(j, c, z);
      odds.centred[j * k + c] = log_of(cell(j, c, y)) - log_of(against);
      mean += cell(j, c, y) * odds.centred[j * k + c];
    }
    for (std::size_t c = 0; c < k; ++c) {
      odds.centred[j * k + c] -= mean;
      odds.variance[j] += cell(j, c, y) * odds.centred[j * k + c] * odds.centred[j * k + c];
    }
  }
  return odds;
}

// Every class against every other; with many classes, against all others together.
std::vector<Odds> all_odds(std::span<const double> parameters, std::size_t judges, std::size_t k) {
  std::vector<Odds> odds;
  std::vector<double> others(k);
  for (std::size_t y = 0; y < k; ++y) {
    if (k > most_paired_classes) {
      const double rest = std::max(1.0 - parameters[y], least_probability);
      for (std::size_t z = 0; z < k; ++z) others[z] = z == y ? 0.0 : parameters[z] / rest;
      odds.push_back(odds_of(parameters, judges, k, y, others));
      continue;
    }
    for (std::size_t z = 0; z < k; ++z) {
      std::fill(others.begin(), others.end(), 0.0);
      others[z] = 1.0;
      if (z != y) odds.push_back(odds_of(parameters, judges, k, y, others));
    }
  }
  return odds;
}

}  // namespace

VoteShares vote_shares(const VoteTable& table) {
  const std::size_t k = table.class_count;
  VoteShares shares{std::vector<double>(k, 0.0), std::vector<double>(k * k, 1.0)};
  std::vector<double> share(k);
  double total = 0.0;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto codes = table.of_row(row);
    if (codes.empty()) continue;
    std::fill(share.begin(), share.end(), 0.0);
    const double weight = table.weight(row);
    if (table.known_class(row) != Votes::unknown) {
      share[static_cast<std::size_t>(table.known_class(row))] = weight;
    } else {
      for (const std::uint32_t code : codes) share[code % k] += weight / static_cast<double>(codes.size());
    }
    total += weight;
    for (std::size_t y = 0; y < k; ++y) {
      shares.classes[y] += share[y];
      for (const std::uint32_t code : codes) shares.centre[y * k + code % k] += share[y];
    }
  }
  for (double& value : shares.classes) value /= std::max(total, 1.0);
  for (std::size_t y = 0; y < k; ++y) {
    double row_total = 0.0;
    for (std::size_t c = 0; c < k; ++c) row_total += shares.centre[y * k + c];
    for (std::size_t c = 0; c < k; ++c) shares.centre[y * k + c] /= row_total;
  }
  return shares;
}

ConfusionPrior centred_prior(const VoteShares& shares) {
  const std::size_t k = shares.classes.size();
  ConfusionPrior prior{shares.centre, std::vector<double>(k, class_pseudo_items / static_cast<double>(k))};
  for (double& cell : prior.cells) cell *= centre_strength;
  return prior;
}

Echo measure_echo(const VoteTable& table, std::span<const double> parameters, const RunContext& run) {
  const std::size_t k = table.class_count;
  const std::vector<Odds> odds = all_odds(parameters, table.judge_count, k);
  const RowInference inference(parameters, k);
  enum : std::size_t { num, den, num_num, num_den, den_den, votes, items, sum_count };
  const std::vector<double> sums =
      sum_over_tasks(table.leaf_count(), sum_count, run.threads, [&](std::size_t leaf, std::span<double> sum) {
        std::vector<double> q(k);
        for (std::size_t row = table.leaves[leaf]; row < table.leaves[leaf + 1]; ++row) {
          const auto codes = table.of_row(row);
          if (codes.empty()) continue;
          inference.infer(codes, table.known_class(row), q);
          double observed = 0.0;
          double expected = 0.0;
          for (const Odds& contrast : odds) {
            if (q[contrast.y] == 0.0) continue;
            double residual = 0.0;
            double variance = 0.0;
            for (const std::uint32_t code : codes) {
              residual += contrast.centred[code];
              variance += contrast.variance[code / k];
            }
            observed += q[contrast.y] * residual * residual;
            expected += q[contrast.y] * variance;
          }
          const double weight = table.weight(row);
          sum[num] += weight * observed;
          sum[den] += weight * expected;
          sum[num_num] += weight * observed * observed;
          sum[num_den] += weight * observed * expected;
          sum[den_den] += weight * expected * expected;
          sum[votes] += weight * static_cast<double>(codes.size());
          sum[items] += weight;
        }
      });
  Echo echo;
  if (!(sums[den] > 0.0)) return echo;
  echo.phi = sums[num] / sums[den];
  const double spread = sums[num_num] - 2.0 * echo.phi * sums[num_den] + echo.phi * echo.phi * sums[den_den];
  echo.standard_error = std::sqrt(std::max(spread, 0.0)) / sums[den];
  if (echo.phi - clear_errors * echo.standard_error <= 1.0) return echo;
  const double floor = std::max(least_pull, std::min(1.0, least_votes_an_item * sums[items] / sums[votes]));
  echo.vote_weight = std::max(1.0 / (1.0 + excess_charge * (echo.phi - 1.0)), floor);
  return echo;
}

ConfusionPrior discounted_prior(const VoteTable& table, const VoteShares& shares, double vote_weight) {
  ConfusionPrior prior = centred_prior(shares);
  for (double& cell : prior.cells) cell *= vote_weight;
  const double hold = table.item_total() * (1.0 - vote_weight) / vote_weight;
  for (std::size_t y = 0; y < prior.class_mass.size(); ++y) prior.class_mass[y] += hold * shares.classes[y];
  return prior;
}

}  // namespace motet::judges
