#include "motet/report/raster.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace motet::raster_test {
namespace {

constexpr Colour white = {255, 255, 255};
constexpr Colour red = {255, 0, 0};

std::uint32_t word_at(const std::string& bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

TEST(Raster, KeepsWhatIsDrawnAndIgnoresWhatIsOutside) {
  Raster raster(4, 3, white);
  raster.fill(1, 1, 10, 1, red);
  EXPECT_EQ(raster.at(0, 1), white);
  EXPECT_EQ(raster.at(3, 1), red);
  EXPECT_EQ(raster.at(3, 2), white);
  raster.set(9, 9, red);
}

TEST(Raster, WritesLetters) {
  Raster raster(12, 7, white);
  raster.write(0, 0, "1-", red);
  EXPECT_EQ(raster.at(2, 0), red);
  EXPECT_EQ(raster.at(0, 0), white);
  for (std::size_t x = 6; x < 11; ++x) EXPECT_EQ(raster.at(x, 3), red);
  Raster box(5, 7, white);
  box.write(0, 0, "\x01", red);
  EXPECT_EQ(box.at(0, 0), red);
  EXPECT_EQ(box.at(4, 6), red);
  EXPECT_EQ(box.at(2, 3), white);
}

TEST(Raster, IsAPng) {
  Raster raster(3, 2, white);
  raster.set(1, 0, red);
  const std::string png = raster.png();
  ASSERT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(word_at(png, 16), 3U);
  EXPECT_EQ(word_at(png, 20), 2U);
  std::size_t at = 8;
  std::string packed;
  while (at < png.size()) {
    const std::uint32_t size = word_at(png, at);
    const std::string chunk = png.substr(at + 4, size + 4);
    EXPECT_EQ(word_at(png, at + 8 + size), crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), size + 4));
    if (chunk.starts_with("IDAT")) packed = chunk.substr(4);
    at += size + 12;
  }
  std::string lines(20, '\0');
  uLongf length = 20;
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(lines.data()), &length, reinterpret_cast<const Bytef*>(packed.data()),
                       packed.size()),
            Z_OK);
  EXPECT_EQ(length, 20U);
  EXPECT_EQ(lines.substr(0, 7), std::string("\0\xFF\xFF\xFF\xFF\0\0", 7));
}

TEST(RampColour, GoesFromDarkToLight) {
  double before = -1.0;
  for (double share = 0.0; share <= 1.0; share += 0.05) {
    const Colour colour = ramp_colour(share);
    const double light = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2];
    EXPECT_GT(light, before);
    before = light;
  }
  EXPECT_EQ(ramp_colour(-1.0), ramp_colour(0.0));
  EXPECT_EQ(ramp_colour(2.0), ramp_colour(1.0));
}

}  // namespace
}  // namespace motet::raster_test
