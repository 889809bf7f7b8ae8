#include "motet/data/names.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "motet/base/error.h"

namespace motet {
namespace {

constexpr std::size_t fewest_slots = 64;
constexpr std::size_t slots_in_cache = std::size_t{1}
                                       << 15;                // up to here room is cheap and saves steps: a quarter full
constexpr std::size_t slots_of_step = std::size_t{1} << 22;  // below, growing fourfold saves copies
constexpr std::size_t most_slots = std::size_t{1} << 32;     // beyond, half full; ids have 32 bits

std::uint64_t stir(std::uint64_t x) {
  x *= 0x9E3779B97F4A7C15U;
  return x ^ (x >> 32);
}

std::size_t most_names(std::size_t slot_count) {
  return slot_count <= slots_in_cache ? slot_count / 4 : slot_count / 2;
}

}  // namespace

NameKey key_of_long(std::string_view name) {
  std::uint64_t hash = stir(name.size());
  std::uint64_t word = 0;
  for (; name.size() >= 8; name.remove_prefix(8)) {
    std::memcpy(&word, name.data(), 8);
    hash = stir(hash ^ word);
  }
  word = 0;
  if (!name.empty()) std::memcpy(&word, name.data(), name.size());  // an empty name may have no address
  return {stir(hash ^ word), 0xFF000000U};
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
  std::size_t slot_count = fewest_slots;
  while (most_names(slot_count) < names_.size()) slot_count *= 2;
  resize(slot_count);
  for (std::size_t id = 0; id < names_.size(); ++id) {
    const NameKey key = key_of(names_[id]);
    slots_[place_of(names_[id], key)] = {key.low, key.high, static_cast<std::uint32_t>(id + 1)};
  }
}

NameList NameTable::take_names() {
  NameList names = std::exchange(names_, {});
  slot_count_ = 0;
  resize(fewest_slots);
  return names;
}

std::uint32_t NameTable::find(std::string_view name) const {
  return slots_[place_of(name, key_of(name))].id_plus_one - 1;  // 0 - 1 is absent
}

std::uint32_t NameTable::add(std::string_view name, const NameKey& key, std::size_t place) {
  if (names_.size() == most_) {
    resize(slot_count_ < slots_of_step ? 4 * slot_count_ : 2 * slot_count_);
    place = place_of(name, key);
  }
  names_.push_back(name);
  slots_[place] = {key.low, key.high, static_cast<std::uint32_t>(names_.size())};
  return slots_[place].id_plus_one - 1;
}

// The home of a key is the top bits of its hash, so the old slots in their order
// go to the new ones in nearly theirs: no cache misses.
void NameTable::resize(std::size_t slot_count) {
  if (slot_count > most_slots) fail(ErrorKind::machine_limit, "more than 2147483648 names; split the data");
  const ZeroedArray<Slot> old = std::exchange(slots_, ZeroedArray<Slot>(slot_count));
  const std::size_t old_count = std::exchange(slot_count_, slot_count);
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(slot_count));
  most_ = most_names(slot_count);
  for (std::size_t k = 0; k < old_count; ++k) {
    if (old[k].id_plus_one == 0) continue;
    std::size_t i = home_of({old[k].low, old[k].high});
    while (slots_[i].id_plus_one != 0) i = (i + 1) & (slot_count - 1);
    slots_[i] = old[k];
  }
}

std::string quoted_list(std::span<const std::string> names, std::size_t most) {
  std::string text;
  for (const std::string& name : names.first(std::min(most, names.size()))) {
    text += (text.empty() ? "'" : ", '") + name + "'";
  }
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

}  // namespace motet
