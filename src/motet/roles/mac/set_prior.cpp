#include "motet/roles/mac/set_prior.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace motet::roles {
namespace {

constexpr double pseudo_users = 1.0;        // spread over all sets
constexpr double share_pseudo_users = 1.0;  // for each share of the mixture, so that none becomes 0

}  // namespace

AttributeGroups group_by_attributes(const Attributes* attributes, std::size_t users) {
  AttributeGroups result;
  if (attributes == nullptr || attributes->count() == 0) return result;
  const std::size_t count = attributes->count();
  for (const NameList& values : attributes->values) result.value_count.push_back(values.size() + 1);
  std::map<std::vector<std::uint32_t>, std::uint32_t> seen;
  for (std::size_t n = 0; n < users; ++n) {
    std::vector<std::uint32_t> key(count);
    for (std::size_t a = 0; a < count; ++a) {
      const auto missing = static_cast<std::uint32_t>(attributes->values[a].size());
      key[a] = std::min(attributes->of(n, a), missing);
    }
    const auto next = static_cast<std::uint32_t>(seen.size());
    const auto [place, is_new] = seen.try_emplace(key, next);
    if (is_new) result.value.insert(result.value.end(), key.begin(), key.end());
    result.group_of.push_back(place->second);
  }
  result.groups = std::max<std::size_t>(seen.size(), 1);
  return result;
}

SetPrior::SetPrior(std::size_t sets, AttributeGroups groups, std::vector<double> centre, bool is_uniform)
    : sets_(sets), groups_(std::move(groups)), centre_(std::move(centre)), is_uniform_(is_uniform) {
  std::size_t first = sets_ + 1 + groups_.attributes();
  for (const std::size_t values : groups_.value_count) {
    first_.push_back(first);
    first += values * sets_;
  }
  if (centre_.empty()) centre_.assign(sets_, 1.0 / static_cast<double>(sets_));
}

std::size_t SetPrior::at(std::size_t attribute, std::size_t value) const { return first_[attribute] + value * sets_; }

std::size_t SetPrior::parameter_count() const {
  if (groups_.attributes() == 0) return sets_;
  return at(groups_.attributes() - 1, groups_.value_count.back());
}

std::vector<double> SetPrior::start(std::span<const double> set_share) const {
  std::vector<double> parameters(set_share.begin(), set_share.end());
  const std::size_t attributes = groups_.attributes();
  if (attributes == 0) return parameters;
  parameters.insert(parameters.end(), 1 + attributes, 1.0 / static_cast<double>(1 + attributes));
  for (const std::size_t values : groups_.value_count) {
    for (std::size_t v = 0; v < values; ++v) {
      parameters.insert(parameters.end(), set_share.begin(), set_share.end());
    }
  }
  return parameters;
}

std::vector<double> SetPrior::log_table(std::span<const double> parameters) const {
  if (is_uniform_) return std::vector<double>(sets_, -std::log(static_cast<double>(sets_)));
  std::vector<double> table(groups_.groups * sets_);
  const std::size_t attributes = groups_.attributes();
  for (std::size_t g = 0; g < groups_.groups; ++g) {
    const std::span<double> line = std::span(table).subspan(g * sets_, sets_);
    const auto add = [&](double share, std::size_t from) {
      for (std::size_t l = 0; l < sets_; ++l) line[l] += share * parameters[from + l];
    };
    add(attributes == 0 ? 1.0 : parameters[sets_], 0);
    for (std::size_t a = 0; a < attributes; ++a) {
      add(parameters[sets_ + 1 + a], at(a, groups_.value[g * attributes + a]));
    }
    for (double& p : line) p = std::log(p);
  }
  return table;
}

double SetPrior::log_density(std::span<const double> parameters) const {
  if (is_uniform_) return 0.0;
  double sum = 0.0;
  const double pseudo = pseudo_users / static_cast<double>(sets_);
  for (std::size_t l = 0; l < sets_; ++l) sum += pseudo * std::log(parameters[l]);
  const std::size_t attributes = groups_.attributes();
  for (std::size_t a = 0; a < attributes; ++a) {
    sum += share_pseudo_users * std::log(parameters[sets_ + 1 + a]);
    for (std::size_t v = 0; v < groups_.value_count[a]; ++v) {
      for (std::size_t l = 0; l < sets_; ++l) {
        sum += attribute_users * centre_[l] * std::log(parameters[at(a, v) + l]);
      }
    }
  }
  if (attributes > 0) sum += share_pseudo_users * std::log(parameters[sets_]);
  return sum;
}

