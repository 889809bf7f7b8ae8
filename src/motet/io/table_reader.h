// Tables in CSV, read by what their columns are for.
//
// A reader asks for its columns by role and takes rows as texts, names and numbers. What can be wrong with any
// table is found and told here: columns that are missing, repeated or without a name, a first line that is no
// header, fields that are empty or no number, names nobody knows. Every error is Error{bad_data} "FILE:LINE: ...".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/run.h"
#include "motet/io/csv.h"
#include "motet/io/known_names.h"
#include "motet/io/reading_progress.h"

namespace motet {

constexpr std::string_view header_hint = "; the first line must be the header";

// What a column is for.
struct ColumnRole {
  std::string_view name;                           // its heading, and what messages call a value of it
  std::vector<std::string_view> other_names = {};  // headings that do where the first is not there, in this order
  bool in_any_case = false;                        // capitals do not matter
};

// Where a role was found.
struct FoundColumn {
  static constexpr std::size_t absent = static_cast<std::size_t>(-1);

  std::string_view name;  // of the role
  std::size_t place = absent;
  bool in_any_case = false;

  bool is_there() const { return place != absent; }
};

struct TableRow {
  const CsvReader& reader;
  std::span<const std::string_view> fields;
  std::size_t line = 0;

  [[noreturn]] void fail(std::string_view problem) const { reader.fail_at(line, problem); }

  std::string_view operator[](std::size_t place) const { return fields[place]; }
  std::string_view text(const FoundColumn& column) const { return column.is_there() ? fields[column.place] : ""; }
  std::string_view name(const FoundColumn& column) const {  // "the item is empty"
    if (fields[column.place].empty()) fail_empty(column.name);
    return fields[column.place];
  }
  double number(std::size_t place) const;                           // "column 'x': 'y' is not a finite number"
  double number_or_unknown(std::size_t place) const;                // no_number where it is empty or there is no column
  std::uint32_t known(std::size_t place, const KnownNames&) const;  // "permission 'fly' is not in access.csv"

 private:
  [[noreturn]] void fail_empty(std::string_view what) const;
};

class TableReader {
 public:
  explicit TableReader(const std::string& path, char delimiter = ',') : reader_(path, {.delimiter = delimiter}) {}
  TableReader(const std::string& path, char delimiter, const RunContext& run)  // which is told of progress
      : reader_(path, {.delimiter = delimiter}), progress_(std::in_place, reader_, run) {}
  TableReader(const TableReader&) = delete;

  const CsvReader& csv() const { return reader_; }
  const std::string& name() const { return reader_.name(); }
  const std::vector<std::string>& header() const { return reader_.header(); }

  std::string header_place() const { return name() + ":" + std::to_string(reader_.header_line()); }

  FoundColumn find(const ColumnRole& role) const;
  // "columns 'item' and 'label' are needed (or ...); found 'a', 'b'; hint"
  void require(std::initializer_list<FoundColumn> columns, std::string_view or_else = "",
               std::string_view hint = "") const;
  void require_once(std::initializer_list<FoundColumn> columns) const;
  // Of all columns: no two have one name, each has one (the first need not), and not all are numbers, which are data.
  void require_names() const;
  void require_two(std::string_view needed) const;  // "only one column, 'a'; NEEDED (is the delimiter right?)"
  bool has_number() const;                          // a name is a number: the first line may be data
  [[noreturn]] void fail_header(std::string_view problem) const { reader_.fail_at(reader_.header_line(), problem); }
  [[noreturn]] void fail_found(std::string_view problem,
                               std::string_view hint = "") const;  // "PROBLEM; found 'a', 'b'"
  [[noreturn]] void fail_data() const;                          // "found 'a', 'b'; the first line must be the header"
  [[noreturn]] void fail_file(std::string_view problem) const;  // "FILE: PROBLEM"

  // Some more rows; none at the end.
  CsvRows next_rows() {
    CsvRows rows = reader_.next_rows();
    if (progress_ && rows.size() != 0) progress_->step();
    return rows;
  }
  TableRow row(const CsvRows& rows, std::size_t i) const { return {reader_, rows[i], rows.line(i)}; }
  template <class Use>
  void for_each_row(const Use& use) {
    for (CsvRows rows = next_rows(); rows.size() != 0; rows = next_rows()) {
      for (std::size_t i = 0; i < rows.size(); ++i) use(row(rows, i));
    }
  }

 private:
  CsvReader reader_;
  std::optional<ReadingProgress> progress_;
};

}  // namespace motet
