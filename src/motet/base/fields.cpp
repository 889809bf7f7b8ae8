#include "motet/base/fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace motet {
namespace {

template <class T>
Result<T> parse_number(std::string_view text, std::string_view expected) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) {
    return Failure{"'" + std::string(text) + "' is not " + std::string(expected)};
  }
  return value;
}

}  // namespace

Result<double> parse_double(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Result<double> parsed = parse_number<double>(text, "a number");
  if (parsed && !std::isfinite(parsed.value())) return Failure{"'" + std::string(text) + "' is not a finite number"};
  return parsed;
}

Result<std::size_t> parse_size(std::string_view text) { return parse_number<std::size_t>(text, "a whole number"); }

Result<int> parse_int(std::string_view text) { return parse_number<int>(text, "a whole number"); }

Result<bool> parse_bool(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return Failure{"'" + std::string(text) + "' is not true or false"};
}

std::string flag_of(std::string_view field) {
  std::string flag = "--" + std::string(field);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

void fail_range(const std::string& said, const std::string& low, const std::string& high) {
  fail(ErrorKind::usage, said + " is outside [" + low + ", " + high + "]");
}

std::string joined(const std::vector<std::string_view>& words, std::string_view separator) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::size_t choice_index(std::string_view name, std::string_view text, const Choices& choices) {
  for (std::size_t i = 0; i < choices.words.size(); ++i) {
    if (choices.words[i] == text) return i;
  }
  fail(ErrorKind::usage,
       std::string(name) + ": '" + std::string(text) + "' is not one of {" + joined(choices.words, ", ") + "}");
}

void FieldLister::add(Field field) { fields.push_back(std::move(field)); }

void FieldLister::operator()(std::string_view name, std::optional<double>& value, Range<double> range,
                             std::string_view help) {
  add({std::string(name), std::string(help), "X", to_text(range.low) + " to " + to_text(range.high),
       value ? to_text(*value) : "auto", false, [name = std::string(name), &value, range](std::string_view text) {
         if (text == "auto") {
           value.reset();
           return;
         }
         const Result<double> parsed = parse_double(text);
         if (!parsed) fail(ErrorKind::usage, flag_of(name) + ": " + parsed.reason());
         if (parsed.value() < range.low || parsed.value() > range.high) {
           fail_range(flag_of(name) + " " + to_text(parsed.value()), to_text(range.low), to_text(range.high));
         }
         value = parsed.value();
       }});
}

void FieldLister::operator()(std::string_view name, bool& value, std::string_view help) {
  add({std::string(name), std::string(help), "", "", value ? "true" : "false", true,
       [name = std::string(name), &value](std::string_view text) {
         const Result<bool> parsed = parse_bool(text);
         if (!parsed) fail(ErrorKind::usage, flag_of(name) + ": " + parsed.reason());
         value = parsed.value();
       }});
}

void FieldLister::operator()(std::string_view name, std::string& value, Text text, std::string_view help) {
  add({std::string(name), std::string(help), std::string(text.shape), "", value, false,
       [&value](std::string_view given) { value = given; }});
}

void FieldLister::operator()(std::string_view name, std::string& value, Reads file, std::string_view help) {
  (*this)(name, value, Text{file.shape}, help);
  fields.back().file = FileUse::read;
}

void FieldLister::operator()(std::string_view name, std::string& value, Writes file, std::string_view help) {
  (*this)(name, value, Text{file.shape}, help);
  fields.back().file = FileUse::written;
  fields.back().otherwise = file.otherwise;
}

}  // namespace motet
