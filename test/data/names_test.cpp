#include "motet/data/names.h"

#include <gtest/gtest.h>

#include <set>

namespace motet {
namespace {

TEST(NameKey, TellsShortNamesApart) {
  std::set<std::pair<std::uint64_t, std::uint32_t>> keys;
  std::size_t count = 0;
  for (std::size_t size = 0; size <= 11; ++size) {
    for (std::size_t changed = 0; changed <= size; ++changed, ++count) {
      std::string name(size, '\0');  // zeros and lengths must not be mixed up
      if (changed < size) name[changed] = 'x';
      const NameKey key = key_of(name);
      EXPECT_FALSE(key.is_long());
      keys.emplace(key.low, key.high);
    }
  }
  EXPECT_EQ(keys.size(), count);
  EXPECT_TRUE(key_of("twelve bytes").is_long());
}

TEST(NameTable, NumbersByFirstAppearance) {
  NameTable table;
  constexpr std::uint32_t count = 100'000;
  const auto name = [](std::uint32_t i) { return (i % 2 == 0 ? "short" : "quite a long name ") + std::to_string(i); };
  for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(table.id_of(name(i)), i);
  for (std::uint32_t i = 0; i < count; ++i) {
    EXPECT_EQ(table.id_of(name(i)), i);
    EXPECT_EQ(table.find(name(i)), i);
    EXPECT_EQ(table.names()[i], name(i));
  }
  EXPECT_EQ(table.find("none"), NameTable::absent);
  const NameTable again(table.names());
  EXPECT_EQ(again.find(name(count - 1)), count - 1);
  EXPECT_EQ(table.take_names().size(), count);
  EXPECT_EQ(table.find(name(0)), NameTable::absent);
}

}  // namespace
}  // namespace motet
