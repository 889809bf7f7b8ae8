#include "motet/data/names.h"

#include <cstring>

namespace motet {
namespace {

constexpr std::size_t first_slot_count = 64;

std::uint64_t load(const char* from, std::size_t count) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, count);
  return word;
}

std::uint64_t stir(std::uint64_t x) {
  x *= 0x9E3779B97F4A7C15U;
  return x ^ (x >> 32);
}

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = stir(text.size() + 1);
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; left -= 8, at += 8) hash = stir(hash ^ load(at, 8));
  if (left != 0) hash = stir(hash ^ load(at, left));
  return stir(hash);
}

NameList::NameList(std::span<const std::string> names) {
  for (const std::string& name : names) push_back(name);
}

void NameList::push_back(std::string_view name) {
  text_ += name;
  ends_.push_back(text_.size());
}

std::vector<std::string> NameList::to_vector() const {
  std::vector<std::string> names;
  names.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) names.emplace_back((*this)[i]);
  return names;
}

NameTable::NameTable(NameList names) : names_(std::move(names)) {
  while (slots_.size() < 2 * names_.size()) grow();
}

std::uint32_t NameTable::id_of(std::string_view name, std::uint64_t hash) {
  if (slots_.size() < 2 * (names_.size() + 1)) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.id_plus_one == 0) {
      names_.push_back(name);
      slot = {tag_of(hash), static_cast<std::uint32_t>(names_.size())};
      return slot.id_plus_one - 1;
    }
    if (slot.tag == tag_of(hash) && names_[slot.id_plus_one - 1] == name) return slot.id_plus_one - 1;
  }
}

std::uint32_t NameTable::find(std::string_view name) const {
  if (slots_.empty()) return absent;
  const std::uint64_t hash = hash_of(name);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask; slots_[i].id_plus_one != 0; i = (i + 1) & mask) {
    if (slots_[i].tag == tag_of(hash) && names_[slots_[i].id_plus_one - 1] == name) return slots_[i].id_plus_one - 1;
  }
  return absent;
}

void NameTable::grow() {
  std::vector<Slot> bigger(slots_.empty() ? first_slot_count : 2 * slots_.size());
  const std::size_t mask = bigger.size() - 1;
  for (std::size_t id = 0; id < names_.size(); ++id) {
    const std::uint64_t hash = hash_of(names_[id]);
    std::size_t i = hash & mask;
    while (bigger[i].id_plus_one != 0) i = (i + 1) & mask;
    bigger[i] = {tag_of(hash), static_cast<std::uint32_t>(id + 1)};
  }
  slots_ = std::move(bigger);
}

}  // namespace motet
