#include "motet/discover/byte_stream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/errors.h"

namespace motet::discover::byte_stream_test {
namespace {

constexpr const char* too_early = "the saved state ends too early";
constexpr const char* no_fit = "a size in the saved state does not fit its bytes";

TEST(ByteStream, NumbersStandWithTheLeastSignificantByteFirst) {
  ByteWriter out;
  out.number(std::uint64_t{0x0807060504030201});
  out.number(1.0);  // 0x3FF0 0000 0000 0000
  EXPECT_EQ(out.bytes(), std::string("\1\2\3\4\5\6\7\10\0\0\0\0\0\0\xF0\x3F", 16));
}

TEST(ByteStream, WhatIsWrittenIsReadBackInItsOrder) {
  const std::string name("gra\xC5\xBC\0yna", 9);
  const std::vector<double> reals{0.1, -0.0, 5e-324, -std::numeric_limits<double>::infinity()};
  const std::vector<std::uint32_t> small{0, 1, 0xFFFFFFFF};
  ByteWriter out;
  out.text(name);
  out.numbers(reals);
  out.numbers(small);
  out.text("");
  out.number(std::nan(""));
  ByteReader in(out.bytes());
  EXPECT_EQ(in.text(), name);
  const std::vector<double> back = in.reals();
  EXPECT_EQ(back, reals);
  EXPECT_TRUE(std::signbit(back[1]));
  EXPECT_EQ(in.small_numbers(), small);
  EXPECT_EQ(in.text(), "");
  EXPECT_FALSE(in.at_end());
  EXPECT_TRUE(std::isnan(in.real()));
  EXPECT_TRUE(in.at_end());
}

TEST(ByteStream, RefusesSizesThatDoNotFit) {
  ByteWriter out;
  out.number(std::uint64_t{1} << 60);
  EXPECT_EQ(refusal([&] { ByteReader(out.bytes()).reals(); }), no_fit);
  EXPECT_EQ(refusal([&] { ByteReader(out.bytes()).small_numbers(); }), no_fit);
  EXPECT_EQ(refusal([&] { ByteReader(out.bytes()).text(); }), no_fit);
  EXPECT_EQ(refusal([&] { ByteReader(out.bytes()).runs(1000); }), no_fit);
  EXPECT_EQ(refusal([] { ByteReader("abc").number(); }), too_early);
}

TEST(ByteStream, RunsOfEqualValuesTakeLittleRoom) {
  std::vector<std::uint8_t> values(100'000, 3);
  values[500] = 7;
  values[501] = 0;
  ByteWriter out;
  out.runs(values);
  EXPECT_EQ(out.bytes().size(), 8U + 3U + 2U + 2U + 4U);  // count; 500 has two groups of 7 bits, 99498 three
  EXPECT_EQ(ByteReader(out.bytes()).runs(100'000), values);
  EXPECT_EQ(refusal([&] { ByteReader(out.bytes()).runs(99'999); }), no_fit);
  ByteWriter none;
  none.runs({});
  EXPECT_TRUE(ByteReader(none.bytes()).runs(0).empty());
}

TEST(ByteStream, RunsThatAreEmptyTooLongOrCutAreRefused) {
  const auto runs_in = [](std::string_view after_count) {
    ByteWriter out;
    out.number(std::uint64_t{5});
    return out.bytes().append(after_count);
  };
  const auto read = [](const std::string& bytes) { return refusal([&] { ByteReader(bytes).runs(5); }); };
  EXPECT_EQ(read(runs_in("\5\1")), "accepted");
  EXPECT_EQ(read(runs_in(std::string_view("\0\1", 2))), no_fit);
  EXPECT_EQ(read(runs_in("\6\1")), no_fit);
  EXPECT_EQ(read(runs_in("\2\1\4\1")), no_fit);
  EXPECT_EQ(read(runs_in("\5")), too_early);
  EXPECT_EQ(read(runs_in("\x80\x80\x80\x80\x80\x80\x80\1")), no_fit);  // a length of more than 42 bits
}

}  // namespace
}  // namespace motet::discover::byte_stream_test
