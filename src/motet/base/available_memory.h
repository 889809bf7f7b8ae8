// How much memory there is to take, asked before a table is made whose size a file, and not its length, decides.
//
// Without it the kernel promises memory that is not there, and ends the process when it is used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace motet {

// Bytes that this process may still take: the least of what the machine has available, what its control groups
// (versions 1 and 2, and all above it) leave, and what RLIMIT_AS leaves. `root` is where /proc and /sys are: tests
// make their own.
std::uint64_t available_memory(const std::string& root = "");

std::string memory_text(double bytes);  // "3.5 GB", "120 MB"

// Throws Error{machine_limit} "PLACE: WHAT would take 3.5 GB, and 1.2 GB of memory are free; ADVICE" when so many
// bytes are not there. Small amounts are not asked for.
void require_memory(std::string_view place, std::string_view what, double bytes, std::string_view advice);

// The same for numbers of so many items and features.
void require_table_memory(std::string_view place, std::size_t rows, std::size_t columns);

// Room for `more` values, as a vector makes it, but asked for first. Where twice the room is not to be had, a
// quarter more is tried.
template <class T>
void make_room(std::vector<T>& values, std::size_t more, std::string_view place) {
  if (values.capacity() - values.size() >= more) return;
  const auto bytes = [](std::size_t count) { return static_cast<double>(count) * static_cast<double>(sizeof(T)); };
  const std::size_t needed = values.size() + more;
  std::size_t room = std::max(2 * values.capacity(), needed);
  constexpr std::size_t never_asked = std::size_t{1} << 20;
  if (room > never_asked / sizeof(T)) {
    if (bytes(room) > static_cast<double>(available_memory())) {
      room = std::max(values.capacity() + values.capacity() / 4, needed);
    }
    require_memory(place, "what is read of it", bytes(room), "choose fewer rows or columns");
  }
  values.reserve(room);
}

}  // namespace motet
