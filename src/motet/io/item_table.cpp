#include "motet/io/item_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/io/numbers.h"

namespace motet {

ItemTable::ItemTable(std::string file, std::vector<ItemColumn> columns, ItemPlan plan, ItemTableRule rule)
    : file_(std::move(file)),
      columns_(std::move(columns)),
      plan_(std::move(plan)),
      rule_(rule),
      sets_known_(plan_.has_sets),
      words_(columns_.size()),
      empty_row_(plan_.features.size(), 0.0),
      empty_set_((plan_.labels.size() + 63) / 64, 0),
      items_(file_, "item") {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const ColumnUse& use = plan_.uses[c];
    for (const std::string& word : columns_[c].words) words_[c].id_of(word);
    if (columns_[c].words.empty()) continue;
    if (use.role == ItemRole::feature && !use.numbers.empty()) empty_row_[use.first] = use.numbers[0];
    if (use.role == ItemRole::feature && use.numbers.empty()) empty_row_[use.first + use.place[0]] = 1.0;
    if (use.role == ItemRole::label && use.numbers[0] != 0.0) {
      empty_set_[use.first / 64] |= std::uint64_t{1} << (use.first % 64);
    }
  }
}

void ItemTable::fail_cell(std::size_t column, std::string_view problem) const {
  fail(ErrorKind::bad_data,
       fmt::format("{}:{}: item {} column '{}' {}", file_, line_, rows_, columns_[column].name, problem));
}

void ItemTable::begin_row(std::size_t line) {
  line_ = line;
  ++rows_;
  make_room(values_, empty_row_.size(), file_);
  make_room(bits_, empty_set_.size(), file_);
  values_.insert(values_.end(), empty_row_.begin(), empty_row_.end());
  bits_.insert(bits_.end(), empty_set_.begin(), empty_set_.end());
}

void ItemTable::put(std::size_t column, std::string_view text) {
  switch (plan_.uses[column].role) {
    case ItemRole::feature: return put_feature(column, text);
    case ItemRole::label: return put_label(column, text);
    case ItemRole::item: return items_.add(text, line_);
    case ItemRole::none: return;
  }
}

void ItemTable::put_missing(std::size_t column) {
  const ItemRole role = plan_.uses[column].role;
  if (role == ItemRole::none) return;
  if (role == ItemRole::feature && rule_.keeps_missing) return lose_feature(column);
  if (role == ItemRole::label && !rule_.needs_labels) {
    sets_known_ = false;
    return;
  }
  fail_cell(column,
            "is missing (?); fill missing values in, leave the item out, or leave the column out with --leave-out");
}

double ItemTable::feature_in(std::size_t column, std::string_view text) const {
  const double number = number_in(text);
  if (!std::isnan(number)) return number;
  if (text.empty()) fail_cell(column, "is empty; every feature needs a number: fill it in or leave the item out");
  fail_cell(column, feature_problem(text, "leave a column of text out with --leave-out", 40));
}

std::size_t ItemTable::word_in(std::size_t column, std::string_view text) const {
  const std::uint32_t id = words_[column].find(text);
  if (id == NameTable::absent) {
    fail_cell(column,
              fmt::format("is '{}', which is not one of {}", text.substr(0, 40), quoted_list(columns_[column].words)));
  }
  return id;
}

void ItemTable::lose_feature(std::size_t column) {
  const ColumnUse& use = plan_.uses[column];
  std::fill_n(values_.data() + (rows_ - 1) * empty_row_.size() + use.first, use.width,
              std::numeric_limits<double>::quiet_NaN());
}

void ItemTable::put_feature(std::size_t column, std::string_view text) {
  if (text.empty() && rule_.keeps_missing) return lose_feature(column);
  const ColumnUse& use = plan_.uses[column];
  double* const row = values_.data() + (rows_ - 1) * empty_row_.size();
  if (columns_[column].words.empty()) {
    row[use.first] = feature_in(column, text);
  } else if (!use.numbers.empty()) {
    row[use.first] = use.numbers[word_in(column, text)];
  } else {
    const std::size_t place = use.place[word_in(column, text)];
    std::fill_n(row + use.first, use.width, 0.0);
    row[use.first + place] = 1.0;
  }
}

void ItemTable::put_label(std::size_t column, std::string_view text) {
  const ColumnUse& use = plan_.uses[column];
  bool value = false;
  if (!columns_[column].words.empty()) {
    value = use.numbers[word_in(column, text)] != 0.0;
  } else if (const std::optional<bool> told = label_value(text)) {
    value = *told;
  } else if (text.empty() && !rule_.needs_labels) {
    sets_known_ = false;
    return;
  } else if (text.empty()) {
    fail_cell(column, "is empty; a label is 0 or 1");
  } else {
    fail_cell(column, fmt::format("is '{}'; a label is 0 or 1", text.substr(0, 40)));
  }
  const std::uint64_t bit = std::uint64_t{1} << (use.first % 64);
  std::uint64_t& word = bits_[(rows_ - 1) * empty_set_.size() + use.first / 64];
  word = value ? word | bit : word & ~bit;
}

LabelledItems ItemTable::finish() {
  if (rows_ == 0) fail(ErrorKind::bad_data, file_ + ": there are no items in it");
  if (items_.size() != 0 && items_.size() != rows_) fail(ErrorKind::bad_data, file_ + ": some items have no name");
  LabelledItems result;
  result.features.columns = std::move(plan_.features);
  result.features.values = std::move(values_);
  result.features.rows_without_columns = rows_;
  result.features.items = items_.take().to_vector();
  result.labels = std::move(plan_.labels);
  if (!sets_known_ || result.labels.empty()) return result;
  result.sets = BitMatrix(rows_, result.labels.size());
  for (std::size_t n = 0; n < rows_; ++n) {
    std::copy_n(bits_.begin() + static_cast<std::ptrdiff_t>(n * empty_set_.size()), empty_set_.size(),
                result.sets.row(n).begin());
  }
  return result;
}

}  // namespace motet
