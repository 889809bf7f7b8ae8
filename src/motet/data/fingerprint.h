// Stands for the data and the options that shape an answer, in a checkpoint: 64 bits of all that was added, in its
// order.
#pragma once

#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "motet/base/fields.h"
#include "motet/data/bit_matrix.h"

namespace motet {

class Fingerprint {
 public:
  // A list of numbers, or a text.
  template <std::ranges::contiguous_range List>
  requires std::is_arithmetic_v<std::ranges::range_value_t<List>> Fingerprint& add(const List& list) {
    using Entry = std::ranges::range_value_t<List>;
    return add_bytes({reinterpret_cast<const char*>(std::ranges::data(list)), std::ranges::size(list) * sizeof(Entry)});
  }
  template <class Number>
  requires std::is_arithmetic_v<Number> Fingerprint& add(Number number) {
    return add_bytes({reinterpret_cast<const char*>(&number), sizeof(number)});
  }
  Fingerprint& add(const std::vector<std::string>& names);
  Fingerprint& add(const BitMatrix& bits);

  template <class Options>
  Fingerprint& add_options(Options options) {
    for (const Field& field : fields_of(options)) add(field.name).add(field.default_text);
    return *this;
  }

  std::string text() const;  // sixteen hexadecimal digits

 private:
  Fingerprint& add_bytes(std::string_view bytes);

  std::uint64_t hash_ = 0;
};

}  // namespace motet
