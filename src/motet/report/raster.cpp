#include "motet/report/raster.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "motet/base/error.h"

namespace motet {
namespace {

// Seven lines of five dots, from the top left on in the higher bits.
struct Letter {
  char character;
  std::uint64_t dots;
};

constexpr Letter letters[] = {
    {' ', 0x000000000}, {'%', 0x672222273}, {'(', 0x088842082}, {')', 0x208210888}, {'+', 0x0084f9080},
    {',', 0x000003088}, {'-', 0x0000f8000}, {'.', 0x00000018c}, {'/', 0x042222210}, {'0', 0x3a33ae62e},
    {'1', 0x11842108e}, {'2', 0x3a213221f}, {'3', 0x3a213062e}, {'4', 0x08ca97c42}, {'5', 0x7e1e0862e},
    {'6', 0x3a10f462e}, {'7', 0x7c2221108}, {'8', 0x3a317462e}, {'9', 0x3a317842e}, {':', 0x018c03180},
    {'=', 0x001f07c00}, {'A', 0x3a31fc631}, {'B', 0x7a31f463e}, {'C', 0x3a308422e}, {'D', 0x7a318c63e},
    {'E', 0x7e10f421f}, {'F', 0x7e10f4210}, {'G', 0x3e109c62f}, {'H', 0x4631fc631}, {'I', 0x38842108e},
    {'J', 0x0c210862e}, {'K', 0x4654c5251}, {'L', 0x42108421f}, {'M', 0x4775ac631}, {'N', 0x47359c631},
    {'O', 0x3a318c62e}, {'P', 0x7a31f4210}, {'Q', 0x3a318d64d}, {'R', 0x7a31f5251}, {'S', 0x3e107043e},
    {'T', 0x7c8421084}, {'U', 0x46318c62e}, {'V', 0x46318a944}, {'W', 0x4631ad771}, {'X', 0x462a22a31},
    {'Y', 0x462a21084}, {'Z', 0x7c222221f}, {'_', 0x00000001f}, {'a', 0x000e0be2f}, {'b', 0x421e8c63e},
    {'c', 0x000f8420f}, {'d', 0x042f8c62f}, {'e', 0x000e8fe0e}, {'f', 0x191e42108}, {'g', 0x01f18bc2e},
    {'h', 0x421e8c631}, {'i', 0x100c2108e}, {'j', 0x080610a4c}, {'k', 0x4212a6292}, {'l', 0x108421083},
    {'m', 0x001aad6b5}, {'n', 0x001e8c631}, {'o', 0x000e8c62e}, {'p', 0x03d18fa10}, {'q', 0x01f18bc21},
    {'r', 0x0016c4210}, {'s', 0x000f8383e}, {'t', 0x211e42106}, {'u', 0x00118c62f}, {'v', 0x00118c544},
    {'w', 0x0011ad6aa}, {'x', 0x001151151}, {'y', 0x023151110}, {'z', 0x001f1111f},
};

constexpr std::size_t raster_letter_width = 5;
constexpr std::uint64_t unknown_letter = 0x7e318c63fULL;

std::uint64_t dots_of(char character) {
  for (const Letter& letter : letters) {
    if (letter.character == character) return letter.dots;
  }
  return unknown_letter;
}

void append_word(std::string& bytes, std::uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift & 0xFFU);
}

void append_chunk(std::string& file, std::string_view kind, std::string_view content) {
  append_word(file, static_cast<std::uint32_t>(content.size()));
  std::string chunk(kind);
  chunk += content;
  file += chunk;
  const auto* const bytes = reinterpret_cast<const Bytef*>(chunk.data());
  append_word(file, static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(chunk.size()))));
}

std::string packed_bytes(const std::string& plain) {
  uLongf size = compressBound(static_cast<uLong>(plain.size()));
  std::string packed(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(plain.data()), static_cast<uLong>(plain.size()), 6);
  if (result != Z_OK) fail(ErrorKind::machine_limit, "a picture cannot be packed: there is no memory for it");
  packed.resize(size);
  return packed;
}

}  // namespace

Raster::Raster(std::size_t width, std::size_t height, Colour background) : width_(width), height_(height) {
  dots_.reserve(width * height * 3);
  for (std::size_t i = 0; i < width * height; ++i) dots_.insert(dots_.end(), background.begin(), background.end());
}

Colour Raster::at(std::size_t x, std::size_t y) const {
  const std::size_t first = (y * width_ + x) * 3;
  return {dots_[first], dots_[first + 1], dots_[first + 2]};
}

void Raster::set(std::size_t x, std::size_t y, Colour colour) {
  if (x >= width_ || y >= height_) return;
  std::copy(colour.begin(), colour.end(), dots_.begin() + static_cast<std::ptrdiff_t>((y * width_ + x) * 3));
}

void Raster::fill(std::size_t x, std::size_t y, std::size_t width, std::size_t height, Colour colour) {
  for (std::size_t row = y; row < y + height; ++row) {
    for (std::size_t column = x; column < x + width; ++column) set(column, row, colour);
  }
}

void Raster::write(std::size_t x, std::size_t y, std::string_view text, Colour colour) {
  for (const char character : text) {
    const std::uint64_t dots = dots_of(character);
    for (std::size_t dot = 0; dot < raster_letter_width * letter_height; ++dot) {
      const std::size_t bit = raster_letter_width * letter_height - 1 - dot;
      if ((dots >> bit & 1U) != 0) set(x + dot % raster_letter_width, y + dot / raster_letter_width, colour);
    }
    x += letter_advance;
  }
}

std::string Raster::png() const {
  std::string file = "\x89PNG\r\n\x1a\n";
  std::string head;
  append_word(head, static_cast<std::uint32_t>(width_));
  append_word(head, static_cast<std::uint32_t>(height_));
  head += {8, 2, 0, 0, 0};  // eight bits of red, green and blue
  append_chunk(file, "IHDR", head);
  std::string lines;
  for (std::size_t y = 0; y < height_; ++y) {
    lines += '\0';  // as it is, without a filter
    lines.append(reinterpret_cast<const char*>(dots_.data()) + y * width_ * 3, width_ * 3);
  }
  append_chunk(file, "IDAT", packed_bytes(lines));
  append_chunk(file, "IEND", "");
  return file;
}

Colour ramp_colour(double share) {
  constexpr std::array<Colour, 6> steps = {
      {{12, 12, 40}, {42, 48, 120}, {30, 106, 138}, {40, 160, 120}, {140, 205, 80}, {250, 235, 110}}};
  if (!(share > 0.0)) return steps.front();
  const double at = std::min(share, 1.0) * static_cast<double>(steps.size() - 1);
  const std::size_t low = std::min(static_cast<std::size_t>(at), steps.size() - 2);
  const double part = at - static_cast<double>(low);
  Colour colour{};
  for (std::size_t c = 0; c < 3; ++c) {
    colour[c] = static_cast<std::uint8_t>(std::lround((1.0 - part) * steps[low][c] + part * steps[low + 1][c]));
  }
  return colour;
}

}  // namespace motet
