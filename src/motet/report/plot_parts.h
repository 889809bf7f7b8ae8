// What the functions of plots.h have in common: pieces of Vega-Lite specifications.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/value.h"

namespace motet {

// Throws Error{internal} "what has 3 entries; 5 are needed".
void require_length(std::string_view what, std::size_t found, std::size_t needed);

Value number_or_null(double value);  // null unless finite

// {"field": name, "type": "quantitative", "title": title}, an axis of numbers.
Value numbers(std::string_view name, std::string_view title);

// Names down the side in the order of the data; labels only while they can be read.
Value names_down(std::size_t count, std::string_view title);

// Height of a plot with `count` rows, in pixels: generous for few rows, never
// more than about two screens.
double height_for(std::size_t count);

Value tooltip(std::string_view field, std::string_view title);
Value tooltip(std::string_view field, std::string_view title, int digits);

// The shape of a layer of open marks, named in the legend.
Value open_diamond(std::string_view name);

// One kind of mark; and the same for the rows that fulfil a Vega expression.
Value layer(Value mark, Value encoding);
Value only_where(Value layer, std::string condition);

// The whole: container width, inline data, layers.
Value spec(Value::List rows, double height, Value::List layers);

}  // namespace motet
