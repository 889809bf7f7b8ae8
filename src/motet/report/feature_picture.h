// What happens over time in many columns: as a map of colours, such as a spectrogram, or as tracks below each other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/report/page.h"
#include "motet/report/raster.h"

namespace motet {

struct FeaturePicture {
  std::vector<std::string> columns;  // the first is drawn at the bottom of a map, at the top of tracks
  std::vector<double> values;        // row by row, a row per step of time
  double seconds_a_row = 0.0;        // 0: rows have no time
  bool is_map = true;                // else tracks
  bool has_one_scale = true;         // of all columns of a map; else each has its own, from its least to its most
  double most_below = 0.0;           // of one scale: what is further below its top is drawn as that; 0: no limit
};

// With the names of columns at the left and the time below.
Raster draw(const FeaturePicture& picture);

// The same on a page, with the least and the most of each column in the table.
PageImage page_image(std::string title, std::string caption, const FeaturePicture& picture);

}  // namespace motet
