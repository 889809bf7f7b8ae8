// Names of a file of which none may come twice, such as its items.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "motet/data/names.h"
#include "motet/io/line_map.h"

namespace motet {

class DistinctNames {
 public:
  // "x.csv" and "item", for messages.
  DistinctNames(std::string file, std::string kind) : file_(std::move(file)), kind_(std::move(kind)) {}

  // Throws Error{bad_data} "x.csv:7: item 'a' appears twice (first on line 3); keep one", or "... the item is empty".
  void add(std::string_view name, std::size_t line);
  std::size_t size() const { return table_.names().size(); }
  NameList take() { return table_.take_names(); }  // in order

 private:
  std::string file_;
  std::string kind_;
  NameTable table_;
  LineMap lines_;
};

// "item 'a' appears twice (first on line 3); keep one"
std::string repeated_name_text(std::string_view kind, std::string_view name, std::size_t first_line);

}  // namespace motet
