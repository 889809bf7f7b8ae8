// Large arrays that are read in no order: asking for huge pages saves most page
// faults and most walks through the page table. Nothing depends on getting them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace motet {

void ask_for_huge_pages(void* begin, std::size_t bytes);

// Call on a vector that is about to be filled for the first time.
template <class T>
void reserve_in_huge_pages(std::vector<T>& values, std::size_t size) {
  values.reserve(size);
  ask_for_huge_pages(values.data(), size * sizeof(T));
}

// A fixed number of values that are all zero bytes. Fresh memory is zero already,
// which a vector would write a second time.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size) : values_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (!values_ && size != 0) throw std::bad_alloc();
    ask_for_huge_pages(values_.get(), size * sizeof(T));
  }

  T& operator[](std::size_t i) { return values_.get()[i]; }
  const T& operator[](std::size_t i) const { return values_.get()[i]; }

 private:
  struct Free {
    void operator()(T* values) const { std::free(values); }
  };
  std::unique_ptr<T, Free> values_;
};

}  // namespace motet
