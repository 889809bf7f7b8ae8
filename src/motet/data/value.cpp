#include "motet/data/value.h"

#include <fmt/format.h>

#include "motet/base/error.h"

namespace motet {
namespace {

std::string_view kind_of(const Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return "a truth value";
  if (value.is_number()) return "a number";
  if (value.is_text()) return "text";
  return value.is_list() ? "a list" : "an object";
}

[[noreturn]] void fail_kind(std::string_view expected, const Value& value) {
  fail(ErrorKind::bad_data, fmt::format("expected {}, found {}", expected, kind_of(value)));
}

void require_size(std::string_view key, std::size_t found, std::size_t size) {
  if (size != any_size && found != size) {
    fail(ErrorKind::bad_data, fmt::format("field '{}' has {} entries; {} are needed", key, found, size));
  }
}

}  // namespace

bool Value::as_bool() const {
  if (!is_bool()) fail_kind("a truth value", *this);
  return std::get<bool>(state_);
}

double Value::as_number() const {
  if (is_whole()) return static_cast<double>(std::get<std::int64_t>(state_));
  if (!is_number()) fail_kind("a number", *this);
  return std::get<double>(state_);
}

std::int64_t Value::as_whole() const {
  if (!is_whole()) fail_kind("a whole number", *this);
  return std::get<std::int64_t>(state_);
}

const std::string& Value::as_text() const {
  if (!is_text()) fail_kind("text", *this);
  return std::get<std::string>(state_);
}

const Value::List& Value::as_list() const {
  if (!is_list()) fail_kind("a list", *this);
  return std::get<List>(state_);
}

const Value::Object& Value::as_object() const {
  if (!is_object()) fail_kind("an object", *this);
  return std::get<Object>(state_);
}

const Value* Value::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  for (const auto& [name, value] : as_object()) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Value& Value::at(std::string_view key) const {
  const Value* found = find(key);
  if (found == nullptr) fail(ErrorKind::bad_data, fmt::format("field '{}' is missing", key));
  return *found;
}

void Value::set(std::string key, Value value) {
  if (is_null()) state_ = Object{};
  if (!is_object()) fail_kind("an object", *this);
  auto& object = std::get<Object>(state_);
  for (auto& [name, old] : object) {
    if (name == key) {
      old = std::move(value);
      return;
    }
  }
  object.emplace_back(std::move(key), std::move(value));
}

void Value::push(Value value) {
  if (is_null()) state_ = List{};
  if (!is_list()) fail_kind("a list", *this);
  std::get<List>(state_).push_back(std::move(value));
}

std::vector<double> numbers_at(const Value& object, std::string_view key, std::size_t size) {
  const Value& field = object.at(key);
  std::vector<double> numbers;
  with_frame(fmt::format("field '{}'", key), [&] {
    for (const Value& item : field.as_list()) numbers.push_back(item.as_number());
  });
  require_size(key, numbers.size(), size);
  return numbers;
}

std::vector<std::string> texts_at(const Value& object, std::string_view key, std::size_t size) {
  const Value& field = object.at(key);
  std::vector<std::string> texts;
  with_frame(fmt::format("field '{}'", key), [&] {
    for (const Value& item : field.as_list()) texts.push_back(item.as_text());
  });
  require_size(key, texts.size(), size);
  return texts;
}

}  // namespace motet
