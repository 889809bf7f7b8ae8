#include "motet/sources/sources.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "motet/base/error.h"
#include "motet/sources/family.h"

namespace motet {
namespace {

std::size_t choice_at(const Value& value, const char* key, const std::vector<std::string_view>& words) {
  const std::string& text = value.at(key).as_text();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (text == words[i]) return i;
  }
  fail(ErrorKind::bad_data, "field '" + std::string(key) + "' is '" + text + "'");
}

std::size_t size_at(const Value& value, const char* key) {
  constexpr std::int64_t most = 1'000'000;
  const std::int64_t size = value.at(key).as_whole();
  if (size < 1 || size > most) {
    fail(ErrorKind::bad_data, "field '" + std::string(key) + "' = " + std::to_string(size) + " is not a size");
  }
  return static_cast<std::size_t>(size);
}

std::size_t spread_size(const Sources& sources) {
  const std::size_t d = sources.dimensions;
  if (!is_gaussian(sources.family)) return family_of(sources.family).has_shared() ? d : 0;
  switch (sources.covariance) {
    case Covariance::spherical: return sources.count;
    case Covariance::diagonal: return sources.count * d;
    case Covariance::full: return sources.count * d * d;
    case Covariance::shared: return d * d;
    default: return 0;
  }
}

void require_between(std::span<const double> values, const char* key, const Bounds& bounds) {
  for (const double value : values) {
    if (!(value >= bounds.low && value <= bounds.high && std::isfinite(value))) {
      fail(ErrorKind::bad_data, "field '" + std::string(key) + "' has " + to_text(value) + "; " +
                                    std::string(bounds.allowed) + " is allowed");
    }
  }
}

// Symmetric, and no direction with a variance below zero by more than rounding.
void require_covariance(std::span<const double> matrix, std::size_t size, const char* key) {
  constexpr double rounding = 1e-9;  // of the largest variance
  double largest = 0.0;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, matrix[i * size + i]);
  std::vector<double> factor(size * size, 0.0);
  bool is_right = true;
  for (std::size_t i = 0; i < size && is_right; ++i) {
    for (std::size_t j = 0; j <= i && is_right; ++j) {
      is_right = std::abs(matrix[i * size + j] - matrix[j * size + i]) <= rounding * largest;
      double rest = matrix[i * size + j] + (i == j ? rounding * largest : 0.0);
      for (std::size_t l = 0; l < j; ++l) rest -= factor[i * size + l] * factor[j * size + l];
      if (i == j) {
        is_right = is_right && rest >= 0.0;
        factor[i * size + i] = std::sqrt(std::max(rest, 0.0));
      } else {
        factor[i * size + j] = factor[j * size + j] > 0.0 ? rest / factor[j * size + j] : 0.0;
      }
    }
  }
  if (!is_right) fail(ErrorKind::bad_data, "field '" + std::string(key) + "' is not a covariance matrix");
}

void require_gaussian(const Sources& sources) {
  constexpr double any = std::numeric_limits<double>::max();
  constexpr Bounds finite{-any, any, "a finite number"};
  const std::size_t matrix = sources.dimensions * sources.dimensions;
  require_between(sources.location, "location", finite);
  if (sources.covariance == Covariance::spherical || sources.covariance == Covariance::diagonal) {
    require_between(sources.spread, "spread", {0.0, any, "a variance from 0 on"});
  } else {
    require_between(sources.spread, "spread", finite);
    for (std::size_t at = 0; at < sources.spread.size(); at += matrix) {
      require_covariance(std::span(sources.spread).subspan(at, matrix), sources.dimensions, "spread");
    }
  }
  if (sources.covariance == Covariance::point && sources.noise.empty()) {
    fail(ErrorKind::bad_data, "field 'noise' is empty; covariance point needs it");
  }
  if (!sources.noise.empty()) {
    require_between(sources.noise, "noise", finite);
    require_covariance(sources.noise, sources.dimensions, "noise");
  }
}

void require_numbers(const Sources& sources) {
  const SourceFamily& family = family_of(sources.family);
  if (family.has_scatter) return require_gaussian(sources);
  require_between(sources.location, "location", family.location.bounds);
  require_between(sources.spread, "spread", family.shared.bounds);
  require_between(sources.noise, "noise", {0.0, 1.0, "a probability from 0 to 1"});
}

}  // namespace