std::vector<double> SetPrior::maximise(std::span<const double> users, std::span<const double> parameters) const {
  if (is_uniform_) return std::vector<double>(sets_, 1.0 / static_cast<double>(sets_));
  // Counts in the same layout as the parameters; which part of the mixture a user's set
  // came from is one more thing that is not seen.
  std::vector<double> counts(parameters.size());
  const std::size_t attributes = groups_.attributes();
  std::fill_n(counts.begin(), sets_, pseudo_users / static_cast<double>(sets_));
  if (attributes == 0) {
    for (std::size_t l = 0; l < sets_; ++l) counts[l] += users[l];
  } else {
    std::fill_n(counts.begin() + static_cast<std::ptrdiff_t>(sets_), 1 + attributes, share_pseudo_users);
    for (std::size_t a = 0; a < attributes; ++a) {
      for (std::size_t v = 0; v < groups_.value_count[a]; ++v) {
        for (std::size_t l = 0; l < sets_; ++l) counts[at(a, v) + l] = attribute_users * centre_[l];
      }
    }
    std::vector<double> part(1 + attributes);
    for (std::size_t g = 0; g < groups_.groups; ++g) {
      const std::span<const std::uint32_t> value = std::span(groups_.value).subspan(g * attributes, attributes);
      for (std::size_t l = 0; l < sets_; ++l) {
        const double number = users[g * sets_ + l];
        if (!(number > 0.0)) continue;
        part[0] = parameters[sets_] * parameters[l];
        double total = part[0];
        for (std::size_t a = 0; a < attributes; ++a) {
          part[1 + a] = parameters[sets_ + 1 + a] * parameters[at(a, value[a]) + l];
          total += part[1 + a];
        }
        counts[l] += number * part[0] / total;
        for (std::size_t a = 0; a <= attributes; ++a) counts[sets_ + a] += number * part[a] / total;
        for (std::size_t a = 0; a < attributes; ++a) {
          counts[at(a, value[a]) + l] += number * part[1 + a] / total;
        }
      }
    }
  }
  normalise(counts);
  return counts;
}

void SetPrior::normalise(std::span<double> parameters) const {
  const auto scale = [&](std::size_t begin, std::size_t size) {
    const std::span<double> part = parameters.subspan(begin, size);
    const double total = std::accumulate(part.begin(), part.end(), 0.0);
    for (double& p : part) p /= total;
  };
  scale(0, sets_);
  if (groups_.attributes() > 0) scale(sets_, 1 + groups_.attributes());
  for (std::size_t a = 0; a < groups_.attributes(); ++a) {
    for (std::size_t v = 0; v < groups_.value_count[a]; ++v) scale(at(a, v), sets_);
  }
}

void SetPrior::project(std::span<const double> em_point, std::span<double> candidate) const {
  constexpr double least = 0.01;
  for (std::size_t i = 0; i < candidate.size(); ++i) candidate[i] = std::max(candidate[i], least * em_point[i]);
  normalise(candidate);
}

AttributePrior SetPrior::attribute_prior(std::span<const double> parameters, const Attributes& attributes) const {
  AttributePrior prior;
  prior.names = attributes.names;
  prior.share.assign(parameters.begin() + static_cast<std::ptrdiff_t>(sets_),
                     parameters.begin() + static_cast<std::ptrdiff_t>(sets_ + 1 + attributes.count()));
  for (std::size_t a = 0; a < attributes.count(); ++a) {
    prior.values.push_back(attributes.values[a].to_vector());
    std::vector<std::vector<double>> given;
    for (std::size_t v = 0; v < groups_.value_count[a]; ++v) {
      const auto begin = parameters.begin() + static_cast<std::ptrdiff_t>(at(a, v));
      given.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(sets_));
    }
    prior.set_given.push_back(std::move(given));
  }
  return prior;
}

}  // namespace motet::roles
