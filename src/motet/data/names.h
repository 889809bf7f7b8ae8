// Names with numbers: many short texts in one block of memory.
//
// NameList keeps them by number; NameTable also finds the number of a name. Two
// million names of ten characters take about 36 MB in the list and 32 MB more in
// the table, a third of what a map of strings takes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

std::uint64_t hash_of(std::string_view text);  // same on every machine

class NameTable {
 public:
  static constexpr std::uint32_t absent = 0xFFFFFFFFU;

  NameTable() = default;
  explicit NameTable(NameList names);

  const NameList& names() const { return names_; }
  NameList take_names() { return std::move(names_); }

  // Ids are 0, 1, 2, ... in order of first appearance.
  std::uint32_t id_of(std::string_view name) { return id_of(name, hash_of(name)); }
  std::uint32_t id_of(std::string_view name, std::uint64_t hash);
  std::uint32_t find(std::string_view name) const;  // absent when unknown

  // Two stages of fetching what id_of will touch, for callers that work in batches.
  void prefetch_slot(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;          // upper half of the hash
    std::uint32_t id_plus_one = 0;  // 0: free
  };
  void grow();

  NameList names_;
  std::vector<Slot> slots_;  // power of two, at most half full
};

}  // namespace motet
