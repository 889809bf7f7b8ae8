#include "motet/superset/member_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/record_fields.h"

namespace motet::superset {
namespace {

constexpr double most_items = 1e15;
constexpr double least_concentration = 1e-12;  // whose digamma is a number that can be reckoned with

// Whole rows of `width` numbers, at least one.
std::vector<double> rows_at(const Value& value, const char* key, std::size_t width) {
  std::vector<double> numbers = finite_numbers(value, key, any_size);
  if (numbers.empty() || numbers.size() % width != 0) {
    fail(ErrorKind::bad_data,
         fmt::format("field '{}' has {} numbers, which are no rows of {}", key, numbers.size(), width));
  }
  return numbers;
}

std::size_t count_at(const Value& value, const char* key, std::size_t least) {
  const std::int64_t whole = value.at(key).as_whole();
  if (whole < 0 || static_cast<std::size_t>(whole) < least) {
    fail(ErrorKind::bad_data, fmt::format("field '{}' = {} is below {}", key, whole, least));
  }
  return static_cast<std::size_t>(whole);
}

double number_at(const Value& value, const char* key, bool positive) {
  const double number = value.at(key).as_number();
  if (!std::isfinite(number) || number < 0.0 || (positive && number == 0.0)) {
    fail(ErrorKind::bad_data,
         fmt::format("field '{}' = {} is not {}", key, number, positive ? "positive" : "a number of at least 0"));
  }
  return number;
}

SupersetMethod method_at(const Value& value) {
  const std::string& text = value.at("method").as_text();
  for (std::size_t i = 1; i < std::size(superset_method_words); ++i) {
    if (text == superset_method_words[i]) return static_cast<SupersetMethod>(i);
  }
  fail(ErrorKind::bad_data, fmt::format("field 'method' is '{}'", text));
}

Value mixture_value(const LsbCmm& mixture) {
  return Value::object({{"weights", Value::list_of(mixture.weights)},
                        {"concentration", Value::list_of(mixture.concentration)},
                        {"mass", Value::list_of(mixture.mass)}});
}

LsbCmm mixture_from(const Value& value, std::size_t dimensions, std::size_t classes) {
  LsbCmm mixture;
  mixture.dimensions = dimensions;
  mixture.classes = classes;
  mixture.concentration = rows_at(value, "concentration", classes);
  for (const double a : mixture.concentration) {
    if (!(a >= least_concentration && a <= most_items)) {
      fail(ErrorKind::bad_data, fmt::format("field 'concentration' = {} is outside [{}, {}]", to_text(a),
                                            to_text(least_concentration), to_text(most_items)));
    }
  }
  mixture.weights = finite_numbers(value, "weights", (mixture.components() - 1) * (dimensions + 1));
  mixture.mass = numbers_within(value, "mass", mixture.components(), 0.0, most_items);
  return mixture;
}

bool is_linear(SupersetMethod method) {
  return method != SupersetMethod::lsb_cmm && method != SupersetMethod::knn && method != SupersetMethod::ipal;
}

Landmarks landmarks_from(const Value& value, std::size_t dimensions) {
  Landmarks landmarks{dimensions, number_at(value, "scale", true), rows_at(value, "z", dimensions), {}};
  const std::size_t count = landmarks.count();
  landmarks.factor = finite_numbers(value, "factor", count * count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!(landmarks.factor[i * count + i] > 0.0)) fail(ErrorKind::bad_data, "field 'factor' cannot be inverted");
  }
  return landmarks;
}

}  // namespace

Value to_value(const SupersetMember& member) {
  const MemberPlan& plan = member.plan;
  Value value = Value::object({{"method", superset_method_words[static_cast<std::size_t>(plan.method)]},
                               {"unit_rows", plan.unit_rows},
                               {"bent", plan.bent},
                               {"propagated", plan.propagated},
                               {"penalty", plan.penalty},
                               {"components", plan.components},
                               {"restarts", plan.restarts},
                               {"neighbours", member.neighbours},
                               {"sharpness", member.sharpness}});
  if (plan.method == SupersetMethod::lsb_cmm) {
    Value::List mixtures;
    for (const LsbCmm& mixture : member.mixtures) mixtures.push_back(mixture_value(mixture));
    value.set("mixtures", std::move(mixtures));
  } else if (is_linear(plan.method)) {
    value.set("weights", Value::list_of(member.linear.weights));
  } else {
    value.set("x", Value::list_of(member.memory.x));
    value.set("target", Value::list_of(member.memory.target));
  }
  if (plan.bent) {
    value.set("landmarks", Value::object({{"scale", member.landmarks.scale},
                                          {"z", Value::list_of(member.landmarks.z)},
                                          {"factor", Value::list_of(member.landmarks.factor)}}));
  }
  return value;
}

SupersetMember member_from(const Value& value, std::size_t dimensions, std::size_t classes) {
  SupersetMember member;
  MemberPlan& plan = member.plan;
  plan.method = method_at(value);
  plan.unit_rows = value.at("unit_rows").as_bool();
  plan.bent = value.at("bent").as_bool();
  plan.propagated = value.at("propagated").as_bool();
  plan.penalty = number_at(value, "penalty", false);
  plan.components = count_at(value, "components", 0);
  plan.restarts = count_at(value, "restarts", 1);
  member.neighbours = count_at(value, "neighbours", 1);
  member.sharpness = number_at(value, "sharpness", true);
  if (plan.bent && !is_linear(plan.method)) fail(ErrorKind::bad_data, "field 'bent' does not fit the method");
  if (plan.bent) {
    member.landmarks = with_frame("landmarks", [&] { return landmarks_from(value.at("landmarks"), dimensions); });
  }
  if (plan.method == SupersetMethod::lsb_cmm) {
    for (const Value& mixture : value.at("mixtures").as_list()) {
      member.mixtures.push_back(with_frame(fmt::format("mixture {}", member.mixtures.size() + 1),
                                           [&] { return mixture_from(mixture, dimensions, classes); }));
    }
    if (member.mixtures.empty()) fail(ErrorKind::bad_data, "field 'mixtures' is empty");
  } else if (is_linear(plan.method)) {
    const std::size_t inputs = plan.bent ? member.landmarks.count() : dimensions;
    member.linear = {inputs, classes, finite_numbers(value, "weights", (inputs + 1) * classes)};
  } else {
    member.memory = {dimensions, classes, rows_at(value, "x", dimensions), {}};
    member.memory.target = finite_numbers(value, "target", member.memory.rows() * classes);
    for (const double target : member.memory.target) {
      if (target < 0.0) fail(ErrorKind::bad_data, "field 'target' is negative");
    }
  }
  return member;
}

}  // namespace motet::superset
