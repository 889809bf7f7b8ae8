// A page for people: headings, key figures, plots with their numbers, tables, notes.
//
// to_html gives one file that needs nothing else: styles, scripts and the Vega
// runtime are inside, and a content security policy in the page forbids any request.
// All texts are plain; whatever they hold is shown, never interpreted. Plots need
// JavaScript, and so do pictures; without it the table of each is shown in its place.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "motet/data/table.h"
#include "motet/data/value.h"
#include "motet/report/card.h"
#include "motet/report/matrix_picture.h"

namespace motet {

// `spec` is a Vega-Lite 5 specification with inline data and no $schema. A colour
// may be written "var(--name)" after a variable of page.css (ink, muted, grid,
// series-1 ...), so that it follows the light and the dark scheme; the width below
// which the plot scrolls in its box may be given as usermeta.min_width, in pixels.
// interval_plot.h, heat_map.h, line_plot.h, bar_plot.h and others make the common kinds, each with the table of
// its numbers: widths follow the page, heights the number of rows; series differ in shape or dash as well as in
// colour. They throw Error{internal} when the lengths of their lists differ, and leave out a value that is NaN.
struct Plot {
  std::string title;
  std::string caption;  // what the plot shows, also for those who cannot see it
  Value spec;
  Table table;  // the same numbers
};

// Of a plot yet to be made.
struct PlotText {
  std::string title;
  std::string caption;
};

struct NamedTable {
  std::string title;
  Table table;
};

// A picture of dots; without scripts too.
struct PageImage {
  std::string title;
  std::string caption;  // what it shows, also for those who cannot see it
  std::string png;      // the bytes of the file
  std::size_t width = 0;
  std::size_t height = 0;
  Table table;  // the same in numbers
};

struct Section {
  std::string title;
  std::string lead;  // paragraphs, an empty line between them
  std::vector<Plot> plots;
  std::vector<NamedTable> tables;
  std::vector<std::string> notes;  // warnings in plain words
  bool small_plots = false;        // side by side where the screen is wide enough
  std::vector<MatrixPicture> pictures = {};
  std::vector<Card> cards = {};
  std::vector<PageImage> images = {};
};

struct Page {
  std::string title;
  std::string subtitle;
  std::vector<std::pair<std::string, std::string>> facts;  // key figures: what, value
  std::vector<Section> sections;
};

std::string to_html(const Page& page);

// The part of it between <body> and the scripts.
std::string to_html_body(const Page& page);

// Rows of a table beyond this number are only counted, to keep the page light.
constexpr std::size_t max_page_rows = 1000;

}  // namespace motet
