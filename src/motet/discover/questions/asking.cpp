#include "motet/discover/questions/asking.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/numeric.h"
#include "motet/discover/discovery.h"
#include "motet/discover/questions/isolation_forest.h"
#include "motet/temporal/mixture/densities.h"

namespace motet::discover {
namespace {

constexpr std::size_t radius_per_half_width = 4;
constexpr double share_of_others = 1.0 / 6.0;

bool has(const std::vector<Asker>& askers, Asker asker) {
  return std::find(askers.begin(), askers.end(), asker) != askers.end();
}

// -log p under the components of the background.
std::vector<float> background_rarity(const Features& features, const Discovery& discovery, Threads threads) {
  std::vector<temporal::Component> background;
  double whole = 0.0;
  for (const temporal::Component& component : discovery.mixture.components) {
    if (component.of_class != 0) continue;
    background.push_back(component);
    whole += component.share;
  }
  const std::size_t rows = features.rows();
  std::vector<double> table(background.size() * rows);
  temporal::log_densities(temporal::DensityFactors(background, features.dimensions()), features, threads, table);
  std::vector<float> rarity(rows);
  std::vector<double> joint(background.size());
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < joint.size(); ++k) {
      joint[k] = table[k * rows + n] + std::log(std::max(background[k].share / whole, 1e-300));
    }
    rarity[n] = static_cast<float>(-log_sum_exp(joint));
  }
  return rarity;
}

}  // namespace

std::string_view name_of(Asker asker) {
  switch (asker) {
    case Asker::distance: return "distance";
    case Asker::farthest: return "farthest-first";
    case Asker::isolation: return "isolation-forest";
    case Asker::energy: return "energy";
    case Asker::density: return "density";
  }
  return "?";
}

std::vector<Asker> askers_of(const DiscoverOptions& options) {
  switch (options.strategy) {
    case Strategy::adaptive:
      if (options.unordered) return {Asker::farthest, Asker::distance, Asker::isolation};
      return {Asker::distance, Asker::farthest, Asker::isolation};
    case Strategy::distance: return {Asker::distance};
    case Strategy::farthest_first: return {Asker::farthest};
    case Strategy::isolation_forest: return {Asker::isolation};
    case Strategy::energy: return {Asker::energy};
    case Strategy::density: return {Asker::density};
    default: return {};
  }
}

Strategy alone(Asker asker) {
  switch (asker) {
    case Asker::distance: return Strategy::distance;
    case Asker::farthest: return Strategy::farthest_first;
    case Asker::isolation: return Strategy::isolation_forest;
    case Asker::energy: return Strategy::energy;
    case Asker::density: return Strategy::density;
  }
  return Strategy::adaptive;
}

Asker next_asker(const DiscoverOptions& options, const AskerCounts& counts) {
  const std::vector<Asker> askers = askers_of(options);
  Asker best = askers.front();
  double greatest = -1.0;
  for (const Asker asker : askers) {
    const AskerCount& count = counts[static_cast<std::size_t>(asker)];
    const double before = asker == askers.front() ? 1.0 : share_of_others;
    const double value = (static_cast<double>(count.found) + before) / (static_cast<double>(count.asked) + 1.0);
    if (value > greatest) {
      greatest = value;
      best = asker;
    }
  }
  return best;
}

void bring_scout(const Features& features, Discovery& discovery, Threads threads) {
  const std::vector<Asker> askers = askers_of(discovery.options);
  if (askers.empty()) return;
  Scout& scout = discovery.scout;
  const bool needs_plain = has(askers, Asker::farthest) || has(askers, Asker::energy) || has(askers, Asker::isolation);
  if (needs_plain && scout.plain.rows() != features.rows()) {
    scout = {};
    scout.plain = odd_rows(features, discovery.global, 0, threads);
  }
  if (has(askers, Asker::distance) && scout.averaged.rows() != features.rows()) {
    scout.averaged = odd_rows(features, discovery.global, discovery.options.radius / radius_per_half_width, threads);
  }
  if (has(askers, Asker::isolation) && scout.isolation.size() != features.rows()) {
    scout.isolation = isolation_scores(scout.plain, Seed{discovery.seed}, threads);
  }
  if (has(askers, Asker::density) && scout.density.size() != features.rows()) {
    scout.density = background_rarity(features, discovery, threads);
  }
  for (; scout.answers_taken < discovery.answers.size(); ++scout.answers_taken) {
    const std::size_t row = discovery.answers[scout.answers_taken].row;
    if (has(askers, Asker::farthest)) take_answered(scout.plain, row);
    if (has(askers, Asker::distance)) take_answered(scout.averaged, row);
  }
}

float AskedRows::far_score(const OddRows& odd, std::size_t row, float weight, float least) const {
  float near = nearest_answered(odd, row, weight, least);
  for (const std::size_t asked : asked_) {
    if (near * weight < least) break;
    near = std::min(near, squared_distance(odd, row, asked));
  }
  return near * weight;
}

float AskedRows::score(Asker asker, std::size_t row) const {
  return score_from(asker, row, -std::numeric_limits<float>::infinity());
}

float AskedRows::score_from(Asker asker, std::size_t row, float least) const {
  switch (asker) {
    case Asker::distance: {
      const float oddness = scout_.averaged.oddness[row];
      return is_first_ ? oddness : far_score(scout_.averaged, row, oddness, least);
    }
    case Asker::farthest: return is_first_ ? scout_.plain.oddness[row] : far_score(scout_.plain, row, 1.0F, least);
    case Asker::isolation: return scout_.isolation[row];
    case Asker::energy: return scout_.plain.oddness[row];
    case Asker::density: return scout_.density[row];
  }
  return 0.0F;
}

float AskedRows::bound(Asker asker, std::size_t row) const {
  const bool is_distance = asker == Asker::distance;
  if (is_first_ || (!is_distance && asker != Asker::farthest)) return score(asker, row);
  const OddRows& odd = is_distance ? scout_.averaged : scout_.plain;
  if (odd.answered.empty() || odd.counted[row] == 0) return std::numeric_limits<float>::infinity();
  return odd.nearest[row] * (is_distance ? odd.oddness[row] : 1.0F);
}

void AskedRows::ask(std::size_t row) {
  is_first_ = false;
  asked_.push_back(row);
}

}  // namespace motet::discover
