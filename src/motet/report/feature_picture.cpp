#include "motet/report/feature_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "motet/report/plot_parts.h"

namespace motet {
namespace {

constexpr Colour paper = {255, 255, 255};
constexpr Colour ink = {40, 40, 40};
constexpr Colour faint = {222, 222, 226};
constexpr Colour track_colour = {32, 96, 150};
constexpr std::size_t least_width = 480;  // of the drawing, in dots
constexpr std::size_t map_height = 320;   // at least, where there are few columns
constexpr std::size_t track_height = 36;
constexpr std::size_t gap = 6;
constexpr std::size_t below = 22;  // for the time
constexpr std::size_t most_name_letters = 24;

struct ColumnRange {
  double low = 0.0;
  double high = 0.0;

  double share(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

std::vector<ColumnRange> ranges_of(const FeaturePicture& picture) {
  const std::size_t width = picture.columns.size();
  std::vector<ColumnRange> ranges(width);
  for (std::size_t i = 0; i < picture.values.size(); ++i) {
    ColumnRange& range = ranges[i % width];
    const double value = picture.values[i];
    range.low = i < width ? value : std::min(range.low, value);
    range.high = i < width ? value : std::max(range.high, value);
  }
  return ranges;
}

std::vector<ColumnRange> scales_of(const FeaturePicture& picture) {
  std::vector<ColumnRange> scales = ranges_of(picture);
  if (!picture.is_map || !picture.has_one_scale || scales.empty()) return scales;
  ColumnRange all = scales.front();
  for (const ColumnRange& range : scales) all = {std::min(all.low, range.low), std::max(all.high, range.high)};
  if (picture.most_below > 0.0) all.low = std::max(all.low, all.high - picture.most_below);
  scales.assign(scales.size(), all);
  return scales;
}

// Where things are, in dots.
struct Layout {
  std::size_t left = 0;
  std::size_t width = 0;
  std::size_t step = 1;  // dots per column
  std::size_t height = 0;
  std::size_t rows = 0;
};

Layout layout_of(const FeaturePicture& picture) {
  Layout layout;
  std::size_t longest = 0;
  for (const std::string& name : picture.columns) longest = std::max(longest, name.size());
  layout.left = std::min(longest, most_name_letters) * letter_advance + 2 * gap;
  layout.rows = picture.values.size() / picture.columns.size();
  const std::size_t dots_a_row = layout.rows == 0 ? 1 : (least_width + layout.rows - 1) / layout.rows;
  layout.width = std::max<std::size_t>(layout.rows * std::max<std::size_t>(dots_a_row, 1), 1);
  const std::size_t columns = picture.columns.size();
  layout.step = picture.is_map ? std::max<std::size_t>(1, map_height / columns) : track_height;
  layout.height = layout.step * columns;
  return layout;
}

std::size_t row_at(const Layout& layout, std::size_t x) { return x * layout.rows / layout.width; }

void draw_map(Raster& raster, const FeaturePicture& picture, const Layout& layout,
              const std::vector<ColumnRange>& scales) {
  const std::size_t columns = picture.columns.size();
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t top = gap + (columns - 1 - c) * layout.step;
    for (std::size_t x = 0; x < layout.width; ++x) {
      const double value = picture.values[row_at(layout, x) * columns + c];
      raster.fill(layout.left + x, top, 1, layout.step, ramp_colour(scales[c].share(value)));
    }
  }
}

void draw_tracks(Raster& raster, const FeaturePicture& picture, const Layout& layout,
                 const std::vector<ColumnRange>& scales) {
  const std::size_t columns = picture.columns.size();
  constexpr std::size_t room = track_height - gap;
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t top = gap + c * layout.step;
    raster.fill(layout.left, top + room, layout.width, 1, faint);
    std::size_t before = room;
    for (std::size_t x = 0; x < layout.width; ++x) {
      const double share = scales[c].share(picture.values[row_at(layout, x) * columns + c]);
      if (!std::isfinite(share)) continue;
      const auto y = static_cast<std::size_t>(std::lround((1.0 - share) * static_cast<double>(room - 1)));
      const std::size_t from = std::min(y, x == 0 ? y : before);
      const std::size_t to = std::max(y, x == 0 ? y : before);
      raster.fill(layout.left + x, top + from, 1, to - from + 1, track_colour);
      before = y;
    }
  }
}

// As many names as have room, from the first on.
void write_names(Raster& raster, const FeaturePicture& picture, const Layout& layout) {
  const std::size_t columns = picture.columns.size();
  const std::size_t every = (letter_height + 2 + layout.step) / layout.step;
  for (std::size_t c = 0; c < columns; c += every) {
    const std::string name = picture.columns[c].substr(0, most_name_letters);
    const std::size_t top = gap + (picture.is_map ? columns - 1 - c : c) * layout.step;
    const std::size_t middle = top + (layout.step > letter_height ? (layout.step - letter_height) / 2 : 0);
    raster.write(layout.left - gap - name.size() * letter_advance, middle, name, ink);
  }
}

// 1, 2 or 5 times a power of ten, so that there are at most ten marks.
double mark_step(double length) {
  double step = std::pow(10.0, std::floor(std::log10(length / 10.0)));
  for (const double times : {2.0, 2.5, 2.0}) {
    if (length / step <= 10.0) break;
    step *= times;
  }
  return step;
}

void write_times(Raster& raster, const FeaturePicture& picture, const Layout& layout) {
  if (picture.seconds_a_row <= 0.0 || layout.rows == 0) return;
  const double length = picture.seconds_a_row * static_cast<double>(layout.rows);
  const double step = mark_step(length);
  const std::size_t top = gap + layout.height;
  for (std::size_t mark = 0; static_cast<double>(mark) * step <= length; ++mark) {
    const double seconds = static_cast<double>(mark) * step;
    const auto x = static_cast<std::size_t>(seconds / length * static_cast<double>(layout.width));
    raster.fill(layout.left + x, top, 1, 4, ink);
    raster.write(layout.left + x, top + gap, fmt::format("{:.6g}{}", seconds, mark == 0 ? " s" : ""), ink);
  }
}

}  // namespace

Raster draw(const FeaturePicture& picture) {
  if (picture.columns.empty() || picture.values.size() % picture.columns.size() != 0) {
    require_length("feature_picture: values", picture.values.size(), picture.columns.size());
  }
  const Layout layout = layout_of(picture);
  Raster raster(layout.left + layout.width + 7 * letter_advance, gap + layout.height + below, paper);
  const std::vector<ColumnRange> scales = scales_of(picture);
  if (layout.rows > 0) (picture.is_map ? draw_map : draw_tracks)(raster, picture, layout, scales);
  write_names(raster, picture, layout);
  write_times(raster, picture, layout);
  return raster;
}

PageImage page_image(std::string title, std::string caption, const FeaturePicture& picture) {
  const Raster raster = draw(picture);
  Table table{{{"column"}, {"least"}, {"most"}}, {}};
  const std::vector<ColumnRange> ranges = ranges_of(picture);
  for (std::size_t c = 0; c < ranges.size(); ++c) {
    table.rows.push_back({picture.columns[c], ranges[c].low, ranges[c].high});
  }
  return {std::move(title), std::move(caption), raster.png(), raster.width(), raster.height(), std::move(table)};
}

}  // namespace motet
