#include "motet/temporal/field/field.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/base/error.h"

namespace motet::temporal {
namespace {

double factor(const TimeField& field, std::size_t d) {
  const auto h = static_cast<double>(field.radius);
  const auto distance = static_cast<double>(d);
  switch (field.shape) {
    case WeightShape::linear: return 1.0;
    case WeightShape::quadratic: return h + 1.0 - distance;
    case WeightShape::gaussian: return std::exp(-8.0 * distance * distance / (h * h));
    case WeightShape::custom: return field.custom[d - 1];
  }
  fail(ErrorKind::internal, "field: unknown shape of weights");
}

}  // namespace

std::string_view name_of(WeightShape shape) {
  constexpr std::string_view words[] = {"linear", "quadratic", "gaussian", "custom"};
  return words[static_cast<std::size_t>(shape)];
}

void check(const TimeField& field) {
  if (!(field.strength >= 0.0) || !std::isfinite(field.strength)) {
    fail(ErrorKind::usage, fmt::format("field: strength = {} is not a number of at least 0", to_text(field.strength)));
  }
  if (field.shape == WeightShape::custom) {
    if (field.custom.size() != field.radius) {
      fail(ErrorKind::usage,
           fmt::format("field: custom has {} values; there must be one per distance up to the radius, {}",
                       field.custom.size(), field.radius));
    }
    for (std::size_t d = 1; d <= field.radius; ++d) {
      const double value = field.custom[d - 1];
      if (!(value >= 0.0) || !std::isfinite(value)) {
        fail(ErrorKind::usage,
             fmt::format("field: custom value {} = {} is not a number of at least 0", d, to_text(value)));
      }
    }
  }
  if (field.image_width > 0 && field.border == Border::clique) {
    fail(ErrorKind::usage, "field: --border clique is for rows in time; an image takes weights");
  }
}

std::vector<double> factors_of(const TimeField& field) {
  check(field);
  std::vector<double> factors(field.radius);
  for (std::size_t d = 1; d <= field.radius; ++d) factors[d - 1] = factor(field, d);
  return factors;
}

std::vector<double> weights_of(const TimeField& field) {
  std::vector<double> weights = factors_of(field);
  for (std::size_t d = 1; d <= field.radius; ++d) {
    weights[d - 1] *= static_cast<double>(field.radius + 1 - d) * field.strength;
  }
  return weights;
}

double total_weight(const TimeField& field) {
  const std::vector<double> weights = weights_of(field);
  double total = 0.0;
  for (std::size_t d = 1; d <= weights.size(); ++d) {
    // Two rows at distance d in time, 4 d pixels in an image.
    total += weights[d - 1] * (field.image_width > 0 ? 4.0 * static_cast<double>(d) : 2.0);
  }
  return total;
}

TimeField with_total_weight(TimeField field, double j) {
  field.strength = 1.0;
  const double literal = total_weight(field);
  if (literal > 0.0) field.strength = j / literal;
  check(field);
  return field;
}

}  // namespace motet::temporal
