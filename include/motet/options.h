// Options by name, those of the command line with `_` for `-`:
//
//   estimate(votes, {{"noise", "symmetric"}, {"confidence", 0.9}, {"plain_em", true}})
//
// What is not named keeps its default. A name that does not exist, or a value outside its range, is
// Error{usage}. Each function that takes options has a second one that lists them.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace motet {

struct Option {
  std::string name;
  std::string value;  // as it would be typed

  Option(std::string_view its_name, std::string_view text) : name(its_name), value(text) {}
  Option(std::string_view its_name, const char* text) : name(its_name), value(text) {}
  Option(std::string_view its_name, bool truth) : name(its_name), value(truth ? "true" : "false") {}
  Option(std::string_view its_name, double number);  // keeps every bit of it
  template <std::integral T>
  requires(!std::same_as<T, bool>) Option(std::string_view its_name, T whole)
      : name(its_name), value(std::to_string(whole)) {}
};
using Options = std::vector<Option>;

struct OptionDescription {
  std::string name;
  std::string help;
  std::string shape;         // X: a number, N: a whole number, "a|b|c": one of these, else what the text stands for
  std::string range;         // "0 to 1", or empty
  std::string default_text;  // empty: chosen from the data, or nothing
  bool is_flag = false;      // true or false
};
using OptionList = std::vector<OptionDescription>;

}  // namespace motet
#pragma GCC visibility pop
