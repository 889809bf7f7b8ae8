// A result, told once: a page with what of it a terminal shows and machines read.
//
// The builder of a result makes one Document; Listing is for rows that are told more
// than once, so that a figure and its name in each rendering stand in one place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "motet/base/interval.h"
#include "motet/report/bar_plot.h"
#include "motet/report/interval_plot.h"
#include "motet/report/text_table.h"

namespace motet {

// A column by its heading for people and its key for machines; an empty one: not told there.
struct ListingColumn {
  std::string heading;
  std::string key = {};
  int digits = 4;         // after the point, for people
  bool optional = false;  // a null is not told to machines
};

// Rows told as a table and as a JSON list of objects. A list of two numbers is an
// interval; it has no text unless both are finite.
struct Listing {
  std::vector<ListingColumn> columns;
  std::vector<std::vector<Value>> rows = {};

  Table table() const;
  Value json() const;
};

using WhatAndValue = std::vector<std::pair<std::string, std::string>>;

// What of a document will be used beside its text; a builder may leave out the rest where it is large.
struct Wanted {
  bool json = true;
  bool page = true;
};

struct Document : Page {
  std::string text;  // for the terminal
  Value json;

  // A section of the page; the reference holds until the next one.
  Section& section(std::string heading, std::string lead = {});

  // A table for the terminal, after an empty line.
  void show(const Table& table, const TextTableOptions& options = {});

  // The sections of a part.
  void append(const Document& part);

  // Warnings as the first section of the page, where there are any.
  void warn_first(const std::vector<std::string>& warnings);
};

// "option", "value"
NamedTable options_table(std::string title, const WhatAndValue& options);

// The objective after each iteration, with points up to a number of them; nothing for fewer than two.
std::vector<Plot> trace_plot(std::string title, std::string caption, std::string y_title,
                             const std::vector<double>& objective,
                             std::size_t most_points = static_cast<std::size_t>(-1));

// One more row of a plot.
void add(Bars& bars, std::string name, double value, double error);  // with a bar of one error to each side
void add(Intervals& intervals, std::string name, double value, const Interval& interval);

std::string plus_minus(double value, double error);             // "0.812 ± 0.011"
std::string counted(std::size_t count, std::string_view what);  // "3 rows", "1 row"
std::string capitalized(std::string sentence);                  // its first letter, of a to z

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second);

}  // namespace motet
