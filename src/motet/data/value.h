// A tree of plain values: null, truth value, number, text, list, object.
//
// What a result or a model looks like on its way out (JSON, a plot) or in. Objects
// keep the order in which keys were added, so output is stable. io/ turns it into
// JSON text and back; nothing here knows of files.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace motet {

class Value {
 public:
  using List = std::vector<Value>;
  using Object = std::vector<std::pair<std::string, Value>>;

  Value() = default;  // null
  // Numbers, texts and lists stand where a value is asked for: NOLINTBEGIN(google-explicit-constructor)
  Value(bool truth) : state_(truth) {}
  Value(double number) : state_(number) {}
  Value(std::string text) : state_(std::move(text)) {}
  Value(std::string_view text) : state_(std::string(text)) {}
  Value(const char* text) : state_(std::string(text)) {}
  Value(List list) : state_(std::move(list)) {}
  Value(Object object) : state_(std::move(object)) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T whole) : state_(static_cast<std::int64_t>(whole)) {}
  // NOLINTEND(google-explicit-constructor)

  // Value::object({{"a", 1}, {"b", "text"}})
  static Value object(std::initializer_list<std::pair<std::string, Value>> fields) { return Object(fields); }
  static Value list(std::initializer_list<Value> items) { return List(items); }
  template <class T>
  static Value list_of(const T& items) {
    List list;
    list.reserve(std::size(items));
    for (const auto& item : items) list.emplace_back(item);
    return list;
  }

  bool is_null() const { return std::holds_alternative<std::monostate>(state_); }
  bool is_bool() const { return std::holds_alternative<bool>(state_); }
  bool is_number() const { return is_whole() || std::holds_alternative<double>(state_); }
  bool is_whole() const { return std::holds_alternative<std::int64_t>(state_); }
  bool is_text() const { return std::holds_alternative<std::string>(state_); }
  bool is_list() const { return std::holds_alternative<List>(state_); }
  bool is_object() const { return std::holds_alternative<Object>(state_); }

  // Each throws Error{bad_data} "expected a number, found text" when it is something else.
  bool as_bool() const;
  double as_number() const;
  std::int64_t as_whole() const;
  const std::string& as_text() const;
  const List& as_list() const;
  const Object& as_object() const;

  const Value* find(std::string_view key) const;  // null when absent or not an object
  const Value& at(std::string_view key) const;    // throws Error{bad_data} "field 'x' is missing"
  void set(std::string key, Value value);         // adds or replaces; turns null into an object
  void push(Value value);                         // turns null into a list

  bool operator==(const Value&) const = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Object> state_;
};

// Lists of one kind, with the field's name in the error. `size` is the length
// that must hold, or any_size.
constexpr std::size_t any_size = static_cast<std::size_t>(-1);
std::vector<double> numbers_at(const Value& object, std::string_view key, std::size_t size = any_size);
std::vector<std::string> texts_at(const Value& object, std::string_view key, std::size_t size = any_size);

}  // namespace motet
