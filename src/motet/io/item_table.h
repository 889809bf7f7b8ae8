// Collects rows of a file into items with features and label sets, cell by cell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/labelled_items.h"
#include "motet/data/names.h"
#include "motet/io/distinct_names.h"
#include "motet/io/item_columns.h"

namespace motet {

// What may be left empty.
struct ItemTableRule {
  bool needs_labels = true;    // else a label may be, and then the sets are unknown
  bool keeps_missing = false;  // a feature may be, and is NaN
};

class ItemTable {
 public:
  ItemTable(std::string file, std::vector<ItemColumn> columns, ItemPlan plan, ItemTableRule rule);

  // A row of zeros, and first values of nominal columns, on line `line` of the file.
  void begin_row(std::size_t line);
  void put(std::size_t column, std::string_view text);
  void put_missing(std::size_t column);

  LabelledItems finish();

 private:
  [[noreturn]] void fail_cell(std::size_t column, std::string_view problem) const;
  void lose_feature(std::size_t column);
  double feature_in(std::size_t column, std::string_view text) const;
  std::size_t word_in(std::size_t column, std::string_view text) const;
  void put_feature(std::size_t column, std::string_view text);
  void put_label(std::size_t column, std::string_view text);

  std::string file_;
  std::vector<ItemColumn> columns_;
  ItemPlan plan_;
  ItemTableRule rule_;
  bool sets_known_;
  std::vector<NameTable> words_;  // of nominal columns
  std::vector<double> empty_row_;
  std::vector<std::uint64_t> empty_set_;
  std::vector<double> values_;
  std::vector<std::uint64_t> bits_;
  DistinctNames items_;
  std::size_t rows_ = 0;
  std::size_t line_ = 0;
};

}  // namespace motet
