#include "motet/report/matrix_picture.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "motet/report/plot_parts.h"

namespace motet {
namespace {

struct Drawn {
  std::vector<std::uint8_t> kinds;    // one per block
  std::vector<std::uint8_t> density;  // 0 ... 3: up to 1/64, 1/8, 1/2, 1 of its cells are not empty
};

std::uint8_t density_of(std::size_t marked, std::size_t cells) {
  if (64 * marked <= cells) return 0;
  if (8 * marked <= cells) return 1;
  return 2 * marked <= cells ? 2 : 3;
}

std::size_t blocks_in(std::size_t size, std::size_t block) { return (size + block - 1) / block; }

std::uint8_t kind_of(const MatrixPicture& picture, std::size_t row, std::size_t column) {
  return static_cast<std::uint8_t>((picture.low(row, column) ? 1U : 0U) + (picture.high(row, column) ? 2U : 0U));
}

Drawn every_cell(const MatrixPicture& picture) {
  Drawn drawn;
  drawn.kinds.reserve(picture.low.rows() * picture.low.columns());
  for (std::size_t r = 0; r < picture.low.rows(); ++r) {
    for (std::size_t c = 0; c < picture.low.columns(); ++c) drawn.kinds.push_back(kind_of(picture, r, c));
  }
  return drawn;
}

Drawn by_blocks(const MatrixPicture& picture, PictureBlock block) {
  const std::size_t columns = picture.columns.names.size();
  const std::size_t across = blocks_in(columns, block.columns);
  Drawn drawn;
  for (std::size_t top = 0; top < picture.rows.names.size(); top += block.rows) {
    const std::size_t bottom = std::min(top + block.rows, picture.rows.names.size());
    std::vector<std::array<std::size_t, cell_kinds>> counts(across);
    for (std::size_t r = top; r < bottom; ++r) {
      for (std::size_t c = 0; c < columns; ++c) ++counts[c / block.columns][kind_of(picture, r, c)];
    }
    for (const auto& count : counts) {
      std::size_t kind = 0;
      std::size_t marked = 0;
      for (std::size_t k = 1; k < cell_kinds; ++k) {
        marked += count[k];
        if (count[k] > (kind == 0 ? 0 : count[kind])) kind = k;
      }
      drawn.kinds.push_back(static_cast<std::uint8_t>(kind));
      drawn.density.push_back(density_of(marked, marked + count[0]));
    }
  }
  return drawn;
}

// Four cells per byte, the first in the lowest bits.
std::vector<std::uint8_t> packed(const std::vector<std::uint8_t>& cells) {
  std::vector<std::uint8_t> bytes((cells.size() + 3) / 4, 0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    bytes[i / 4] = static_cast<std::uint8_t>(bytes[i / 4] | (cells[i] & 3U) << (2 * (i % 4)));
  }
  return bytes;
}

// Names and sets are those of the first row of each block.
Value side_value(const PictureSide& side, std::size_t block) {
  Value::List names;
  Value::List sets;
  for (std::size_t i = 0; i < side.names.size(); i += block) {
    names.emplace_back(side.names[i]);
    if (!side.set_of.empty()) sets.emplace_back(side.set_of[i]);
  }
  Value::List bands;
  for (const PictureBand& band : side.bands) {
    bands.push_back(Value::list({band.name, static_cast<double>(band.end) / static_cast<double>(block)}));
  }
  return Value::object({{"title", side.title},
                        {"count", side.names.size()},
                        {"block", block},
                        {"names", std::move(names)},
                        {"bands", std::move(bands)},
                        {"set_of", std::move(sets)}});
}

}  // namespace

PictureBlock picture_block(std::size_t rows, std::size_t columns) {
  PictureBlock block;
  const auto drawn_rows = [&] { return blocks_in(rows, block.rows); };
  const auto drawn_columns = [&] { return blocks_in(columns, block.columns); };
  while (drawn_rows() > most_picture_side) ++block.rows;
  while (drawn_columns() > most_picture_side) ++block.columns;
  while (drawn_rows() * drawn_columns() > most_picture_cells)
    ++(drawn_rows() > drawn_columns() ? block.rows : block.columns);
  return block;
}

Value picture_value(const MatrixPicture& picture) {
  const std::size_t rows = picture.rows.names.size();
  const std::size_t columns = picture.columns.names.size();
  for (const BitMatrix* bits : {&picture.low, &picture.high}) {
    require_length("matrix_picture: rows of cells", bits->rows(), rows);
    require_length("matrix_picture: columns of cells", bits->columns(), columns);
  }
  require_length("matrix_picture: kinds", picture.kinds.size(), cell_kinds);
  for (const PictureSide* side : {&picture.rows, &picture.columns}) {
    if (!side->set_of.empty()) require_length("matrix_picture: set_of", side->set_of.size(), side->names.size());
    if (!side->bands.empty()) require_length("matrix_picture: bands", side->bands.back().end, side->names.size());
  }
  const PictureBlock block = picture_block(rows, columns);
  const bool is_whole = block.rows == 1 && block.columns == 1;
  const Drawn drawn = is_whole ? every_cell(picture) : by_blocks(picture, block);
  Value::List sets;
  for (const std::vector<std::uint32_t>& set : picture.sets) sets.push_back(Value::list_of(set));
  return Value::object({{"rows", side_value(picture.rows, block.rows)},
                        {"columns", side_value(picture.columns, block.columns)},
                        {"kinds", Value::list_of(picture.kinds)},
                        {"group_title", picture.group_title},
                        {"groups", Value::list_of(picture.groups)},
                        {"sets", std::move(sets)},
                        {"cells", base64(packed(drawn.kinds))},
                        {"density", is_whole ? Value() : Value(base64(packed(drawn.density)))}});
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) { return at < bytes.size() ? static_cast<unsigned>(bytes[at]) : 0U; };
    const unsigned word = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += letters[word >> 18 & 63U];
    text += letters[word >> 12 & 63U];
    text += i + 1 < bytes.size() ? letters[word >> 6 & 63U] : '=';
    text += i + 2 < bytes.size() ? letters[word & 63U] : '=';
  }
  return text;
}

}  // namespace motet
