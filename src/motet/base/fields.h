// One description of an options struct, used by everyone.
//
// Each options struct has one function
//   template <class V> void visit_fields(V& v, Options& o) {
//     v("tolerance", o.tolerance, Range{0.0, 1.0}, "stop when ...");
//     v("noise", o.noise, Choices{{"symmetric", "confusion"}}, "error model");
//     v("model", o.model, Writes{"FILE"}, "model file");
//   }
// and from it come: range checks, command line flags, --help, JSON keys and the
// table in docs/. A name is the same in all of them (`_` is `-` on the command
// line). Messages name an option as it is typed, `--max-iterations`, whoever calls;
// only errors of a file name its field.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/error.h"
#include "motet/base/result.h"

namespace motet {

template <class T>
struct Range {
  T low;
  T high;  // both ends belong to the range
};

// One of a list of words; the value is the word's position, so an enum class.
struct Choices {
  std::vector<std::string_view> words;
};

// Free text; `shape` is what stands for it in a usage line, such as FILE.
struct Text {
  std::string_view shape;
};

// The name of a file that is read, or written.
struct Reads {
  std::string_view shape;
};
struct Writes {
  std::string_view shape;
  std::string_view otherwise = {};  // where it goes when it is not given, such as "-"
};

enum class FileUse { none, read, written };

Result<double> parse_double(std::string_view text);  // finite numbers only
Result<std::size_t> parse_size(std::string_view text);
Result<int> parse_int(std::string_view text);
Result<bool> parse_bool(std::string_view text);

std::string flag_of(std::string_view field);  // "noise_variance" is --noise-variance

// An option as the outside sees it. `set` parses and checks; it throws
// Error{usage} "--name: 'text' is not ..." or "--name 7 is outside [0, 1]".
struct Field {
  std::string name;
  std::string help;
  std::string shape;  // FILE, N, X, or "a|b|c"; empty for a flag
  std::string range;  // "0 to 1", or empty
  std::string default_text;
  bool is_flag = false;
  std::function<void(std::string_view)> set;
  FileUse file = FileUse::none;
  std::string otherwise = {};  // of a file that is written
};

// `said` is the option with its value, as in "--share 7".
[[noreturn]] void fail_range(const std::string& said, const std::string& low, const std::string& high);
std::size_t choice_index(std::string_view name, std::string_view text, const Choices& choices);
std::string joined(const std::vector<std::string_view>& words, std::string_view separator);

// Collects the fields of an options object that outlives the list.
class FieldLister {
 public:
  std::vector<Field> fields;

  void operator()(std::string_view name, double& value, Range<double> range, std::string_view help) {
    number(name, value, range, help, "X", parse_double, [](double x) { return to_text(x); });
  }
  void operator()(std::string_view name, std::size_t& value, Range<std::size_t> range, std::string_view help) {
    number(name, value, range, help, "N", parse_size, [](std::size_t x) { return std::to_string(x); });
  }
  void operator()(std::string_view name, int& value, Range<int> range, std::string_view help) {
    number(name, value, range, help, "N", parse_int, [](int x) { return std::to_string(x); });
  }
  // A number the program chooses itself unless one is given.
  void operator()(std::string_view name, std::optional<double>& value, Range<double> range, std::string_view help);
  void operator()(std::string_view name, bool& value, std::string_view help);
  void operator()(std::string_view name, std::string& value, Text text, std::string_view help);
  void operator()(std::string_view name, std::string& value, Reads file, std::string_view help);
  void operator()(std::string_view name, std::string& value, Writes file, std::string_view help);

  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(std::string_view name, Enum& value, const Choices& choices, std::string_view help) {
    add({std::string(name), std::string(help), joined(choices.words, "|"), "",
         std::string(choices.words.at(static_cast<std::size_t>(value))), false,
         [name = std::string(name), &value, choices](std::string_view text) {
           value = static_cast<Enum>(choice_index(flag_of(name), text, choices));
         }});
  }

 private:
  void add(Field field);

  template <class T, class Parse, class Show>
  void number(std::string_view name, T& value, Range<T> range, std::string_view help, std::string_view shape,
              Parse parse, Show show) {
    const bool unlimited = range.high == std::numeric_limits<T>::max();
    add({std::string(name), std::string(help), std::string(shape),
         unlimited ? show(range.low) + " or more" : show(range.low) + " to " + show(range.high), show(value), false,
         [name = std::string(name), &value, range, parse, show](std::string_view text) {
           const Result<T> parsed = parse(text);
           if (!parsed) fail(ErrorKind::usage, flag_of(name) + ": " + parsed.reason());
           value = parsed.value();
           if (value < range.low || value > range.high) {
             fail_range(flag_of(name) + " " + show(value), show(range.low), show(range.high));
           }
         }});
  }
};

template <class Options>
std::vector<Field> fields_of(Options& options) {
  FieldLister lister;
  visit_fields(lister, options);
  return std::move(lister.fields);
}

// Throws Error{usage} for the first number outside its range. For options that
// were filled in code rather than parsed; `is_file`: read from a file, whose fields are no flags.
struct RangeCheck {
  bool is_file = false;

  template <class T, class Kind, class Help>
  void operator()(std::string_view name, T& value, const Kind& kind, const Help&) const {
    if constexpr (std::is_same_v<T, std::optional<double>>) {
      if (value) (*this)(name, *value, kind, 0);
    } else if constexpr (std::is_same_v<Kind, Range<double>>) {
      if (!(value >= kind.low && value <= kind.high)) {
        fail_range(said(name, to_text(value)), to_text(kind.low), to_text(kind.high));
      }
    } else if constexpr (std::is_same_v<Kind, Range<std::size_t>> || std::is_same_v<Kind, Range<int>>) {
      if (value < kind.low || value > kind.high) {
        fail_range(said(name, std::to_string(value)), std::to_string(kind.low), std::to_string(kind.high));
      }
    }
  }
  void operator()(std::string_view, bool&, std::string_view) const {}

 private:
  std::string said(std::string_view name, const std::string& value) const {
    return is_file ? std::string(name) + " = " + value : flag_of(name) + " " + value;
  }
};

template <class Options>
void check_ranges(Options options, RangeCheck check = {}) {
  visit_fields(check, options);
}

}  // namespace motet
