// What happens when: one line per sequence, coloured by kind.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

// Rows of one kind that follow one another.
struct Stripe {
  std::size_t sequence = 0;
  double begin = 0.0;
  double end = 0.0;
  std::size_t kind = 0;
};

struct Timeline {
  std::vector<std::string> sequences;
  std::vector<std::string> kinds;
  std::vector<Stripe> stripes;
  std::string time_title;  // "seconds", "rows"
  std::string kind_title;  // "component"
};

Plot timeline_plot(PlotText text, const Timeline& data);

// The kinds of the rows of one sequence as stripes in units of rows, the first at `0`. Beyond `most`
// stripes the rows are taken together in blocks of equal length, each with the kind that most of its rows have.
std::vector<Stripe> stripes_of(std::span<const std::size_t> kind_of_row, std::size_t sequence, std::size_t most);

}  // namespace motet
