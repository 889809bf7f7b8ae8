#include "motet/app/audio/feature_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/app/audio/shown_columns.h"
#include "motet/base/error.h"
#include "motet/data/preparation.h"
#include "motet/report/document.h"
#include "motet/report/feature_picture.h"
#include "motet/report/scatter_plot.h"

namespace motet::audio {
namespace {

constexpr std::size_t most_tracks = 40;
constexpr std::size_t most_scattered = 1500;  // rows
constexpr double shown_decibels = 80.0;

// Bands and frequencies, which have one unit and an order.
bool is_spectrum(const RowShape& shape) {
  const auto is_band = [](const std::string& name) { return name.starts_with("mel") || name.starts_with("hz_"); };
  return std::all_of(shape.columns.begin(), shape.columns.end(), is_band);
}

FeaturePicture picture_of(const RowShape& shape, const RowPicture& rows, double sample_rate) {
  FeaturePicture picture;
  picture.columns = shown_columns(shape, sample_rate);
  picture.values = rows.values();
  picture.seconds_a_row = shape.clock.hop * static_cast<double>(rows.rows_taken_together());
  picture.has_one_scale = is_spectrum(shape);
  picture.is_map = picture.has_one_scale || shape.columns.size() > most_tracks;
  if (picture.has_one_scale && shape.units.front() == "dB") picture.most_below = shown_decibels;
  return picture;
}

std::string caption_of(const RowShape& shape, const RowPicture& rows) {
  std::string caption =
      is_spectrum(shape) ? fmt::format("Over time, from low to high frequencies; unit: {}.", shape.units.front())
      : shape.columns.size() > most_tracks ? "Over time; each column from its least (dark) to its most (light)."
                                           : "Over time; each column from its least to its most.";
  if (rows.rows_taken_together() > 1) {
    caption += fmt::format(" Each step is the mean of {} rows.", rows.rows_taken_together());
  }
  return caption;
}

// Rows of the pictures, every so-many-th, those alone that are numbers throughout.
struct ScatteredRows {
  NumberTable rows;
  std::vector<std::string> recordings;
  std::vector<std::size_t> of_row;
};

ScatteredRows scattered_rows(const FeatureRunResult& result) {
  std::size_t all = 0;
  for (const FeatureRunEntry& entry : result.entries) all += entry.picture ? entry.picture->rows() : 0;
  const std::size_t step = std::max<std::size_t>(1, (all + most_scattered - 1) / most_scattered);
  const std::size_t width = result.shape.columns.size();
  ScatteredRows scattered;
  scattered.rows.columns = result.shape.columns;
  for (const FeatureRunEntry& entry : result.entries) {
    if (!entry.picture) continue;
    const std::vector<double> values = entry.picture->values();
    for (std::size_t n = 0; n < values.size() / width; n += step) {
      const auto row = values.begin() + static_cast<std::ptrdiff_t>(n * width);
      const auto end = row + static_cast<std::ptrdiff_t>(width);
      if (!std::all_of(row, end, [](double x) { return std::isfinite(x); })) continue;
      scattered.rows.values.insert(scattered.rows.values.end(), row, end);
      scattered.of_row.push_back(scattered.recordings.size());
    }
    scattered.recordings.push_back(entry.recording.name);
  }
  return scattered;
}

// Nothing for fewer than two columns or three rows, which have no plane.
std::vector<Plot> component_plots(const FeatureRunResult& result) {
  const ScatteredRows scattered = scattered_rows(result);
  if (scattered.rows.columns.size() < 2 || scattered.of_row.size() < 3) return {};
  const Preparation preparation = learn_preparation(scattered.rows, {.standardize = true, .pca = 2}, {1});
  const std::vector<double> places = prepare(preparation, scattered.rows, {1});
  Scatter scatter;
  scatter.kinds = scattered.recordings;
  scatter.x_title = fmt::format("first component ({:.0f} % of the variance)", 100.0 * preparation.explained[0]);
  scatter.y_title = fmt::format("second ({:.0f} %)", 100.0 * preparation.explained[1]);
  for (std::size_t n = 0; n < scattered.of_row.size(); ++n) {
    scatter.points.push_back({places[2 * n], places[2 * n + 1], scattered.of_row[n]});
  }
  return {scatter_plot({"Rows by their two leading components",
                        "Columns are centred and divided by their deviation. Rows that lie close to each other "
                        "are alike in what varies most."},
                       scatter)};
}

NamedTable recordings_table(const FeatureRunResult& result) {
  Table table{{{"recording"}, {"seconds", 2}, {"Hz", 0}, {"channels"}, {"rows"}}, {}};
  for (const FeatureRunEntry& entry : result.entries) {
    if (!entry.failure.empty()) continue;
    table.rows.push_back({entry.recording.name, entry.heard.seconds, entry.heard.sample_rate,
                          static_cast<std::int64_t>(entry.heard.channels),
                          static_cast<std::int64_t>(entry.heard.rows)});
  }
  return {"Recordings", std::move(table)};
}

NamedTable feature_options_table(const RowShape& shape) {
  WhatAndValue options;
  for (const auto& [name, value] : shape.options.as_object()) options.emplace_back(flag_of(name), value.as_text());
  return options_table("Options", options);
}

}  // namespace

std::string feature_png(const FeatureRunResult& result) {
  for (const FeatureRunEntry& entry : result.entries) {
    if (entry.picture) return draw(picture_of(result.shape, *entry.picture, entry.heard.sample_rate)).png();
  }
  fail(ErrorKind::usage, "--picture: the first recording was not heard in this run; leave out --manifest");
}

Page features_page(const FeatureRunResult& result, const std::vector<std::string>& warnings) {
  Document page;
  page.title = "Features of recordings";
  page.facts = {{"recordings", std::to_string(result.entries.size())},
                {"rows", std::to_string(result.rows)},
                {"features", std::to_string(result.shape.columns.size())}};
  page.warn_first(warnings);
  Section& pictures = page.section("What happens when");
  for (const FeatureRunEntry& entry : result.entries) {
    if (!entry.picture) continue;
    pictures.images.push_back(page_image(entry.recording.name, caption_of(result.shape, *entry.picture),
                                         picture_of(result.shape, *entry.picture, entry.heard.sample_rate)));
  }
  std::vector<Plot> components = component_plots(result);
  if (!components.empty()) page.section("How rows differ").plots = std::move(components);
  page.section("Recordings").tables.push_back(recordings_table(result));
  page.section("How the rows were made").tables.push_back(feature_options_table(result.shape));
  return std::move(static_cast<Page&>(page));
}

}  // namespace motet::audio
