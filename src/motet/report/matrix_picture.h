// A large matrix of few kinds of cells as a picture that can be zoomed and moved.
//
// A page draws it on a canvas from two bits per cell. A matrix beyond most_picture_cells,
// or longer than most_picture_side, is drawn by blocks of cells: a block has the kind of
// most of its cells that are not empty, and is the paler the fewer those are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/data/table.h"
#include "motet/data/value.h"

namespace motet {

constexpr std::size_t most_picture_cells = 4'000'000;
constexpr std::size_t most_picture_side = 8'192;  // what canvases of all browsers hold
constexpr std::size_t cell_kinds = 4;

// Rows or columns that belong together, next to each other.
struct PictureBand {
  std::string name;
  std::size_t end = 0;  // one past its last; it begins where the band before ends
};

// Rows or columns: what is told of each when the pointer is on it.
struct PictureSide {
  std::string title;  // "user"
  std::vector<std::string> names;
  std::vector<PictureBand> bands;     // cover all, or none
  std::vector<std::uint32_t> set_of;  // by row: its set of groups, a number in MatrixPicture::sets
};

struct MatrixPicture {
  std::string title;
  std::string caption;
  PictureSide rows;
  PictureSide columns;
  std::vector<std::string> kinds;  // cell_kinds names; kind 0 is an empty cell
  BitMatrix low;                   // the kind of a cell is low + 2 high
  BitMatrix high;
  std::string group_title;                       // "roles"
  std::vector<std::string> groups;               // what rows and columns have in common
  std::vector<std::vector<std::uint32_t>> sets;  // of groups, rising
  Table table;                                   // the summary in numbers
};

// As the page's script reads it. Throws Error{internal} when lengths do not fit.
Value picture_value(const MatrixPicture& picture);

// How many cells are drawn as one, {1, 1} for a picture of every cell.
struct PictureBlock {
  std::size_t rows = 1;
  std::size_t columns = 1;
};
PictureBlock picture_block(std::size_t rows, std::size_t columns);

std::string base64(const std::vector<std::uint8_t>& bytes);

}  // namespace motet
