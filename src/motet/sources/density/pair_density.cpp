#include "motet/sources/density/pair_density.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/sources/family.h"

namespace motet {
namespace {

bool is_continuous(Family family) { return !family_of(family).is_whole; }

// Whose emission is the least: the odds are the hazards f_k / S_k; of counts, P(xi_k = x and all others >= x).
std::vector<double> least_probabilities(std::span<const Marginal> members, double x) {
  std::vector<double> odds;
  for (const Marginal& member : members) odds.push_back(member.log_density(x) - member.log_survival(x));
  const double total = log_sum_exp(odds);
  for (double& value : odds) value = std::exp(value - total);
  return odds;
}

double log_minimum(std::span<const Marginal> members, double x) {
  double all_above = 0.0;
  for (const Marginal& member : members) all_above += member.log_survival(x);
  if (!is_continuous(members[0].family)) {
    if (!(x >= 0.0) || x != std::floor(x)) return -infinity;
    double from_here = 0.0;
    for (const Marginal& member : members) from_here += member.log_survival(x - 1.0);
    return from_here + std::log1p(-std::exp(all_above - from_here));
  }
  std::vector<double> hazards;
  for (const Marginal& member : members) hazards.push_back(member.log_density(x) - member.log_survival(x));
  return all_above + log_sum_exp(hazards);
}

std::vector<MeanVariance> minimum_emissions(std::span<const Marginal> members, double x) {
  std::vector<MeanVariance> result;
  std::vector<double> is_least;
  if (is_continuous(members[0].family)) {
    is_least = least_probabilities(members, x);
  } else {
    const double log_all = log_minimum(members, x);
    for (std::size_t k = 0; k < members.size(); ++k) {
      double log_joint = members[k].log_density(x) - log_all;
      for (std::size_t j = 0; j < members.size(); ++j) {
        if (j != k) log_joint += members[j].log_survival(x - 1.0);
      }
      is_least.push_back(std::min(1.0, std::exp(log_joint)));
    }
  }
  for (std::size_t k = 0; k < members.size(); ++k) {
    const MeanVariance above = members[k].moments_above(x);
    const double rest = 1.0 - is_least[k];
    const double step = above.mean - x;
    result.push_back({x + rest * step, rest * above.variance + rest * is_least[k] * step * step});
  }
  return result;
}

// All members but one as one operand, the widest first: narrow ones would make its table long.
LogOperand all_but(std::span<const Marginal> members, std::size_t without, bool is_product) {
  std::vector<LogOperand> others;
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (k != without) others.emplace_back(members[k]);
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const LogOperand& a, const LogOperand& b) { return a.width() > b.width(); });
  LogOperand together = others[0];
  for (std::size_t j = 1; j < others.size(); ++j) together = PairIntegral(others[j], together, is_product).table();
  return together;
}

std::size_t narrowest(std::span<const Marginal> members) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < members.size(); ++k) {
    if (LogOperand(members[k]).width() < LogOperand(members[best]).width()) best = k;
  }
  return best;
}

}  // namespace

void require_density(Family family, Combination combination, Covariance covariance, bool noise) {
  require_pair(family, combination);
  if (has_closed_form(family, combination)) return;
  const std::string combined =
      std::string(" with --combine ") + combination_words[static_cast<std::size_t>(combination)];
  if (noise) {
    fail(ErrorKind::usage, "--noise has no meaning for " + family_word(family) + " sources" + combined +
                               "; it has for pairs with a closed form");
  }
  if (is_gaussian(family) && covariance != Covariance::spherical && covariance != Covariance::diagonal) {
    fail(ErrorKind::usage, std::string("--covariance ") + covariance_words[static_cast<std::size_t>(covariance)] +
                               " has no density" + combined + "; spherical and diagonal have");
  }
}

void require_density(const Sources& sources) {
  require_density(sources.family, sources.combination, sources.covariance, !sources.noise.empty());
}

PairDensity::PairDensity(std::vector<Marginal> members, Combination combination, Asked asked)
    : members_(std::move(members)), combination_(combination) {
  const SourceFamily& family = family_of(members_[0].family);
  const bool is_product = combination == Combination::product;
  if (members_.size() == 1 || combination == Combination::minimum) return;
  if (!is_product && family.density.log_sum != nullptr) return;
  if (!is_product && family.has_scatter && !family.is_logarithm) {
    fail(ErrorKind::internal, "sums and means of Gaussian sources have a closed form");
  }
  const std::size_t alone = narrowest(members_);
  for (std::size_t k = 0; k < members_.size(); ++k) {
    if (asked == Asked::density && k != alone) continue;
    integrals_.emplace_back(LogOperand(members_[k]), all_but(members_, k, is_product), is_product);
  }
}

double PairDensity::unit() const {
  return combination_ == Combination::mean ? static_cast<double>(members_.size()) : 1.0;
}

EstimatedDensity PairDensity::log_density(double x) const {
  const double y = unit() * x;
  const double log_unit = is_continuous(members_[0].family) ? std::log(unit()) : 0.0;
  if (integrals_.empty()) return {exact_log_density(x) + log_unit, 0.0};
  const SourceFamily& family = family_of(members_[0].family);
  const bool has_signs = family.has_scatter && !family.is_logarithm;
  // Densities of products of Gaussians have a pole.
  if (y == 0.0) return {has_signs ? infinity : -infinity, 0.0};
  if (y < 0.0 && !has_signs) return {-infinity, 0.0};
  const double w = std::log(std::abs(y));
  const EstimatedDensity found = integrals_[0].log_density(w, y > 0.0 ? Sign::plus : Sign::minus);
  return {found.value - w + log_unit, found.error};
}

double PairDensity::exact_log_density(double x) const {
  if (members_.size() == 1) return members_[0].log_density(x);
  if (combination_ == Combination::minimum) return log_minimum(members_, x);
  return family_of(members_[0].family).density.log_sum(members_, unit() * x);
}

std::vector<MeanVariance> PairDensity::exact_emissions(double x) const {
  if (members_.size() == 1) return {{x, 0.0}};
  if (combination_ == Combination::minimum) return minimum_emissions(members_, x);
  return family_of(members_[0].family).density.sum_emissions(members_, unit() * x);
}

std::vector<MeanVariance> PairDensity::emissions(double x) const {
  if (integrals_.empty()) return exact_emissions(x);
  if (integrals_.size() != members_.size()) fail(ErrorKind::internal, "only the density was asked for");
  const double y = unit() * x;
  const double w = std::log(std::abs(y));
  std::vector<MeanVariance> result;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    std::optional<MeanVariance> found;
    if (y != 0.0) found = integrals_[k].emission(w, y > 0.0 ? Sign::plus : Sign::minus);
    // Where the item cannot be, what is known is what was known before.
    result.push_back(found.value_or(members_[k].moments()));
  }
  return result;
}

}  // namespace motet
