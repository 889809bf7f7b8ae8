#include "motet/base/memory.h"

#include <sys/mman.h>

#include <cstdint>

namespace motet {
namespace {

constexpr std::uintptr_t huge_page = std::uintptr_t{2} << 20;

}  // namespace

void ask_for_huge_pages(void* begin, std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t last = (address + bytes) / huge_page * huge_page;
  // A refusal only costs speed.
  if (first < last) (void)::madvise(static_cast<char*>(begin) + (first - address), last - first, MADV_HUGEPAGE);
#else
  (void)begin;
  (void)bytes;
#endif
}

}  // namespace motet
