// A picture of dots, and the file it becomes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace motet {

using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

class Raster {
 public:
  Raster(std::size_t width, std::size_t height, Colour background);

  std::size_t width() const { return width_; }
  std::size_t height() const { return height_; }
  Colour at(std::size_t x, std::size_t y) const;
  void set(std::size_t x, std::size_t y, Colour colour);  // outside: nothing
  void fill(std::size_t x, std::size_t y, std::size_t width, std::size_t height, Colour colour);

  // Letters five dots wide and seven high, six apart; what is no letter, digit or usual sign is a box.
  void write(std::size_t x, std::size_t y, std::string_view text, Colour colour);

  // The bytes of a .png.
  std::string png() const;

 private:
  std::size_t width_;
  std::size_t height_;
  std::vector<std::uint8_t> dots_;  // three per dot, line by line
};

constexpr std::size_t letter_advance = 6;
constexpr std::size_t letter_height = 7;

// From dark blue by green to yellow, equally light from step to step; `share` is between 0 and 1.
Colour ramp_colour(double share);

}  // namespace motet
