// Names with numbers: many short texts in one block of memory.
//
// NameList keeps them by number; NameTable also finds the number of a name. Two
// million names of eleven characters take about 40 MB in the list and 64 MB more
// in the table while it lives, and one cache miss per look-up.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/memory.h"

namespace motet {

class NameList {
 public:
  NameList() = default;
  explicit NameList(std::span<const std::string> names);

  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  std::string_view operator[](std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return {text_.data() + begin, static_cast<std::size_t>(ends_[i] - begin)};
  }
  void push_back(std::string_view name);
  std::vector<std::string> to_vector() const;
  bool operator==(const NameList&) const = default;

 private:
  std::string text_;
  std::vector<std::uint64_t> ends_;
};

// What a table compares first. A name of up to 11 bytes is its own key; of a
// longer one the key holds a hash, and the text is compared as well.
struct NameKey {
  std::uint64_t low = 0;   // bytes 0 to 7, or the hash
  std::uint32_t high = 0;  // bytes 8 to 10, and above them the length (255: long)

  bool is_long() const { return high >> 24 == 255; }
  bool operator==(const NameKey&) const = default;
};

NameKey key_of_long(std::string_view name);

inline NameKey key_of(std::string_view name) {
  // Loads that overlap, so that nothing past the end is read.
  const auto load = []<class Word>(Word word, const char* from) -> std::uint64_t {
    std::memcpy(&word, from, sizeof word);
    return word;
  };
  const char* const text = name.data();
  const std::size_t size = name.size();
  const std::uint32_t length = static_cast<std::uint32_t>(size) << 24;
  if (size >= 8 && size <= 11) {
    const std::uint64_t last = load(std::uint32_t{}, text + size - 4);
    return {load(std::uint64_t{}, text), static_cast<std::uint32_t>(last >> (8 * (12 - size))) | length};
  }
  if (size > 11) return key_of_long(name);
  if (size >= 4) {
    return {load(std::uint32_t{}, text) | load(std::uint32_t{}, text + size - 4) << (8 * size - 32), length};
  }
  std::uint64_t low = 0;
  for (std::size_t i = 0; i < size; ++i) low |= load(std::uint8_t{}, text + i) << (8 * i);
  return {low, length};
}

class NameTable {
 public:
  static constexpr std::uint32_t absent = 0xFFFFFFFFU;

  NameTable() : NameTable(NameList{}) {}
  explicit NameTable(NameList names);  // no name twice

  const NameList& names() const { return names_; }
  NameList take_names();  // leaves the table empty

  // Ids are 0, 1, 2, ... in order of first appearance.
  std::uint32_t id_of(std::string_view name) { return id_of(name, key_of(name)); }
  std::uint32_t id_of(std::string_view name, const NameKey& key) {
    const std::size_t place = place_of(name, key);
    return slots_[place].id_plus_one != 0 ? slots_[place].id_plus_one - 1 : add(name, key, place);
  }
  std::uint32_t find(std::string_view name) const;  // absent when unknown

  // Starts to fetch what id_of will look at, so that other work can go on meanwhile.
  void prefetch(const NameKey& key) const { __builtin_prefetch(&slots_[home_of(key)]); }

 private:
  struct Slot {
    std::uint64_t low = 0;
    std::uint32_t high = 0;
    std::uint32_t id_plus_one = 0;  // 0: free
  };
  static_assert(sizeof(Slot) == 16);  // so that no slot crosses a cache line

  std::size_t home_of(const NameKey& key) const {
    std::uint64_t mixed = key.low * 0x9E3779B97F4A7C15U + key.high * 0xC2B2AE3D27D4EB4FU;
    mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93U;
    return static_cast<std::size_t>(mixed >> shift_);
  }
  // Where the name is, or the free slot where it would be.
  std::size_t place_of(std::string_view name, const NameKey& key) const {
    for (std::size_t i = home_of(key);; i = (i + 1) & (slot_count_ - 1)) {
      const Slot& slot = slots_[i];
      if (slot.id_plus_one == 0) return i;
      if (slot.low != key.low || slot.high != key.high) continue;
      if (!key.is_long() || names_[slot.id_plus_one - 1] == name) return i;
    }
  }
  std::uint32_t add(std::string_view name, const NameKey& key, std::size_t place);
  void resize(std::size_t slot_count);

  NameList names_;
  ZeroedArray<Slot> slots_;
  std::size_t slot_count_ = 0;  // a power of two
  std::size_t most_ = 0;        // names before it grows
  unsigned shift_ = 64;         // 64 - log2(slots)
};

// 'a', 'b' and 7 more: for messages, which stay short.
std::string quoted_list(std::span<const std::string> names, std::size_t most = 20);

}  // namespace motet
