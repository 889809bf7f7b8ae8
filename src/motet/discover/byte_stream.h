// Numbers and texts as bytes, least significant byte first on every machine.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace motet::discover {

class ByteWriter {
 public:
  void number(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  }
  void number(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  void text(std::string_view value) {
    number(std::uint64_t{value.size()});
    bytes_.append(value);
  }
  void numbers(const std::vector<double>& values) {
    number(std::uint64_t{values.size()});
    for (const double value : values) number(value);
  }
  void numbers(const std::vector<std::uint32_t>& values);
  // Stretches of equal values: a length in groups of 7 bits, and the value.
  void runs(const std::vector<std::uint8_t>& values);

  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

// Throws Error{bad_data} where the bytes end too early or a size does not fit.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number();
  double real() { return std::bit_cast<double>(number()); }
  std::size_t size(std::size_t bytes_each);  // of a list whose items take at least so many bytes
  std::string text();
  std::vector<double> reals();
  std::vector<std::uint32_t> small_numbers();
  std::vector<std::uint8_t> runs(std::size_t most);  // at most so many values, whatever the bytes say

  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string_view take(std::size_t count);

  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace motet::discover
