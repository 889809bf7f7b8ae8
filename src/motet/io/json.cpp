#include "motet/io/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "motet/base/error.h"

namespace motet {
namespace {

constexpr std::size_t deepest = 200;  // so that no destructor runs out of stack
constexpr std::size_t longest_reason = 160;

// Receives the events of the parser and builds the value from them.
class ValueBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  ValueBuilder(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  Value take() { return std::move(root_); }

  bool null() override { return put({}); }
  bool boolean(bool truth) override { return put(truth); }
  bool number_integer(number_integer_t whole) override { return put(whole); }
  bool number_unsigned(number_unsigned_t whole) override {
    constexpr auto most = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return whole <= most ? put(whole) : put(static_cast<double>(whole));
  }
  bool number_float(number_float_t number, const string_t&) override { return put(number); }
  bool string(string_t& text) override { return put(std::move(text)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Value::Object{}); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Value::List{}); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    levels_.back().key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) override {
    fail_at(position, reason_in(error.what()));
  }

 private:
  struct Level {
    Value::List list;
    Value::Object object;
    std::string key;  // of the value to come
    bool is_object = false;
  };

  bool put(Value value) {
    if (levels_.empty()) {
      root_ = std::move(value);
    } else if (Level& level = levels_.back(); level.is_object) {
      level.object.emplace_back(std::move(level.key), std::move(value));
    } else {
      level.list.push_back(std::move(value));
    }
    return true;
  }
  bool open(const Value& kind) {
    if (levels_.size() == deepest) {
      fail(ErrorKind::bad_data, fmt::format("{}: lists and objects are nested deeper than {}", source_, deepest));
    }
    levels_.push_back({{}, {}, {}, kind.is_object()});
    return true;
  }
  bool close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    return put(level.is_object ? Value(std::move(level.object)) : Value(std::move(level.list)));
  }

  // The library's text is "[id] parse error at line 1, column 2: what - details".
  static std::string reason_in(std::string_view text) {
    if (const std::size_t start = text.find(": "); text.starts_with('[') && start != std::string_view::npos) {
      text.remove_prefix(start + 2);
    } else if (const std::size_t id = text.find("] "); id != std::string_view::npos) {
      text.remove_prefix(id + 2);
    }
    return std::string(text.substr(0, longest_reason));
  }
  [[noreturn]] void fail_at(std::size_t position, const std::string& reason) const {
    const std::size_t end = std::min(position == 0 ? 0 : position - 1, text_.size());
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    fail(ErrorKind::bad_data, fmt::format("{}:{}: not valid JSON: {}", source_, line, reason));
  }

  std::string_view text_;
  std::string_view source_;
  Value root_;
  std::vector<Level> levels_;
};

bool is_nested(const Value& value) {
  return (value.is_list() && !value.as_list().empty()) || (value.is_object() && !value.as_object().empty());
}

class JsonWriter {
 public:
  explicit JsonWriter(int indent) : indent_(indent < 0 ? 0 : static_cast<std::size_t>(indent)) {}

  std::string take() { return std::move(text_); }

  void write(const Value& value) {
    if (value.is_null()) {
      text_ += "null";
    } else if (value.is_bool()) {
      text_ += value.as_bool() ? "true" : "false";
    } else if (value.is_whole()) {
      text_ += std::to_string(value.as_whole());
    } else if (value.is_number()) {
      write_number(value.as_number());
    } else if (value.is_text()) {
      write_text(value.as_text());
    } else if (value.is_list()) {
      write_list(value.as_list());
    } else {
      write_object(value.as_object());
    }
  }

 private:
  void write_number(double number) {
    if (!std::isfinite(number)) {
      text_ += "null";
      return;
    }
    const std::string digits = to_text(number);
    text_ += digits;
    if (digits.find_first_of(".e") == std::string::npos) text_ += ".0";  // so that it stays a double
  }
  void write_text(const std::string& text) {
    text_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  void write_list(const Value::List& list) {
    const bool one_line = std::none_of(list.begin(), list.end(), is_nested);
    text_ += '[';
    ++depth_;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) text_ += one_line && indent_ != 0 ? ", " : ",";
      if (!one_line) new_line();
      write(list[i]);
    }
    --depth_;
    if (!one_line) new_line();
    text_ += ']';
  }
  void write_object(const Value::Object& object) {
    text_ += '{';
    ++depth_;
    for (std::size_t i = 0; i < object.size(); ++i) {
      if (i != 0) text_ += ',';
      new_line();
      write_text(object[i].first);
      text_ += indent_ != 0 ? ": " : ":";
      write(object[i].second);
    }
    --depth_;
    if (!object.empty()) new_line();
    text_ += '}';
  }
  void new_line() {
    if (indent_ == 0) return;
    text_ += '\n';
    text_.append(depth_ * indent_, ' ');
  }

  std::size_t indent_;
  std::size_t depth_ = 0;
  std::string text_;
};

}  // namespace

std::string to_json(const Value& value, int indent) {
  JsonWriter writer(indent);
  writer.write(value);
  return writer.take();
}

Value parse_json(std::string_view text, std::string_view source) {
  ValueBuilder builder(text, source);
  nlohmann::json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace motet
