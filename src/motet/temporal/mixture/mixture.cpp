#include "motet/temporal/mixture/mixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/data/record_fields.h"
#include "motet/temporal/field/field_problem.h"
#include "motet/temporal/mixture/warm.h"

namespace motet::temporal {

static std::string_view name_of(Border border) { return border == Border::clique ? "clique" : "weights"; }

namespace {

constexpr double sum_accuracy = 1e-6;           // of probabilities that a person may have written
constexpr std::size_t most_radius = 1'000'000;  // as the option has it
constexpr std::size_t most_pixels = 1'000'000'000;
constexpr double most_strength = 1e6;  // nats; one disagreeing neighbour is then out of the question

std::size_t size_at(const Value& fields, const char* key) {
  const std::int64_t value = fields.at(key).as_whole();
  if (value < 0) fail(ErrorKind::bad_data, "field '" + std::string(key) + "' is negative");
  return static_cast<std::size_t>(value);
}

void require_finite(std::span<const double> values, const char* key) {
  for (const double value : values) {
    if (!std::isfinite(value)) fail(ErrorKind::bad_data, "field '" + std::string(key) + "' is not a finite number");
  }
}

// Symmetric, and L L^T of some L: what densities need.
void require_positive_definite(std::span<const double> matrix, std::size_t size) {
  std::vector<double> factor(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      bool is_right = matrix[i * size + j] == matrix[j * size + i];
      double sum = matrix[i * size + j];
      for (std::size_t l = 0; l < j; ++l) sum -= factor[i * size + l] * factor[j * size + l];
      if (i == j) is_right = is_right && sum > 0.0;
      if (!is_right) fail(ErrorKind::bad_data, "field 'covariance' is not symmetric and positive definite");
      factor[i * size + j] = i == j ? std::sqrt(sum) : sum / factor[j * size + j];
    }
  }
}

Value field_value(const TimeField& field) {
  return Value::object({{"radius", field.radius},
                        {"weights", name_of(field.shape)},
                        {"custom", Value::list_of(field.custom)},
                        {"strength", field.strength},
                        {"border", name_of(field.border)},
                        {"image_width", field.image_width}});
}

TimeField field_of(const Value& value) {
  TimeField field;
  field.radius = size_at(value, "radius");
  if (field.radius > most_radius) {
    fail(ErrorKind::bad_data, "field 'radius' is " + std::to_string(field.radius) + "; at most " +
                                  std::to_string(most_radius) + " is allowed");
  }
  field.shape = choice_at(value, "weights", WeightShape::custom);
  field.custom = numbers_at(value, "custom", field.shape == WeightShape::custom ? field.radius : any_size);
  require_finite(field.custom, "custom");
  field.strength = number_within(value, "strength", 0.0, most_strength);
  field.border = choice_at(value, "border", Border::clique);
  field.image_width = size_at(value, "image_width");
  if (field.image_width > most_pixels) fail(ErrorKind::bad_data, "field 'image_width' is above 1e9");
  return field;
}

void require_probabilities(std::span<const double> values, const char* key) {
  double total = 0.0;
  for (const double value : values) {
    if (!(value > 0.0)) fail(ErrorKind::bad_data, "field '" + std::string(key) + "' has an entry that is not above 0");
    total += value;
  }
  if (!(std::abs(total - 1.0) < sum_accuracy)) {
    fail(ErrorKind::bad_data, "field '" + std::string(key) + "' does not sum to 1");
  }
}

HiddenChain chain_of(const Value& value, std::size_t components) {
  HiddenChain chain{numbers_at(value, "start", components), numbers_at(value, "transition", components * components)};
  require_probabilities(chain.start, "start");
  for (std::size_t j = 0; j < components; ++j) {
    require_probabilities(std::span(chain.transition).subspan(j * components, components), "transition");
  }
  return chain;
}

double degrees_at(const Value& value) {
  const double degrees = value.at("degrees").as_number();
  if (!(degrees >= least_degrees && degrees <= most_degrees)) {
    fail(ErrorKind::bad_data, "field 'degrees' is outside [0.5, 1000]");
  }
  return degrees;
}

std::vector<double> class_shares_at(const Value& value, std::size_t classes) {
  std::vector<double> shares = numbers_at(value, "class_shares", classes);
  double sum = 0.0;
  for (const double share : shares) sum += share >= 0.0 ? share : std::numeric_limits<double>::quiet_NaN();
  if (!(std::abs(sum - 1.0) < 1e-6)) fail(ErrorKind::bad_data, "field 'class_shares' are not shares of 1");
  return shares;
}

Component component_of(const Value& value, std::size_t dimensions, std::size_t classes) {
  Component component;
  component.mean = numbers_at(value, "mean", dimensions);
  require_finite(component.mean, "mean");
  component.covariance = numbers_at(value, "covariance", dimensions * dimensions);
  require_finite(component.covariance, "covariance");
  require_positive_definite(component.covariance, dimensions);
  component.share = value.at("share").as_number();
  if (!(component.share >= 0.0 && component.share <= 1.0)) {
    fail(ErrorKind::bad_data, "field 'share' is outside [0, 1]");
  }
  const std::int64_t of_class = value.at("class").as_whole();
  if (of_class < -1 || of_class >= static_cast<std::int64_t>(classes)) {
    fail(ErrorKind::bad_data, "field 'class' names a class that does not exist");
  }
  component.of_class = static_cast<std::int32_t>(of_class);
  return component;
}

}  // namespace

