// Some rows of a data set, in an order: their numbers, while the data stay where they are. Folds, samples and parts
// that are held out are such views, and a model that takes one learns from these rows without a copy of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motet {

class Rows {
 public:
  // All rows as they come; costs nothing.
  static Rows all(std::size_t count) { return Rows(nullptr, count); }

  // The numbers outlive the view. Lists become one by themselves, as with a span:
  // NOLINTBEGIN(google-explicit-constructor)
  Rows(std::span<const std::uint32_t> numbers) : Rows(numbers.data(), numbers.size()) {}
  Rows(const std::vector<std::uint32_t>& numbers) : Rows(numbers.data(), numbers.size()) {}
  // NOLINTEND(google-explicit-constructor)
  Rows(std::vector<std::uint32_t>&&) = delete;

  std::size_t size() const { return size_; }
  std::size_t operator[](std::size_t place) const { return numbers_ == nullptr ? begin_ + place : numbers_[place]; }

  // Places begin ... end - 1.
  Rows between(std::size_t begin, std::size_t end) const {
    Rows some(numbers_ == nullptr ? nullptr : numbers_ + begin, end - begin);
    some.begin_ = numbers_ == nullptr ? begin_ + begin : 0;
    return some;
  }

  // A view of this view: the rows at some of its places. Where this is all rows, the places themselves.
  std::vector<std::uint32_t> at(Rows places) const {
    std::vector<std::uint32_t> numbers(places.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = static_cast<std::uint32_t>((*this)[places[i]]);
    }
    return numbers;
  }

 private:
  Rows(const std::uint32_t* numbers, std::size_t size) : numbers_(numbers), size_(size) {}

  const std::uint32_t* numbers_;  // null: begin_, begin_ + 1, ...
  std::size_t size_;
  std::size_t begin_ = 0;
};

}  // namespace motet
