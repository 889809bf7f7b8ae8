#include "motet/io/special_bytes.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace motet::special_bytes_test {
namespace {

std::vector<std::uint32_t> offsets_in(const SpecialBytes& found) {
  return {found.offsets.begin(), found.offsets.begin() + static_cast<std::ptrdiff_t>(found.count)};
}

TEST(SpecialBytes, AreFound) {
  SpecialBytes found;
  find_special_bytes(std::string_view("a;b\"\n\0;", 7), ';', found);
  EXPECT_EQ(offsets_in(found), (std::vector<std::uint32_t>{1, 3, 4, 5, 6}));
  EXPECT_TRUE(found.is_ascii);
}

TEST(SpecialBytes, BothWaysAgree) {
  EXPECT_TRUE(rc::check([] {
    const auto pieces = *rc::gen::container<std::string>(rc::gen::weightedOneOf<char>(
        {{9, rc::gen::element('a', ',', '\n', '"', '\r')}, {1, rc::gen::arbitrary<char>()}}));
    std::string text;
    const int repeats = *rc::gen::inRange(1, 30);
    for (int i = 0; i < repeats; ++i) text += pieces;
    SpecialBytes fast;
    SpecialBytes plain;
    find_special_bytes(text, ',', fast);
    find_special_bytes_plainly(text, ',', plain);
    RC_ASSERT(offsets_in(fast) == offsets_in(plain));
    RC_ASSERT(fast.is_ascii == plain.is_ascii);
  }));
}

TEST(Utf8, GoodAndBad) {
  for (const char* good : {"", "plain", "\xC3\xA4", "aaaaaaaaa\xE2\x82\xAC", "\xF0\x9F\x8E\xB6", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
  for (const char* bad : {"\x80", "\xC3", "\xC0\xAF", "\xE4 ", "\xED\xA0\x80", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",
                          "\xF4\x90\x80\x80", "\xFF", "aaaaaaaa\xE9"}) {
    EXPECT_FALSE(is_utf8(bad)) << bad;
  }
}

}  // namespace
}  // namespace motet::special_bytes_test
