#include "motet/judges/baselines/agreement.h"

#include <algorithm>
#include <cmath>

namespace motet::judges {
namespace {

constexpr double least_skill = 0.02;
constexpr double first_skill = 0.4;  // when no pair tells
constexpr int sweeps = 60;
constexpr double first_scale = 20.0;  // in standard deviations; it shrinks to the last
constexpr double shrinking = 0.8;
constexpr double last_scale = 2.0;

// Where each judge's votes are: rows and the place within the row.
struct VotePlaces {
  struct Place {
    std::uint32_t row;
    std::uint32_t at;
  };
  std::vector<std::size_t> starts;
  std::vector<Place> places;

  explicit VotePlaces(const VoteTable& table) : starts(table.judge_count + 1, 0), places(table.codes.size()) {
    for (const std::uint32_t code : table.codes) ++starts[code / table.class_count + 1];
    for (std::size_t j = 0; j < table.judge_count; ++j) starts[j + 1] += starts[j];
    std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      for (std::uint32_t at = table.starts[row]; at < table.starts[row + 1]; ++at) {
        places[next[table.codes[at] / table.class_count]++] = {static_cast<std::uint32_t>(row), at};
      }
    }
  }
};

double median_agreement(std::span<const PairAgreement> pairs) {
  std::vector<double> values;
  values.reserve(pairs.size());
  for (const PairAgreement& pair : pairs) values.push_back(pair.beyond_chance);
  const std::size_t upper = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(upper), values.end());
  if (values.size() % 2 == 1) return values[upper];
  return 0.5 * (values[upper] + *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(upper)));
}

}  // namespace

Agreement measure_agreement(const VoteTable& table) {
  const std::size_t k = table.class_count;
  const VotePlaces votes(table);
  Agreement result;
  std::vector<double> shared(table.judge_count, 0.0);
  std::vector<double> agreed(table.judge_count, 0.0);
  for (std::size_t i = 0; i < table.judge_count; ++i) {
    // Codes ascend within a row, so the judges after this one stand to the right.
    for (std::size_t v = votes.starts[i]; v < votes.starts[i + 1]; ++v) {
      const auto [row, at] = votes.places[v];
      const double weight = table.weight(row);
      const std::uint32_t label = table.codes[at] % static_cast<std::uint32_t>(k);
      for (std::uint32_t other = at + 1; other < table.starts[row + 1]; ++other) {
        shared[table.codes[other] / k] += weight;
        if (table.codes[other] % k == label) agreed[table.codes[other] / k] += weight;
      }
    }
    for (std::size_t j = i + 1; j < table.judge_count; ++j) {
      if (shared[j] == 0.0) continue;
      const auto classes = static_cast<double>(k);
      const double beyond = (classes * agreed[j] / shared[j] - 1.0) / (classes - 1.0);
      result.pairs.push_back({i, j, shared[j], agreed[j], beyond, 0.0});
      shared[j] = 0.0;
      agreed[j] = 0.0;
    }
  }
  result.skill = fit_skills(table.judge_count, result.pairs);
  return result;
}

std::vector<double> fit_skills(std::size_t judge_count, std::span<PairAgreement> pairs) {
  if (pairs.empty()) return std::vector<double>(judge_count, first_skill);
  std::vector<double> skill(judge_count, std::sqrt(std::max(median_agreement(pairs), 0.04)));
  const auto deviation = [&](const PairAgreement& pair) {
    return (pair.beyond_chance - skill[pair.first] * skill[pair.second]) * std::sqrt(pair.shared);
  };
  std::vector<double> above(judge_count);
  std::vector<double> below(judge_count);
  double scale = first_scale;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::fill(above.begin(), above.end(), 0.0);
    std::fill(below.begin(), below.end(), 0.0);
    for (const PairAgreement& pair : pairs) {
      const double ratio = deviation(pair) / std::max(scale, last_scale);
      const double weight = pair.shared / (1.0 + ratio * ratio);
      const double a = skill[pair.first];
      const double b = skill[pair.second];
      above[pair.first] += weight * pair.beyond_chance * b;
      below[pair.first] += weight * b * b;
      above[pair.second] += weight * pair.beyond_chance * a;
      below[pair.second] += weight * a * a;
    }
    // Half steps, or all skills would swing together between too large and too small.
    for (std::size_t j = 0; j < judge_count; ++j) {
      if (!(below[j] > 0.0)) continue;
      skill[j] = 0.5 * skill[j] + 0.5 * std::clamp(above[j] / below[j], least_skill, 1.0 - least_skill);
    }
    scale *= shrinking;
  }
  for (PairAgreement& pair : pairs) pair.z = deviation(pair);
  return skill;
}

}  // namespace motet::judges
