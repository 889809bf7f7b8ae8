// Which columns of a table have a use already, by their names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/names.h"

namespace motet {

// Every rule broken is Error{bad_data} with `place` before it.
class ColumnUses {
 public:
  static constexpr std::size_t absent = static_cast<std::size_t>(-1);

  // Throws when two have one name.
  ColumnUses(std::string place, std::span<const std::string> names);

  std::size_t find(std::string_view name) const;
  // "there is no column 'a', which WHY; found 'b', 'c'"
  std::size_t required(std::string_view name, std::string_view why = "") const;
  std::size_t take(std::size_t column);             // "column 'a' is named for two uses"
  std::size_t take_if_free(std::string_view name);  // absent when it is not there, or has a use
  bool is_free(std::size_t column) const { return !taken_[column]; }

  std::string found() const;  // "; found 'a', 'b'"
  [[noreturn]] void fail_here(std::string_view problem) const;

 private:
  std::string place_;
  std::span<const std::string> names_;
  NameTable table_;
  std::vector<bool> taken_;
};

}  // namespace motet