bool has_labels(const RowLabels& labels) {
  return std::any_of(labels.begin(), labels.end(), [](std::int32_t y) { return y >= 0; });
}

std::string_view name_of(MixtureCovariance covariance) {
  switch (covariance) {
    case MixtureCovariance::diagonal: return "diagonal";
    case MixtureCovariance::tied: return "tied";
    default: return "full";
  }
}

std::string_view name_of(ComponentLaw emission) {
  return emission == ComponentLaw::student_t ? "student-t" : "gaussian";
}

Record to_record(const Mixture& mixture) {
  const bool is_student = mixture.emission == ComponentLaw::student_t;
  Value::List components;
  for (const Component& component : mixture.components) {
    Value value = Value::object({{"mean", Value::list_of(component.mean)},
                                 {"covariance", Value::list_of(component.covariance)},
                                 {"share", component.share},
                                 {"class", component.of_class}});
    if (is_student) value.set("degrees", component.degrees);
    if (mixture.has_soft_classes()) value.set("class_shares", Value::list_of(component.class_shares));
    components.push_back(std::move(value));
  }
  Value fields = Value::object({{"columns", Value::list_of(mixture.columns)},
                                {"covariance", name_of(mixture.covariance)},
                                {"components", std::move(components)},
                                {"classes", Value::list_of(mixture.classes)},
                                {"field", field_value(mixture.field)}});
  if (!mixture.has_chain() && !is_student && mixture.stack == 0 && !mixture.has_soft_classes()) {
    return {std::string(Mixture::kind), 1, std::move(fields)};
  }
  if (mixture.has_chain()) {
    fields.set("chain", Value::object({{"start", Value::list_of(mixture.chain.start)},
                                       {"transition", Value::list_of(mixture.chain.transition)}}));
  }
  if (is_student) {
    fields.set("emission", name_of(mixture.emission));
    fields.set("degrees_are_given", mixture.degrees_are_given);
  }
  if (mixture.stack > 0) fields.set("stack", mixture.stack);
  if (mixture.has_soft_classes()) fields.set("class_assignment", "soft");
  return {std::string(Mixture::kind), Mixture::newest_version, std::move(fields)};
}

MixtureSpread spread_of(const Mixture& mixture) {
  const std::size_t columns = mixture.dimensions();
  MixtureSpread spread{std::vector<double>(columns), std::vector<double>(columns)};
  double total = 0.0;
  for (const Component& component : mixture.components) total += component.share;
  for (std::size_t d = 0; d < columns; ++d) {
    double& mean = spread.mean[d];
    for (const Component& component : mixture.components) mean += component.share / total * component.mean[d];
    double variance = 0.0;
    for (const Component& component : mixture.components) {
      const double difference = component.mean[d] - mean;
      variance += component.share / total * (component.covariance[d * columns + d] + difference * difference);
    }
    spread.deviation[d] = std::sqrt(variance);
  }
  return spread;
}

Mixture mixture_from_record(const Record& record) {
  const Value& fields = model_fields(record, Mixture::kind, Mixture::newest_version);
  Mixture mixture;
  mixture.columns = texts_at(fields, "columns");
  if (mixture.columns.empty()) fail(ErrorKind::bad_data, "field 'columns' is empty");
  mixture.covariance = choice_at(fields, "covariance", MixtureCovariance::tied);
  mixture.classes = texts_at(fields, "classes");
  // Of version 2, each where it is used.
  if (fields.find("emission") != nullptr) {
    mixture.emission = choice_at(fields, "emission", ComponentLaw::student_t);
    mixture.degrees_are_given = fields.at("degrees_are_given").as_bool();
  }
  if (fields.find("stack") != nullptr) mixture.stack = size_at(fields, "stack");
  if (mixture.stack > mixture.columns.size() || mixture.columns.size() % (2 * mixture.stack + 1) != 0) {
    fail(ErrorKind::bad_data,
         fmt::format("field 'stack' is {}, which does not fit {} columns", mixture.stack, mixture.columns.size()));
  }
  const bool is_soft = fields.find("class_assignment") != nullptr;
  for (const Value& component : fields.at("components").as_list()) {
    mixture.components.push_back(component_of(component, mixture.dimensions(), mixture.classes.size()));
    if (mixture.emission == ComponentLaw::student_t) mixture.components.back().degrees = degrees_at(component);
    if (is_soft) mixture.components.back().class_shares = class_shares_at(component, mixture.classes.size());
  }
  if (mixture.components.empty() || mixture.components.size() > most_components) {
    fail(ErrorKind::bad_data,
         "field 'components' has " + std::to_string(mixture.components.size()) + " entries; 1 to 255 are allowed");
  }
  mixture.field = field_of(fields.at("field"));
  if (fields.find("chain") != nullptr) mixture.chain = chain_of(fields.at("chain"), mixture.components.size());
  if (!has_field(mixture.field) && !mixture.has_chain()) {
    std::vector<double> shares;
    for (const Component& component : mixture.components) shares.push_back(component.share);
    require_shares(shares, shares.size(), 1, "share");
  }
  return mixture;
}

}  // namespace motet::temporal