std::vector<double> covariance_of(const Sources& sources, std::size_t source) {
  const std::size_t d = sources.dimensions;
  if (!is_gaussian(sources.family)) fail(ErrorKind::internal, "covariance_of: only Gaussian families have one");
  std::vector<double> matrix(d * d, 0.0);
  switch (sources.covariance) {
    case Covariance::spherical:
      for (std::size_t i = 0; i < d; ++i) matrix[i * d + i] = sources.spread[source];
      break;
    case Covariance::diagonal:
      for (std::size_t i = 0; i < d; ++i) matrix[i * d + i] = sources.spread[source * d + i];
      break;
    case Covariance::full: {
      const auto begin = sources.spread.begin() + static_cast<std::ptrdiff_t>(source * d * d);
      std::copy_n(begin, d * d, matrix.begin());
      break;
    }
    case Covariance::shared: matrix = sources.spread; break;
    case Covariance::point: break;
  }
  return matrix;
}

std::vector<std::size_t> members(const Sources& sources, std::span<const std::uint64_t> set) {
  std::vector<std::size_t> all;
  for_each_bit(set, [&](std::size_t label) {
    if (label >= sources.label_count()) {
      fail(ErrorKind::internal, "label " + std::to_string(label) + " is in a set, but there are " +
                                    std::to_string(sources.label_count()) + " labels");
    }
    all.push_back(label);
  });
  if (sources.background) all.push_back(sources.count - 1);
  return all;
}

SetMoments set_moments(const Sources& sources, std::span<const std::uint64_t> set) {
  const std::size_t d = sources.dimensions;
  const std::vector<std::size_t> all = members(sources, set);
  const bool is_mean = sources.combination == Combination::mean;
  if (!is_gaussian(sources.family) || !has_closed_form(sources) || sources.combination == Combination::one_of) {
    fail(ErrorKind::internal, "set_moments: only of Gaussian families with sum, mean or product");
  }
  if (all.empty()) fail(ErrorKind::internal, "set_moments: an empty set without a background has no density");
  SetMoments moments{std::vector<double>(d, 0.0), std::vector<double>(d * d, 0.0)};
  for (const std::size_t source : all) {
    const std::span<const double> mean = sources.location_of(source);
    for (std::size_t i = 0; i < d; ++i) moments.mean[i] += mean[i];
    if (sources.covariance == Covariance::point) continue;
    const std::vector<double> covariance = covariance_of(sources, source);
    for (std::size_t i = 0; i < d * d; ++i) moments.covariance[i] += covariance[i];
  }
  if (is_mean) {
    const double m = static_cast<double>(all.size());
    for (double& value : moments.mean) value /= m;
    for (double& value : moments.covariance) value /= m * m;
  }
  for (std::size_t i = 0; i < sources.noise.size(); ++i) moments.covariance[i] += sources.noise[i];
  return moments;
}

Value to_value(const Sources& sources) {
  return Value::object({{"family", family_word(sources.family)},
                        {"combination", combination_words[static_cast<std::size_t>(sources.combination)]},
                        {"covariance", covariance_words[static_cast<std::size_t>(sources.covariance)]},
                        {"dimensions", sources.dimensions},
                        {"count", sources.count},
                        {"background", sources.background},
                        {"location", Value::list_of(sources.location)},
                        {"spread", Value::list_of(sources.spread)},
                        {"noise", Value::list_of(sources.noise)}});
}

Sources sources_from(const Value& value) {
  Sources sources;
  sources.family = static_cast<Family>(choice_at(value, "family", family_names()));
  sources.combination = static_cast<Combination>(
      choice_at(value, "combination", {std::begin(combination_words), std::end(combination_words)}));
  sources.covariance = static_cast<Covariance>(
      choice_at(value, "covariance", {std::begin(covariance_words), std::end(covariance_words)}));
  try {
    require_pair(sources.family, sources.combination);
  } catch (const Error& error) {
    fail(ErrorKind::bad_data, error.what());
  }
  sources.dimensions = size_at(value, "dimensions");
  sources.count = size_at(value, "count");
  sources.background = value.at("background").as_bool();
  sources.location = numbers_at(value, "location", sources.count * sources.dimensions);
  sources.spread = numbers_at(value, "spread", spread_size(sources));
  sources.noise = numbers_at(value, "noise");
  const SourceFamily& family = family_of(sources.family);
  const std::size_t noise_size = family.has_scatter ? sources.dimensions * sources.dimensions
                                 : family.has_flips ? sources.dimensions
                                                    : 0;
  if (!sources.noise.empty() && sources.noise.size() != noise_size) {
    fail(ErrorKind::bad_data, "field 'noise' has " + std::to_string(sources.noise.size()) + " entries; 0 or " +
                                  std::to_string(noise_size) + " are allowed");
  }
  require_numbers(sources);
  return sources;
}

}  // namespace motet
