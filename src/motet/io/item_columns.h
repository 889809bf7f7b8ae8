// What the columns of a file of items are for: features, labels, the item's name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motet/io/labelled_items_file.h"

namespace motet {

// A column as the file has it.
struct ItemColumn {
  std::string name;
  std::vector<std::string> words;  // the values of a nominal one; empty: numbers
  bool is_text = false;            // free text: only an item's name can be
};

enum class ItemRole { feature, label, item, none };

struct ColumnUse {
  ItemRole role = ItemRole::feature;
  std::size_t first = 0;                // feature column that it fills first, or number of the label
  std::size_t width = 1;                // feature columns that it fills: more than one when one per value
  std::vector<std::size_t> place = {};  // of a nominal feature with several columns: which column each word sets
  std::vector<double> numbers = {};     // what each word of a nominal feature of one column, or of a label, stands for
};

struct ItemPlan {
  std::vector<ColumnUse> uses;        // one per column of the file
  std::vector<std::string> features;  // names
  std::vector<std::string> labels;    // names
  bool has_sets = false;              // every label is there
};

// Where the names of the labels come from, for messages.
struct NamedLabels {
  std::vector<std::string> names;
  std::string source;  // "x.xml", "--label-columns"
};

// The labels that the format names, or else `own`, what the file itself tells. Throws Error{bad_data} when
// a label is no column, Error{usage} when nothing says which columns are labels but they are needed.
ItemPlan plan_columns(const std::string& file, const std::vector<ItemColumn>& columns, const LabelledFormat& format,
                      const std::optional<NamedLabels>& own);

// 0 or 1 for 0, 1, true, false (in any case); empty for other texts.
std::optional<bool> label_value(std::string_view text);

}  // namespace motet
