// Fields of a record that several models share: options, and numbers that must be in order.
// What is wrong in a file is Error{bad_data} with the name of the field.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/data/record.h"
#include "motet/data/value.h"

namespace motet {

// The fields of a model that passes require_model.
inline const Value& model_fields(const Record& record, std::string_view kind, int newest) {
  require_model(record, kind, newest);
  return record.fields;
}

std::vector<double> finite_numbers(const Value& value, std::string_view key, std::size_t size);
double finite_at(const Value& value, std::string_view key);
std::size_t count_at(const Value& value, std::string_view key);  // 0 or more

// Each of them in [low, high].
std::vector<double> numbers_within(const Value& value, std::string_view key, std::size_t size, double low, double high);
double number_within(const Value& value, std::string_view key, double low, double high);

// The value up to `last` whose name the field is.
template <class Enum>
Enum choice_at(const Value& value, std::string_view key, Enum last) {
  const std::string& text = value.at(key).as_text();
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (text == name_of(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  fail(ErrorKind::bad_data, "field '" + std::string(key) + "' is '" + text + "'");
}

// Every `step`-th of `numbers`, `count` of them, are shares of one: they sum to 1 but for rounding.
void require_shares(std::span<const double> numbers, std::size_t count, std::size_t step, std::string_view key);

struct OptionWriter {
  Value fields;
  template <class T, class Kind, class Help>
  void operator()(std::string_view name, T& value, const Kind& kind, const Help&) {
    if constexpr (std::is_same_v<Kind, Choices>) {
      fields.set(std::string(name), kind.words.at(static_cast<std::size_t>(value)));
    } else if constexpr (std::is_same_v<T, std::optional<double>>) {
      fields.set(std::string(name), value ? Value(*value) : Value());
    } else {
      fields.set(std::string(name), value);
    }
  }
  void operator()(std::string_view name, bool& value, std::string_view) { fields.set(std::string(name), value); }
};

struct OptionReader {
  const Value& fields;
  template <class T, class Kind, class Help>
  void operator()(std::string_view name, T& value, const Kind& kind, const Help&) const {
    const Value& field = fields.at(name);
    if constexpr (std::is_same_v<Kind, Choices>) {
      value = static_cast<T>(choice_index(name, field.as_text(), kind));
    } else if constexpr (std::is_same_v<T, std::optional<double>>) {
      value = field.is_null() ? T{} : T{field.as_number()};
    } else if constexpr (std::is_same_v<T, std::size_t>) {
      value = count_at(fields, name);
    } else {
      value = field.as_number();
    }
  }
  void operator()(std::string_view name, bool& value, std::string_view) const { value = fields.at(name).as_bool(); }
};

// An options struct by its visit_fields, and back with every range checked.
template <class Options>
Value options_value(Options options) {
  OptionWriter writer;
  visit_fields(writer, options);
  return std::move(writer.fields);
}

template <class Options>
Options options_from(const Value& value) {
  Options options;
  OptionReader reader{value};
  try {
    visit_fields(reader, options);
    check_ranges(options, {.is_file = true});
  } catch (const Error& error) {  // a wrong word or number in a file is bad data, not wrong usage
    fail(ErrorKind::bad_data, error.what());
  }
  return options;
}

}  // namespace motet
