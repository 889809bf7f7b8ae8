#include "motet/data/names.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace motet::names_test {
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

TEST(NameTable, TellsLongNamesWithTheSameBeginningOrEndApart) {
  NameTable table;
  std::uint32_t next = 0;
  for (std::size_t size = 12; size <= 40; ++size) {
    for (std::size_t changed = 0; changed <= size; ++changed) {
      std::string name(size, 'a');
      if (changed < size) name[changed] = 'b';
      EXPECT_EQ(table.find(name), NameTable::absent);
      EXPECT_EQ(table.id_of(name), next++);
    }
  }
}

TEST(NameTable, TheEmptyNameIsAName) {
  NameTable table;
  EXPECT_EQ(table.find(""), NameTable::absent);
  EXPECT_EQ(table.id_of(""), 0U);
  EXPECT_EQ(table.id_of(std::string_view("\0", 1)), 1U);
  EXPECT_EQ(table.find(""), 0U);
}

// Few letters and sizes on both sides of 11 bytes, so that names repeat and nearly repeat.
RC_GTEST_PROP(NameTable, EqualsAMap, (const std::vector<std::pair<std::uint8_t, std::uint8_t>>& drawn)) {
  NameTable table;
  std::map<std::string, std::uint32_t> expected;
  for (const auto& [size, letters] : drawn) {
    std::string name;
    for (std::size_t i = 0; i < size % 16U; ++i) name.push_back((letters >> (i % 8) & 1) != 0 ? 'x' : 'y');
    const auto [at, added] = expected.emplace(name, static_cast<std::uint32_t>(expected.size()));
    RC_ASSERT(table.find(name) == (added ? NameTable::absent : at->second));
    RC_ASSERT(table.id_of(name) == at->second);
  }
  const NameTable again(table.names());
  for (const auto& [name, id] : expected) {
    RC_ASSERT(again.find(name) == id);
    RC_ASSERT(table.names()[id] == name);
  }
  RC_ASSERT(NameList(table.names().to_vector()) == table.names());
}

TEST(QuotedList, StaysShort) {
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(quoted_list({}), "");
  EXPECT_EQ(quoted_list(names), "'a', 'b', 'c'");
  EXPECT_EQ(quoted_list(names, 3), "'a', 'b', 'c'");
  EXPECT_EQ(quoted_list(names, 2), "'a', 'b' and 1 more");
}

}  // namespace
}  // namespace motet::names_test
